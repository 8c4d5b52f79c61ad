"""`errkb new`: the beginning of a record."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from errkb.cli.options import open_knowledge
from errkb.cli.output import write
from errkb.records.draft import MISSING, class_and_message, skeleton, supplement_skeleton

_AROUND = 5


@click.command(name="new")
@click.argument("text", required=False, default="-")
@click.option("--repo", metavar="OWNER/NAME", help="The project on GitHub.")
@click.option("--file", "file_path", metavar="PATH", help="The file that raises it, from the repo's root.")
@click.option("--line", type=click.IntRange(1), metavar="N", help="The line that raises it.")
@click.option("--sha", metavar="SHA", help="The commit that was looked at, 40 hex digits.")
@click.option("--class", "error_class", metavar="NAME", help="The class; by default the one in TEXT.")
@click.option("--code", "error_code", metavar="CODE", help="The code that users search for, if there is one.")
@click.option(
    "--checkout",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A checkout of the repo: quote the lines around the place, where the licence allows it.",
)
@click.option("--supplement", metavar="ID", help="Begin a supplement of the record with this id, not a record.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Append the record to this file.")
@click.option("--pretty", is_flag=True, help="Print it over several lines.")
def command(
    text: str,
    repo: str | None,
    file_path: str | None,
    line: int | None,
    sha: str | None,
    error_class: str | None,
    error_code: str | None,
    checkout: Path | None,
    supplement: str | None,
    output: Path | None,
    pretty: bool,
) -> None:
    """Begin a record for an error: TEXT, or what is piped in; or a supplement of a record that is there.

    TEXT is best the message as the source has it, placeholders in braces: "ValueError: no drawer {n}".
    What follows from it is filled in; at a terminal the rest is asked for; what is still missing is
    marked TODO, and `errkb validate` refuses the record until it is there.
    """
    if supplement is not None:
        _give(_supplement(supplement), output, pretty)
        return
    asking = sys.stdin is not None and sys.stdin.isatty()
    if text == "-":
        if asking:
            raise click.UsageError("Give an error text, or pipe one in.")
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    if not text.strip():
        raise click.UsageError("The error text is empty.")
    found_class, message = class_and_message(text)
    answers: dict[str, Any] = {"repo": repo, "file_path": file_path, "line": line, "sha": sha}
    if asking:
        answers |= {name: _asked(name) for name, value in answers.items() if value is None}
    if checkout and answers["file_path"] and answers["line"]:
        answers |= _quoted(checkout, answers["file_path"], answers["line"])
    record = skeleton(message, error_class=error_class or found_class, error_code=error_code, **answers)
    _give(record, output, pretty)


def _give(document: dict[str, Any], output: Path | None, pretty: bool) -> None:
    """A document to a file or to stdout, with a word on what is missing in it."""
    if output:
        _append(output, _one_line(document))
        click.echo(f"errkb: {document['id']} appended to {output}", err=True)
    else:
        write(json.dumps(document, ensure_ascii=False, indent=2) + "\n" if pretty else _one_line(document))
    if MISSING in json.dumps(document):
        click.echo(f"errkb: fill in what is marked {MISSING}, then run `errkb validate`", err=True)


def _supplement(name: str) -> dict[str, Any]:
    record = open_knowledge(()).get(name)
    if record is None:
        raise click.UsageError(f"There is no record {name!r}; `errkb list` names all.")
    return supplement_skeleton(record)


def _append(path: Path, line: str) -> None:
    """A line at the end of a file, whose last line may lack its end."""
    with path.open("ab+") as file:
        end = file.seek(0, 2)
        if end and file.seek(end - 1) is not None and file.read(1) != b"\n":
            file.write(b"\n")
        file.write(line.encode("utf-8", "surrogatepass"))


def _one_line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def _asked(name: str) -> Any:
    """What a person at the terminal says; nothing for "not now"."""
    questions = {
        "repo": "Repo (owner/name)",
        "file_path": "File, from the repo's root",
        "line": "Line",
        "sha": "Commit (40 hex digits)",
    }
    answer = click.prompt(questions[name], default="", show_default=False, err=True).strip()
    if name == "line":
        return int(answer) if answer.isdecimal() else None
    return answer or None


def _quoted(checkout: Path, file_path: str, line: int) -> dict[str, Any]:
    """The lines around a place in a checkout."""
    try:
        lines = (checkout / file_path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{checkout / file_path} cannot be read: {error}") from None
    if line > len(lines):
        raise click.UsageError(f"{file_path} has only {len(lines)} lines.")
    first = max(1, line - _AROUND)
    return {"source": lines[first - 1 : line + _AROUND], "first_line": first}
