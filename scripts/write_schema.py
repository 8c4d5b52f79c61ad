"""Write schema/record.schema.json from the Struct that defines a record.

Run it after a change of `errkb.records.record.Record`: `python scripts/write_schema.py`.
"""

import json
from pathlib import Path

from errkb.records.record import json_schema

TARGET = Path(__file__).resolve().parent.parent / "schema" / "record.schema.json"


def main() -> None:
    """Write the file."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(json_schema(), indent=2) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
