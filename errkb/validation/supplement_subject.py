"""What rules on supplements look at."""

from collections.abc import Callable, Sequence
from functools import cached_property

import msgspec

from errkb.errors import PatternError
from errkb.patterns import Pattern
from errkb.records.record import Record
from errkb.records.supplement import Supplement
from errkb.records.template import capture_names, whole_pattern


class SupplementSubject(msgspec.Struct, frozen=True, dict=True):  # a dict for what is computed once
    """A supplement under check."""

    supplement: Supplement
    record: Record | None
    """The record that it is about; None if no dataset has it."""
    fields: Sequence[str]
    """The names of the fields of the document."""
    is_known: Callable[[str], bool]
    """Whether any dataset has a record with an id."""

    @cached_property
    def names(self) -> Sequence[str] | None:
        """The names of the record's captures; None if they are not known."""
        count = self.capture_count
        if count is None or self.record is None:
            return None
        given = self.supplement.capture_names
        return given if given is not None else capture_names(self.record.error_message, count)

    @cached_property
    def capture_count(self) -> int | None:
        """How many captures the record's pattern has; None if it is not known."""
        if self.record is None:
            return None
        stored = whole_pattern(self.record.error_message, self.record.message_pattern)
        try:
            return Pattern(stored, needs_text=False).capture_count
        except PatternError:
            return None
