"""A pattern as the engine spells it, and how heavy it is there."""

from conformance.contract.patterns.tree import LAST, Characters, Choice, Edge, Look, Node, Repeat, Sequence, joined

PROPERTY = 60
"""States of a property such as L: it has hundreds of ranges, of which an automaton shares most."""
SYNTAX = frozenset("\\.+*?()|[]{}^$")
PLAIN = frozenset("_ /:@,'\"=!%;")


def weight(node: Node) -> int:
    """The states of its automaton, roughly."""
    match node:
        case Characters():
            return 1 + len(joined(node.ranges)) // 4 + PROPERTY * len(node.properties)
        case Sequence():
            return 1 + sum(map(weight, node.parts))
        case Choice():
            return 1 + sum(map(weight, node.branches))
        case Repeat():
            return 1 + weight(node.inner) * max(node.least, node.most or 0, 1)
        case Look():
            return 1 + weight(node.inner)
        case Edge():
            return 1


def spelled(node: Node, *, looks: bool) -> str:
    """The pattern for the engine of linear time, or (`looks`) for the one that goes back."""
    match node:
        case Characters():
            return _characters(node)
        case Sequence():
            return "".join(spelled(part, looks=looks) for part in node.parts)
        case Choice():
            return f"(?:{'|'.join(spelled(branch, looks=looks) for branch in node.branches)})"
        case Repeat():
            return f"(?:{spelled(node.inner, looks=looks)}){_counts(node)}"
        case Look():
            return f"(?{node.sign}{spelled(node.inner, looks=looks)})"
        case Edge():
            # The engine that goes back knows the edges of Unicode's words only; ECMA-262 means those of ASCII.
            return node.kind if node.kind in "^$" else f"\\{node.kind}" if looks else f"(?-u:\\{node.kind})"


def _counts(node: Repeat) -> str:
    if node.least == node.most:
        return f"{{{node.least}}}"
    signs = {(0, None): "*", (1, None): "+", (0, 1): "?"}
    return signs.get((node.least, node.most), f"{{{node.least},{'' if node.most is None else node.most}}}")


def _characters(node: Characters) -> str:
    if not node.ranges and not node.properties:
        return f"[{'' if node.negated else '^'}\\u{{0}}-\\u{{{LAST:x}}}]"
    if not node.properties and not node.negated and len(node.ranges) == 1 and len(set(node.ranges[0])) == 1:
        character = chr(node.ranges[0][0])
        return f"\\{character}" if character in SYNTAX else _named(character)
    inner = "".join(
        _named(chr(low)) if low == high else f"{_named(chr(low))}-{_named(chr(high))}"
        for low, high in joined(node.ranges)
    )
    return f"[{'^' if node.negated else ''}{inner}{''.join(f'{chr(92)}{name}' for name in node.properties)}]"


def _named(character: str) -> str:
    plain = character in PLAIN or (character.isascii() and character.isalnum())
    return character if plain else f"\\u{{{ord(character):x}}}"
