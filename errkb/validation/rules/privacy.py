"""S: what should not be in a public dataset."""

import re
from collections.abc import Iterable, Iterator

from errkb.records.record import Record
from errkb.render.secrets import find_secrets, may_hold_secret
from errkb.validation.rule import Context, Rule, Subject, Violation

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


def _secret(subject: Subject, _context: Context) -> Iterable[Violation]:
    if not may_hold_secret(subject.texts):
        return ()
    return [
        Violation(f"looks like a secret ({secret.kind}): {secret.text[:8]}…", pointer)
        for pointer, text in _texts(subject.record)
        for secret in find_secrets(text)
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
