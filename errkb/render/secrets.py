"""Keys, tokens and passwords in texts: found for those who publish, masked for those who read."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_SECRET = re.compile(
    r"""(?x)\b(?:
      (?P<github>gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})
    | (?P<gitlab>glpat-[A-Za-z0-9_-]{20,})
    | (?P<openai>sk-(?:proj-|ant-[a-z0-9]+-)?[A-Za-z0-9_-]{20,})
    | (?P<huggingface>hf_[A-Za-z0-9]{30,})
    | (?P<slack>xox[abprs]-[0-9A-Za-z-]{20,})
    | (?P<aws>A(?:KIA|SIA)[0-9A-Z]{16})
    | (?P<google>AIza[0-9A-Za-z_-]{35})
    | (?P<stripe>[rs]k_live_[0-9A-Za-z]{16,})
    | (?P<npm>npm_[A-Za-z0-9]{36})
    | (?P<pypi>pypi-AgE[A-Za-z0-9_-]{50,})
    | (?P<jwt>eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})
    )
    | (?P<key>-----BEGIN\ (?:[A-Z]+\ )*PRIVATE\ KEY-----\s+[A-Za-z0-9+/=]{16,})
    """
)
_PREFIXES = (
    "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "sk-", "sk_live_", "rk_live_", "hf_", "xox", "AKIA", "ASIA",
    "npm_", "pypi-", "eyJ", "PRIVATE KEY",
)  # fmt: skip
"""What the keys of `_SECRET` begin with, those that hold a long run of letters and digits."""
_LONG_RUN = b"a" * 20
_LETTERS_AND_DIGITS = bytes(97 if chr(byte).isascii() and chr(byte).isalnum() else 32 for byte in range(256))
"""Translates each letter and digit to `a`."""
_SAMPLE_KEY = re.compile(r"EXAMPLE|(.)\1{7}|0123456789|1234567890|abcdefgh", re.IGNORECASE)
_PASSWORD = re.compile(r"(://[^\s/:@'\"]{0,100}:)[^\s/@'\"]{1,200}(?=@)")
"""The password of an address, `scheme://user:password@host`."""
_KEPT = 4


class Secret(NamedTuple):
    """What looks like a secret: whose, its text and where it stands."""

    kind: str
    text: str
    start: int


def may_hold_secret(text: str) -> bool:
    """Whether there may be a key of a known kind; far faster than the search for one."""
    if "AIza" in text or "glpat-" in text:  # their runs may be short
        return True
    runs = text.encode("utf-8", "replace").translate(_LETTERS_AND_DIGITS)
    return _LONG_RUN in runs and any(prefix in text for prefix in _PREFIXES)


def find_secrets(text: str) -> Iterator[Secret]:
    """The keys and tokens of well-known services and the private keys in a text, samples left out."""
    for match in _SECRET.finditer(text):
        if not _SAMPLE_KEY.search(match[0]):
            yield Secret(match.lastgroup or "", match[0], match.start())


def masked(text: str) -> str:
    """The text with keys, tokens, private keys and passwords of addresses cut to what tells their kind."""
    if may_hold_secret(text):
        text = _SECRET.sub(lambda match: match[0][:_KEPT] + "…", text)
    return _PASSWORD.sub(r"\1…", text) if "://" in text else text
