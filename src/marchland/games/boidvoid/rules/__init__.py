"""The rules of BoidVoid: everything that decides an outcome."""
