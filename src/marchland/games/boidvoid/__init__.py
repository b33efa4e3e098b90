"""BoidVoid."""
