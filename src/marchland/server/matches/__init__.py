"""Matches: requests, seats, life cycle, reading, live connections."""
