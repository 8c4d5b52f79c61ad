"""Write the JSON Schemas in schema/ from the Structs that define a record and a supplement.

Run it after a change of `errkb.records`: `python scripts/write_schema.py`.
"""

import json
from pathlib import Path

from errkb.records import record, supplement

FOLDER = Path(__file__).resolve().parent.parent / "schema"
SCHEMAS = {
    "record.schema.json": record.json_schema,
    "supplement.schema.json": supplement.json_schema,
}


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, schema in SCHEMAS.items():
        (FOLDER / name).write_text(json.dumps(schema(), indent=2) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
