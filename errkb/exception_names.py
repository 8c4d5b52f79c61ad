"""Names of exception classes: their last name, what Python knows of them, and when two mean the same error."""

import builtins
import functools
from collections.abc import Iterator
from enum import Enum


class Agreement(Enum):
    """How the class in a text stands to that of a record."""

    SAME = "same"
    RELATED = "related"
    """One is an alias or a base of the other."""
    UNKNOWN = "unknown"
    WRAPPED = "wrapped"
    """The class in the text is of the kind that wraps others."""
    PERHAPS = "perhaps"
    """One is a built-in, the other a library's own, which may well derive from it."""
    DIFFERENT = "different"


_ALIASES = {
    "IOError": "OSError",
    "EnvironmentError": "OSError",
    "WindowsError": "OSError",
    "socket.error": "OSError",
    "select.error": "OSError",
    "socket.timeout": "TimeoutError",
    "asyncio.TimeoutError": "TimeoutError",
    "concurrent.futures.TimeoutError": "TimeoutError",
    "mmap.error": "OSError",
    "shutil.Error": "OSError",
}
"""Names that Python itself gives to one class; with a module path where the last name alone says too little."""
_BASES = {
    "JSONDecodeError": "ValueError",
    "OutOfMemoryError": "RuntimeError",
    "DistBackendError": "RuntimeError",
    "LinAlgError": "ValueError",
    "UFuncTypeError": "TypeError",
    "_UFuncOutputCastingError": "UFuncTypeError",
    "BrokenProcessPool": "RuntimeError",
    "ZipImportError": "ImportError",
    "SSLError": "OSError",
    "SSLCertVerificationError": "SSLError",
    "SSLZeroReturnError": "SSLError",
    "SSLEOFError": "SSLError",
    "gaierror": "OSError",
    "herror": "OSError",
    "HTTPError": "OSError",
    "URLError": "OSError",
    "CalledProcessError": "SubprocessError",
    "TimeoutExpired": "SubprocessError",
    "InvalidStateError": "Error",
    "BinasciiError": "ValueError",
    "UnidentifiedImageError": "OSError",
    "UnsupportedOperation": "OSError",
    "ClientConnectorSSLError": "ClientConnectorError",
    "ClientConnectorCertificateError": "ClientConnectorError",
    **dict.fromkeys(
        (
            "AuthenticationError",
            "BadRequestError",
            "ConflictError",
            "InternalServerError",
            "PermissionDeniedError",
            "RateLimitError",
            "UnprocessableEntityError",
        ),
        "APIStatusError",
    ),
}
"""Well-known classes that are no built-ins, each with its base."""
_WRAPPERS = ("ValidationError", "ExceptionGroup", "BaseExceptionGroup", "RayTaskError", "RemoteError", "ConfigError")
_COMMON_BASES = {"ValueError", "RuntimeError", "TypeError", "OSError", "KeyError", "AttributeError", "ImportError"}
"""What libraries derive their own classes from, most of them."""
_SAYS_NOTHING = {"Exception", "BaseException", "Error", "error", "StandardError"}
"""Names in a text that any error may have: of Python 2, of programs that print `Exception:` before all errors."""
_GENERAL = {"Exception", "BaseException", "Error", "object"}


@functools.lru_cache(maxsize=4096)
def compare_classes(written: str | None, recorded: str | None) -> Agreement:
    """How the class written in a text stands to a record's class."""
    if not written or not recorded:
        return Agreement.UNKNOWN
    written, recorded = _canonical(written), _canonical(recorded)
    if written == recorded:
        return Agreement.SAME
    if written in _SAYS_NOTHING:
        return Agreement.UNKNOWN
    if recorded in _bases(written) or written in _bases(recorded):
        return Agreement.RELATED
    if written in _WRAPPERS or recorded in _WRAPPERS:
        return Agreement.WRAPPED
    if (_is_own(written) and recorded in _COMMON_BASES) or (_is_own(recorded) and written in _COMMON_BASES):
        return Agreement.PERHAPS
    return Agreement.DIFFERENT


def with_class(error_class: str | None, message: str) -> str:
    """An error as Python prints it, `Class: message`; the message alone where the class is not known."""
    return f"{error_class}: {message}" if error_class else message


def last_name(error_class: str) -> str:
    """`torch.cuda.OutOfMemoryError` → `OutOfMemoryError`."""
    return error_class.rpartition(".")[2]


def builtin_exception(name: str) -> type[BaseException] | None:
    """The exception class of Python itself that has this name, or None."""
    known = getattr(builtins, name, None)
    return known if isinstance(known, type) and issubclass(known, BaseException) else None


def is_builtin_exception(name: str) -> bool:
    """Whether a name is that of an exception class of Python itself."""
    return builtin_exception(name) is not None


def is_os_error(error_class: str) -> bool:
    """Whether a class is `OSError` or known to derive from it: its `str()` has the number in brackets."""
    name = _canonical(error_class)
    return name == "OSError" or "OSError" in _bases(name)


def _is_own(name: str) -> bool:
    """Whether a class is a library's own, of which nothing is known."""
    return name not in _BASES and not hasattr(builtins, name)


def _canonical(error_class: str) -> str:
    name = last_name(error_class)
    if error_class in _ALIASES:
        return _ALIASES[error_class]
    return _ALIASES.get(name, name)


@functools.lru_cache(maxsize=4096)
def _bases(name: str) -> frozenset[str]:
    """Names of the bases of a built-in or well-known class, the general ones left out."""
    return frozenset(_ancestors(name)) - _GENERAL


def _ancestors(name: str) -> Iterator[str]:
    if known := builtin_exception(name):
        yield from (base.__name__ for base in known.__mro__[1:])
    elif name in _BASES:
        yield _BASES[name]
        yield from _ancestors(_BASES[name])
