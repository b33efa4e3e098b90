"""Random programs of the kernel language, as source text with arguments.

`generate_program` draws every decision from a `random.Random`. `programs` passes hypothesis' own, so that a failing
program is made smaller; `python -m tests.kernels.fuzz` passes a seeded one, which is many times faster.

A program is several kernels of which the last is called. Its variables are named after their types (``i0`` an integer,
``w0`` a `Word`), and the generator knows which ones have a value at each point, so that a program is never refused.
Loops end: each has few iterations, or takes one unit of ``fuel`` per iteration.
"""

import enum
from collections.abc import Callable
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
from hypothesis import strategies as st

from marchland.kernels import Field, FieldsOpener, SettingsOpener, Word

DTYPES: Final = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")
_FUEL: Final = 60
_MOST_WORK: Final = 600
"""Iterations of all loops around a statement, at most."""


class Point(NamedTuple):
    x: int
    y: int = 7


class Pair(NamedTuple):
    first: Point
    word: Word
    third: tuple[int, int, int]


class Parts(NamedTuple):
    small: Any
    rows: Any
    bytes: Any


class Colour(enum.IntEnum):
    RED = 1
    GREEN = 5


class Limits:
    top = 2**63 - 1
    mask = Word(2**64 - 59)

    class Inner:
        step = -3


_FIELDS: Final = (Field("int16"), Field("int32", 2), Field("uint8"))
NAMESPACE: Final[dict[str, Any]] = {
    "Colour": Colour,
    "LOWEST": -(2**63),
    "Limits": Limits,
    "Pair": Pair,
    "Point": Point,
    "TABLE": (3, -1, 4, -1, 5),
    "PAIRS": ((1, 2), (-3, 4), (5, -6)),
    "WORDS": (Word(1), Word(2**64 - 1), Word(2**63)),
    "Word": Word,
    "open_parts": FieldsOpener(Parts, 0, _FIELDS),
    "open_settings": SettingsOpener([("scale", 0, 0), ("table", 1, 3), ("limit", 4, 0)]),
}

Type = tuple[Any, ...]
INT: Final[Type] = ("int",)
WORD: Final[Type] = ("word",)
POINT: Final[Type] = ("point",)
PAIR: Final[Type] = ("pair",)
TRIPLE: Final[Type] = ("triple",)
NOTHING: Final[Type] = ("nothing",)


class Helper(NamedTuple):
    name: str
    parameters: list[tuple[str, Type]]
    returns: Type
    work: int


class GeneratedProgram(NamedTuple):
    """Source text whose last kernel is ``main``, and arguments for several calls."""

    source: str
    calls: list[tuple[Any, ...]]

    def __repr__(self) -> str:
        calls = "\n".join(f"main{call!r}" for call in self.calls)
        return f"\n{self.source}\n{calls}\n"


def programs(calls: int = 3) -> st.SearchStrategy[GeneratedProgram]:
    """Programs that hypothesis can make smaller."""
    return st.builds(generate_program, st.randoms(use_true_random=False), st.just(calls))


def generate_program(random: Random, calls: int = 3) -> GeneratedProgram:
    """A program, and arguments for that many calls."""
    generator = _Generator(random)
    for _ in range(random.randrange(3)):
        generator.add_helper()
    parameters = generator.add_main()
    arguments = [tuple(_make_argument(random, name, type_) for name, type_ in parameters) for _ in range(calls)]
    return GeneratedProgram("\n".join(generator.lines) + "\n", arguments)


# -------------------------------------------------------------------- arguments


def _make_argument(random: Random, name: str, type_: Type) -> Any:
    match type_:
        case ("int",):
            return _pick_number(random, -(2**63), 2**63 - 1)
        case ("word",):
            return Word(_pick_number(random, 0, 2**64 - 1))
        case ("point",):
            return Point(*(_make_argument(random, name, INT) for _ in range(2)))
        case ("triple",):
            return tuple(_make_argument(random, name, INT) for _ in range(3))
        case ("pair",):
            return Pair(*(_make_argument(random, name, part) for part in (POINT, WORD, TRIPLE)))
        case ("fuel",):
            return np.array([_FUEL])
        case ("bounds",):
            return np.array([0, 12, 16, 40, 40, 47], np.int64)
        case ("numbers",):
            return _make_array(random, "int64", (5,))
        case ("array", dtype) if name == "buffer":
            return _make_array(random, dtype, (48,))
        case ("array", dtype):
            return _make_array(random, dtype, (random.choice((0, 1, 1, 2, 3, 5, 5, 6, 8, 8, 9, 10, 10, 12, 33, 33)),))
    _, dtype, columns = type_
    return _make_array(random, dtype, (random.choice((0, 1, 1, 2, 3, 3, 4, 4, 4, 5)), columns))


def _make_array(random: Random, dtype: str, shape: tuple[int, ...]) -> "np.ndarray[Any, Any]":
    limits = np.iinfo(dtype)
    numbers = [_pick_number(random, int(limits.min), int(limits.max)) for _ in range(int(np.prod(shape)))]
    return np.array(numbers, dtype).reshape(shape)


def _pick_number(random: Random, low: int, high: int) -> int:
    chance = random.randrange(8)
    if chance == 0:
        return random.choice((low, low + 1, high, high - 1, 0))
    if chance == 1:
        return random.randrange(low, high + 1)
    return random.randrange(max(low, -9), min(high, 20) + 1)


# -------------------------------------------------------------------- source text


class _Generator:
    """Writes the kernels of one program."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.helpers: list[Helper] = []
        # How readily an operation may fail: some programs never should, so that they run to their end.
        self.risk = random.choice((0.0, 0.0, 0.05, 0.3))

    def add_helper(self) -> None:
        random = self.random
        kinds = [INT, INT, WORD, POINT, TRIPLE, ("array", random.choice(DTYPES)), ("rows", random.choice(DTYPES), 3)]
        types = [random.choice(kinds) for _ in range(random.randrange(1, 4))]
        returns = random.choice([INT, INT, WORD, POINT, TRIPLE, NOTHING, *(type_ for type_ in types if len(type_) > 1)])
        name = f"helper{len(self.helpers)}"
        parameters = [("fuel", ("fuel",)), *_name_parameters(types)]
        work = self._write_kernel(name, parameters, returns, lines=random.randrange(1, 4))
        self.helpers.append(Helper(name, parameters, returns, work))

    def add_main(self) -> list[tuple[str, Type]]:
        random = self.random
        kinds = [INT, INT, WORD, POINT, PAIR, TRIPLE]
        dtypes = [random.choice(DTYPES) for _ in range(2)]
        types = [random.choice(kinds) for _ in range(random.randrange(1, 4))]
        types += [
            random.choice((("array", random.choice(dtypes)), ("array", random.choice(dtypes)), ("rows", dtypes[0], 3)))
            for _ in range(random.randrange(1, 4))
        ]
        for helper in self.helpers:  # whatever a helper takes is at hand
            types += [type_ for _, type_ in helper.parameters if type_ not in types and type_[0] in ("array", "rows")]
        parameters = [("fuel", ("fuel",)), *_name_parameters(types)]
        if random.random() < 0.2:
            parameters += [("buffer", ("array", "uint8")), ("bounds", ("bounds",))]
        if random.random() < 0.2:
            parameters += [("numbers", ("numbers",))]
        returns = random.choice([INT, INT, WORD, POINT, PAIR, TRIPLE, NOTHING])
        self._write_kernel("main", parameters, returns, lines=random.randrange(2, 7))
        return parameters

    def _write_kernel(self, name: str, parameters: list[tuple[str, Type]], returns: Type, lines: int) -> int:
        body = _Body(self, parameters, returns, lines)
        head = ", ".join(parameter for parameter, _ in parameters)
        self.lines += ["@kernel", f"def {name}({head}):", *body.write()]
        return body.work_done


def _name_parameters(types: list[Type]) -> list[tuple[str, Type]]:
    counts: dict[str, int] = {}
    named = []
    for type_ in types:
        stem = _stem(type_)
        named.append((f"{stem}{counts.setdefault(stem, 0)}", type_))
        counts[stem] += 1
    return named


def _stem(type_: Type) -> str:
    """How names of variables of a type begin."""
    match type_:
        case ("array", dtype):
            return f"{dtype}_"
        case ("rows", dtype, columns):
            return f"{dtype}_rows{columns}_"
    return {"int": "i", "word": "w", "point": "p", "pair": "q", "triple": "t"}[type_[0]]


class _Body:
    """The body of one kernel."""

    def __init__(self, program: _Generator, parameters: list[tuple[str, Type]], returns: Type, size: int) -> None:
        self.program = program
        self.random = program.random
        self.returns = returns
        self.size = size
        self.lines: list[str] = []
        self.indent = 1
        self.types: dict[str, Type] = {name: type_ for name, type_ in parameters if len(type_) > 1 or _is_value(type_)}
        self.assigned: set[str] | None = set(self.types)
        """The variables that have a value here; None after a return, break or continue."""
        for type_ in (INT, INT, INT, WORD, WORD, POINT, TRIPLE):
            count = sum(name.startswith(_stem(type_)) and known == type_ for name, known in self.types.items())
            self.types[f"{_stem(type_)}{count}"] = type_
        for type_ in {type_ for type_ in self.types.values() if type_[0] in ("array", "rows")}:
            self.types[f"{_stem(type_)}v"] = type_
        self.settings = any(name == "numbers" for name, _ in parameters)
        self.has_fields = any(name == "bounds" for name, _ in parameters)
        self.loops: list[list[set[str]]] = []
        """For each loop around, what has a value at each break out of it."""
        self.work = 1
        self.work_done = 1

    # ---------------------------------------------------------------- choices

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def is_risky(self) -> bool:
        return self.chance(self.program.risk)

    def known(self, type_: Type) -> list[str]:
        assigned = self.assigned or set()
        return sorted(name for name in assigned if self.types[name] == type_)

    def names(self, type_: Type) -> list[str]:
        """Variables that may be assigned."""
        return sorted(name for name, known in self.types.items() if known == type_ and name not in _FIXED)

    # ---------------------------------------------------------------- statements

    def write(self) -> list[str]:
        if self.chance(0.1):
            self.emit('"""What it does."""')
        if self.settings:
            self.emit("settings = open_settings(numbers)")
        if self.has_fields:
            self.emit("parts = open_parts(buffer, bounds)")
            for name, type_ in (
                ("int16_part", ("array", "int16")),
                ("int32_part", ("rows", "int32", 2)),
                ("uint8_part", ("array", "uint8")),
            ):
                self.types[name] = type_
                assert self.assigned is not None
                self.assigned.add(name)
            self.emit("int16_part, int32_part, uint8_part = parts")
        self.write_number(INT)
        for _ in range(self.size):
            if self.assigned is not None:
                self.write_statement()
        if self.assigned is not None and (self.returns != NOTHING or self.chance(0.2)):
            self.write_return()
        return self.lines

    def emit(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def write_block(self, most: int) -> None:
        self.indent += 1
        self.emit_budget()
        first = len(self.lines)
        for _ in range(self.random.randrange(1, most + 1)):
            if self.assigned is not None:
                self.write_statement()
        if len(self.lines) == first:
            self.emit("pass")
        self.indent -= 1

    def emit_budget(self) -> None:
        """Take fuel first, if this block is the body of a loop that needs it."""
        for line in self.pending_lines:
            self.emit(line)
        self.pending_lines = ()

    pending_lines: tuple[str, ...] = ()

    def write_statement(self) -> None:
        deep = self.indent > 3
        choices: list[tuple[int, Callable[[], None]]] = [
            (6, lambda: self.write_number(INT)),
            (3, lambda: self.write_number(WORD)),
            (2, self.write_value),
            (3, self.write_augmented),
            (7, self.write_store),
            (4, self.write_aliases),
            (2, self.write_unpacking),
            (2, self.write_call),
            (1, lambda: self.emit(self.random.choice(("pass", '"text"')))),
            (0 if deep else 5, self.write_if),
            (0 if deep else 4, self.write_range),
            (0 if deep else 2, self.write_while),
            (0 if deep else 2, self.write_items),
            (1 if self.indent > 1 else 0, self.write_return),
            (2 if self.loops else 0, self.write_jump),
        ]
        self.work_done = max(self.work_done, self.work)
        self.random.choice([choice for weight, choice in choices for _ in range(weight)])()

    def assign(self, *names: str) -> None:
        if self.assigned is not None:
            self.assigned |= set(names)

    def write_number(self, type_: Type) -> None:
        name, value = self.random.choice(self.names(type_)), self.expression(type_, 2)
        if type_ == INT and self.chance(0.15):
            other = self.random.choice(self.names(type_))
            self.emit(f"{name} = {other} = {value}")
            self.assign(other)
        else:
            self.emit(f"{name}{': int' if self.chance(0.05) else ''} = {value}")
        self.assign(name)

    def write_value(self) -> None:
        """Assign a tuple or an array."""
        options = sorted({type_ for type_ in self.types.values() if type_[0] not in ("int", "word", "pair")})
        type_ = self.random.choice(options)
        if type_[0] in ("array", "rows") and not self.known(type_):
            return
        candidates = self.names(type_)
        if candidates:
            name = self.random.choice(candidates)
            self.emit(f"{name} = {self.expression(type_, 2)}")
            self.assign(name)

    def write_augmented(self) -> None:
        type_ = self.random.choice((INT, INT, WORD))
        known = [name for name in self.known(type_) if name not in _FIXED]
        if not known:
            return
        name = self.random.choice(known)
        operator = self.random.choice(("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"))
        right = self.right_operand(type_, operator, 2)
        if type_ == INT and operator in ("+", "-", "*", "<<") and not self.is_risky():
            self.emit(f"{name} %= {self.random.choice((97, 1000, 2**20))}")
        self.emit(f"{name} {operator}= {right}")

    def write_store(self) -> None:
        arrays = [name for name in (self.assigned or ()) if self.types[name][0] in ("array", "rows")]
        if not arrays:
            return
        type_ = self.types[self.random.choice(sorted(arrays))]
        element = self.element(type_, 1)
        kind = self.random.randrange(5)
        if kind == 0:
            operator = self.random.choice(("+", "-", "*", "//", "%", "&", "|", "^", ">>"))
            self.emit(f"{element} {operator}= {self.right_operand(INT, operator, 2)}")
        elif kind == 1:
            name = self.random.choice(self.names(INT))
            self.emit(f"{element} = {name} = {self.fitting(type_, 2)}")
            self.assign(name)
        elif kind == 2:
            self.emit(f"{element}, {self.element(type_, 1)} = {self.fitting(type_, 1)}, {self.fitting(type_, 1)}")
        else:
            self.emit(f"{element} = {self.fitting(type_, 2)}")

    def write_aliases(self) -> None:
        """Load through one array, store through another that may be the same memory, and load again."""
        arrays = [name for name in sorted(self.assigned or ()) if self.types[name][0] in ("array", "rows")]
        if not arrays:
            return
        one = self.types[self.random.choice(arrays)]
        # Only the buffer shares memory with arrays of other types.
        other = self.types[self.random.choice(arrays)] if self.has_fields else one
        if self.chance(0.5) and (names := self.names(other)):
            name = self.random.choice(names)
            self.emit(f"{name} = {self.array(other, 2)}")
            self.assign(name)
        loaded, stored = self.near_element(one), self.near_element(other)
        before, after = (self.random.choice(self.names(INT)) for _ in range(2))
        guard = f"len({loaded.partition('[')[0]}) > 1 and len({stored.partition('[')[0]}) > 1"
        self.emit(f"if {guard}:")
        self.indent += 1
        self.emit(f"{before} = {loaded}")
        self.emit(f"{stored} = {self.fitting(other, 1)}")
        self.emit(f"{after} = {loaded} - ({before} >> 1)" if one[1] != "int64" else f"{after} = {loaded} ^ {before}")
        self.indent -= 1

    def near_element(self, type_: Type) -> str:
        name = self.random.choice(self.known(type_))
        index = self.random.choice((0, 0, 1))
        return f"{name}[{index}]" if type_[0] == "array" else f"{name}[0, {index}]"

    def fitting(self, type_: Type, depth: int) -> str:
        """An integer that fits an element of the array, most of the time."""
        value = self.expression(INT, depth)
        if self.is_risky() or type_[1] == "int64":
            return value
        return f"({value} {self.random.choice(('% 100', '& 127', '% 7'))})"

    def write_unpacking(self) -> None:
        one, two, three = (self.random.choice(self.names(INT)) for _ in range(3))
        word = self.random.choice(self.names(WORD))
        kind = self.random.randrange(5)
        if kind == 0:
            self.emit(f"{one}, {word} = {self.expression(INT, 2)}, {self.expression(WORD, 2)}")
            self.assign(one, word)
        elif kind == 1:
            self.emit(f"{one}, {two} = {self.expression(POINT, 2)}")
            self.assign(one, two)
        elif kind == 2:
            self.emit(f"{one}, {two}, {three} = {self.expression(TRIPLE, 2)}")
            self.assign(one, two, three)
        elif kind == 3:
            self.emit(f"({one}, {two}), {three} = {self.expression(POINT, 1)}, {self.expression(INT, 2)}")
            self.assign(one, two, three)
        elif known := [name for name in self.known(INT) if name not in _FIXED]:
            one, two = self.random.choice(known), self.random.choice(known)
            self.emit(f"{one}, {two} = {two}, {one}")

    def write_call(self) -> None:
        if called := self.call(None, 2):
            self.emit(called)

    def write_return(self) -> None:
        value = "" if self.returns == NOTHING else f" {self.expression(self.returns, 2)}"
        self.emit(f"return{value}")
        if self.chance(0.1):
            self.emit("i0 = i0 + 1")  # not reached
        self.assigned = None

    def write_jump(self) -> None:
        if self.chance(0.5):
            self.emit("continue")
        else:
            assert self.assigned is not None
            self.loops[-1].append(set(self.assigned))
            self.emit("break")
        self.assigned = None

    def write_if(self) -> None:
        before = set(self.assigned or ())
        after: list[set[str]] = []
        self.emit(f"if {self.condition(2)}:")
        self.write_block(2)
        if self.assigned is not None:
            after.append(self.assigned)
        if self.chance(0.2):
            self.assigned = set(before)
            self.emit(f"elif {self.condition(2)}:")
            self.write_block(2)
            if self.assigned is not None:
                after.append(self.assigned)
        self.assigned = set(before)
        if self.chance(0.5):
            self.emit("else:")
            self.write_block(2)
        if self.assigned is not None:
            after.append(self.assigned)
        self.assigned = set.intersection(*after) if after else None

    def write_loop(self, head: str, targets: tuple[str, ...], work: int, is_endless: bool = False) -> None:
        """A loop whose body may not run at all."""
        before = set(self.assigned or ())
        breaks: list[set[str]] = []
        self.loops.append(breaks)
        outer = self.work
        lines: list[str] = []
        if self.work * work > _MOST_WORK or is_endless or head.startswith("while"):
            lines = ["fuel[0] -= 1", "if fuel[0] < 0:", "    break"]
            breaks.append(before | set(targets))
        else:
            self.work *= work
        self.pending_lines = tuple(lines)
        self.emit(head)
        self.assign(*targets)
        self.write_block(3)
        self.loops.pop()
        self.work = outer
        ends = breaks if is_endless else [*breaks, before]
        self.assigned = set.intersection(*ends) & before if not is_endless else set.intersection(*ends)

    def write_range(self) -> None:
        name = self.random.choice(self.names(INT))
        kind = self.random.choice((0, 1, 2, 3, 4, 4, 4, 5, 5, 6, 7))
        small = str(self.random.randrange(10))
        work = 10
        arrays = [one for one in sorted(self.assigned or ()) if self.types[one][0] in ("array", "rows")]
        if kind <= 2 and arrays:
            array = self.random.choice(arrays)
            bounds = self.random.choice((f"len({array})", f"1, len({array})", f"len({array}) - 1, -1, -1"))
            work = 48
        elif kind == 3:
            bounds = f"{self.small(2)}, {self.small(2)}"
            work = 40
        elif kind == 4:
            bounds = f"{self.small(2)}, {self.small(2)}, {self.random.choice(('-1', '2', '-3', '7', '1'))}"
            work = 40
        elif kind == 5:
            step = self.expression(INT, 2)
            bounds = f"{self.small(1)}, {self.small(1)}, {step if self.is_risky() else f'({step} | 1)'}"
            work = 40
        elif kind == 6:
            bounds = self.random.choice(
                (
                    "Limits.top - 3, Limits.top",
                    "Limits.top - 5, Limits.top, 3",
                    "LOWEST + 4, LOWEST, -3",
                    "LOWEST + 2, LOWEST, -1",
                    "LOWEST, Limits.top, Limits.top",
                    "Limits.top, LOWEST, LOWEST",
                )
            )
        else:
            bounds = small
        self.write_loop(f"for {name} in range({bounds}):", (name,), work)

    def small(self, depth: int) -> str:
        return f"({self.expression(INT, depth)} % {self.random.randrange(1, 20)} - {self.random.randrange(9)})"

    def write_while(self) -> None:
        if self.chance(0.25):
            self.write_loop("while True:", (), 1, is_endless=True)
        else:
            self.write_loop(f"while {self.condition(2)}:", (), 1)

    def write_items(self) -> None:
        """A loop over a tuple, whose body runs once for each item."""
        name = self.random.choice(self.names(INT))
        kind = self.random.randrange(4)
        targets: tuple[str, ...]
        if kind == 0:
            items, target, targets = self.expression(TRIPLE, 2), name, (name,)
        elif kind == 1:
            other = self.random.choice(self.names(INT))
            items, target, targets = "PAIRS", f"{name}, {other}", (name, other)
        elif kind == 2:
            word = self.random.choice(self.names(WORD))
            items, target, targets = "WORDS", word, (word,)
        else:
            items = "(" + "".join(f"{self.expression(INT, 2)}, " for _ in range(self.random.randrange(1, 4))) + ")"
            target, targets = name, (name,)
        self.write_loop(f"for {target} in {items}:", targets, 3)

    # ---------------------------------------------------------------- expressions

    def expression(self, type_: Type, depth: int) -> str:
        match type_:
            case ("int",):
                return self.integer(depth)
            case ("word",):
                return self.word(depth)
            case ("array", _) | ("rows", _, _):
                return self.array(type_, depth)
        return self.tuple_of(type_, depth)

    def layout(self, left: str, operator: str, right: str) -> str:
        line_break = "\n        " if self.chance(0.02) else " "
        return f"({left}{line_break}{operator} {right})"

    def integer(self, depth: int) -> str:
        known = self.known(INT)
        if depth <= 0 or self.chance(0.15):
            return self.random.choice(known) if known and self.chance(0.7) else self.literal()
        if self.chance(self.program.risk / 8):
            return self.edge()
        kind = self.random.randrange(22)
        if kind <= 5:
            operator = self.random.choice(("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>", "+", "-"))
            return self.layout(
                self.left_operand(operator, depth - 1), operator, self.right_operand(INT, operator, depth - 1)
            )
        if kind == 6:
            return f"({self.random.choice('-+~')}{self.tame(depth - 1)})"
        if kind == 7:
            return f"({self.truth(depth - 1)})"
        if kind == 8:
            operator = self.random.choice((" and ", " or "))
            return f"({operator.join(self.integer(depth - 1) for _ in range(self.random.randrange(2, 4)))})"
        if kind == 9:
            return f"({self.integer(depth - 1)} if {self.condition(depth - 1)} else {self.integer(depth - 1)})"
        if kind <= 13:
            arrays = [name for name in sorted(self.assigned or ()) if self.types[name][0] in ("array", "rows")]
            return self.element(self.types[self.random.choice(arrays)], depth - 1) if arrays else self.literal()
        if kind == 14:
            parts = [self.integer(depth - 1) for _ in range(self.random.randrange(2, 4))]
            return f"{self.random.choice(('min', 'max'))}({', '.join(parts)})"
        if kind == 15:
            return f"abs({self.tame(depth - 1)})"
        if kind == 16:
            return f"int({self.word(depth - 1)}{'' if self.is_risky() else ' >> 1'})"
        if kind == 17:
            return self.item(depth)
        if kind == 18:
            return self.call(INT, depth - 1) or self.literal()
        if kind == 19 and self.settings:
            is_risky = self.is_risky()
            value = self.integer(depth - 1)
            index = _as_index(value) if is_risky else f"({value} % 3)"
            return self.random.choice(
                ("settings.scale", "settings.limit", f"settings.table[{index}]", "len(settings.table)")
            )
        if kind == 20:
            return f"{self.random.choice(('int', 'bool'))}({self.integer(depth - 1)})"
        arrays = [name for name in sorted(self.assigned or ()) if self.types[name][0] in ("array", "rows")]
        if arrays and self.chance(0.5):
            return f"len({self.array(self.types[self.random.choice(arrays)], depth - 1)})"
        return self.random.choice(("Colour.RED", "Colour.GREEN.value", "Limits.Inner.step", "len(TABLE)", "True"))

    def edge(self) -> str:
        """An operation at the end of 64 bits, or beyond."""
        some = self.random.choice(self.known(INT) or ["3"])
        return self.random.choice(
            (
                f"(LOWEST // ({some} | -1))",
                f"(LOWEST % ({some} | -1))",
                f"(-(LOWEST + ({some} & 1)))",
                f"abs(LOWEST + ({some} & 1))",
                f"({some} // ({some} - {some}))",
                f"({some} % ({some} & 1))",
                f"(Limits.top + ({some} & 1))",
                f"(LOWEST - ({some} & 1))",
                f"((Limits.top // 2 + 1) * ({some} & 1 | 2))",
                f"(1 << ({some} & 3 | 60))",
                f"({some} >> ({some} & 1 | 63))",
                f"int(Word({some}))",
            )
        )

    def literal(self) -> str:
        kind = self.random.randrange(12)
        if kind == 0:
            bit = self.random.randrange(63)
            return str(self.random.choice((2**bit, 2**bit - 1)))
        if kind == 1:
            return self.random.choice(("Limits.top", "LOWEST", "9223372036854775807", "-9223372036854775807"))
        return str(self.random.randrange(-4, 12))

    def tame(self, depth: int) -> str:
        """An integer that is small, unless the program takes risks."""
        value = self.integer(depth)
        if self.is_risky():
            return value
        return self.random.choice((f"({value} % 1000)", f"({value} & 4095)", f"min(max({value}, -99), 99)"))

    def left_operand(self, operator: str, depth: int) -> str:
        return self.tame(depth) if operator in ("+", "-", "*", "<<", "//") else self.integer(depth)

    def right_operand(self, type_: Type, operator: str, depth: int) -> str:
        if operator in ("<<", ">>"):
            if type_ == WORD and self.chance(0.1):
                return f"({self.word(depth)} & 31)"
            count = self.integer(depth)
            if self.chance(0.3):
                return str(self.random.choice((0, 1, 7, 31, 63 if type_ == WORD or operator == ">>" else 5)))
            return count if self.is_risky() else f"({count} & 31)"
        if type_ == WORD:
            if self.chance(0.3):
                return str(self.random.choice((1, 2, 10, 64, 2**31, 2**63 - 1)))
            return f"({self.word(depth)} | 1)" if operator in ("//", "%") and not self.is_risky() else self.word(depth)
        if operator in ("//", "%"):
            if self.chance(0.4):
                return str(self.random.choice((1, 2, 3, 8, 10, 2**62, -1, -2, -7)))
            return self.integer(depth) if self.is_risky() else f"({self.integer(depth)} | 1)"
        return self.tame(depth) if operator in ("+", "-", "*") else self.integer(depth)

    def word(self, depth: int) -> str:
        known = self.known(WORD)
        if depth <= 0 or self.chance(0.2):
            literal = self.random.choice((0, 1, 255, 2**63, 2**64 - 1, self.random.randrange(2**64)))
            return self.random.choice(known) if known and self.chance(0.7) else f"Word({literal})"[:60]
        kind = self.random.randrange(10)
        if known and self.chance(0.1):
            name = self.random.choice(known)
            step = self.random.choice(("1", "Limits.mask", self.random.choice(known)))
            return f"({name} if {name} + {step} < {name} else {name} - {step})"  # whether it wraps
        if kind <= 4:
            operator = self.random.choice(("+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"))
            left = str(self.random.randrange(9)) if operator in "+-*&|^" and self.chance(0.1) else self.word(depth - 1)
            right = self.right_operand(WORD, operator, depth - 1)
            return self.layout(left, operator, self.word(0) if right.isdigit() and left.isdigit() else right)
        if kind == 5:
            return f"({self.random.choice('-+~')}{self.word(depth - 1)})"
        if kind == 6:
            return f"Word({self.integer(depth - 1)})"
        if kind == 7:
            return f"({self.word(depth - 1)} if {self.condition(depth - 1)} else {self.word(depth - 1)})"
        if kind == 8:
            return f"{self.random.choice(('min', 'max'))}({self.word(depth - 1)}, {self.word(depth - 1)})"
        return self.random.choice(
            (
                "Limits.mask",
                f"WORDS[{self.integer(1)} % 3]",
                f"abs({self.word(depth - 1)})",
                f"({self.word(depth - 1)} and {self.word(depth - 1)})",
                self.call(WORD, depth - 1) or "Limits.mask",
            )
        )

    def condition(self, depth: int) -> str:
        kind = self.random.randrange(10)
        if kind <= 1 and depth > 0:
            operator = self.random.choice((" and ", " or "))
            return operator.join(f"({self.condition(depth - 1)})" for _ in range(self.random.randrange(2, 4)))
        if kind == 2:
            return self.word(depth - 1)
        if kind == 3:
            return self.integer(depth - 1)
        return self.truth(depth)

    def truth(self, depth: int) -> str:
        """A condition that is a number when it is used as one."""
        kind = self.random.randrange(6)
        if depth <= 0 or kind <= 3:
            type_ = self.random.choice((INT, INT, INT, WORD))
            count = self.random.choice((1, 1, 1, 2))
            text = self.expression(type_, depth - 1)
            for _ in range(count):
                other = self.expression(type_, depth - 1)
                text += f" {self.random.choice(('<', '<=', '==', '!=', '>', '>='))} {other}"
            return text
        if kind == 4:
            items = "".join(f"{self.integer(depth - 1)}, " for _ in range(self.random.randrange(4)))
            among = self.random.choice((f"({items})", "TABLE"))
            return f"{self.integer(depth - 1)} {self.random.choice(('in', 'not in'))} {among}"
        return f"not ({self.condition(depth - 1)})"

    def index(self, length: str, depth: int) -> str:
        if self.chance(0.2):
            return str(self.random.randrange(4)) if self.is_risky() or self.chance(0.1) else "0"
        value = self.integer(depth)
        if not self.is_risky():
            return f"{value} % {length}"
        return _as_index(value)

    def element(self, type_: Type, depth: int) -> str:
        """An element of an array: of an empty one only if the program takes risks."""
        array = self.array(type_, depth - 1)
        if type_[0] == "rows":
            return f"{array}[{self.index(f'(len({array}) or 1)', depth)}, {self.index(str(type_[2]), depth)}]"
        return f"{array}[{self.index(f'(len({array}) or 1)', depth)}]"

    def array(self, type_: Type, depth: int) -> str:
        known = self.known(type_)
        name = self.random.choice(known)
        if depth <= 0 or self.chance(0.6):
            return name
        kind = self.random.randrange(3)
        if kind == 0 and type_[0] == "array":
            lower, upper = (
                self.integer(depth - 1) if self.chance(0.3) else str(self.random.choice((0, 1, 2, -1, "", "")))
                for _ in range(2)
            )
            return f"{name}[{lower}:{upper}]"
        if kind == 1:
            return f"({name} if {self.condition(depth - 1)} else {self.random.choice(known)})"
        return self.call(type_, depth - 1) or name

    def tuple_of(self, type_: Type, depth: int) -> str:
        known = self.known(type_)
        if known and (depth <= 0 or self.chance(0.4)):
            return self.random.choice(known)
        if depth > 0 and self.chance(0.2):
            return f"({self.tuple_of(type_, depth - 1)} if {self.condition(1)} else {self.tuple_of(type_, depth - 1)})"
        if depth > 0 and type_ != PAIR and self.chance(0.3) and (called := self.call(type_, depth - 1)):
            return called
        if type_ == TRIPLE:
            return f"({self.integer(depth - 1)}, {self.integer(depth - 1)}, {self.integer(depth - 1)})"
        if type_ == PAIR:
            parts = [self.expression(part, depth - 1) for part in (POINT, WORD, TRIPLE)]
            return f"Pair({parts[0]}, third={parts[2]}, word={parts[1]})"
        return self.random.choice(
            (
                f"Point({self.integer(depth - 1)}, {self.integer(depth - 1)})",
                f"Point({self.integer(depth - 1)})",
                f"Point(y={self.integer(depth - 1)}, x={self.integer(depth - 1)})",
            )
        )

    def item(self, depth: int) -> str:
        """A part of a tuple."""
        index = self.integer(depth - 1)
        options = [
            f"TABLE[{index if self.is_risky() else f'{index} % 5'}]",
            f"PAIRS[{index if self.is_risky() else f'{index} % 3'}][{self.random.choice((0, 1, -1))}]",
            f"{self.tuple_of(TRIPLE, depth - 1)}[{self.random.choice((0, 2, -1, -3))}]",
            f"{self.tuple_of(TRIPLE, depth - 1)}[{index if self.is_risky() else f'{index} % 3'}]",
            f"{self.tuple_of(POINT, depth - 1)}.{self.random.choice('xy')}",
        ]
        for name in self.known(PAIR):
            options += [f"{name}.first.y", f"{name}.third[{index} % 3]", f"{name}[0][1]"]
        return self.random.choice(options)

    def call(self, returns: Type | None, depth: int) -> str | None:
        """A call of a helper; one of any result if ``returns`` is None."""
        fitting = [
            helper
            for helper in self.program.helpers
            if returns in (None, helper.returns)
            and self.work * helper.work <= _MOST_WORK
            and all(self.known(type_) for _, type_ in helper.parameters if type_[0] in ("array", "rows"))
        ]
        if not fitting:
            return None
        helper = self.random.choice(fitting)
        self.work_done = max(self.work_done, self.work * helper.work)
        arguments = [(name, self.expression(type_, depth - 1)) for name, type_ in helper.parameters[1:]]
        if self.chance(0.2):
            named = [f"{name}={value}" for name, value in arguments]
            self.random.shuffle(named)
            return f"{helper.name}(fuel, {', '.join(named)})"
        return f"{helper.name}(fuel, {', '.join(value for _, value in arguments)})"


_FIXED: Final = {"int16_part", "int32_part", "uint8_part", "buffer"}
"""Names that keep what they were given, so that their loops have known lengths."""


def _as_index(value: str) -> str:
    """The value as an index: a negation is refused as one."""
    return f"int({value})" if value.startswith(("-", "(-")) else value


def _is_value(type_: Type) -> bool:
    return type_[0] in ("int", "word", "point", "pair", "triple")
