"""`errkb harvest`: every place in a package that raises or reports an error."""

import json
from collections import Counter
from pathlib import Path

import click

from errkb.cli.options import width
from errkb.cli.output import write
from errkb.cli.progress import progress
from errkb.source_analysis.site import Site


@click.command(name="harvest")
@click.argument("source", metavar="PACKAGE_OR_PATH")
@click.option("--python", type=click.Path(path_type=Path), metavar="PATH", help="Interpreter that has the package.")
@click.option(
    "--format", "form", type=click.Choice(["jsonl", "table"]), default="table", show_default=True, help="How to list."
)
@click.option("--repo", metavar="OWNER/NAME", help="The repo to name in drafts; by default what the package says.")
@click.option("--sha", metavar="SHA", help="The commit to name in drafts.")
@click.option("--prefix", default="", metavar="FOLDER/", help="Where the repo keeps its packages, as src/.")
@click.option("--tests", is_flag=True, help="Read folders named tests as well.")
@click.pass_context
def command(
    ctx: click.Context,
    source: str,
    python: Path | None,
    form: str,
    repo: str | None,
    sha: str | None,
    prefix: str,
    tests: bool,
) -> None:
    """List the raise sites of PACKAGE_OR_PATH: an installed package, a folder or a file.

    Sources are parsed, never run. As jsonl, each message is a draft record: what knowledge it
    lacks is empty, and `errkb validate` refuses it until it is there.
    """
    from errkb.environment.distributions import Environment
    from errkb.environment.interpreter import find_interpreter
    from errkb.environment.target import find_target
    from errkb.render.raise_site import site_table
    from errkb.source_analysis.harvest import harvest_files

    target = find_target(source, Environment(find_interpreter(python)), tests=tests)
    with progress(f"reading {target.name}", len(target.files)) as report:
        found = harvest_files(target.root, target.files, report)
    for skipped in found.skipped[:5]:
        click.echo(f"errkb: not read: {skipped.file}: {skipped.reason}", err=True)
    if len(found.skipped) > 5:
        click.echo(f"errkb: and {len(found.skipped) - 5} more", err=True)
    sites = [site for site in found.sites if site.literal]
    if form == "table":
        write(site_table(sites, width()))
        counts = Counter(site.kind.value for site in sites)
        kinds = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
        click.echo(f"{len(sites)} sites in {found.files} files, {found.lines} lines: {kinds or 'none'}", err=True)
    else:
        _write_drafts(target.root, sites, repo or target.repo, sha, prefix)
    ctx.exit(0 if sites else 1)


def _write_drafts(root: Path, sites: list[Site], repo: str, sha: str | None, prefix: str) -> None:
    from errkb.raise_sites.drafts import UNKNOWN_SHA, draft_documents, with_source
    from errkb.source_analysis.parsed_source import decode_source

    file, lines = "", list[str]()
    for document in draft_documents(sites, repo, sha=sha or UNKNOWN_SHA, prefix=prefix):
        wanted = document["filePath"].removeprefix(prefix)
        if wanted != file:
            file, lines = wanted, decode_source((root / wanted).read_bytes()).split("\n")
        write(json.dumps(with_source(document, lines)) + "\n")
