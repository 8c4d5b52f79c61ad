"""Write errkb/reading/hints.py from the tables of the reader.

Run it after a change of a table: `python scripts/write_hints.py`.
"""

from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "errkb" / "reading" / "hints.py"


def main() -> None:
    """Write the file; an empty one stands in for it while the tables are read."""
    if not TARGET.exists():
        TARGET.write_text("EXCEPTIONS = GUESSES = OTHER_SHAPES = ()\n", encoding="utf-8")
    from errkb.reading.refusals import module_text

    TARGET.write_text(module_text(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
