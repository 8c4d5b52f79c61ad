"""Under which conditions a raise site is reached."""

from collections.abc import Callable

import pytest

from errkb.source_analysis.site import Site

Harvest = Callable[[str], list[Site]]

RAISE = "raise E('text')"
CASES: list[tuple[str, list[str]]] = [
    (RAISE, []),
    (f"if a:\n    {RAISE}", ["a"]),
    (f"if a:\n    pass\nelse:\n    {RAISE}", ["not a"]),
    (f"if a is None:\n    pass\nelse:\n    {RAISE}", ["a is not None"]),
    (f"if a == 1:\n    pass\nelif b in c:\n    pass\nelse:\n    {RAISE}", ["a != 1", "b not in c"]),
    (f"if a < b:\n    pass\nelse:\n    {RAISE}", ["not a < b"]),
    (f"if a and b:\n    pass\nelse:\n    {RAISE}", ["not (a and b)"]),
    (f"if not a:\n    pass\nelse:\n    {RAISE}", ["a"]),
    (f"if (a\n    and b):\n    {RAISE}", ["a and b"]),
    (f"if a:\n    if b:\n        {RAISE}", ["a", "b"]),
    (f"while a:\n    {RAISE}", ["a"]),
    (f"while True:\n    {RAISE}", []),
    (f"for a in b:\n    {RAISE}", []),
    (f"for a in b:\n    if a:\n        break\nelse:\n    {RAISE}", ["no break in `for a in b`"]),
    (f"try:\n    a\nexcept KeyError:\n    {RAISE}", ["except KeyError"]),
    (f"try:\n    a\nexcept (KeyError, b.E) as e:\n    {RAISE}", ["except (KeyError, b.E)"]),
    (f"try:\n    a\nexcept:\n    {RAISE}", ["except"]),
    (f"try:\n    {RAISE}\nfinally:\n    a", []),
    (
        f"match a:\n    case 1 | 2:\n        pass\n    case [x, *_] if x:\n        {RAISE}",
        ["match a: case [x, *_] if x"],
    ),
    (f"match a:\n    case 1:\n        pass\n    case _:\n        {RAISE}", ["match a: not case 1"]),
    (f"with a as b:\n    if b:\n        {RAISE}", ["b"]),
    ("assert a == 1, 'text'", ["a != 1"]),
    ("raise E('text' if a else None)", ["a"]),
    ("raise E(a or b or 'text')", ["not a", "not b"]),
    ("if a:\n    m = 'text'\nelse:\n    m = None\nraise E(m)", ["a"]),
]


@pytest.mark.parametrize(("body", "conditions"), CASES, ids=[case[0].replace("\n", "; ") for case in CASES])
def test_the_way_to_a_raise_is_told_from_the_start_of_its_function(
    sites: Harvest, body: str, conditions: list[str]
) -> None:
    """Tests around it as they stand, negated where they must not hold."""
    (site,) = sites(_function(body))
    assert [condition.text for condition in site.conditions] == conditions
    assert not any(condition.early for condition in site.conditions)


EARLY: list[tuple[str, list[str]]] = [
    (f"if a:\n    return\n{RAISE}", ["not a"]),
    (f"if a is None:\n    return 1\nelif b:\n    return 2\n{RAISE}", ["a is not None", "not b"]),
    (f"if a:\n    b()\nelse:\n    return\n{RAISE}", ["a"]),
    (f"for x in y:\n    if x:\n        continue\n    {RAISE}", ["not x"]),
    (f"try:\n    return b[a]\nexcept KeyError:\n    pass\n{RAISE}", ["except KeyError"]),
    (f"if a:\n    return\na = b\n{RAISE}", []),
    (f"if a:\n    return\nif b:\n    a = 2\n{RAISE}", []),
    (f"if a.b:\n    return\na.b = 1\n{RAISE}", []),
    (f"if a and b:\n    return\n{RAISE}", []),
    (f"if a:\n    b()\n{RAISE}", []),
    (f"if a:\n    b()\nelif c:\n    return\n{RAISE}", []),
    (f"if a:\n    sys.exit(1)\n{RAISE}", ["not a"]),
]


@pytest.mark.parametrize(("body", "conditions"), EARLY, ids=[case[0].replace("\n", "; ") for case in EARLY])
def test_what_would_have_left_before_counts_if_it_is_simple_and_still_true(
    sites: Harvest, body: str, conditions: list[str]
) -> None:
    """Early conditions are marked as such, and dropped when one of their names is set again."""
    (site,) = [site for site in sites(_function(body)) if site.kind == "raise"]
    assert [condition.text for condition in site.conditions] == conditions
    assert all(condition.early for condition in site.conditions)


def test_conditions_inside_of_the_exception_class_are_its_own_affair(sites: Harvest) -> None:
    """Those that led to the arguments are shown, those inside the class are not."""
    found = sites(
        "class AError(Exception):\n    def __init__(self, text, more=None):\n        if more:\n            text += more\n"
        "        super().__init__(text)\n"
        "def f(a):\n    if a:\n        m = 'one text'\n    else:\n        m = 'another'\n    raise AError(m)\n"
    )
    assert [(site.template, [condition.text for condition in site.conditions]) for site in found] == [
        ("one text", ["a"]),
        ("another", ["not a"]),
    ]


def test_a_nested_function_starts_anew(sites: Harvest) -> None:
    """Conditions of the function around say nothing about when the inner one is called."""
    (site,) = sites("def f(a):\n    if a:\n        def g(b):\n            if b:\n                raise E('text')\n")
    assert (site.function, [condition.text for condition in site.conditions]) == ("f.g", ["b"])


def test_a_long_chain_of_tests_is_cut_not_followed_for_ever(sites: Harvest) -> None:
    """The conditions nearest to the place are kept."""
    chain = "if a == 0:\n    pass\n" + "".join(f"elif a == {number}:\n    pass\n" for number in range(1, 400))
    (site,) = sites(_function(f"{chain}else:\n    {RAISE}"))
    assert 0 < len(site.conditions) <= 40
    assert site.conditions[-1].text == "a != 399"


def _function(body: str) -> str:
    return "def f(a, b, c):\n" + "".join(f"    {line}\n" for line in body.splitlines())
