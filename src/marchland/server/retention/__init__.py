"""Retention: archives finished matches, deletes expired ones, returns the space."""
