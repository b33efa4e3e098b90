"""``python -m marchland.cli``."""

from marchland.cli import main

if __name__ == "__main__":
    main()
