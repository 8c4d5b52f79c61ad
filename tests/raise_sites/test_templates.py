"""What is harvested of a message: the template as the source writes it, and where its values come from."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errkb.patterns import Message, Pattern
from errkb.source_analysis.harvest import harvest_source
from errkb.source_analysis.site import Site

Harvest = Callable[[str], list[Site]]

EXPRESSIONS: list[tuple[str, str, tuple[str, ...]]] = [
    ("'plain text'", "plain text", ()),
    ("'two ' 'pieces'", "two pieces", ()),
    ("'a ' + 'b'", "a b", ()),
    ("f'no {x} here'", "no {x} here", ("x",)),
    ("f'{x!r} is {y:.2f} {z.w[0]}'", "{x!r} is {y:.2f} {z.w[0]}", ("x", "y", "z.w[0]")),
    ("f'{x=} given'", "x={x!r} given", ("x",)),
    ("f'{{x}} {y}'", "{{x}} {y}", ("y",)),
    ("f'width {x:{w}}!'", "width {x:{w}}!", ("x",)),
    ("f'a {x} ' 'b {y}'", "a {x} b {{y}}", ("x",)),
    ("'no %s' % x", "no %s", ("x",)),
    ("'no %s of %d' % (x, len(y))", "no %s of %d", ("x", "len(y)")),
    ("'no %(a)s' % {'a': x.y}", "no %(a)s", ("x.y",)),
    ("'100%% of %r' % (x,)", "100%% of %r", ("x",)),
    ("'%*d wide' % (x, y)", "%*d wide", ("y",)),
    ("'no {} of {}'.format(x, y)", "no {} of {}", ("x", "y")),
    ("'no {1} of {0!r}'.format(x, y)", "no {1} of {0!r}", ("y", "x")),
    ("'no {a} of {b.c}'.format(a=x, b=y)", "no {a} of {b.c}", ("x", "y.c")),
    ("'no {} ' 'here'.format(x)", "no {} here", ("x",)),
    ("'no ' + x + ' here'", "no {x} here", ("x",)),
    ("'no ' + str(x)", "no {x}", ("x",)),
    ("'no ' + repr(x) + '!'", "no {repr(x)}!", ("repr(x)",)),
    ("', '.join(['a', 'b', 'c'])", "a, b, c", ()),
    ("'one of ' + ', '.join(x)", "one of {', '.join(x)}", ("', '.join(x)",)),
    ("_('translated %s') % x", "translated %s", ("x",)),
    ("gettext('translated')", "translated", ()),
    ("dedent('''text''')", "text", ()),
    ("('text %s' % x).strip()", "text %s", ("x",)),
    ("f'{\"constant\"} text'", "constant text", ()),
    ("'filled in %(later)s: 100%%'", "filled in %(later)s: 100%%", ("later",)),
    ("x or 'a default'", "a default", ()),
]


@pytest.mark.parametrize(("expression", "template", "names"), EXPRESSIONS, ids=[case[0] for case in EXPRESSIONS])
def test_a_message_is_read_as_the_source_writes_it(
    sites: Harvest, expression: str, template: str, names: tuple[str, ...]
) -> None:
    """The template keeps the placeholders of the source; each has the name of its expression."""
    (site,) = sites(f"raise ValueError({expression})")
    assert (site.template, site.names) == (template, names)


BODIES: list[tuple[str, list[str]]] = [
    ("msg = 'built before'\nraise ValueError(msg)", ["built before"]),
    ("msg = 'built %s' % x\nraise ValueError(msg)", ["built %s"]),
    ("msg = 'one '\nmsg += 'two'\nraise ValueError(msg)", ["one two"]),
    ("msg = 'one'\nmsg = x\nraise ValueError(msg)", []),
    ("if x:\n    msg = 'one'\nelse:\n    msg = 'two'\nraise ValueError(msg)", ["one", "two"]),
    ("msg = 'one'\nif x:\n    msg = 'two'\nraise ValueError(msg)", ["one", "two"]),
    ("msg = 'one'\nif x:\n    msg = 'two'\n    return\nraise ValueError(msg)", ["one"]),
    ("for msg in x:\n    raise ValueError(msg)", []),
    ("raise ValueError('a' if x else 'b')", ["a", "b"]),
    ("error = ValueError('made before')\nraise error", ["made before"]),
    ("prefix = 'while reading: '\nraise ValueError(f'{prefix}no {x}')", ["while reading: no {x}"]),
    ("raise ValueError(NAMED)", ["a named text"]),
    ("raise ValueError(NAMED_FORMAT % x)", ["a named %s"]),
    ("raise ValueError(NAMED_FORMAT.format(x))", ["a named %s"]),
    ("raise ValueError(TABLE['a'])", ["of the table"]),
    ("raise ValueError(self.text)", ["of the class"]),
    ("NAMED = x\nraise ValueError(NAMED)", []),
    ("lines = []\nlines.append('one')\nlines.append(f'two {x}')\nraise ValueError('; '.join(lines))", ["one; two {x}"]),
    ("lines = ['one']\nif x:\n    lines.append('two')\nraise ValueError(' '.join(lines))", ["one", "one two"]),
    ("lines = ['one']\nlines.extend(x)\nraise ValueError(' '.join(lines))", []),
    ("raise ValueError", []),
    ("raise", []),
]


@pytest.mark.parametrize(("body", "templates"), BODIES, ids=[case[0].replace("\n", "; ") for case in BODIES])
def test_texts_are_followed_to_where_they_were_set(sites: Harvest, body: str, templates: list[str]) -> None:
    """Variables, constants of the module and texts of the class are looked up; what was set again is not used."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    source = "NAMED = 'a named text'\nNAMED_FORMAT = 'a named %s'\nTABLE = {'a': 'of the table'}\n"
    found = sites(f"{source}class C:\n    text = 'of the class'\n    def f(self, x):\n{lines}\n")
    assert sorted(site.template for site in found) == sorted(templates)


def test_the_parameters_of_a_placeholder_are_named(sites: Harvest) -> None:
    """They are found through assignments; `self` and globals are none."""
    (site,) = sites(
        "def f(a, *b, c):\n    n = len(a)\n    m = n + c\n    raise ValueError(f'text {m} {b} {self.d} {E}')"
    )
    assert site.parameters == {"m": ("a", "c"), "b": ("b",)}


def test_function_signature_and_docstring_are_told(sites: Harvest) -> None:
    """The signature is that of the source on one line, without comments; of the docstring the first line."""
    (site,) = sites('''
        class C:
            async def f(
                self,
                a: int = 1,  # why not
                *,
                b=(1, 2),
            ) -> None:
                """Does a thing.

                At length.
                """
                raise ValueError("text")
    ''')
    assert site.function == "C.f"
    assert site.signature == "async def f(self, a: int = 1, *, b=(1, 2)) -> None"
    assert site.doc == "Does a thing."


_VALUES = st.one_of(st.integers(-99, 99), st.text("abcXYZ_", min_size=1, max_size=8))
_PIECES = st.sampled_from(["cannot read ", " of ", ": ", ", expected ", " (", ") in {{}} ", "? 100% ", " was "])


@st.composite
def _messages(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """An expression that makes a message in one of the ways there are, and the values of its variables."""
    count = draw(st.integers(1, 3))
    values = {f"v{number}": draw(_VALUES) for number in range(count)}
    pieces = [draw(_PIECES) for _ in range(count + 1)]
    pieces[0] = "problem: " + pieces[0]
    way = draw(st.sampled_from(["f", "%", "format", "+"]))
    if way == "f":
        text = "".join(piece + f"{{{name}}}" for piece, name in zip(pieces, values, strict=False)) + pieces[-1]
        return "f" + repr(text), values
    pieces = [piece.replace("{{}}", "[]") for piece in pieces]
    if way == "%":
        text = "%s".join(piece.replace("%", "%%") for piece in pieces)
        return f"{text!r} % ({', '.join(values)},)", values
    if way == "format":
        return f"{'{}'.join(pieces)!r}.format({', '.join(values)})", values
    parts = [part for piece, name in zip(pieces, values, strict=False) for part in (repr(piece), f"str({name})")]
    return " + ".join([*parts, repr(pieces[-1])]), values


@given(_messages())
def test_the_pattern_matches_whatever_the_expression_makes(message: tuple[str, dict[str, Any]]) -> None:
    """For every way to make a message: Python's own result is matched whole, and the captures are its values."""
    expression, values = message
    (site,) = harvest_source(f"def f({', '.join(values)}):\n    raise ValueError({expression})")
    made = Message(str(eval(expression, dict(values))))  # our own expression
    reading = Pattern(site.pattern).read(made)
    assert reading is not None
    assert reading.whole
    assert site.names == tuple(values)
    captured = [made.text[span[0] : span[1]] for span in reading.captures if span]
    assert captured == [str(value) for value in values.values()]
