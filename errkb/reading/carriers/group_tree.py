"""The tree that an exception group is printed as."""

from errkb.lazy_regex import lazy
from errkb.reading.line import Line

TREE = lazy(r"(?P<stem>\s*)(?:\+-)?\+-{2,}+(?: (?P<number>\d{1,4}|\.\.\.) -*+)?\s*$")
"""The line before a member, with its number, or after the last one."""
_BRANCH = lazy(r"\s*(?:\| ?(?! *\S.*\|\s*$)|\+ (?=Exception Group Traceback))")


def without_trees(lines: list[Line]) -> dict[int, int]:
    """Cut the branches from the lines, in place; how deep in a tree the lines of one stand."""
    depths: dict[int, int] = {}
    for number, line in enumerate(lines):
        text = line.text
        if text.lstrip()[:1] not in ("|", "+") or line.region:
            continue
        if tree := TREE.match(text):
            depths[number] = len(tree["stem"]) + 1
        elif branch := _BRANCH.match(text):
            depths[number] = branch.end()
            lines[number] = line.cut(branch.end())
    return depths
