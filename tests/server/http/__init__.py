"""Tests of `marchland.server.http`."""
