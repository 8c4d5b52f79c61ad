"""The usual question of programs, answered without the command-line library, in half the time.

`errkb explain --json [--data PATH]… TEXT` that finds a record is answered here. All else (other
options, texts from pipes, nothing found, any trouble) goes the ordinary way, which gives the
same answer to this question too.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from errkb.cli.output import discard_output, report_unwritable, write
from errkb.datasets.defaults import default_datasets
from errkb.errors import ErrkbError
from errkb.explanation import explain_found
from errkb.knowledge.base import open_datasets
from errkb.matching.match import Kind
from errkb.reading import LONGEST_MESSAGE, occurrences


def quick_answer(arguments: Sequence[str]) -> int | None:
    """The exit status after the answer was written, or None if this is for the ordinary way."""
    question = _parsed(arguments)
    if question is None:
        return None
    text, data = question
    try:
        kb = open_datasets([Path(path) for path in data] or default_datasets(), lenient=not data)
        found = occurrences(text)
        if any(len(one.message) >= LONGEST_MESSAGE for one in found):
            return None
        explanation = explain_found(kb, found, text=text)
        if kb.problems or explanation.match is None or explanation.match.kind is Kind.FUZZY:
            return None
    except ErrkbError:
        return None
    from errkb.render.json import render_json

    try:
        write(render_json(explanation) + "\n")
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        return report_unwritable(error)
    return 0


def _parsed(arguments: Sequence[str]) -> tuple[str, list[str]] | None:
    """The text and the datasets of `explain --json [--data PATH]… TEXT`, or None if it is anything else."""
    if arguments[:1] != ["explain"] or "--json" not in arguments:
        return None
    words, data = list(arguments[1:]), list[str]()
    words.remove("--json")
    while "--data" in words:
        place = words.index("--data")
        data += words[place + 1 : place + 2]
        del words[place : place + 2]
    if not words or any(word.startswith("-") for word in (*words, *data)):
        return None
    return " ".join(words), data
