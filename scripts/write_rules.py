"""Write docs/rules.md from the rules of `errkb validate`.

Run it after a change of a rule: `python scripts/write_rules.py`.
"""

from pathlib import Path

from errkb.validation.reference import rules_page

TARGET = Path(__file__).resolve().parent.parent / "docs" / "rules.md"


def main() -> None:
    """Write the file."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(rules_page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
