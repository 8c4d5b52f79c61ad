"""`python -m errkb`."""

from errkb.cli import main

if __name__ == "__main__":
    main()
