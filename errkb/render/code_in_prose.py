"""Where code stands in a sentence: between backticks, or, in a text without any, what looks like code."""

from collections.abc import Iterator
from typing import NamedTuple

from errkb.lazy_regex import lazy
from errkb.render.phrases import CODE


class CodeShape(NamedTuple):
    """What code in a sentence looks like: a name, a pattern and an example that it finds whole."""

    name: str
    pattern: str
    example: str


_QUOTED = r"'[^'\n]{0,80}'|\"[^\"\n]{0,80}\""
_INNERMOST = rf"\((?:{_QUOTED}|[^()'\"\n]){{0,80}}\)"
_INNER = rf"\((?:{_QUOTED}|[^()'\"\n]|{_INNERMOST}){{0,80}}\)"
_ARGUMENTS = rf"\((?:{_QUOTED}|[^()'\"\n]|{_INNER}){{0,120}}\)"
_ITEM = rf"\[(?:{_QUOTED}|[^\[\]'\"\n]){{1,60}}\]"
_AFTER = rf"(?:\.\w{{1,60}}|{_ARGUMENTS}|{_ITEM}){{0,8}}"
_NAME = r"(?<![\w.'\"])[A-Za-z_][\w.]{0,80}"
SHAPES = (
    CodeShape("call", rf"{_NAME}(?:{_ITEM})?{_ARGUMENTS}{_AFTER}", "df.join(str(Path('x').parent), on='id').head()"),
    CodeShape("item", rf"{_NAME}{_ITEM}{_AFTER}", "df['a'].between"),
    CodeShape("value given", rf"{_NAME}=(?:{_QUOTED}|[\w.-]{{0,80}}\w)(?:{_ITEM})?", "load_best_model_at_end=False"),
    CodeShape("option", r"(?<![\w-])--?[A-Za-z][\w-]{1,60}(?:=[\w./-]{0,60}\w)?", "--force-reinstall"),
    CodeShape(
        "name with underscores",
        r"(?<![\w./'\"-])(?:[A-Za-z]\w{0,60}\.){0,5}[A-Za-z]{0,60}_\w{1,60}(?![\w/'\"-])",
        "hf_hub_download",
    ),
    CodeShape(
        "name in a module", r"(?<![\w./@'\"-])[A-Za-z]\w{1,60}(?:\.[A-Za-z]\w{1,60}){1,5}(?![\w/@'\"-])", "os.path"
    ),
)
_LOOKS_LIKE_CODE = lazy("|".join(shape.pattern for shape in SHAPES))


def code_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each piece of code in a sentence, backticks included."""
    pattern = CODE if "`" in text else _LOOKS_LIKE_CODE
    for match in pattern.finditer(text):
        yield match.span()


def with_backticks(text: str) -> str:
    """The sentence with backticks around its code."""
    return text if "`" in text else _LOOKS_LIKE_CODE.sub(r"`\g<0>`", text)
