"""White space folded: any run of it in a message equals any run of it in a pattern."""

from collections.abc import Sequence

from errkb.patterns.effort import Effort


def fold(text: str) -> str:
    """`text` without white space at its ends and with every run of it inside as one blank."""
    return " ".join(text.split())


class Message:
    """A message under match: as it stood, folded, and how the two correspond."""

    __slots__ = ("_offsets", "effort", "folded", "is_plain", "text")

    def __init__(self, text: str, effort: Effort | None = None) -> None:
        self.text = text
        self.effort = effort
        """What may be spent on it, if that is limited."""
        self.folded = fold(text)
        self.is_plain = self.folded == text
        """Whether there was nothing to fold, so that all places are the same."""
        self._offsets: Sequence[int] | None = None

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The span of `text` for the non-empty span of `folded`."""
        if self.is_plain:
            return start, end
        if self._offsets is None:
            self._offsets = _offsets(self.text)
        # Up to where the next character begins: a run of white space at the end belongs to it whole.
        return self._offsets[start], self._offsets[end] if end < len(self.folded) else self._offsets[end - 1] + 1


def _offsets(text: str) -> list[int]:
    """For every character of the folded text, where it (or its run of white space) begins in `text`."""
    offsets: list[int] = []
    position = 0
    for word in text.split():
        start = text.index(word, position)
        if offsets:
            offsets.append(position)
        position = start + len(word)
        offsets.extend(range(start, position))
    return offsets
