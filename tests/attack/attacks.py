"""Attacks that go on for as long as they are let, each seeded: one try at a time, which raises what it finds."""

import json
import os
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path

from damage import DAMAGES, flip
from growth import growth
from hostile_texts import hostile_texts

import errkb
from errkb.errors import PatternError
from errkb.index.cache import index_path
from errkb.patterns import Message, Pattern
from errkb.reading import LONGEST_MESSAGE, occurrences

_QUESTIONS = (
    "ValueError: math domain error",
    "ValueError: invalid literal for int() with base 10: '2.5'",
    "no such thing as this",
    "KeyError: 'name'",
)


class FailedAttackError(AssertionError):
    """What an attack found: errkb did what it must not do."""


def reader_growth(seed: int, _folder: Path) -> Iterator[None]:
    """Texts of long runs take linear time."""
    for text in hostile_texts(seed):
        found = growth(occurrences, text.of_length)
        if not found.is_linear:
            raise FailedAttackError(f"{text}: {found}")
        yield


def reader_grammar(seed: int, _folder: Path) -> Iterator[None]:
    """Shuffled pieces of known shapes: no exception, spans inside the text, the same answer twice, 200 at most."""
    rng = random.Random(seed)
    some = hostile_texts(seed)
    while True:
        pieces = [next(some).of_length(rng.randint(1, 60)) for _ in range(rng.randint(1, 12))]
        text = rng.choice(("\n", "", " ", "\r\n", "\x00", "\ud800", "\x1b[31m")).join(pieces)
        found = occurrences(text)
        good = all(0 <= one.span[0] <= one.span[1] <= len(text) for one in found)
        stripped = all(one.message == one.message.strip() for one in found if len(one.message) < LONGEST_MESSAGE)
        if not (good and stripped and len(found) <= 200 and found == occurrences(text)):
            raise FailedAttackError(repr(text))
        yield


def chain_patterns(seed: int, _folder: Path) -> Iterator[None]:
    """Literals and gaps mean what `re` says, where the whole message is covered."""
    rng = random.Random(seed)
    while True:
        literals = ["".join(rng.choices("ab .", k=rng.randint(0, 4))) for _ in range(rng.randint(2, 4))]
        stored = "(.+?)".join(map(re.escape, literals))
        text = " ".join("".join(rng.choices("ab. ", k=rng.randint(1, 16))).split())
        try:
            pattern = Pattern(stored)
        except PatternError:
            yield
            continue
        reading = pattern.read(Message(text))
        expected = re.fullmatch(
            "(.+?)".join(re.escape(" ".join(part.split(" "))) for part in literals), text, re.DOTALL
        )
        folded = all(part == " ".join(part.split()) or part.strip() for part in literals)
        if expected and folded and "  " not in stored and not (reading and reading.whole):
            raise FailedAttackError(f"{stored!r} on {text!r}")
        yield


def index_damage(seed: int, folder: Path) -> Iterator[None]:
    """A damaged index gives the answers of a sound one."""
    dataset, sound, expected = _dataset(folder)
    rng = random.Random(seed)
    place = index_path(dataset)
    while True:
        content = bytearray(sound)
        rng.choice(DAMAGES)(content, rng)
        place.write_bytes(content)
        if _answers(errkb.load(dataset)) != expected:
            raise FailedAttackError(f"a wrong answer from an index damaged with seed {seed}")
        yield


def index_changed_in_use(seed: int, folder: Path) -> Iterator[None]:
    """An index that is cut or overwritten in place while it is open neither ends the process nor lies."""
    dataset, sound, expected = _dataset(folder)
    rng = random.Random(seed)
    place = index_path(dataset)
    while True:
        place.write_bytes(sound)
        kb = errkb.load(dataset)
        kb.lookup(_QUESTIONS[0])
        with place.open("r+b") as file:
            if rng.random() < 0.5:
                file.truncate(rng.randrange(len(sound)))
            else:
                for _ in range(200):
                    file.seek(rng.randrange(len(sound)))
                    file.write(rng.randbytes(64))
        if _answers(kb) != expected:
            raise FailedAttackError("a wrong answer from an index that changed in use")
        yield


def threads(seed: int, folder: Path) -> Iterator[None]:
    """Sixteen threads ask one knowledge base, and search it, while its index is damaged in place."""
    dataset, sound, expected = _dataset(folder)
    rng = random.Random(seed)
    place = index_path(dataset)
    kb = errkb.load(dataset)
    while True:
        wrong: list[object] = []

        def ask(kb: errkb.KnowledgeBase = kb, wrong: list[object] = wrong) -> None:
            try:
                if _answers(kb) != expected:
                    wrong.append("an answer")
                kb.search_words("number")
            except Exception as error:  # noqa: BLE001 - whatever it is, it must not be
                wrong.append(error)

        running = [threading.Thread(target=ask) for _ in range(16)]
        for thread in running:
            thread.start()
        content = bytearray(sound)
        flip(content, rng)
        place.write_bytes(content)
        for thread in running:
            thread.join()
        if wrong:
            raise FailedAttackError(repr(wrong[0]))
        yield


ATTACKS = (reader_growth, reader_grammar, chain_patterns, index_damage, index_changed_in_use, threads)


def _dataset(folder: Path) -> tuple[Path, bytes, list[str | None]]:
    """Some records, their index as it is built, and the answers to the questions."""
    from errkb.datasets.defaults import bundled_dataset

    dataset = folder / "records.jsonl"
    lines = bundled_dataset().read_bytes().splitlines(keepends=True)
    dataset.write_bytes(b"".join(line for line in lines if json.loads(line)["repo"] == "python/cpython"))

    os.utime(dataset, (1_000_000_000, 1_000_000_000))  # an index of data that changed a moment ago is not kept
    kb = errkb.load(dataset)
    return dataset, index_path(dataset).read_bytes(), _answers(kb)


def _answers(kb: errkb.KnowledgeBase) -> list[str | None]:
    return [match.record.id if (match := kb.lookup(question)) else None for question in _QUESTIONS]
