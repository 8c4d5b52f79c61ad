"""The files of a dataset: JSON Lines or one JSON document, of records or envelopes, compressed or not.

Every record's JSON text is given out with its place; in the place of a broken part stands what is
wrong with it, and the rest goes on.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

import msgspec

from errkb.datasets.limits import Limits, limits
from errkb.errors import DatasetError
from errkb.files import open_regular
from errkb.lazy_regex import lazy

NO_JSON = (msgspec.DecodeError, ValueError, RecursionError)
"""What decoding raises at text that is no JSON."""
_GZIP_MAGIC = b"\x1f\x8b"
_NEXT_MEMBER = lazy(r"\s*,?\s*(?=\{)")
_BUFFER = 1 << 18
_MANY_COMMAS = 1_000_000
BOM = b"\xef\xbb\xbf"
"""What may stand before the text of a file."""


class Entry(NamedTuple):
    """One record's JSON text and its place: file, line (from 1) and JSON pointer into the document there."""

    path: Path
    line: int
    pointer: str
    raw: bytes
    offset: int
    """Bytes before `raw` in the uncompressed file."""


class _Members(msgspec.Struct):
    """What tells a record from an envelope and from a published index."""

    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    record: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    errors: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_decode_members = msgspec.json.Decoder(_Members).decode
_decode_array = msgspec.json.Decoder(list[msgspec.Raw]).decode


def read_file(path: Path) -> Iterator[Entry | DatasetError]:
    """The entries of one file; a file of lines is read line by line, however large."""
    most = limits()
    with open_file(path, buffering=_BUFFER) as file:
        first = _guarded(path, lambda: file.readline(most.line)).removeprefix(BOM)
        while first and not first.strip() and file.tell() < most.document:
            first = _guarded(path, lambda: file.readline(most.line))
        start = first.lstrip()[:1]
        file.seek(0)
        if path.name.removesuffix(".gz").endswith(".jsonl") or (start == b"{" and _is_json(first)):
            yield from _lines(path, file, most)
        elif start in (b"[", b"{"):
            content = _limited(path, file, most)
            if start == b"{" and not _is_json(content) and any(map(_is_object, content.splitlines()[1:])):
                yield from _lines(path, BytesIO(content), most)  # lines after all, the first of them broken
            else:
                yield from _document(path, content)
        else:
            raise DatasetError("holds no JSON" if start else "is empty", path=path)


def is_compressed(path: Path) -> bool:
    """Whether a file holds gzip data. Raises DatasetError if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(2) == _GZIP_MAGIC
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", path=path) from None


def read_bytes(path: Path) -> bytes:
    """The content of a file, uncompressed. Raises DatasetError."""
    with open_file(path, buffering=_BUFFER) as file:
        return _limited(path, file, limits())


def open_file(path: Path, *, buffering: int = -1) -> BinaryIO:
    """A file, uncompressed. Raises DatasetError if it cannot be opened."""
    if not is_compressed(path):
        try:
            return open_regular(path, buffering=buffering)
        except OSError as error:
            raise DatasetError(f"cannot be read: {error.strerror or error}", path=path) from None
    import gzip

    return cast("BinaryIO", gzip.open(path, "rb"))


def rewrite_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Replace the content of a file as a whole; one that was compressed stays so."""
    from errkb.files import replace_file

    if is_compressed(path):
        import gzip

        chunks = [gzip.compress(b"".join(chunks), mtime=0)]
    replace_file(path, chunks)


def _limited(path: Path, file: BinaryIO, most: Limits) -> bytes:
    """The content of a file that is one document."""
    content = _guarded(path, lambda: file.read(most.document + 1))
    if len(content) > most.document:
        raise DatasetError(most.refusal("document"), path=path)
    # A record has a comma for some forty bytes. What has one for a few is none, and takes thirty times its size.
    if (commas := content.count(b",")) > _MANY_COMMAS and commas * 16 > len(content):
        raise DatasetError("holds very many small values and no records", path=path)
    return content


def _guarded(path: Path, read: Callable[[], bytes]) -> bytes:
    try:
        return read()
    except (EOFError, zlib.error) as error:
        raise DatasetError(f"damaged gzip data: {error}", path=path) from None
    except OSError as error:
        if type(error).__name__ == "BadGzipFile":  # without importing gzip for files that are none
            raise DatasetError(f"damaged gzip data: {error}", path=path) from None
        raise DatasetError(f"cannot be read: {error.strerror or error}", path=path) from None


def _lines(path: Path, file: BinaryIO, most: Limits) -> Iterator[Entry | DatasetError]:
    offset, number = 0, 1
    while True:
        try:
            line = _guarded(path, lambda: file.readline(most.line + 1))
            if len(line) > most.line and not line.endswith(b"\n"):
                yield DatasetError(most.refusal("line"), path=path, line=number)
                while line and not line.endswith(b"\n") and offset <= most.file:
                    offset += len(line)
                    line = _guarded(path, lambda: file.readline(_BUFFER))
                offset += len(line)
                number += 1
                continue
        except DatasetError as error:
            yield DatasetError(error.reason, path=path, line=number)
            return
        if offset > most.file:
            yield DatasetError(most.refusal("file"), path=path, line=number)
            return
        if not line:
            return
        bom = len(BOM) if number == 1 and line.startswith(BOM) else 0
        raw = line[bom:].rstrip(b"\r\n")
        if raw.strip():
            yield _unwrapped(Entry(path, number, "", raw, offset + bom))
        offset += len(line)
        number += 1


def _document(path: Path, content: bytes) -> Iterator[Entry | DatasetError]:
    bom = len(BOM) if content.startswith(BOM) else 0
    content = b" " * bom + content[bom:]  # offsets stay those of the file
    if content.lstrip()[:1] == b"{":
        start = content.index(b"{")
        yield _unwrapped(Entry(path, content.count(b"\n", 0, start) + 1, "", content[start:], start))
        return
    trouble: DatasetError | None = None
    try:
        members = [bytes(member) for member in _decode_array(content)]
    except NO_JSON as error:
        trouble = broken_json(path, 1, content, error)
        members = _members_before_trouble(content)
        if not members:
            raise trouble from None
    offset, line, counted = 0, 1, 0
    for number, raw in enumerate(members):
        offset = content.index(raw, offset)
        line += content.count(b"\n", counted, offset)
        counted = offset
        yield _unwrapped(Entry(path, line, f"/{number}", raw, offset))
        offset += len(raw)
    if trouble is not None:
        yield trouble


def _members_before_trouble(content: bytes) -> list[bytes]:
    """The members of an array up to where it is broken."""
    import json

    decoder, members = json.JSONDecoder(), []
    text = content.decode("utf-8", "surrogateescape")
    position = text.index("[") + 1
    while match := _NEXT_MEMBER.match(text, position):
        try:
            _, position = decoder.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            break
        members.append(text[match.end() : position].encode("utf-8", "surrogateescape"))
    return members


def _unwrapped(entry: Entry) -> Entry | DatasetError:
    """The entry of a record, out of its envelope if it is in one; or what is wrong with it."""
    if entry.raw.startswith(b'{"id"') or (b'"record"' not in entry.raw and b'"errors"' not in entry.raw):
        return entry
    try:
        members = _decode_members(entry.raw)
    except NO_JSON as error:
        return broken_json(entry.path, entry.line, entry.raw, error, entry.pointer)
    if members.id is not msgspec.UNSET or members.record is msgspec.UNSET:
        if members.id is msgspec.UNSET and members.errors is not msgspec.UNSET:
            reason = "this is the index of a published dataset and holds no records: open its folder instead"
            return DatasetError(reason, path=entry.path, line=entry.line)
        return entry
    raw = bytes(members.record)
    inside = entry.raw.index(raw)
    line = entry.line + entry.raw.count(b"\n", 0, inside)
    return Entry(entry.path, line, f"{entry.pointer}/record", raw, entry.offset + inside)


def _is_object(line: bytes) -> bool:
    return line.lstrip()[:1] == b"{" and _is_json(line)


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except NO_JSON:
        return False
    return True


def broken_json(path: Path, line: int, raw: bytes, error: Exception, pointer: str = "") -> DatasetError:
    """Broken JSON with the line that it breaks in; Python's own reader knows the place and says it better."""
    import json

    reason = str(error).partition(" (byte")[0]
    try:
        value = json.loads(raw)
        if not isinstance(value, dict):
            reason = f"a record is a JSON object, not {type(value).__name__}"
    except json.JSONDecodeError as better:
        reason = f"broken JSON at column {better.colno}: {better.msg.removesuffix(' at')}"
        line += better.lineno - 1
    except UnicodeDecodeError as better:
        reason = f"not UTF-8: {better.reason} at byte {better.start}"
    except RecursionError:
        reason = "nested too deeply"
    except ValueError:
        reason = "a number of too many digits"
    return DatasetError(reason, path=path, line=line, pointer=pointer or None)
