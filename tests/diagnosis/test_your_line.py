"""The reader's own line in a traceback, and the language of a text that is not Python's."""

from pathlib import Path

import msgspec
import pytest

from errkb.diagnosis.class_notes import ClassNote, class_note
from errkb.diagnosis.language import LANGUAGES, foreign_language
from errkb.diagnosis.your_line import is_foreign, your_line
from errkb.reading import Frame

FILES = {
    "/srv/shop/stock.py": False,
    "stock.py": False,
    "C:\\shop\\stock.py": False,
    "<ipython-input-3-1a2b>": False,
    "Cell In[3]": False,
    "<stdin>": False,
    "/home/ada/python/stock.py": False,
    "/srv/lib/stock.py": False,
    "/usr/lib/python3.12/json/decoder.py": True,
    "/usr/lib/python3/dist-packages/yaml/scanner.py": True,
    "/srv/venv/lib/python3.11/site-packages/pandas/core/frame.py": True,
    "C:\\Python312\\Lib\\json\\decoder.py": True,
    "C:\\shop\\venv\\Lib\\site-packages\\pandas\\core\\frame.py": True,
    "<frozen importlib._bootstrap>": True,
    "pandas/_libs/index.pyx": True,
}


@pytest.mark.parametrize(("file", "foreign"), FILES.items(), ids=FILES.keys())
def test_whose_file(file: str, foreign: bool) -> None:
    """The standard library's and installed packages' files are told from the reader's by their paths."""
    assert is_foreign(file) is foreign


def test_the_innermost_own_frame(tmp_path: Path) -> None:
    """The innermost frame of the reader's own code is their line, with its source where the file is at hand."""
    script = tmp_path / "stock.py"
    script.write_text("import json\n\n    qty = int(text)  # here\n", encoding="utf-8")
    library = Frame("/usr/lib/python3.12/json/decoder.py", 5, "decode")
    line = your_line((Frame("/gone/app.py", 1, "main"), Frame(str(script), 3, "load"), library))
    assert line is not None
    assert (line.file, line.line, line.function, line.source) == (str(script), 3, "load", "qty = int(text)  # here")
    assert your_line((library,)) is None
    assert your_line(()) is None
    gone = your_line((Frame("/gone/app.py", 1, "main"),))
    assert gone is not None
    assert gone.source is None


@pytest.mark.parametrize("language", LANGUAGES, ids=[language.name for language in LANGUAGES])
def test_languages(language: object) -> None:
    """The example of each row is of that language, whatever stands around it; Python's is none."""
    name, _, example = language  # type: ignore[misc]
    wanted = None if name == "Python" else name
    assert foreign_language(f"the build failed:\n{example}\nexit 1") == wanted


def test_python_is_no_foreign_language() -> None:
    """A text with a Python traceback is Python's, whatever else stands in it; prose is of no language."""
    python = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nKeyError: 1\n'
    assert foreign_language(python + "goroutine 1 [running]:") is None
    assert foreign_language("why does my program fail?") is None
    assert foreign_language("") is None


def test_notes_on_classes() -> None:
    """A class has its note by its last name; one with a module path is not answered for another package's class."""
    note = class_note("KeyError")
    assert note is not None
    assert note.error_class == "KeyError"
    assert class_note("builtins.KeyError") in (note, None)
    assert class_note("acme.NoSuchThingError") is None
    assert class_note(None) is None


def test_notes_are_short_and_sorted(root: Path) -> None:
    """Each class has one note of three sentences that fit their places; there are at least 200, in order."""
    lines = (root / "data" / "class_notes.jsonl").read_text(encoding="utf-8").splitlines()
    notes = [msgspec.json.decode(line, type=ClassNote) for line in lines]
    names = [note.error_class for note in notes]
    assert len(names) >= 200
    assert names == sorted(set(names))
    for note in notes:
        for sentence in (note.says, note.usually, note.check):
            assert 10 <= len(sentence) <= 160, note
            assert sentence.rstrip("`").endswith((".", ")", "?")), note
            assert "TODO" not in sentence
