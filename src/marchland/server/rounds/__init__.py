"""Rounds: matches by schedule, with standings."""
