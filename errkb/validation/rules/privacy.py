"""S: what should not be in a public dataset."""

import re
from collections.abc import Iterable, Iterator

from errkb.records.record import Record
from errkb.validation.rule import Context, Rule, Subject, Violation

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
_MAIL = re.compile(r"(?<![\w.+/:@-])[A-Za-z0-9][\w.+-]*@((?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,})(?![\w.-]*[@(])", re.ASCII)
_SAMPLE_DOMAIN = re.compile(
    r"(?:^|\.)(?:example|test|invalid|localhost|local|internal|lan)(?:\.|$)|(?:^|\.)(?:domain|company|mycompany|"
    r"yourdomain|acme|users\.noreply\.github)\.com$|^(?:github|gitlab)\.com$|^bitbucket\.org$",
    re.IGNORECASE,
)
_FILE_NAMES = frozenset({"py", "js", "ts", "tsx", "json", "yaml", "yml", "toml", "txt", "md", "so", "dll", "service"})
_HOME = re.compile(r"(?:/(?:home|Users)/|\b[A-Za-z]:\\{1,2}Users\\{1,2})([^\s/\\:'\"`<>(),;]+)(?=[/\\])")
_PLACEHOLDER_HOMES = (
    "user users username user1 you your yourname your-name your_name me myuser my-user name alice bob jane joe john "
    "ada foo bar someone public shared default runner ubuntu app node dev ec2-user vscode jovyan docker linuxbrew "
    "airflow git appuser vagrant pi deploy ... … * ."
)
_SAMPLE_HOMES = frozenset(_PLACEHOLDER_HOMES.split())


_QUOTED = ("/errorMessage", "/sourceCode")
"""What is quoted from the library's own source, which is public and may name an address to write to."""


def _texts(record: Record) -> Iterator[tuple[str, str]]:
    """Pointer and text of all that people wrote in a record."""
    for name, field in (
        ("errorMessage", record.error_message),
        ("sourceCode", record.source_code),
        ("documentation", record.documentation),
        ("triggerScenarios", record.trigger_scenarios),
        ("commonSituations", record.common_situations),
        ("exampleFix", record.example_fix),
        ("validationCode", record.validation_code),
        ("typeGuard", record.type_guard),
        ("tryCatchPattern", record.try_catch_pattern),
    ):
        if field:
            yield f"/{name}", field
    for name, items in (("solutions", record.solutions), ("preventionTips", record.prevention_tips)):
        for number, item in enumerate(items):
            yield f"/{name}/{number}", item


def _may_hold_secret(subject: Subject) -> bool:
    """Whether there may be a key of a known kind; far faster than the search for one."""
    texts = subject.texts
    if ("AI" in subject.capitals_and_at and "AIza" in texts) or "glpat-" in texts:  # their runs may be short
        return True
    runs = texts.encode("utf-8", "replace").translate(_LETTERS_AND_DIGITS)
    return _LONG_RUN in runs and any(prefix in texts for prefix in _PREFIXES)


def _secret(subject: Subject, _context: Context) -> Iterable[Violation]:
    if not _may_hold_secret(subject):
        return ()
    return [
        Violation(f"looks like a secret ({match.lastgroup}): {match[0][:8]}…", pointer)
        for pointer, text in _texts(subject.record)
        for match in _SECRET.finditer(text)
        if not _SAMPLE_KEY.search(match[0])
    ]


def _mail(subject: Subject, _context: Context) -> Iterable[Violation]:
    if "@" not in subject.capitals_and_at:
        return ()
    return [
        Violation(f"e-mail address {match[0]}: use one at example.com", pointer)
        for pointer, text in _texts(subject.record)
        if "@" in text and pointer not in _QUOTED
        for match in _MAIL.finditer(text)
        if not _SAMPLE_DOMAIN.search(match[1]) and match[1].rpartition(".")[2].lower() not in _FILE_NAMES
    ]


def _home(subject: Subject, _context: Context) -> Iterable[Violation]:
    if "/home/" not in subject.texts and not ("U" in subject.capitals_and_at and "Users" in subject.texts):
        return ()
    return [
        Violation(f"home folder of {match[1]!r}: write /home/user", pointer)
        for pointer, text in _texts(subject.record)
        if ("/home/" in text or "Users" in text) and pointer not in _QUOTED
        for match in _HOME.finditer(text)
        if match[1].lower() not in _SAMPLE_HOMES and match[1][0] not in "$%{[~"
    ]


SECRET = Rule(
    code="S001",
    name="secret",
    what="A text holds what looks like a key or token of a well-known service, or a private key.",
    why="A dataset is public: a key in it must be revoked.",
    bad='"exampleFix": "client = Client(token=\'ghp_(36 letters and digits)\')"',
    good='"exampleFix": "client = Client(token=os.environ[\'GITHUB_TOKEN\'])"',
    check=_secret,
)
MAIL = Rule(
    code="S002",
    name="e-mail-address",
    what="A text holds an e-mail address that is not one of the domains kept for examples; "
    "what is quoted from the source may.",
    why="Nobody asked its owner.",
    bad='"exampleFix": "send_mail(to=\'(somebody at a real domain)\')"',
    good='"exampleFix": "send_mail(to=\'ada@example.com\')"',
    check=_mail,
)
HOME = Rule(
    code="S003",
    name="home-path",
    what="A text holds a path in somebody's home folder; what is quoted from the source may.",
    why="It names a person, and readers have other paths.",
    bad='"exampleFix": "open(\'/home/mmuster/data.csv\')"',
    good='"exampleFix": "open(\'/home/user/data.csv\')"',
    check=_home,
)

RULES = (SECRET, MAIL, HOME)
