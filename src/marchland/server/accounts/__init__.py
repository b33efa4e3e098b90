"""Accounts and tokens."""
