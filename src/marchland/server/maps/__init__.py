"""Saved maps."""
