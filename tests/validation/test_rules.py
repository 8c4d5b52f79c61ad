"""C7: every fault is found by its rule, at its place, and nothing else is found."""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from errkb.errors import DatasetError
from errkb.records.record import derive_id
from errkb.validation import Finding, validate
from errkb.validation.rules import RULES

Document = dict[str, Any]
Documents = list[Document]
Make = Callable[..., Document]
Seed = Callable[[Documents, Make], Any]


class Fault(NamedTuple):
    """What is done to a dataset without fault, and where the one finding must be."""

    rule: str
    line: int
    pointer: str | None
    seed: Seed


def on_second(**changes: Any) -> Seed:
    """Fields of the second record changed."""
    return lambda documents, _make: documents[1].update(changes)


def second(change: Callable[[Document], Any]) -> Seed:
    """Something done to the second record."""
    return lambda documents, _make: change(documents[1])


def appended(message: str, **changes: Any) -> Seed:
    """One more record."""
    return lambda documents, make: documents.append(make(message, **changes))


def prose(field: str, text: str) -> Fault:
    """A text that says nothing in a field of the second record."""
    return Fault("placeholder-prose", 2, f"/{field}", on_second(**{field: text}))


def example(before: str, after: str) -> Seed:
    """Another example in the second record."""
    return on_second(exampleFix=f"# before\n{before}\n\n# after\n{after}\n")


def swallowed(caught: str, body: str) -> str:
    """A half that catches and goes on."""
    return f"try:\n    tool.open(0)\nexcept {caught}:\n    {body}"


def caught(classes: str) -> str:
    """A try whose clause names these classes."""
    return f"try:\n    tool.open(0)\nexcept ({classes}) as error:\n    raise SystemExit(error)"


def span(start: int | None, end: int | None, line: int, code: str | None = None) -> Seed:
    """Another span in the second record."""
    return on_second(sourceCodeStart=start, sourceCodeEnd=end, lineNumber=line, sourceCode=code)


def with_url(change: Callable[[str], str]) -> Seed:
    """The link of the second record changed."""
    return second(lambda document: document.update(githubUrl=change(document["githubUrl"])))


def loses(winner: tuple[str, Document], loser: tuple[str, Document]) -> Fault:
    """Two more records, the second of which does not win its own message."""
    return Fault(
        "loses-own-message",
        6,
        "/messagePattern",
        lambda documents, make: documents.extend(make(message, **changes) for message, changes in (winner, loser)),
    )


LONG = "this is the one long message that covers everything: "
TOKENS = {
    "github": "ghp_" + "a1B2" * 9,
    "openai": "sk-proj-" + "Ab3_" * 12,
    "aws": "AKIA" + "Q7RT5WZX2JK4LMNP",
    "google": "AIza" + "Sy-" + "Qw3rTz_" * 4 + "Uio9",
    "gitlab": "glpat-" + "x_Y-1" * 4,
    "jwt": ".".join(("eyJ" + "aB3" * 8, "eyJ" + "cD4" * 8, "eF5" * 8)),
    "key": "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEAxyzQ\n",
}

FAULTS: dict[str, Fault] = {
    "field missing": Fault("schema", 2, None, second(lambda document: document.pop("solutions"))),
    "enum": Fault("schema", 2, "/errorType", on_second(errorType="oops")),
    "type": Fault("schema", 2, "/lineNumber", on_second(lineNumber="8")),
    "number": Fault("schema", 2, "/httpStatus", on_second(httpStatus=99)),
    "list member": Fault("schema", 2, "/tags/1", on_second(tags=["good", "Not Kebab"])),
    "line feed after sha": Fault("schema", 2, "/analyzedSha", on_second(analyzedSha="0" * 40 + "\n")),
    "nothing where text must be": Fault("schema", 2, "/errorClass", on_second(errorClass="")),
    "half a surrogate pair": Fault("broken-json", 2, None, on_second(severity="\udc00")),
    "newer field": Fault("unknown-field", 2, "/contentChangedAt", on_second(contentChangedAt="x")),
    "slash in a name": Fault("unknown-field", 2, "/a~1b~0c", second(lambda document: document.update({"a/b~c": 1}))),
    "misspelt field": Fault("unknown-field", 2, "/ErrorClass", on_second(ErrorClass="ValueError")),
    "exact copy": Fault("duplicate-id", 5, "/id", lambda documents, _make: documents.append(dict(documents[0]))),
    "copy with another message": Fault(
        "duplicate-id",
        5,
        "/id",
        lambda documents, make: documents.append(make("a toggle {x} is loose", id=documents[0]["id"])),
    ),
    "id of a later record": Fault(
        "duplicate-id", 4, "/id", lambda documents, _make: documents[3].update(id=documents[1]["id"])
    ),
    "id of zeros": Fault("id-not-derived", 2, "/id", on_second(id="0" * 16)),
    "id of another path": Fault(
        "id-not-derived",
        2,
        "/id",
        second(lambda d: d.update(id=derive_id(d["repo"], None, d["errorMessage"], "other.py"))),
    ),
    "id without regard of the code": Fault(
        "id-not-derived",
        5,
        "/id",
        lambda documents, make: documents.append(
            make(
                "a toggle {x} is loose",
                errorCode="E77",
                id=derive_id("acme/tool", None, "a toggle {x} is loose", "tool/core.py"),
            )
        ),
    ),
    "another slug": Fault("slug-not-derived", 2, "/slug", on_second(slug="another")),
    "slug with digits of another id": Fault(
        "slug-not-derived", 2, "/slug", second(lambda document: document.update(slug=document["slug"] + "-000000"))
    ),
    "slug cut elsewhere": Fault("slug-not-derived", 2, "/slug", on_second(slug="cannot-open-drawer")),
    "slug of the code wanted": Fault(
        "slug-not-derived", 5, "/slug", appended("a toggle {x} is loose", errorCode="E77", slug="a-toggle-x-is-loose")
    ),
    "same first fifty characters": Fault(
        "duplicate-slug",
        6,
        "/slug",
        lambda documents, make: documents.extend([make(LONG + "the first {x}"), make(LONG + "a second {y}")]),
    ),
    "only marks differ": Fault(
        "duplicate-slug", 5, "/slug", appended("cannot open drawer <number> of cabinet [cabinet]")
    ),
    "case differs": Fault("duplicate-slug", 5, "/slug", appended("Unexpected gadget: in slot {slot}")),
    "anchor": Fault("pattern-dialect", 2, "/messagePattern", on_second(messagePattern="^cannot open")),
    "look-ahead": Fault("pattern-dialect", 2, "/messagePattern", on_second(messagePattern="cannot (?=open)")),
    "back-reference": Fault("pattern-dialect", 2, "/messagePattern", on_second(messagePattern=r"cannot (.+?) \1")),
    "no text": Fault("pattern-dialect", 2, "/messagePattern", on_second(messagePattern="(.+?)")),
    "no expression": Fault("pattern-dialect", 2, "/messagePattern", on_second(messagePattern="cannot open (")),
    "another verb": Fault(
        "pattern-misses-template", 2, "/messagePattern", on_second(messagePattern="cannot close drawer (.+?) of (.+?)")
    ),
    "numbers only": Fault(
        "pattern-misses-template", 2, "/messagePattern", on_second(messagePattern=r"cannot open drawer (\d+) of (.+?)")
    ),
    "words only": Fault(
        "pattern-misses-template", 2, "/messagePattern", on_second(messagePattern=r"cannot open drawer (\w+) of (.+?)")
    ),
    "many groups": Fault(
        "pattern-too-long",
        2,
        "/messagePattern",
        second(lambda document: document.update(messagePattern=document["messagePattern"] + "(?:)" * 120)),
    ),
    "many alternatives": Fault(
        "pattern-too-long",
        2,
        "/messagePattern",
        on_second(
            messagePattern="cannot open (?:drawer|" + "|".join(f"door{n}" for n in range(80)) + ") (.+?) of (.+?)"
        ),
    ),
    "long derived one": Fault(
        "pattern-too-long",
        5,
        "/messagePattern",
        appended("a toggle is loose, " * 30, messagePattern="a toggle is loose, " * 29 + "a toggle is loose,"),
    ),
    "common words": Fault("pattern-unspecific", 5, "/messagePattern", appended("Error: {reason}")),
    "hardly any text": Fault("pattern-unspecific", 5, "/messagePattern", appended("{a}: {b}")),
    "short words": Fault("pattern-unspecific", 5, "/messagePattern", appended("in {a} of {b} is")),
    "capture left out": Fault(
        "capture-count", 2, "/messagePattern", on_second(messagePattern="cannot open drawer (.+?) of cabinet .+?")
    ),
    "no capture": Fault(
        "capture-count", 2, "/messagePattern", on_second(messagePattern="cannot open drawer .+? of cabinet .+")
    ),
    "capture too many": Fault(
        "capture-count", 2, "/messagePattern", on_second(messagePattern="cannot (open) drawer (.+?) of cabinet (.+?)")
    ),
    "branch in the link": Fault(
        "permalink", 2, "/githubUrl", with_url(lambda url: url.replace(url.split("/")[6], "main"))
    ),
    "repo of the link": Fault("permalink", 2, "/githubUrl", with_url(lambda url: url.replace("acme/", "other/"))),
    "path of the link": Fault("permalink", 2, "/githubUrl", with_url(lambda url: url.replace("core", "main"))),
    "lines of the link": Fault("permalink", 2, "/githubUrl", with_url(lambda url: url.replace("L126", "L125"))),
    "no lines in the link": Fault("permalink", 2, "/githubUrl", with_url(lambda url: url.partition("#")[0])),
    "no link to a file": Fault(
        "permalink", 2, "/githubUrl", on_second(githubUrl="https://github.com/acme/tool/issues/1")
    ),
    "end before start": Fault("source-span", 2, "/sourceCodeEnd", span(126, 90, 108)),
    "line outside": Fault("source-span", 2, "/lineNumber", span(90, 126, 127)),
    "span too long": Fault("source-span", 2, "/sourceCodeEnd", span(90, 130, 108)),
    "lines missing in the code": Fault("source-span", 2, "/sourceCode", span(90, 126, 108, "one\ntwo")),
    "start alone": Fault("source-span", 2, "/sourceCodeEnd", span(90, None, 108)),
    "code without span": Fault("source-span", 2, "/sourceCodeStart", span(None, None, 108, "one")),
    "far future": Fault("time-in-future", 2, "/analyzedAt", on_second(analyzedAt="2999-01-01T00:00:00Z")),
    "thirteenth month": Fault("time-in-future", 2, "/analyzedAt", on_second(analyzedAt="2025-13-01T00:00:00Z")),
    "25 o'clock": Fault("time-in-future", 2, "/analyzedAt", on_second(analyzedAt="2025-12-01T25:00:00.123Z")),
    "tags unsorted": Fault("tags-order", 2, "/tags", on_second(tags=["b", "a"])),
    "tag repeated": Fault("tags-order", 2, "/tags", on_second(tags=["a", "a"])),
    "both": Fault("tags-order", 2, "/tags", on_second(tags=["c", "a", "c"])),
    "to do": prose("documentation", "TODO"),
    "dash": prose("triggerScenarios", "-"),
    "empty": prose("commonSituations", " "),
    "lorem ipsum": prose("documentation", "Lorem ipsum dolor sit amet, consectetur adipiscing elit."),
    "advice that is none": Fault(
        "placeholder-prose",
        2,
        "/solutions/1",
        on_second(solutions=["Open it with the key.", "Ensure that you properly configure the drawer."]),
    ),
    "not applicable": Fault("placeholder-prose", 2, "/preventionTips/0", on_second(preventionTips=["N/A"])),
    "two words": Fault("thin-prose", 2, "/documentation", on_second(documentation="Bad drawer.")),
    "three words": Fault(
        "thin-prose", 2, "/triggerScenarios", on_second(triggerScenarios="Opening locked drawerfronts")
    ),
    "no solution": Fault("thin-prose", 2, "/solutions", on_second(solutions=[])),
    "what not to do": Fault(
        "solution-is-no-action", 2, "/solutions/0", on_second(solutions=["Never pull two drawers at a time."])
    ),
    "vague care": Fault(
        "solution-is-no-action", 2, "/solutions/0", on_second(solutions=["Make sure the cabinet stands level."])
    ),
    "a warning as the second step": Fault(
        "solution-is-no-action",
        2,
        "/solutions/1",
        on_second(solutions=["Open it with the key.", "Do not force the lock of the drawer."]),
    ),
    "message again": Fault(
        "prose-restates-message",
        2,
        "/documentation",
        on_second(documentation="cannot open drawer number of cabinet cabinet"),
    ),
    "message in a formula": Fault(
        "prose-restates-message",
        2,
        "/documentation",
        on_second(documentation="This error occurs when the drawer of the cabinet cannot open."),
    ),
    "class and message": Fault(
        "prose-restates-message",
        2,
        "/documentation",
        on_second(errorClass="DrawerError", documentation="A DrawerError is raised when it cannot open the drawer."),
    ),
    **{
        f"secret: {kind}": Fault(
            "secret", 2, "/commonSituations", on_second(commonSituations=f"People had set token = '{token}' in a file.")
        )
        for kind, token in TOKENS.items()
    },
    "secret in a solution": Fault(
        "secret", 2, "/solutions/0", on_second(solutions=[f"Call open(key='{TOKENS['github']}') before."])
    ),
    "address": Fault(
        "e-mail-address",
        2,
        "/documentation",
        on_second(documentation="Ask ada.lovelace@analytical.engine.org for the key."),
    ),
    "address in code": Fault(
        "e-mail-address", 2, "/validationCode", on_second(validationCode="send(to='jane.roe@gmail.com')")
    ),
    "address in brackets": Fault(
        "e-mail-address", 2, "/solutions/0", on_second(solutions=["Write to Jane Roe <jane+help@mail.uni-x.edu>."])
    ),
    "home": Fault(
        "home-path", 2, "/documentation", on_second(documentation="The key lay in /home/mmuster/keys/drawer.")
    ),
    "home on a Mac": Fault(
        "home-path", 2, "/solutions/0", on_second(solutions=["Remove /Users/mmuster/Library/keys."])
    ),
    "home on Windows": Fault(
        "home-path", 2, "/tryCatchPattern", on_second(tryCatchPattern="open(r'C:\\Users\\mmuster\\keys.txt')")
    ),
    "no half": Fault("example-halves", 2, "/exampleFix", on_second(exampleFix="tool.open(1)")),
    "no after": Fault("example-halves", 2, "/exampleFix", on_second(exampleFix="# before\ntool.open(0)\n")),
    "after first": Fault("example-halves", 2, "/exampleFix", on_second(exampleFix="# after\nx\n\n# before\ny\n")),
    "empty half": Fault("example-halves", 2, "/exampleFix", on_second(exampleFix="# before\n\n# after\ny = 1\n")),
    "bracket left open": Fault("example-syntax", 2, "/exampleFix", example("import tool\ntool.open(", "import tool")),
    "bad indentation": Fault(
        "example-syntax", 2, "/exampleFix", example("import tool", "from tool import a\n  a()\na()")
    ),
    "Python 2": Fault(
        "example-syntax", 2, "/exampleFix", example("import tool\nprint tool", "import tool\nprint(tool)")
    ),
    "the same twice": Fault("example-unchanged", 2, "/exampleFix", example("tool.open(1)", "tool.open(1)")),
    "white space apart": Fault("example-unchanged", 2, "/exampleFix", example("tool.open(1)  ", "\ntool.open(1)")),
    "the same shell command": Fault("example-unchanged", 2, "/exampleFix", example("tool --open 1", "tool --open 1")),
    "swallowed": Fault(
        "example-hides-error", 2, "/exampleFix", example("tool.open(0)", swallowed("Exception", "pass"))
    ),
    "printed": Fault(
        "example-hides-error", 2, "/exampleFix", example("tool.open(0)", swallowed("", "print('no tool')"))
    ),
    "its class swallowed": Fault(
        "example-hides-error", 2, "/exampleFix", example("tool.open(0)", swallowed("(KeyError, ValueError)", "..."))
    ),
    "import for nothing": Fault(
        "example-unused-import",
        2,
        "/exampleFix",
        example("import os\nimport tool\ntool.a()", "import os\nimport tool\ntool.b()"),
    ),
    "name for nothing": Fault(
        "example-unused-import", 2, "/exampleFix", example("from tool import a, b\nb(0)", "from tool import a, b\nb(1)")
    ),
    "alias for nothing": Fault(
        "example-unused-import", 2, "/exampleFix", example("import numpy as np\nint(x)", "import numpy as np\nint(7)")
    ),
    "no colon": Fault("code-syntax", 2, "/validationCode", on_second(validationCode="import os\nif os.name\n    pass")),
    "bracket in a guard": Fault(
        "code-syntax", 2, "/typeGuard", on_second(typeGuard="def f(x):\n    return isinstance(x, int")
    ),
    "half a try": Fault(
        "code-syntax", 2, "/tryCatchPattern", on_second(tryCatchPattern="import a\ntry:\n    a.b()\nexcept")
    ),
    "os": Fault(
        "code-import", 2, "/validationCode", on_second(validationCode="if 'X' not in os.environ: raise SystemExit")
    ),
    "json": Fault(
        "code-import", 2, "/tryCatchPattern", on_second(tryCatchPattern="try:\n    json.loads(text)\nexcept E: ...")
    ),
    "one of two": Fault(
        "code-import", 2, "/typeGuard", on_second(typeGuard="import re\nif re.match(sys.argv[1], x): ...")
    ),
    "file not found": Fault(
        "redundant-except", 2, "/tryCatchPattern", on_second(tryCatchPattern=caught("OSError, FileNotFoundError"))
    ),
    "timeout": Fault(
        "redundant-except", 2, "/tryCatchPattern", on_second(tryCatchPattern=caught("TimeoutError, OSError"))
    ),
    "look-up": Fault(
        "redundant-except", 2, "/tryCatchPattern", on_second(tryCatchPattern=caught("KeyError, LookupError"))
    ),
    "other names of placeholders": Fault(
        "cannot-be-told-apart",
        5,
        "/messagePattern",
        appended("cannot open drawer {index} of cabinet {index}"),
    ),
    "another folder above": Fault(
        "cannot-be-told-apart",
        5,
        "/messagePattern",
        appended("cannot open drawer {n} of cabinet {m}", filePath="src/tool/core.py"),
    ),
    "another syntax": Fault(
        "cannot-be-told-apart", 5, "/messagePattern", appended("cannot open drawer %d of cabinet %s")
    ),
    "a word is all of the pattern": loses(
        ("drawer lost its {b} {c}", {}),
        ("drawer lost its key", {"messagePattern": "lost"}),
    ),
    "a value in the place of a word": loses(
        ("spanner {a} fell behind the {b} bench", {}),
        ("spanner nine fell behind the oak bench", {"messagePattern": "fell behind"}),
    ),
    "a part of the message": loses(
        ("shelf number {a} came loose at bolt {b}", {}),
        ("shelf number nine came loose at bolt two", {"messagePattern": "came loose"}),
    ),
}


@pytest.fixture(params=FAULTS.values(), ids=FAULTS.keys())
def fault(request: pytest.FixtureRequest) -> Fault:
    """One of the table."""
    chosen: Fault = request.param
    return chosen


def test_a_seeded_fault_is_found_and_nothing_else(
    fault: Fault, good: Documents, make_document: Make, report_of: Any, places: Any
) -> None:
    """One fault in a good dataset is found by its rule, at its line and pointer, and nothing else is found."""
    fault.seed(good, make_document)
    report = report_of(json.dumps(document) for document in good)
    assert places(report) == [(fault.line, fault.rule, fault.pointer)]
    rule = next(rule for rule in RULES if rule.name == fault.rule)
    finding = report.findings[0]
    assert (finding.rule, finding.severity, finding.path.name) == (rule.code, rule.severity, "faulty.jsonl")
    assert report.valid == (rule.severity == "warning")
    assert finding.message
    assert finding.column
    assert finding.excerpt


def test_the_good_dataset_is_valid(good: Documents, report_of: Any, lines: Any) -> None:
    """A dataset without fault gets no finding."""
    report = report_of(lines(good))
    assert (list(report.findings), report.records, report.valid) == ([], 4, True)


def test_the_dataset_of_errkb_is_valid(root: Path) -> None:
    """data/ has no fault, not even a warning."""
    report = validate([root / "data" / "records.jsonl"])
    short = "P004"  # messages of Python itself that are found together with their class, see pyproject.toml
    assert [str(finding) for finding in report.findings if finding.rule != short] == []
    assert report.records >= 1


def test_every_rule_has_three_seeded_faults() -> None:
    """The tables leave out no rule; whole files, several records and supplements have their own tests."""
    elsewhere = {"broken-json": 3, "damaged-file": 3, "unknown-family": 3}
    counts = Counter(fault.rule for fault in FAULTS.values())
    on_records = [rule.name for rule in RULES if not rule.code.startswith("U")]
    assert [name for name in on_records if counts[name] + elsewhere.get(name, 0) < 3] == []


@pytest.mark.parametrize(
    "text",
    ["{", '{"id": 1,}', '{"id": "x"', "[1, 2]", "null", "word", '{"a": "\\x"}', '{"a": 1} {"b": 2}', "\udcff"],
    ids=["open", "comma", "cut", "array", "null", "word", "escape", "two", "no-utf8"],
)
def test_a_line_that_is_no_record_is_found(text: str, good: Documents, report_of: Any, lines: Any, places: Any) -> None:
    """A line that is no JSON object is one finding, and hides no other line."""
    good[2]["severity"] = "fatal"
    report = report_of([text, *lines(good)])
    assert places(report) == [(1, "broken-json", None), (4, "schema", "/severity")]
    assert report.records == 5


def damaged_gzip(folder: Path, texts: list[str]) -> Path:
    """Compressed data without its end."""
    path = folder / "data.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(texts).encode())[:-20])
    return path


def folder_with_an_empty_file(folder: Path, texts: list[str]) -> Path:
    """A good file and an empty one."""
    (folder / "good.jsonl").write_text("\n".join(texts))
    (folder / "void.json").write_text("")
    return folder


def folder_with_a_file_that_holds_no_json(folder: Path, texts: list[str]) -> Path:
    """A good file and one of prose."""
    (folder / "good.jsonl").write_text("\n".join(texts))
    (folder / "other.json").write_text("hello")
    return folder


def published_folder_with_a_file_missing(folder: Path, texts: list[str]) -> Path:
    """An index that names records which are nowhere."""
    errors = [{"id": json.loads(text)["id"], "repo": "acme/tool"} for text in texts]
    (folder / "index.json").write_text(json.dumps({"errors": errors}))
    (folder / "manifest.json").write_text(json.dumps({"files": {"index": {"path": "index.json"}}}))
    (folder / "repos").mkdir()
    return folder


@pytest.mark.parametrize(
    "make",
    [folder_with_an_empty_file, folder_with_a_file_that_holds_no_json, published_folder_with_a_file_missing],
)
def test_a_damaged_file_is_found(
    make: Callable[[Path, list[str]], Path], tmp_path: Path, good: Documents, lines: Any, places: Any
) -> None:
    """A file of a folder that is damaged or missing as a whole is one finding, and the others are checked."""
    report = validate([make(tmp_path, lines(good))])
    assert [(line, name) for line, name, _ in places(report)] == [(1, "damaged-file")]


def test_a_cut_gzip_file_is_found(tmp_path: Path, good: Documents, lines: Any, places: Any) -> None:
    """Compressed data without its end is a finding at the line where it breaks off."""
    report = validate([damaged_gzip(tmp_path, lines(good))])
    assert {name for _, name, _ in places(report)} <= {"broken-json", "damaged-file"}
    assert not report.valid


@pytest.mark.parametrize("tag", ["missing-dep", "Shape-mismatch".lower() + "s", "no-family-at-all"])
def test_an_unknown_family_is_found(
    tag: str, tmp_path: Path, good: Documents, report_of: Any, lines: Any, places: Any
) -> None:
    """A background tag that families.json does not have is found, where such a file lies beside the dataset."""
    good[1]["backgroundTag"] = tag
    assert places(report_of(lines(good))) == []
    (tmp_path / "families.json").write_text('{"missing-dependency": "x", "shape-mismatch": "y"}')
    assert places(report_of(lines(good))) == [(2, "unknown-family", "/backgroundTag")]
    good[1]["backgroundTag"] = "shape-mismatch"
    assert places(report_of(lines(good))) == []


def test_families_must_be_an_object(tmp_path: Path, good: Documents, report_of: Any, lines: Any) -> None:
    """A families.json that is none is no finding of a record: it cannot be used at all."""
    (tmp_path / "families.json").write_text("[]")
    with pytest.raises(DatasetError, match="families"):
        report_of(lines(good))


def test_a_record_that_loses_is_told_to_whom(good: Documents, make_document: Make, report_of: Any, lines: Any) -> None:
    """A record whose own message is answered with another record is reported with the one that shadows it."""
    strong = make_document("drawer lost its {b} {c}", messagePattern="drawer lost its (.+?) (.+?)")
    vague = make_document("drawer lost its key", messagePattern="lost")
    report = report_of(lines([*good, strong, vague]))
    assert [(f.line, f.rule) for f in report.findings if f.rule == "M001"] == [(6, "M001")]
    assert strong["id"] in report.findings[-1].message
    assert [f.rule for f in report_of(lines([*good, strong])).findings] == []


def test_a_repeated_slug_is_told_what_to_be(good: Documents, make_document: Make, report_of: Any, lines: Any) -> None:
    """The later of two records with one slug is reported with the slug to use, and then all is well."""
    first, other = make_document(LONG + "{value} of a box"), make_document(LONG + "the lid came off {name}")
    report = report_of(lines([*good, first, other]))
    wanted = f"{other['slug']}-{other['id'][:6]}"
    assert wanted in report.findings[0].message
    assert report_of(lines([*good, first, {**other, "slug": wanted}])).findings == []


NO_FAULTS: dict[str, Seed] = {
    "one slug in two repos": appended("the quick widget {name} has no handle", repo="acme/other"),
    "one message in two files": lambda documents, make: documents.append(
        {
            **(one := make("the quick widget {name} has no handle", filePath="tool/other.py")),
            "slug": f"{one['slug']}-{one['id'][:6]}",
        }
    ),
    "a pattern that accepts more": on_second(messagePattern="cannot open (?:drawer|door) (.+?) of cabinet (.+?)"),
    "link to the one line": with_url(lambda url: url.partition("#")[0] + "#L108"),
    "no span at all": lambda documents, make: (
        span(None, None, 108)(documents, make) or with_url(lambda url: url.partition("#")[0] + "#L108")(documents, make)
    ),
    "a path that is escaped in the link": appended("a toggle {x} is loose", filePath="tool/core.py"),
    "an app of to-do lists": on_second(documentation="The todo app lists a task that has no owner any more."),
    "an example of another tool": example("tool --open 0 --", "tool --open 1"),
    "another comment sign": on_second(exampleFix="// before\nopen(0)\n// after\nopen(1)\n"),
    "top-level await": example("import tool\nawait tool.open(0)", "import tool\nawait tool.open(1)"),
    "tried again": example(
        "tool.open(0)",
        "for n in range(3):\n    try:\n        tool.open(n)\n        break\n    except Exception:\n        pass",
    ),
    "another error is expected": example("tool.open(0)", swallowed("tool.Closed", "print('closed, as it should be')")),
    "caught and printed": example("tool.open(0)", swallowed("ValueError", "sys.exit('no tool')")),
    "an import that is used in one half": example("import os\ntool.a()", "import os\ntool.a(os.getcwd())"),
    "an import of the future": example(
        "from __future__ import annotations\ntool.a()", "from __future__ import annotations\ntool.b()"
    ),
    "code with names of the reader's": on_second(
        validationCode="config.check(time)",
        tryCatchPattern=caught("tool.Error, OSError"),
        typeGuard="def f(re):\n    re.x()",
    ),
    "code of another language": on_second(validationCode="if (!x.ok) { throw new Error(x); }"),
    "warnings of Python": example("import tool\ntool.open('\\d')", "import tool\ntool.open(1 is 1)"),
    "example addresses": on_second(documentation="Write to ada@example.com or git@github.com:acme/tool, or x@y."),
    "the address in the message itself": appended("a toggle is loose, write to help@analytical.engine.org with {x}"),
    "decorators and versions": on_second(
        solutions=["@tool.route('/x')\ndef f(): ...", "npm i pkg@1.2.3 left-pad@latest"]
    ),
    "example homes": on_second(documentation="The key lay in /home/user/keys, /Users/you/x or C:\\Users\\me\\y."),
    "example keys": on_second(
        documentation="It is read from sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxx or AKIAIOSFODNN7EXAMPLE, as documented."
    ),
    "long identifiers": on_second(
        documentation="Use DataCollatorForTokenClassification and a disk-cache for tasks there."
    ),
    "no example": on_second(exampleFix=None),
    "no tags": on_second(tags=[]),
    "fraction of a second": on_second(analyzedAt="2025-12-01T23:59:59.123456789Z"),
    "hand-written and as long as allowed": second(
        lambda document: document.update(
            messagePattern=document["messagePattern"] + "(?:)" * ((500 - len(document["messagePattern"])) // 4)
        )
    ),
}


@pytest.mark.parametrize("seed", NO_FAULTS.values(), ids=NO_FAULTS.keys())
def test_what_is_no_fault_is_not_found(
    seed: Seed, good: Documents, make_document: Make, report_of: Any, lines: Any, places: Any
) -> None:
    """What only looks like a fault gets no finding."""
    seed(good, make_document)
    assert places(report_of(lines(good))) == []


def four_faults(make: Make) -> Iterator[str]:
    """Ten records: line 3 is cut, 5 has an unknown enum value, 7 repeats an id, 9 has a look-ahead."""
    words = ["apple", "birch", "cedar", "daisy", "elder", "ficus", "grape", "hazel", "iris", "juniper"]
    documents = [make(f"the {word} tree number {{n}} does not grow") for word in words]
    documents[4]["severity"] = "fatal"
    documents[6] = documents[1]
    documents[8]["messagePattern"] = "the iris tree(?= number) (.+?) does not grow"
    for number, document in enumerate(documents, 1):
        text = json.dumps(document, ensure_ascii=False)
        yield text[:100] if number == 3 else text


def test_four_faults_are_four_findings(make_document: Make, report_of: Any, places: Any) -> None:
    """Cut JSON, an unknown enum value, a repeated id, a look-ahead: four findings with their lines."""
    report = report_of(four_faults(make_document))
    assert places(report) == [
        (3, "broken-json", None),
        (5, "schema", "/severity"),
        (7, "duplicate-id", "/id"),
        (9, "pattern-dialect", "/messagePattern"),
    ]
    assert (report.records, report.valid) == (10, False)


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "junit"])
def test_four_faults_end_in_status_1(make_document: Make, tmp_path: Path, errkb: Callable[..., Any], form: str) -> None:
    """The command line reports all of them, in whatever form, and exits 1; a look at a good file exits 0."""
    (tmp_path / "faulty.jsonl").write_text("\n".join(four_faults(make_document)))
    result = errkb("validate", "faulty.jsonl", "--format", form, cwd=tmp_path)
    output = result.stdout.decode()
    assert (result.returncode, result.stderr) == (1, b"")
    assert all(code in output for code in ("D001", "D002", "I001", "P001"))
    if form == "text":
        assert output.splitlines()[-1] == "4 findings in 10 records."
        found = [line.split(":")[:2] for line in output.splitlines()[:-1] if not line.startswith(" ")]
        assert found == [["faulty.jsonl", line] for line in "3579"]
    (tmp_path / "faulty.jsonl").write_text(json.dumps(make_document("the apple tree {n} does not grow")))
    assert errkb("validate", "faulty.jsonl", "--format", form, cwd=tmp_path).returncode == 0


def test_pointers_go_from_the_root_of_the_document(tmp_path: Path, good: Documents, places: Any) -> None:
    """In an array of envelopes, a finding has the record's line and a pointer from the document's root."""
    good[2]["severity"] = "fatal"
    path = tmp_path / "a.json"
    path.write_text("[\n" + ",\n".join(json.dumps({"record": document}) for document in good) + "\n]")
    assert places(validate([path])) == [(4, "schema", "/2/record/severity")]


def test_two_faults_of_one_record_are_both_found(good: Documents, report_of: Any, lines: Any, places: Any) -> None:
    """Findings of one line come in the order of their places."""
    good[1].update(severity="x", lineNumber=0)
    assert places(report_of(lines(good))) == [(2, "schema", "/severity"), (2, "schema", "/lineNumber")]


def test_findings_of_several_files_stand_together(tmp_path: Path, good: Documents, lines: Any) -> None:
    """Findings come file by file, in the order of the lines, and ids are compared across files."""
    first, second_file = tmp_path / "b.jsonl", tmp_path / "a.jsonl"
    first.write_text("\n".join([*lines(good), "{"]))
    second_file.write_text("\n".join(["[]", lines(good)[0]]))
    found = [(finding.path.name, finding.line, finding.rule) for finding in validate([first, second_file]).findings]
    assert found == [("b.jsonl", 5, "D001"), ("a.jsonl", 1, "D001"), ("a.jsonl", 2, "I001")]


def test_what_cannot_be_read_at_all_is_no_finding(tmp_path: Path) -> None:
    """A path that is no dataset raises, it is not reported as a faulty one."""
    with pytest.raises(DatasetError):
        validate([tmp_path / "missing.jsonl"])


def test_a_finding_is_a_value(report_of: Any) -> None:
    """Findings compare by value, so that two runs can be compared."""
    assert report_of(["{"]).findings == report_of(["{"]).findings
    assert isinstance(report_of(["{"]).findings[0], Finding)


def test_codes_and_names_of_rules_are_their_own() -> None:
    """Every rule has a code and a name of its own, and names only rules before it that explain it as well."""
    assert len({rule.code for rule in RULES}) == len({rule.name for rule in RULES}) == len(RULES)
    codes = [rule.code for rule in RULES]
    assert all(codes.index(code) < codes.index(rule.code) for rule in RULES for code in rule.superseded_by)
