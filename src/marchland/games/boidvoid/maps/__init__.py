"""BoidVoid's maps: map files, a generator and how a match is set up on a map."""
