"""The one place where paths are followed and files are opened, whatever stands at them; files are written whole.

A path may be no UTF-8, too long, a link to itself, or name a pipe, a device or another user's file.
Functions that ask whether something is there never raise; those that open raise OSError.
"""

import contextlib
import os
import stat
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

NO_PATH = (OSError, ValueError)
"""What the system says of a path that it cannot follow; ValueError is for one with a NUL in it."""
_OPEN = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
# Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
_NO_WAITING = getattr(os, "O_NONBLOCK", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH


def real_path(path: Path) -> Path:
    """The path without links, as far as it can be followed."""
    try:
        return Path(os.path.realpath(path))
    except NO_PATH:  # the working folder is gone, or there is a NUL in the path
        return path


def is_folder(path: Path) -> bool:
    """Whether a folder is there; False for a path that cannot be followed."""
    return _holds(path.is_dir)


def is_file(path: Path) -> bool:
    """Whether a regular file is there; False for a path that cannot be followed."""
    return _holds(path.is_file)


def exists(path: Path) -> bool:
    """Whether anything is there; False for a path that cannot be followed."""
    return _holds(path.exists)


def _holds(question: Callable[[], bool]) -> bool:
    try:
        return question()
    except NO_PATH:
        return False


def open_descriptor(path: Path, *, follow: bool = True) -> int:
    """A regular file, open for reading. Raises OSError for anything else; pipes and devices are not waited for."""
    try:
        handle = os.open(path, _OPEN | _NO_WAITING | (0 if follow else _NO_LINK))
    except ValueError as error:
        raise OSError(str(error)) from None
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise OSError("is a folder" if stat.S_ISDIR(mode) else "is no regular file")
    except BaseException:
        os.close(handle)
        raise
    return handle


def open_regular(path: Path, *, buffering: int = -1) -> BinaryIO:
    """A regular file as a file object. Raises as `open_descriptor`."""
    return os.fdopen(open_descriptor(path), "rb", buffering)


def open_own(path: Path) -> int:
    """A file that nobody else can have written, open for reading: no link, and this user's or root's alone.

    Raises PermissionError if others may have written it, OSError if it cannot be opened.
    """
    handle = open_descriptor(path, follow=False)
    if not _is_own(os.fstat(handle)):
        os.close(handle)
        raise PermissionError("another user owns it or may write to it")
    return handle


def read_own(path: Path) -> bytes:
    """The content of a file that nobody else can have written. Raises as `open_own`."""
    with os.fdopen(open_own(path), "rb") as file:
        return file.read()


def is_own(path: Path) -> bool:
    """Whether nobody but this user and root can have changed what stands at a path, as far as its own mode says."""
    try:
        return _is_own(path.stat())
    except NO_PATH:
        return False


def _is_own(status: os.stat_result) -> bool:
    if sys.platform == "win32":  # there, a user's own folders are closed to others
        return True
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & _OTHERS_WRITE


def path_to_text(path: Path) -> str:
    """A path as text that UTF-8 can hold; `path_from_text` gives the path again."""
    text = str(path)
    try:
        text.encode()
    except UnicodeEncodeError:
        return "\0" + os.fsencode(text).decode("latin-1")
    return text


def path_from_text(text: str) -> Path:
    """The path that `path_to_text` wrote."""
    return Path(os.fsdecode(text[1:].encode("latin-1")) if text.startswith("\0") else text)


def replace_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Give a file new content: written beside it, then renamed, so that nobody ever sees half of it.

    Its permissions stay; a link goes on pointing at the file that it points at.
    """
    path = real_path(path)
    if exists(path):
        _write_and_rename(path, chunks, stat.S_IMODE(path.stat().st_mode))
        return
    umask = os.umask(0)
    os.umask(umask)
    _write_and_rename(path, chunks, 0o666 & ~umask)


def replace_own(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file that only this user may write, all or nothing; a link is replaced, not followed."""
    _write_and_rename(path, chunks, 0o644)


def _write_and_rename(path: Path, chunks: Iterable[bytes], mode: int) -> None:
    import tempfile  # slow to import, and most questions write nothing

    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".errkb-", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(chunks)
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
