"""Servers under attack, or on failing storage, as real processes."""
