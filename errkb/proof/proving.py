"""Proving records: each half is run, and the result is judged by errkb's own look-up."""

import datetime
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Literal, NamedTuple

from errkb.knowledge.base import KnowledgeBase
from errkb.matching.match import Kind, Match
from errkb.proof.environments import NoEnvironmentError, Plan, environment_info, interpreter
from errkb.proof.results import Run, digest_of
from errkb.proof.running import Limits, Runner, RunResult
from errkb.records.examples import example_halves
from errkb.records.record import Record

_TRACEBACK = re.compile(
    r'^ *(?:\+ Exception Group )?Traceback \(most recent call last\):$|^  File ".*", line \d+$', re.MULTILINE
)


class Task(NamedTuple):
    """A record, and what to run it in."""

    record: Record
    plan: Plan


class Attempt(NamedTuple):
    """The result for one record: `run` is what to keep, `trouble` what failed, in a sentence."""

    record: Record
    outcome: Literal["proven", "failed", "unavailable"]
    run: Run | None = None
    trouble: str | None = None
    seconds: float = 0.0
    stderr: str = ""


class ReadyEnvironment(NamedTuple):
    """An environment that is there: its interpreter and the fields of a line that it settles."""

    python: Path
    package: str | None
    version: str | None
    python_version: str
    platform: str


def prove(
    tasks: Sequence[Task],
    knowledge: KnowledgeBase,
    limits: Limits,
    *,
    jobs: int,
    on_environment: Callable[[str], None] = lambda _: None,
) -> Iterator[Attempt]:
    """The result for each record, as they end. `on_environment` is called with each environment before it is made.

    Whoever leaves the iteration early ends what is under way. So does Ctrl-C; what has ended by then is given first.
    """
    ready: dict[Plan, ReadyEnvironment | NoEnvironmentError] = {}
    for plan in dict.fromkeys(plan for _, plan in tasks):
        on_environment(" ".join(plan.requirements) or str(plan.python))
        ready[plan] = _made(plan)
    runner = Runner(limits)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            waiting: dict[Future[tuple[RunResult, RunResult | None]], tuple[Record, ReadyEnvironment]] = {}
            for record, plan in tasks:
                environment = ready[plan]
                if isinstance(environment, NoEnvironmentError):
                    yield Attempt(record, "unavailable", trouble=str(environment))
                else:
                    waiting[pool.submit(_halves, runner, record, environment.python)] = (record, environment)
            given: set[Future[tuple[RunResult, RunResult | None]]] = set()
            try:
                for future in as_completed(waiting):
                    tried = _judged(*waiting[future], *future.result(), knowledge, limits)
                    given.add(future)
                    yield tried
            except KeyboardInterrupt:
                finished = [future for future in waiting if future.done() and future not in given]
                runner.stop()
                for future in finished:
                    yield _judged(*waiting[future], *future.result(), knowledge, limits)
                raise
        finally:
            runner.stop()
            pool.shutdown(cancel_futures=True)


def _made(plan: Plan) -> ReadyEnvironment | NoEnvironmentError:
    try:
        python = interpreter(plan)
        said = environment_info(python, (plan.package,) if plan.package else ())
    except NoEnvironmentError as trouble:
        return trouble
    version = said.versions.get(plan.package or "")
    return ReadyEnvironment(python, plan.package if version else None, version, said.python, said.platform)


def _halves(runner: Runner, record: Record, python: Path) -> tuple[RunResult, RunResult | None]:
    halves = example_halves(record.example_fix)
    if halves is None:
        raise ValueError("a record without a before and an after half cannot be proven")
    before = runner.run(python, halves[0])
    return before, runner.run(python, halves[1]) if before.status == 1 else None


def _judged(
    record: Record,
    environment: ReadyEnvironment,
    before: RunResult,
    after: RunResult | None,
    knowledge: KnowledgeBase,
    limits: Limits,
) -> Attempt:
    ended, trouble = before, failure_before(record, before, knowledge, limits)
    if after is not None and trouble is None:
        ended, trouble = after, failure_after(after, limits)
    run = Run(
        id=record.id,
        outcome="proven",
        package=environment.package,
        version=environment.version,
        python=environment.python_version,
        platform=environment.platform,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        digest=digest_of(record),
    )
    seconds = before.seconds + (after.seconds if after else 0)
    if trouble is None:
        return Attempt(record, "proven", run, None, seconds)
    return Attempt(record, "failed", run, trouble, seconds, ended.stderr)


def failure_before(record: Record, ended: RunResult, knowledge: KnowledgeBase, limits: Limits) -> str | None:
    """Why the half before does not show this record's error, or None if it does."""
    if ended.status is None:
        return f"before: not done in {limits.seconds:g} seconds"
    if ended.status != 1 or not _TRACEBACK.search(ended.stderr):
        return f"before: ended with status {ended.status}, not with an uncaught exception"
    matches = knowledge.search(ended.stderr, limit=20)
    last = ended.stderr.strip().splitlines()[-1]
    if not matches:
        return f"before: nothing is known about its error: {last}"
    match = _own(record, matches)
    if match is None:
        first = matches[0].record
        return f"before: its error is answered with {first.id} ({first.repo}/{first.slug}): {last}"
    if match.kind is not Kind.PATTERN:
        return f"before: its error does not fit as a whole ({match.kind.value}): {last}"
    return None


def failure_after(ended: RunResult, limits: Limits) -> str | None:
    """Why the half after is no fix, or None if it is one."""
    if ended.status is None:
        return f"after: not done in {limits.seconds:g} seconds"
    if ended.status != 0:
        lines = ended.stderr.strip().splitlines() or [""]
        return f"after: ended with status {ended.status}: {lines[-1]}".rstrip(": ")
    return None


def _own(record: Record, matches: Sequence[Match]) -> Match | None:
    """The match that answers with this record: the first one, or one of the same message that ties with it."""
    first = matches[0]
    for match in matches:
        equal = match.tied and abs(match.score - first.score) < 1e-9
        top = match is first or (equal and match.record.error_message == first.record.error_message)
        if top and (match.record.id == record.id or record.github_url in match.also_at):
            return match
    return None
