"""Hive's maps: map files, a generator and what makes a map unfair."""
