"""Enova's maps: map files and the worlds that a match starts on."""
