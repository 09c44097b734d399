"""Reads a regular expression as ECMA-262 with the u flag has it, and as browsers do where that says nothing else."""

from conformance.contract.limits import UnjudgedError
from conformance.contract.patterns.tree import (
    LAST,
    Characters,
    Choice,
    Edge,
    Look,
    Node,
    Range,
    Repeat,
    Sequence,
    outside,
)

DIGITS_COUNTED = 9
"""Of a count that is read."""
NESTED = 60
"""Groups in one another."""
DIGITS: tuple[Range, ...] = ((0x30, 0x39),)
WORDS: tuple[Range, ...] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
LINE_ENDS: tuple[Range, ...] = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
SPACES: tuple[Range, ...] = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
SETS = {"d": DIGITS, "w": WORDS, "s": SPACES}
HIGH, LOW, LOW_END = 0xD800, 0xDC00, 0xE000
"""Surrogates, of which a high and a low one make a character."""
CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D}


class PatternError(UnjudgedError):
    """Why it cannot be told what a pattern means: it is no ECMA-262, or it is more than an engine can decide."""


class Reader:
    """One pattern, read from its beginning."""

    def __init__(self, pattern: str) -> None:
        self._text = pattern
        self._at = 0
        self._depth = 0
        self.looks = False
        self.edged = False

    @property
    def over(self) -> bool:
        """Whether the end is reached."""
        return self._at >= len(self._text)

    def _next(self) -> str:
        return self._text[self._at : self._at + 1]

    def _take(self) -> str:
        taken = self._next()
        self._at += 1
        return taken

    def _takes(self, wanted: str) -> bool:
        found = self._text.startswith(wanted, self._at)
        self._at += len(wanted) if found else 0
        return found

    def choice(self) -> Node:
        """What stands from here to the end, or to a ) that was not opened here."""
        branches = [self._sequence()]
        while self._takes("|"):
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _sequence(self) -> Node:
        parts = []
        while not self.over and self._next() not in "|)":
            parts.append(self._repeated(self._atom()))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _repeated(self, atom: Node) -> Node:
        bounds = self._counts()
        if bounds is None:
            return atom
        if isinstance(atom, Edge | Look):
            raise PatternError("what has no length is repeated")
        self._takes("?")
        return Repeat(atom, *bounds)

    def _counts(self) -> tuple[int, int | None] | None:
        sign = self._next()
        if sign and sign in "*+?":
            self._at += 1
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        if sign != "{":
            return None
        end = self._text.find("}", self._at)
        first, comma, second = self._text[self._at + 1 : max(end, self._at + 1)].partition(",")
        if not _counts_to(first) or (second and not _counts_to(second)):
            if not first and comma:
                raise PatternError("{, means one thing here and another there")
            return None
        self._at = end + 1
        if max(len(first), len(second)) > DIGITS_COUNTED:
            raise PatternError("its counts go too far")
        least = int(first)
        most = (int(second) if second else None) if comma else least
        if most is not None and most < least:
            raise PatternError(f"{{{first},{second}}} counts down")
        return least, most

    def _atom(self) -> Node:
        character = self._take()
        match character:
            case "^" | "$":
                return Edge(character)
            case ".":
                return Characters(LINE_ENDS, negated=True)
            case "(":
                return self._group()
            case "[":
                return self._class()
            case "\\":
                return self._escape()
            case "*" | "+" | "?":
                raise PatternError(f"{character} repeats nothing")
            case _:
                return _one(character)

    def _group(self) -> Node:
        self._depth += 1
        if self._depth > NESTED:
            raise PatternError(f"groups are nested deeper than {NESTED}")
        sign = ""
        if self._takes("?"):
            sign = next((each for each in (":", "=", "!", "<=", "<!") if self._takes(each)), "")
            if not sign:
                self._name()
        inner = self.choice()
        if not self._takes(")"):
            raise PatternError("a ( is not closed")
        self._depth -= 1
        if sign in ("", ":"):
            return inner
        self.looks = True
        return Look(sign, inner)

    def _name(self) -> None:
        end = self._text.find(">", self._at)
        if not self._takes("<") or not self._text[self._at : max(end, self._at)].isidentifier():
            raise PatternError(f"(?{self._next()} is not of ECMA-262")
        self._at = end + 1

    def _escape(self) -> Node:
        if self._next() in ("b", "B"):
            self.edged = True
            return Edge(self._take())
        found = self._member()
        return found if isinstance(found, Characters) else _one(chr(found))

    def _member(self) -> Characters | int:
        """What stands after a backslash: a set, or one character's number."""
        letter = self._take()
        if letter.lower() in SETS:
            return Characters(SETS[letter.lower()], negated=letter.isupper())
        if letter in ("p", "P"):
            return Characters((), (f"{letter}{{{self._braced()}}}",))
        return CONTROLS[letter] if letter in CONTROLS else self._number(letter)

    def _number(self, letter: str) -> int:
        match letter:
            case "x":
                return self._hexadecimal(2)
            case "u":
                return self._code()
            case "0" if not self._next().isdigit():
                return 0
            case "c" if self._next().isascii() and self._next().isalpha():
                return ord(self._take()) % 32
        if letter.isdigit() or letter == "k":
            raise PatternError(f"\\{letter} refers back")
        if not letter or (letter.isascii() and letter.isalpha()):
            raise PatternError(f"\\{letter} is unknown")
        return ord(letter)

    def _code(self) -> int:
        if self._next() == "{":
            digits = self._braced()
            code = int(digits, 16) if _hexadecimal(digits) else LAST + 1
            if code > LAST:
                raise PatternError("\\u{ is not followed by a character's number")
            return code
        code = self._hexadecimal(4)
        if HIGH <= code < LOW and self._takes("\\u"):
            low = self._hexadecimal(4)
            if not LOW <= low < LOW_END:
                raise PatternError("half a pair of surrogates")
            return 0x10000 + ((code - HIGH) << 10) + (low - LOW)
        return code

    def _hexadecimal(self, count: int) -> int:
        digits = self._text[self._at : self._at + count]
        if len(digits) < count or not _hexadecimal(digits):
            raise PatternError(f"{digits!r} is no number of a character")
        self._at += count
        return int(digits, 16)

    def _braced(self) -> str:
        end = self._text.find("}", self._at)
        if not self._takes("{") or end < 0:
            raise PatternError("a brace is missing")
        found, self._at = self._text[self._at : end], end + 1
        if not found or not all(letter.isascii() and (letter.isalnum() or letter in "_=") for letter in found):
            raise PatternError(f"{{{found[:20]}}} names nothing")
        return found

    def _class(self) -> Node:
        negated = self._takes("^")
        ranges: list[Range] = []
        properties: list[str] = []
        while not self._takes("]"):
            low = self._of_class()
            if self._next() == "-" and self._text[self._at + 1 : self._at + 2] not in ("]", ""):
                self._at += 1
                high = self._of_class()
                if isinstance(low, int) and isinstance(high, int):
                    if high < low:
                        raise PatternError("a range goes down")
                    ranges.append((low, high))
                    continue
                _add(high, ranges, properties)
                _add(ord("-"), ranges, properties)
            _add(low, ranges, properties)
        return Characters(tuple(ranges), tuple(properties), negated)

    def _of_class(self) -> Characters | int:
        if self.over:
            raise PatternError("a [ is not closed")
        character = self._take()
        if character == "[" and self._next() == ":":
            raise PatternError("[: means one thing here and another there")
        if character != "\\":
            return ord(character)
        return 0x08 if self._takes("b") else self._member()


def _add(member: Characters | int, ranges: list[Range], properties: list[str]) -> None:
    if isinstance(member, int):
        ranges.append((member, member))
    else:
        ranges += outside(member.ranges) if member.negated else member.ranges
        properties += member.properties


def _one(character: str) -> Characters:
    return Characters(((ord(character), ord(character)),))


def _counts_to(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _hexadecimal(text: str) -> bool:
    return bool(text) and all(letter in "0123456789abcdefABCDEF" for letter in text)
