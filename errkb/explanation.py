"""An explanation: one value that every renderer takes, so that they cannot drift apart."""

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec

from errkb.diagnosis.causes import Diagnosis, diagnose
from errkb.diagnosis.conditions import Situation
from errkb.diagnosis.your_line import YourLine, your_line
from errkb.environment.class_bases import installed_bases
from errkb.environment.installed import InstalledPlace, installed_place
from errkb.knowledge.base import KnowledgeBase, default
from errkb.matching.match import Kind, Match
from errkb.reading import Occurrence, read_error
from errkb.records.record import Record

if TYPE_CHECKING:
    from errkb.diagnosis.class_notes import ClassNote
    from errkb.proof.results import Proof
    from errkb.raise_sites.result import Compiled, RaiseSite
else:
    # What `help(errkb)` resolves when it asks for the signature; importing them all would slow every answer down.
    ClassNote = Compiled = Proof = RaiseSite = Any

_MOST_ELSEWHERE = 20
_MOST_RELATED = 3
FindSite = Callable[[Occurrence], "RaiseSite | Compiled | None"]


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """One error of a text, explained as far as it is known.

    `occurrence` is None only if nothing at all could be read from the text.
    """

    occurrence: Occurrence | None
    match: Match | None = None
    """The best match of this error, never of another one in the text."""
    diagnosis: Diagnosis | None = None
    """Which cause it is and what to do; None without a match."""
    your_line: YourLine | None = None
    """The innermost line of the traceback that is the reader's own."""
    alternatives: tuple[Match, ...] = ()
    """Other records that may be the right one, best first."""
    elsewhere: tuple["Explanation", ...] = ()
    """Other errors of the same text, each with its own best match. No record is in it twice."""
    installed: InstalledPlace | None = None
    """Where the reader's own installation raises it."""
    proof: "Proof | None" = None
    """Whether the record's example was run; None if it has none to run."""
    raised: "RaiseSite | Compiled | None" = None
    """Where no record is known for sure: the place in the reader's packages that raises it."""
    class_note: "ClassNote | None" = None
    """What the class means in general; only without a match."""
    related: tuple[Record, ...] = ()
    """Records that share rare words with the message; only without a match."""
    language: str | None = None
    """The language or tool of the text, if it is clearly not Python; only without a match."""

    @property
    def answer(self) -> "Explanation | None":
        """What answers the text: this explanation if it has a match, else the first other error that has one."""
        return next((one for one in (self, *self.elsewhere) if one.match), None)

    def text(self, *, width: int = 80, full: bool = False, colour: bool = False) -> str:
        """For people, in lines of at most `width` columns; `full` adds all that the record holds."""
        return str(_renderer("text").render_text(self, width=width, full=full, colour=colour))

    def short(self, *, width: int = 80) -> str:
        """The cure, the cause and the record in at most six lines; empty where no record and no raise site is known."""
        return str(_renderer("short_text").short_text(self, width=width))

    def markdown(self) -> str:
        """As Markdown, for issues and chats."""
        return str(_renderer("markdown").render_markdown(self))

    def html(self) -> str:
        """As a fragment of HTML with classes and no styles of its own."""
        return str(_renderer("html").render_html(self))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """For notebooks: the value of a cell is shown in the richest of these forms that they know."""
        del include, exclude
        return {"text/plain": self.text(), "text/markdown": self.markdown(), "text/html": self.html()}

    def _mime_(self) -> tuple[str, str]:
        """For marimo, which asks for one form."""
        return "text/html", self.html()

    def to_dict(self) -> dict[str, Any]:
        """As the dictionaries and lists of docs/json.md."""
        return dict(_renderer("json").document(self))


def _renderer(form: str) -> ModuleType:
    """The module that renders a form. It is found by its name, since renderers know what an explanation is."""
    return import_module(f"errkb.render.{form}")


def explain(
    error: str | BaseException, *, kb: KnowledgeBase | None = None, python: Path | str | None = None
) -> Explanation | None:
    """What is known about an error text or a live exception; None if it holds no error that anything is known of.

    `kb` defaults to the bundled dataset and your own ones. `python` is the interpreter or environment
    whose packages are read where there is no record, by default the active one. Raises TypeError for
    anything that is neither text nor an exception, and ErrkbError for a `python` that is none.
    """
    found = read_error(error)
    place = Path(python) if python is not None else None
    explanation = explain_found(
        default() if kb is None else kb,
        found,
        text="" if isinstance(error, BaseException) else error,
        python=place,
        find_site=partial(find_raise_site, python=place),
    )
    known = explanation.answer or explanation.raised or explanation.class_note
    return explanation if known else None


def explain_found(
    kb: KnowledgeBase,
    found: Sequence[Occurrence],
    *,
    text: str = "",
    limit: int = 3,
    repo: str | None = None,
    python: Path | None = None,
    find_site: FindSite | None = None,
) -> Explanation:
    """The explanation of the first of a text's errors (best first), with the others in short.

    `text` is what they were read from. `find_site` is asked for the place that raises an error for
    which there is no record, or only one with a similar wording.
    """
    each = kb.search_each(found[: _MOST_ELSEWHERE + 1], limit=limit, repo=repo, bases_of=installed_bases(python))
    if not found:
        return Explanation(occurrence=None, language=_language(text))
    first, others = found[0], list(zip(found[1:], each[1:], strict=False))
    main = _explained(kb, first, each[0], text, python)
    raised = None
    if find_site and (main.match is None or main.match.kind is Kind.FUZZY):
        raised = find_site(first)
    elsewhere = _others(kb, main, others, text, python)
    main = msgspec.structs.replace(main, elsewhere=elsewhere, raised=raised)
    if main.match or raised:
        return main
    return msgspec.structs.replace(
        main,
        class_note=_class_note(first),
        related=_related(kb, first) if not main.answer else (),
        language=None if main.answer else _language(text),
    )


def explain_each(
    kb: KnowledgeBase,
    found: Sequence[Occurrence],
    *,
    text: str = "",
    limit: int = 3,
    repo: str | None = None,
    python: Path | None = None,
    find_site: FindSite | None = None,
) -> list[Explanation]:
    """An explanation of each occurrence on its own, in order."""
    return [
        explain_found(kb, [one], text=text, limit=limit, repo=repo, python=python, find_site=find_site)
        for one in found[:_MOST_ELSEWHERE]
    ]


def find_raise_site(
    occurrence: Occurrence,
    *,
    python: Path | None = None,
    deep: bool = False,
    progress: Callable[[str], None] | None = None,
) -> "RaiseSite | Compiled | None":
    """Where the packages of an interpreter raise an error, if its frames or its class tell which to look in.

    `deep` searches all its packages. Raises InterpreterError for a `python` that is none.
    """
    if not (deep or occurrence.frames or "." in (occurrence.error_class or "")):
        return None
    from errkb.raise_sites import site_finder

    return site_finder(python, deep=deep, progress=progress).find(occurrence)


def _explained(
    kb: KnowledgeBase, occurrence: Occurrence, matches: Sequence[Match], text: str, python: Path | None
) -> Explanation:
    line = your_line(occurrence.frames)
    if not matches:
        return Explanation(occurrence=occurrence, your_line=line)
    best = matches[0]
    # The occurrence of the match may be read better, with the record's help.
    whole = "\n".join((text, *occurrence.notes)) if text else "\n".join((occurrence.message, *occurrence.notes))
    situation = Situation(best.occurrence, best.captures, whole)
    return Explanation(
        occurrence=best.occurrence,
        match=best,
        diagnosis=diagnose(best.record, kb.supplement(best.record.id), situation, is_cut=best.kind is Kind.PARTIAL),
        your_line=line,
        alternatives=tuple(matches[1:]),
        installed=installed_place(best.record, python),
        proof=_proof(best.record, kb.datasets),
    )


def _others(
    kb: KnowledgeBase,
    main: Explanation,
    others: Sequence[tuple[Occurrence, Sequence[Match]]],
    text: str,
    python: Path | None,
) -> tuple[Explanation, ...]:
    """The other errors of a text, each record and each unknown message once; in full until one answers the text."""
    seen = {_identity(main)}
    result: list[Explanation] = []
    answered = main.match is not None
    for occurrence, matches in others:
        if answered or not matches:
            one = Explanation(occurrence=occurrence, match=next(iter(matches), None))
        else:
            one, answered = _explained(kb, occurrence, matches, text, python), True
        if _identity(one) not in seen:
            seen.add(_identity(one))
            result.append(one)
    return tuple(result)


def _identity(one: Explanation) -> object:
    assert one.occurrence is not None  # noqa: S101  # made from occurrences
    return one.match.record.id if one.match else (one.occurrence.error_class, one.occurrence.message)


def _class_note(occurrence: Occurrence) -> "ClassNote | None":
    from errkb.diagnosis.class_notes import class_note  # not needed where a record answers

    return class_note(occurrence.error_class)


def _language(text: str) -> str | None:
    from errkb.diagnosis.language import foreign_language  # not needed where a record answers

    return foreign_language(text)


def _related(kb: KnowledgeBase, occurrence: Occurrence) -> tuple[Record, ...]:
    return tuple(kb.related(occurrence, limit=_MOST_RELATED))


def _proof(record: Record, datasets: Sequence[Path]) -> "Proof | None":
    """What is known of running the record's example; looked up only for a record that has one."""
    if not record.example_fix:
        return None
    from errkb.proof.proofs_file import find_proof, proofs_path

    return find_proof(record, [proofs_path(dataset) for dataset in datasets])
