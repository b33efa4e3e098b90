"""Enova Conquest."""
