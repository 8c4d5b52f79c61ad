"""The source text of pieces of syntax, for placeholders and conditions."""

import ast
import re

from errkb.source_analysis.message_parts import BranchCondition

_FLIPPED = {ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in", ast.Eq: "!=", ast.NotEq: "=="}
_NEEDS_BRACKETS = (ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Lambda)
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.BinOp,
          ast.UnaryOp)  # fmt: skip
_WHITE_SPACE = re.compile(r"\s+")


class SourceWriter:
    """The source text of syntax nodes: as it stands if on one line, else in canonical form."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")
        self._known: dict[int, tuple[ast.expr, str]] = {}  # holds the nodes, so that their ids stay theirs

    def write(self, node: ast.expr) -> str:
        """The text of an expression, on one line."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = node, self._segment(node) or _unparsed(node)
        return known[1]

    def write_field(self, node: ast.expr) -> str:
        """The text of an expression in a field of an f-string, where Python 3.11 has no reliable positions."""
        if isinstance(node, ast.Name):
            return node.id
        canonical = _unparsed(node)
        if isinstance(node, ast.Attribute):
            return canonical
        segment = self._segment(node)
        if segment and segment != canonical:
            try:
                if _unparsed(ast.parse(segment, mode="eval").body) == canonical:
                    return segment
            except (SyntaxError, ValueError):
                pass
        return canonical

    def condition(self, condition: BranchCondition) -> str:
        """A condition in words of the source, negated where it must not hold."""
        node = condition.node
        if condition.kind == "except":
            return f"except {self.write(node.type)}" if node.type else "except"
        if condition.kind == "else":
            return f"no break in `for {self.write(node.target)} in {self.write(node.iter)}`"
        if condition.kind == "case":
            return self._case(*node)
        return self._negated(node) if condition.negated else self.write(node)

    def _case(self, match: ast.Match, number: int) -> str:
        case = match.cases[number]
        subject = self.write(match.subject)
        pattern = _unparsed(case.pattern)
        if pattern == "_" and case.guard is None and number:
            earlier = " | ".join(_unparsed(other.pattern) for other in match.cases[:number])
            return f"match {subject}: not case {earlier}"
        guard = f" if {self.write(case.guard)}" if case.guard else ""
        return f"match {subject}: case {pattern}{guard}"

    def _negated(self, node: ast.expr) -> str:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.write(node.operand)
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _FLIPPED:
            left, right = node.left, node.comparators[0]
            if isinstance(left, _PLAIN) and isinstance(right, _PLAIN):
                return f"{self.write(left)} {_FLIPPED[type(node.ops[0])]} {self.write(right)}"
        text = self.write(node)
        return f"not ({text})" if isinstance(node, _NEEDS_BRACKETS) else f"not {text}"

    def _segment(self, node: ast.expr) -> str:
        line = node.lineno - 1
        if node.end_lineno != node.lineno or line >= len(self.lines):
            return ""
        text = self.lines[line]
        if text.isascii():
            return text[node.col_offset : node.end_col_offset]
        raw = text.encode("utf-8", "surrogatepass")[node.col_offset : node.end_col_offset]
        return raw.decode("utf-8", "replace")


def _unparsed(node: ast.AST) -> str:
    try:
        return _WHITE_SPACE.sub(" ", ast.unparse(node))
    except (ValueError, RecursionError):
        return "…"
