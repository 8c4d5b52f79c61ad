"""Proving records: examples and the triggers of causes are run, each in a fresh process."""

import datetime
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Literal, NamedTuple

from errkb.knowledge.base import KnowledgeBase
from errkb.proof.environments import NoEnvironmentError, Plan, environment_info, interpreter
from errkb.proof.judging import failure_after, failure_before
from errkb.proof.results import Run, digest_of, triggers_digest, triggers_of
from errkb.proof.running import Limits, Runner, RunResult
from errkb.proof.triggers import triggers_failure
from errkb.records.examples import before_and_after
from errkb.records.record import Record
from errkb.records.supplement import Supplement


class Task(NamedTuple):
    """A record, and what to run it in: its example, or, with a supplement, the triggers of its causes."""

    record: Record
    plan: Plan
    supplement: Supplement | None = None


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
    for plan in dict.fromkeys(task.plan for task in tasks):
        on_environment(" ".join(plan.requirements) or str(plan.python))
        ready[plan] = _made(plan)
    runner = Runner(limits)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            waiting: dict[Future[list[RunResult]], tuple[Task, ReadyEnvironment]] = {}
            for task in tasks:
                environment = ready[task.plan]
                if isinstance(environment, NoEnvironmentError):
                    yield Attempt(task.record, "unavailable", trouble=str(environment))
                else:
                    waiting[pool.submit(_results, runner, task, environment.python)] = (task, environment)
            given: set[Future[list[RunResult]]] = set()
            try:
                for future in as_completed(waiting):
                    tried = _judged(*waiting[future], future.result(), knowledge, limits)
                    given.add(future)
                    yield tried
            except KeyboardInterrupt:
                finished = [future for future in waiting if future.done() and future not in given]
                runner.stop()
                for future in finished:
                    yield _judged(*waiting[future], future.result(), knowledge, limits)
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


def _results(runner: Runner, task: Task, python: Path) -> list[RunResult]:
    """What was run for a task: its triggers, or the code before and, if that ended as it should, the code after."""
    if task.supplement is not None:
        return [runner.run(python, trigger) for _, trigger in triggers_of(task.supplement)]
    code = before_and_after(task.record.example_fix)
    if code is None:
        raise ValueError("a record without code before and after cannot be proven")
    before = runner.run(python, code[0])
    return [before, runner.run(python, code[1])] if before.status else [before]


def _judged(
    task: Task, environment: ReadyEnvironment, results: list[RunResult], knowledge: KnowledgeBase, limits: Limits
) -> Attempt:
    record, supplement = task.record, task.supplement
    ended = results[-1]
    if supplement is not None:
        trouble = triggers_failure(record, supplement, results, knowledge, limits)
    else:
        trouble = failure_before(record, results[0], knowledge, limits)
        if trouble is not None:
            ended = results[0]
        elif len(results) > 1:
            trouble = failure_after(ended, limits)
    run = Run(
        id=record.id,
        outcome="proven",
        triggers=len(results) if supplement else None,
        package=environment.package,
        version=environment.version,
        python=environment.python_version,
        platform=environment.platform,
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
        digest=triggers_digest(record, supplement) if supplement else digest_of(record),
    )
    seconds = sum(one.seconds for one in results)
    if trouble is None:
        return Attempt(record, "proven", run, None, seconds)
    return Attempt(record, "failed", run, trouble, seconds, ended.stderr)
