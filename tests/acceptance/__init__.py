"""Runs that take minutes: ``make acceptance``. `make test` has a reduced version of each."""
