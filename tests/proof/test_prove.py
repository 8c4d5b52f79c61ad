"""`errkb prove`: what is proven, what is not and why, what is kept, and what is refused."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from errkb.proof.selection import SelectionError, select

Document = dict[str, Any]
Ran = Callable[..., "subprocess.CompletedProcess[bytes]"]
MakeRecord = Callable[..., Document]
Dataset = Callable[..., Path]
Kept = Callable[[Path], list[Document]]

TEXT = b"ValueError: cannot frobnicate 3 of 4 widgets"


def test_a_proven_record(make_record: MakeRecord, dataset: Dataset, prove: Ran, errkb: Ran, kept: Kept) -> None:
    """A record whose before fails and whose after works is proven, kept as that, and shown as proven."""
    path = dataset(make_record())
    done = prove(path)
    assert done.returncode == 0, done.stderr
    assert b"running the code of 1 records" in done.stderr
    assert done.stdout.splitlines()[-1] == b"1 proven."
    version = ".".join(map(str, sys.version_info[:3]))
    assert [(line["outcome"], line["python"]) for line in kept(path)] == [("proven", version)]

    assert errkb("prove", "--check", str(path)).returncode == 0
    said = f"example tested with Python {version.rpartition('.')[0]}"
    explained = errkb("explain", "--data", str(path), stdin=TEXT).stdout.decode()
    assert said in explained
    assert said in errkb("explain", "--markdown", "--data", str(path), stdin=TEXT).stdout.decode()
    document = json.loads(errkb("explain", "--json", "--data", str(path), stdin=TEXT).stdout)
    assert (document["proof"]["status"], document["proof"]["runs"][0]["python"]) == ("proven", version)


@pytest.mark.parametrize("change", ["exampleFix", "messagePattern"])
def test_a_stale_proof(
    make_record: MakeRecord, dataset: Dataset, prove: Ran, errkb: Ran, kept: Kept, change: str
) -> None:
    """When example or pattern change, check and explain say so, until the record is proven again."""
    record = make_record()
    prove(dataset(record))
    old, new = {"exampleFix": ("pass", "print()"), "messagePattern": ("widgets", "(?:widgets)")}[change]
    changed = {**record, change: record[change].replace(old, new)}
    path = dataset(changed)
    checked = errkb("prove", "--check", str(path))
    assert checked.returncode == 1
    assert checked.stdout.startswith(f"stale  {record['id']}".encode())
    assert b", and changed since" in errkb("explain", "--data", str(path), stdin=TEXT).stdout
    assert prove(path, "--stale").returncode == 0
    assert errkb("prove", "--check", str(path)).returncode == 0
    assert len(kept(path)) == 1


def test_what_is_no_proof(make_record: MakeRecord, dataset: Dataset, prove: Ran, kept: Kept) -> None:
    """Each way in which an example can fail to show error and fix has its own words, and nothing of it is kept."""
    cases = {
        "print('well')": "before: ended with status 0, not with an uncaught exception",
        "import sys; print('ValueError: 1 has broken NAME of the tool', file=sys.stderr); sys.exit(1)": (
            "before: ended with status 1, not with an uncaught exception"
        ),
        "raise ValueError('cannot frobnicate 3 of 4 widgets')": "before: its error is answered with",
        "raise ValueError('so: 1 has broken NAME of the tool today')": "before: its error does not fit as a whole",
        "raise ValueError('all quiet')": "before: nothing is known about its error: ValueError: all quiet",
        "import os; os.kill(os.getpid(), 9)": "before: ended with status -9",
        "raise ValueError('1 has broken NAME of the tool')": "after: ended with status 1: KeyError: 'x'",
    }
    names = ["axle", "bolt", "cog", "dial", "edge", "foot", "gear"]
    records = [
        make_record(before.replace("NAME", name), "{}['x']", message=f"{{n}} has broken {name} of the tool")
        for name, before in zip(names, cases, strict=True)
    ]
    path = dataset(make_record(), *records)
    done = prove(path, *(record["id"] for record in records), "--json")
    assert done.returncode == 1
    troubles = {one["id"]: (one["outcome"], one["trouble"]) for one in json.loads(done.stdout)["results"]}
    for record, trouble in zip(records, cases.values(), strict=True):
        outcome, said = troubles[record["id"]]
        assert outcome == "failed"
        assert said.startswith(trouble)
    assert kept(path) == []


def test_a_failure_takes_the_proof_away(
    make_record: MakeRecord, dataset: Dataset, prove: Ran, kept: Kept, tmp_path: Path
) -> None:
    """A record that fails where it was proven is no longer proven."""
    switch = tmp_path / "switch"
    path = dataset(make_record(after=f"import os; assert not os.path.exists({str(switch)!r})"))
    prove(path)
    assert len(kept(path)) == 1
    switch.touch()
    prove(path, "--no-save")
    assert len(kept(path)) == 1
    prove(path)
    assert kept(path) == []


def test_errors_in_company(make_record: MakeRecord, dataset: Dataset, prove: Ran) -> None:
    """An error in a group, with a cause, or of a class of the example's own is as good as a bare one."""
    befores = {
        "axle": "raise ExceptionGroup('several', [ValueError('1 has broken axle of the tool')])",
        "bolt": "try: 1 / 0\nexcept Exception as e: raise ValueError('1 has broken bolt of the tool') from e",
        "cog": "class Broken(ValueError): pass\nraise Broken('1 has broken\\ncog of the tool')",
    }
    records = [make_record(code, message=f"{{n}} has broken {name} of the tool") for name, code in befores.items()]
    done = prove(dataset(*records), "--no-save")
    assert done.stdout.splitlines()[-1] == b"3 proven.", done.stdout.decode()


def test_a_syntax_error_can_be_proven(make_record: MakeRecord, dataset: Dataset, prove: Ran) -> None:
    """A half that does not even compile shows a SyntaxError."""
    record = make_record("print((1)", "print(1)", message="'{bracket}' was never closed", errorClass="SyntaxError")
    done = prove(dataset(record), "--no-save")
    assert done.returncode == 0, done.stdout


def test_unprovable_records(make_record: MakeRecord, dataset: Dataset, prove: Ran, errkb: Ran, kept: Kept) -> None:
    """Command lines are recognised, other reasons are an author's word; neither is run nor missed by a check."""
    shell = make_record("tool serve --no", "tool serve --yes", message="the tool is not served")
    gpu = make_record("import no_such_gpu", message="the gpu of {name} is on fire")
    path = dataset(shell, gpu)
    assert errkb("prove", str(path), gpu["id"], "--unprovable", "needs luck").returncode == 2
    assert errkb("prove", str(path), "--unprovable", "needs gpu").returncode == 2
    assert errkb("prove", str(path), gpu["id"], "--unprovable", "needs gpu: two cards").returncode == 0
    assert [(line["id"], line["outcome"], line["reason"]) for line in kept(path)] == [
        (gpu["id"], "unprovable", "needs gpu: two cards")
    ]
    done = prove(path)
    assert done.returncode == 0
    assert done.stdout == b"1 unprovable (shell), 1 unprovable (needs gpu).\n"
    assert errkb("prove", "--check", str(path)).returncode == 0
    explained = errkb("explain", "--data", str(path), stdin=b"ValueError: the gpu of Ada is on fire").stdout
    assert b"example not tested (needs gpu)" in explained
    assert prove(path, gpu["id"]).stdout.splitlines()[-1] == b"1 failed."  # named itself, it is tried


def test_stats(make_record: MakeRecord, dataset: Dataset, prove: Ran, errkb: Ran) -> None:
    """`errkb stats` counts records by repo: proven, stale, missing, unprovable, without an example."""
    proven, stale = make_record(), make_record(message="a message that was proven once")
    stale["exampleFix"] = stale["exampleFix"].replace("cannot frobnicate 3 of 4 widgets", stale["errorMessage"])
    prove(dataset(proven, stale))
    stale["exampleFix"] += "\n"
    others = [
        make_record(message="a message of another repo", repo="acme/tool"),
        make_record("tool serve --no", "tool serve --yes", message="another one of it", repo="acme/tool"),
        make_record(message="without an example", repo="acme/tool") | {"exampleFix": None},
    ]
    path = dataset(proven, stale, *others)
    document = json.loads(errkb("stats", "--json", "--data", str(path)).stdout)
    counts = ("records", "proven", "stale", "missing", "unprovable", "noExample")
    assert [document["all"][name] for name in counts] == [5, 1, 1, 1, 1, 1]
    assert [document["repos"]["acme/tool"][name] for name in counts] == [3, 0, 0, 1, 1, 1]
    assert document["reasons"] == {"shell": 1}
    lines = errkb("stats", "--data", str(path)).stdout.decode().splitlines()
    assert lines[-3].split() == ["all", "5", "1", "1", "1", "1", "1"]
    assert lines[-2] == "unprovable: shell 1"


def test_foreign_datasets_are_refused(
    make_record: MakeRecord, dataset: Dataset, errkb: Ran, tmp_path: Path, root: Path
) -> None:
    """Code of a dataset that is not errkb's own is not run unless its reader says so; a copy is not its own."""
    ran = tmp_path / "ran"
    path = dataset(make_record(f"open({str(ran)!r}, 'w').close()"))
    for name in (path, path.parent):
        done = errkb("prove", str(name))
        assert done.returncode == 2
        assert b"--yes-run-code" in done.stderr
    assert not ran.exists()
    assert errkb("prove", "--check", str(root / "data")).returncode in (0, 1)
    assert errkb("prove", str(root / "data"), "73154bc6b02214fb", "--no-save").returncode == 0


@pytest.mark.parametrize("command", ["explain", "validate", "list", "show", "stats"])
def test_no_other_command_runs_code(
    make_record: MakeRecord, dataset: Dataset, errkb: Ran, tmp_path: Path, command: str
) -> None:
    """Nothing but `prove` runs what stands in a dataset."""
    ran = tmp_path / "ran"
    code = f"open({str(ran)!r}, 'w').close()\nraise ValueError('cannot frobnicate 3 of 4 widgets')"
    record = make_record(code, code, validationCode=code, typeGuard=code, tryCatchPattern=code)
    path = str(dataset(record))
    arguments = {
        "explain": ["--data", path, TEXT.decode()],
        "validate": [path],
        "show": ["--data", path, record["id"]],
    }.get(command, ["--data", path])
    assert errkb(command, *arguments).returncode in (0, 1)
    assert not ran.exists()


def test_names_choose_records(make_record: MakeRecord, dataset: Dataset) -> None:
    """Ids, owner/repo/slug and repos choose records; without any, a path stands for all; wrong ones are refused."""
    first, second = make_record(), make_record(message="{n} widgets are one too many", repo="acme/tool")
    path = dataset(first, second)
    for names, ids, named in (
        ([first["id"]], [first["id"]], [first["id"]]),
        ([f"acme/tool/{second['slug']}"], [second["id"]], [second["id"]]),
        (["python/cpython"], [first["id"]], []),
        (["python/cpython", second["id"]], [first["id"], second["id"]], [second["id"]]),
        ([], [first["id"], second["id"]], []),
    ):
        selection = select([str(path), *names])
        assert [record.id for record in selection.chosen] == ids
        assert selection.named == set(named)
    with pytest.raises(SelectionError, match="numpy/nunpy: neither a record nor a repo"):
        select([str(path), "numpy/nunpy"])
    with pytest.raises(SelectionError, match="one dataset at a time"):
        select([str(path), str(path.parent)])


def test_a_sample(make_record: MakeRecord, dataset: Dataset, prove: Ran) -> None:
    """--sample takes so many of the records that were chosen."""
    path = dataset(*(make_record(message=f"{{n}} widgets are {many} too many") for many in ("one", "two", "ten")))
    assert len(json.loads(prove(path, "--sample", "2", "--json", "--no-save").stdout)["results"]) == 2


def test_json(make_record: MakeRecord, dataset: Dataset, prove: Ran) -> None:
    """--json is one document of plain ASCII; a record that nobody named an environment for is unavailable."""
    path = dataset(make_record(after="raise ValueError('\u2028\x1b[31m')"), make_record(repo="acme/tool"))
    done = prove(path, "--json")
    assert done.returncode == 1
    assert done.stdout.isascii()
    document = json.loads(done.stdout)
    assert set(document) == {"version", "dataset", "network", "counts", "results"}
    assert document["counts"] == {"proven": 0, "failed": 1, "unavailable": 1, "skipped": {}}
    unavailable, failed = document["results"]
    assert unavailable["trouble"] == "environments.toml names nothing for acme/tool: use --with or --python"
    assert failed["trouble"].startswith("after: ended with status 1")
    assert "\x1b" not in prove(path).stdout.decode()


def test_several_interpreters(make_record: MakeRecord, dataset: Dataset, prove: Ran, kept: Kept) -> None:
    """--python runs in that interpreter as it stands; what is no interpreter is refused."""
    path = dataset(make_record(repo="acme/tool"))
    assert prove(path, "--python", sys.executable).stdout.splitlines()[-1] == b"1 proven."
    assert prove(path, "--python", "no-such-python").returncode == 2
    done = prove(path, "--python", "false", "--python", sys.executable)
    assert done.returncode == 1
    assert b"does not start as a Python" in done.stdout
    assert len(kept(path)) == 1


def test_an_interrupted_run(make_record: MakeRecord, dataset: Dataset, environment: dict[str, str]) -> None:
    """Ctrl-C ends the examples under way, and what was proven by then is kept."""
    path = dataset(
        make_record(after="pass"),
        make_record(
            "open(BEGAN, 'w').close()\nwhile True: pass".replace("BEGAN", repr(str(dataset().parent / "began"))),
            message="x y z",
        ),
    )
    command = [sys.executable, "-m", "errkb", "prove", str(path), "--yes-run-code", "-j", "1"]
    process = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    deadline = time.monotonic() + 30
    while not (path.parent / "began").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(10) == 130
    assert len(path.with_name("proofs.jsonl").read_text().splitlines()) == 1


def test_explaining_loads_nothing_of_what_runs_code() -> None:
    """To show a proof takes neither what runs examples nor what draws progress bars."""
    code = (
        "import errkb.explanation, errkb.render.text, sys\n"
        "print(sorted({'errkb.proof.proving', 'errkb.proof.running', 'errkb.proof.environments', 'subprocess',"
        " 'concurrent.futures', 'tomllib', 'rich'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout == b"[]\n"


TRIGGERS = {
    "id": "",
    "captureNames": ["count", "total"],
    "causes": [
        {
            "when": {"captures": {"count": {"equals": "3"}}},
            "because": "There are three.",
            "do": "Use four.",
            "trigger": 'raise ValueError("cannot frobnicate 3 of 4 widgets")',
        },
        {
            "because": "There are others.",
            "do": "Count them.",
            "trigger": 'raise ValueError("cannot frobnicate 5 of 4 widgets")',
        },
    ],
}
BAD_TRIGGERS = {
    "ends well": (0, "pass", "trigger of cause 1: ended well"),
    "another error": (0, "int('x')", "trigger of cause 1: its error is not known"),
    "chooses no cause": (0, 'raise ValueError("cannot frobnicate 7 of 4 widgets")', "choose no cause"),
    "chooses another cause": (1, 'raise ValueError("cannot frobnicate 3 of 4 widgets")', "choose cause 1"),
}


@pytest.fixture
def with_triggers(make_record: MakeRecord, dataset: Dataset) -> Callable[..., Path]:
    """A dataset of one record whose supplement has two causes with triggers, one of them replaced."""

    def write(number: int = 0, trigger: str | None = None) -> Path:
        record = make_record()
        supplement = json.loads(json.dumps({**TRIGGERS, "id": record["id"]}))
        if trigger is not None:
            supplement["causes"][number]["trigger"] = trigger
        path = dataset(record)
        path.with_name("supplements.jsonl").write_text(json.dumps(supplement) + "\n", encoding="utf-8")
        return path

    return write


def test_triggers_are_proven(with_triggers: Callable[..., Path], prove: Ran, errkb: Ran, kept: Kept) -> None:
    """C8: triggers that end in the record and choose their causes are proven, kept, and counted."""
    path = with_triggers()
    assert b"Triggers of 1 records are still to be run" in errkb("prove", "--check", str(path)).stdout
    done = prove(path, "--only", "triggers")
    assert done.returncode == 0, done.stdout
    assert [(line["outcome"], line["triggers"]) for line in kept(path)] == [("proven", 2)]
    stats = json.loads(errkb("stats", "--json", "--data", str(path)).stdout)
    assert stats["causes"] == {"supplements": 1, "causes": 2, "decided": 1, "triggers": 2, "proven": 2}
    assert prove(path).returncode == 0
    assert errkb("prove", "--check", str(path)).returncode == 0
    with_triggers(1, 'raise ValueError("cannot frobnicate 6 of 4 widgets")')
    assert b"Triggers of 1 records are still to be run" in errkb("prove", "--check", str(path)).stdout


@pytest.mark.parametrize(("number", "trigger", "said"), BAD_TRIGGERS.values(), ids=BAD_TRIGGERS.keys())
def test_a_trigger_that_does_not_show_its_cause(
    with_triggers: Callable[..., Path], prove: Ran, kept: Kept, number: int, trigger: str, said: str
) -> None:
    """C8: a trigger that ends well, in another error, or with values of another cause is refused, with the reason."""
    path = with_triggers(number, trigger)
    done = prove(path, "--only", "triggers")
    assert done.returncode == 1
    assert said in done.stdout.decode()
    assert kept(path) == []
