"""Colorfight."""
