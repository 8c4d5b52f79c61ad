"""The fast ways of validation say what the slow and plain ones say."""

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from errkb.datasets.dataset import read_entries
from errkb.errors import DatasetError
from errkb.knowledge.in_memory import from_entries
from errkb.records.record import json_schema, read_record
from errkb.records.sample import neutral, sample
from errkb.records.template import Placeholder, derive_pattern, fill, parse_template
from errkb.validation import own_message
from errkb.validation.checker import Checker
from errkb.validation.decoding import decode
from errkb.validation.rule import ComparedRecord
from errkb.validation.rules.collisions import LOSES
from errkb.validation.settings import Settings

Document = dict[str, Any]

SYNTAX = st.sampled_from(
    [
        "{x}",
        "{self.step}",
        "{x!r}",
        "{x:.3f}",
        "{x[0]}",
        "{f(a,",
        "b)}",
        "{x=}",
        "{}",
        "{0}",
        "{{",
        "}}",
        "{",
        "}",
        "%s",
        "%d",
        "%(name)s",
        "%%",
        "%.200s",
        "%",
        "${x}",
        "$",
        "'",
        '"',
        "=",
        "(",
        ")",
        "[",
        "]",
        "\x00",
        "\n",
        ".",
        "*",
        "+",
        "?",
        "^",
        "|",
        "\\",
    ]
)
TEMPLATES = st.lists(SYNTAX | st.text("abcdef ", max_size=6), max_size=8).map("".join)


@settings(max_examples=600)
@given(TEMPLATES)
def test_a_sample_is_what_the_template_module_gives(template: str) -> None:
    """Derived pattern, message and number of placeholders of ordinary templates, read without a parser, are right."""
    assert sample(template) == (
        derive_pattern(template),
        fill(template, neutral),
        sum(isinstance(part, Placeholder) for part in parse_template(template)),
    )


def mutations(root: Path, count: int) -> list[Document]:
    """Those that are put to other languages too."""
    spec = importlib.util.spec_from_file_location("ajv", root / "benchmarks" / "ajv.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made: list[Document] = module.mutations(count)
    return made


def test_the_fast_decoder_accepts_what_a_record_is(root: Path) -> None:
    """What it accepts is a record without unknown fields, for the Struct and for the jsonschema package."""
    validator = Draft202012Validator(json_schema())
    accepted = 0
    for document in mutations(root, 1000):
        try:
            record = read_record(document)
        except DatasetError:
            expected = False
        else:
            expected = not record.extra
            assert validator.is_valid(document)
        try:
            decode(json.dumps(document).encode())
        except (msgspec.DecodeError, ValueError):
            # Numbers such as 1.0 are left to the slow way.
            assert not expected or any(isinstance(value, float) for value in document.values())
        else:
            assert expected
            accepted += 1
    assert accepted > 100


WORDS = st.sampled_from(
    [
        "drawer",
        "hinge",
        "lid",
        "toggle",
        "spindle",
        "is",
        "not",
        "open",
        "of",
        "in",
        "the",
        "{a}",
        "{b}",
        "'{a}'",
        "{a}:",
        "lost\nagain",
    ]
)
MESSAGES = st.lists(WORDS, min_size=2, max_size=6).map(" ".join)
RECORDS = st.lists(
    st.tuples(
        MESSAGES,
        st.sampled_from(["ValueError", "TypeError", None]),
        st.sampled_from(["acme/a", "acme/b"]),
        st.sampled_from(["a/x.py", "b/y.py"]),
        st.sampled_from([None, None, None, "drawer", "hinge (.+?)", "(?:lid|toggle) (.+?)"]),
    ),
    min_size=2,
    max_size=8,
)


@pytest.fixture(scope="session")
def made(make_document: Callable[..., Document]) -> Callable[[Any], list[Document]]:
    """Documents of drawn records, each id once."""

    def make(drawn: Any) -> list[Document]:
        documents = {}
        for message, name, repo, path, pattern in drawn:
            changes = {"messagePattern": pattern} if pattern else {}
            document = make_document(message, errorClass=name, repo=repo, filePath=path, **changes)
            documents[document["id"]] = document
        return list(documents.values())

    return make


@settings(max_examples=80)
@given(drawn=RECORDS)
def test_the_contest_ends_as_a_look_up_does(
    drawn: Any, made: Callable[[Any], list[Document]], tmp_path_factory: Any
) -> None:
    """Who wins a record's own message is what the knowledge base of all records says."""
    documents = made(drawn)
    path = tmp_path_factory.mktemp("agreement") / "x.jsonl"
    path.write_text("".join(json.dumps(document) + "\n" for document in documents))
    checker = Checker(Settings())
    checker.read(path)
    heads: list[ComparedRecord] = checker.unaffected_by(LOSES)
    fast = {head.id: violation.message for head, violation in own_message.not_answered_by_themselves(heads)}
    alive = {head.id for head in heads}
    everything = from_entries(entry for entry in read_entries(path) if json.loads(entry.raw)["id"] in alive)
    slow = {
        head.id: violation.message
        for head in heads
        if (violation := own_message.answered_by_other(head, everything.search))
    }
    assert fast == slow
