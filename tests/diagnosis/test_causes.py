"""Which cause is shown: the first that holds, else those that the text does not rule out."""

from typing import Any

import msgspec
import pytest

from errkb.diagnosis.causes import diagnose
from errkb.diagnosis.conditions import Situation
from errkb.reading import Occurrence
from errkb.records.record import read_record
from errkb.records.supplement import Supplement

Document = dict[str, Any]
SUPPLEMENT = {
    "id": "0123456789abcdef",
    "cure": "Clean the text.",
    "causes": [
        {"when": {"captures": {"text": {"equals": "''"}}}, "because": "It is empty.", "do": "Skip {text}."},
        {"because": "The file may have a header.", "do": "Skip the first row."},
        {"when": {"captures": {"text": {"looksLike": "str"}}}, "because": "{text} has {unknown}.", "do": "Clean it."},
    ],
}
CASES: dict[str, tuple[dict[str, str], str | None, str | None, list[str]]] = {
    "the first that holds": ({"text": "''"}, "Skip ''.", "It is empty.", []),
    "a later one": ({"text": "'x'"}, "Clean it.", "'x' has {unknown}.", []),
    "none holds": ({"text": "x"}, "Clean the text.", None, ["The file may have a header."]),
    "the value is cut off": (
        {},
        "Clean the text.",
        None,
        ["It is empty.", "The file may have a header.", "{text} has {unknown}."],
    ),
}


@pytest.mark.parametrize(("captures", "do", "because", "possible"), CASES.values(), ids=CASES.keys())
def test_which_cause(
    founding: Document, captures: dict[str, str], do: str, because: str | None, possible: list[str]
) -> None:
    """A cause is named only if its conditions hold; values stand in its sentences, other braces stay."""
    supplement = msgspec.convert(SUPPLEMENT, Supplement)
    situation = Situation(Occurrence(message="x", span=(0, 1)), captures, "x")
    diagnosis = diagnose(read_record(founding), supplement, situation, is_cut=not captures)
    assert diagnosis.do == do
    assert (diagnosis.cause.because if diagnosis.cause else None) == because
    assert [cause.because for cause in diagnosis.possible] == possible


def test_without_a_supplement(founding: Document) -> None:
    """The first solution of a record is its cure, the others are further steps."""
    record = read_record(founding)
    diagnosis = diagnose(record, None, Situation(Occurrence(message="x", span=(0, 1)), {}, "x"))
    assert (diagnosis.do, *diagnosis.steps) == record.solutions
    assert (diagnosis.cause, diagnosis.possible) == (None, ())


def test_a_value_that_another_wording_lacks(founding: Document) -> None:
    """Where the text is whole and has not the value, causes that ask for it are no possible ones, nor named in braces."""
    document = {**SUPPLEMENT, "captureNames": ["text"]}
    document["causes"] = [*document["causes"], {"because": "{text} is odd.", "do": "Look at it."}]  # type: ignore[misc]
    situation = Situation(Occurrence(message="x", span=(0, 1)), {}, "x")
    diagnosis = diagnose(read_record(founding), msgspec.convert(document, Supplement), situation)
    assert [cause.because for cause in diagnosis.possible] == ["The file may have a header."]
