"""Rooms: one match after another."""
