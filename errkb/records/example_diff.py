"""The example of a record as a diff: all of it, or the hunks that matter."""

from errkb.records.examples import before_and_after


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


def _is_setup(line: str) -> bool:
    return line.lstrip().startswith(("#", "import ", "from "))
