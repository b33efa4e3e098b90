"""``python -m marchland``."""

from marchland.cli import main

main()
