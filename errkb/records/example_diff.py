"""The example of a record as a diff: all of it, or the hunks that matter."""

import itertools

from errkb.records.examples import before_and_after

_CHANGE = 12
"""Characters of a change that are shown where the line is cut."""


def example_diff(example: str) -> list[tuple[str, str]]:
    """The example as lines, each with "-" (before only), "+" (after only) or " " (both, or not a pair)."""
    import difflib  # slow to import

    parts = before_and_after(example)
    if parts is None:
        return [(" ", line) for line in example.strip("\n").splitlines()]
    before, after = (part.splitlines() for part in parts)
    lines: list[tuple[str, str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            lines += [(" ", line) for line in before[a:b]]
        else:
            lines += [("-", line) for line in before[a:b]] + [("+", line) for line in after[c:d]]
    return lines


def example_hunks(example: str, most: int) -> list[tuple[str, str]]:
    """The lines of the example's diff that matter, `most` at the most; what is left out is a line "…".

    Lines that change come first, then one line of context on either side.
    """
    lines = [(sign, line) for sign, line in example_diff(example) if line.strip()]
    changed = [number for number, (sign, _) in enumerate(lines) if sign != " "]
    if not changed:
        return lines[:most]
    # Imports and comments that differ matter less than the statements.
    weighty = [number for number in changed if not _is_setup(lines[number][1])] or changed
    kept = set(weighty[:most])
    for near in (number + step for number in weighty for step in (-1, 1)):
        if len(kept) < most and 0 <= near < len(lines) and lines[near][0] == " ":
            kept.add(near)
    for number in changed:
        if len(kept) < most:
            kept.add(number)
    result: list[tuple[str, str]] = []
    last = -1
    for number in sorted(kept):
        if result and number > last + 1:
            result.append((" ", "…"))
        result.append(lines[number])
        last = number
    return result


def narrowed(lines: list[tuple[str, str]], width: int) -> list[tuple[str, str]]:
    """The lines cut to `width` characters, with "…" for what is left out; what changed in a line stays visible."""
    result = []
    for number, (sign, line) in enumerate(lines):
        start, indent = 0, len(line) - len(line.lstrip())
        if len(line) > width and (partner := _partner(lines, number)) is not None:
            shared = sum(
                1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(line, partner, strict=False))
            )
            if shared > width - _CHANGE:
                start = min(shared - width // 3, max(len(line), len(partner)) - width + 1 + indent)
        shown = line if start == 0 else f"{line[:indent]}…{line[start:]}"
        result.append((sign, shown if len(shown) <= width else shown[: width - 1] + "…"))
    return result


def _partner(lines: list[tuple[str, str]], number: int) -> str | None:
    """The line that a line of a change became, or was, where as many lines were taken out as put in."""
    sign = lines[number][0]
    if sign == " ":
        return None
    first = number
    while first and lines[first - 1][0] != " " and not (lines[first - 1][0] == "+" and lines[first][0] == "-"):
        first -= 1
    change = [one for _, one in itertools.takewhile(lambda line: line[0] != " ", lines[first:])]
    old = sum(1 for _ in itertools.takewhile(lambda line: line[0] == "-", lines[first:]))
    if len(change) < 2 * old:
        return None
    place = number - first
    return change[place + old] if sign == "-" else change[place - old] if place < 2 * old else None


def _is_setup(line: str) -> bool:
    return line.lstrip().startswith(("#", "import ", "from "))
