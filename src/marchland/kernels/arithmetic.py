"""Operators on integers: Python's results, with checks in checked mode."""

import ast
from typing import Final

from marchland.kernels import errors
from marchland.kernels.builder import Builder
from marchland.kernels.types import INT, NATURAL, WORD, Scalar, Value, is_integer, make_int, make_word

_PLAIN: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_MAY_OVERFLOW: Final = ("add", "sub", "mul")
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}


def unify(left: Value, right: Value) -> tuple[Value, Value]:
    """A constant beside a `Word` becomes a `Word`."""
    if left.type == WORD and right.type == NATURAL and right.constant is not None:
        return left, make_word(right.constant)
    if right.type == WORD and left.type == NATURAL and left.constant is not None:
        return make_word(left.constant), right
    return left, right


def _are_alike(left: Value, right: Value) -> bool:
    return (is_integer(left.type) and is_integer(right.type)) or left.type == right.type == WORD


def emit_binary(builder: Builder, operator: ast.operator, left: Value, right: Value) -> Value | None:
    """The result of an operator; None if there is no such operator on these types."""
    if isinstance(operator, ast.LShift | ast.RShift):
        return _emit_shift(builder, operator, left, right)
    left, right = unify(left, right)
    if not _are_alike(left, right):
        return None
    a, b = left.leaves[0], right.leaves[0]
    type_ = left.type if left.type == WORD else _type_of_result(operator, left, right)
    if isinstance(operator, ast.FloorDiv | ast.Mod):
        return Value(type_, (_emit_division(builder, isinstance(operator, ast.Mod), left, right),))
    name = _PLAIN.get(type(operator))
    if name is None:
        return None
    if builder.is_checked and is_integer(type_) and name in _MAY_OVERFLOW:
        return Value(type_, (_emit_checked(builder, name, a, b),))
    return Value(type_, (builder.define(f"{name} i64 {a}, {b}"),))


def _type_of_result(operator: ast.operator, left: Value, right: Value) -> Scalar:
    """Whether the result of an operator on integers is natural, unless it does not fit 64 bits."""
    if left.type == right.type == NATURAL:
        return INT if isinstance(operator, ast.Sub) else NATURAL
    is_masked = isinstance(operator, ast.BitAnd) and NATURAL in (left.type, right.type)
    return NATURAL if is_masked or (isinstance(operator, ast.Mod) and right.type == NATURAL) else INT


def _emit_checked(builder: Builder, name: str, a: str, b: str) -> str:
    pair = builder.define(f"call {{i64, i1}} @llvm.s{name}.with.overflow.i64(i64 {a}, i64 {b})")
    builder.fault_if(builder.define(f"extractvalue {{i64, i1}} {pair}, 1"), errors.OVERFLOW, a, b)
    return builder.define(f"extractvalue {{i64, i1}} {pair}, 0")


def _emit_shift(builder: Builder, operator: ast.operator, left: Value, right: Value) -> Value | None:
    if not isinstance(left.type, Scalar) or not isinstance(right.type, Scalar):
        return None
    a, count = left.leaves[0], right.leaves[0]
    is_left = isinstance(operator, ast.LShift)
    if right.constant is None or not 0 <= right.constant <= 63:
        if builder.is_checked:
            builder.fault_if(builder.define(f"icmp ugt i64 {count}, 63"), errors.SHIFT, a, count)
        count = builder.define(f"and i64 {count}, 63")
    name = "shl" if is_left else "lshr" if left.type == WORD else "ashr"
    result = builder.define(f"{name} i64 {a}, {count}")
    if is_left and left.type != WORD and builder.is_checked:
        back = builder.define(f"ashr i64 {result}, {count}")
        builder.fault_if(builder.define(f"icmp ne i64 {back}, {a}"), errors.OVERFLOW, a, count)
    return Value(left.type, (result,))


def _emit_division(builder: Builder, is_remainder: bool, left: Value, right: Value) -> str:
    """Rounded down, as Python does. Division by zero is a fault in compiled mode too: the processor would trap."""
    a, b, divisor = left.leaves[0], right.leaves[0], right.constant
    if divisor is None or divisor == 0:
        builder.fault_if("true" if divisor == 0 else builder.define(f"icmp eq i64 {b}, 0"), errors.DIVISION, a, b)
    elif divisor > 0 and divisor & (divisor - 1) == 0:
        shift = "lshr" if left.type == WORD else "ashr"
        return builder.define(
            f"and i64 {a}, {divisor - 1}" if is_remainder else f"{shift} i64 {a}, {divisor.bit_length() - 1}"
        )
    if left.type == WORD or left.type == right.type == NATURAL:
        return builder.define(f"{'urem' if is_remainder else 'udiv'} i64 {a}, {b}")
    if builder.is_checked and not is_remainder and (divisor is None or divisor == -1):
        lowest = builder.define(f"icmp eq i64 {a}, {-(2**63)}")
        minus = builder.define(f"icmp eq i64 {b}, -1")
        builder.fault_if(builder.define(f"and i1 {lowest}, {minus}"), errors.OVERFLOW, a, b)
    return builder.define(f"call i64 @floor_{'mod' if is_remainder else 'div'}(i64 {a}, i64 {b})")


def emit_unary(builder: Builder, operator: ast.unaryop, operand: Value) -> Value | None:
    """The result of ``-``, ``+`` or ``~``; None for anything else."""
    if not isinstance(operand.type, Scalar):
        return None
    match operator:
        case ast.UAdd():
            return operand
        case ast.Invert():
            type_ = WORD if operand.type == WORD else INT
            return Value(type_, (builder.define(f"xor i64 {operand.leaves[0]}, -1"),))
        case ast.USub() if is_integer(operand.type) and operand.constant not in (None, -(2**63)):
            return make_int(-(operand.constant or 0))
        case ast.USub():
            zero = make_word(0) if operand.type == WORD else make_int(0)
            return emit_binary(builder, ast.Sub(), zero, operand)
    return None


def emit_comparison(builder: Builder, operator: ast.cmpop, left: Value, right: Value) -> str | None:
    """A condition; None if these types cannot be compared so."""
    left, right = unify(left, right)
    name = _COMPARISONS.get(type(operator))
    if name is None or not _are_alike(left, right):
        return None
    sign = "" if name in ("eq", "ne") else "u" if left.type == WORD else "s"
    return builder.define(f"icmp {sign}{name} i64 {left.leaves[0]}, {right.leaves[0]}")


def emit_truth(builder: Builder, condition: str) -> Value:
    """A condition as 1 or 0."""
    return Value(NATURAL, (builder.define(f"zext i1 {condition} to i64"),))


def emit_extreme(builder: Builder, name: str, values: list[Value]) -> Value | None:
    """``min`` or ``max`` of two or more numbers of one type: Python returns one of them as it is."""
    best = values[0]
    for value in values[1:]:
        if not _are_alike(best, value):
            return None
        sign = "u" if best.type == WORD else "s"
        a, b = best.leaves[0], value.leaves[0]
        naturals = [best.type, value.type].count(NATURAL)
        type_ = WORD if best.type == WORD else NATURAL if naturals > (name == "min") else INT
        best = Value(type_, (builder.define(f"call i64 @llvm.{sign}{name}.i64(i64 {a}, i64 {b})"),))
    return best if isinstance(best.type, Scalar) else None


def emit_absolute(builder: Builder, operand: Value) -> Value | None:
    """``abs``."""
    if operand.type != INT:
        return operand if operand.type in (NATURAL, WORD) else None
    a = operand.leaves[0]
    if builder.is_checked:
        builder.fault_if(builder.define(f"icmp eq i64 {a}, {-(2**63)}"), errors.OVERFLOW, a, "0")
    return Value(NATURAL, (builder.define(f"call i64 @llvm.abs.i64(i64 {a}, i1 false)"),))


def emit_int(builder: Builder, operand: Value) -> Value | None:
    """``int(x)``: a `Word` above 2**63 - 1 does not fit."""
    if operand.type == WORD and builder.is_checked:
        a = operand.leaves[0]
        builder.fault_if(builder.define(f"icmp slt i64 {a}, 0"), errors.OVERFLOW, a, "0")
    if operand.type == WORD:
        return Value(INT, _signed_leaf(operand))
    return operand if is_integer(operand.type) else None


def emit_word(operand: Value) -> Value | None:
    """``Word(x)``: the same 64 bits."""
    if operand.constant is not None:
        return make_word(operand.constant & (2**64 - 1))
    return Value(WORD, operand.leaves) if isinstance(operand.type, Scalar) else None


def _signed_leaf(operand: Value) -> tuple[str, ...]:
    constant = operand.constant
    return operand.leaves if constant is None else (str(constant - 2**64 if constant >= 2**63 else constant),)
