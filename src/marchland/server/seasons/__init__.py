"""Seasons: teams, games and jobs."""
