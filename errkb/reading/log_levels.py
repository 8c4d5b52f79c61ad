"""The levels of log records: their names, what else they are called, and which of them report an error."""

NAMES = (
    "DEBUG", "INFO", "NOTICE", "WARNING", "WARN", "ERROR", "ERR", "CRITICAL", "FATAL", "SEVERE", "TRACE", "SUCCESS",
    "PANIC",
)  # fmt: skip
"""The names that loggers write in front of a message."""
ALIASES = {
    "ERR": "ERROR",
    "WARN": "WARNING",
    "ERRO": "ERROR",
    "FATA": "FATAL",
    "DEBU": "DEBUG",
    "PANI": "PANIC",
    "SECTION": "INFO",
    "COMMAND": "INFO",
    "GROUP": "INFO",
}
"""Other names of a level; the last three are those of CI services."""
LETTERS = {"D": "DEBUG", "C": "CRITICAL", "I": "INFO", "W": "WARNING", "E": "ERROR", "F": "FATAL"}
"""The levels that some loggers write as one letter."""
LOUD = frozenset({"ERROR", "CRITICAL", "FATAL", "SEVERE", "PANIC", "EXCEPTION"})
"""The levels of records that report an error."""
CALM = frozenset({"DEBUG", "INFO", "NOTICE", "SUCCESS"})
"""The levels of records that report none."""
TRACING = "TRACE"
"""The level of records that report none, unless they hold the class of an exception."""


def level_name(written: str) -> str:
    """The usual name of a level, in capitals."""
    name = written.upper()
    return ALIASES.get(name, name)


def is_warning(level: str) -> bool:
    """Whether a level is that of a warning, whatever its logger calls it."""
    return level.startswith("WARN")
