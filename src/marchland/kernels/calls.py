"""Calls: of kernels, NamedTuples, builtins and intrinsics."""

import ast
from typing import Any

from marchland.kernels import arithmetic
from marchland.kernels.builder import Builder, typed_leaves
from marchland.kernels.context import Context
from marchland.kernels.names import Intrinsic, is_builtin, make_static
from marchland.kernels.types import (
    NATURAL,
    Array,
    Scalar,
    Static,
    Tuple,
    Value,
    is_named_tuple,
    leaf_types,
    make_int,
    make_tuple,
    result_type,
)
from marchland.kernels.word import Word


def emit_call(context: Context, thing: Any, values: list[Value], named: dict[str, Value], node: ast.Call) -> Value:
    """The result of calling ``thing`` with these arguments."""
    if isinstance(thing, type(context.kernel)):
        if context.dotted(node.func) is None:  # the cache follows names only
            raise context.refuse(node, "a kernel is called by its name")
        return _call_kernel(context, thing, values, named, node)
    if is_named_tuple(thing):
        class_: Any = thing
        return make_tuple(class_, _bind(context, class_._fields, class_._field_defaults, values, named, node))
    if named or any(isinstance(value.type, Static) for value in values):
        raise context.refuse(node, "only kernels and NamedTuples take arguments like these")
    if is_builtin(thing):
        result = _call_builtin(context.builder, thing, values)
        if result is None:
            given = ", ".join(str(value.type) for value in values)
            raise context.refuse(
                node, f"the kernel language has no such operation as {thing.__name__} of {given or 'nothing'}"
            )
        return result
    if isinstance(thing, Intrinsic) and not isinstance(thing, type):
        try:
            return thing.emit(context.builder, *values)
        except TypeError as problem:
            raise context.refuse(node, str(problem)) from None
    raise context.refuse(node, "a kernel calls kernels, NamedTuples, len, min, max, abs, int, bool and Word")


def _call_builtin(builder: Builder, thing: Any, values: list[Value]) -> Value | None:
    if thing in (min, max) and len(values) >= 2:
        return arithmetic.emit_extreme(builder, thing.__name__, values)
    if len(values) == 1:
        (value,) = values
        if thing is len and isinstance(value.type, Array):
            return Value(NATURAL, value.leaves[1:])
        if thing is len and isinstance(value.type, Tuple):
            return make_int(len(value.type.types))
        if thing is abs:
            return arithmetic.emit_absolute(builder, value)
        if thing is int:
            return arithmetic.emit_int(builder, value)
        if thing is bool and isinstance(value.type, Scalar):
            return arithmetic.emit_truth(builder, builder.define(f"icmp ne i64 {value.leaves[0]}, 0"))
        if thing is Word:
            return arithmetic.emit_word(value)
    return None


def _bind(
    context: Context,
    names: tuple[str, ...],
    defaults: dict[str, Any],
    values: list[Value],
    named: dict[str, Value],
    node: ast.AST,
) -> list[Value]:
    """The arguments in the order of the parameters."""
    given = dict(zip(names, values, strict=False))
    missing = [name for name in names if name not in given and name not in named and name not in defaults]
    strange = [name for name in named if name not in names or name in given]
    if len(values) > len(names) or missing or strange:
        raise context.refuse(node, f"the call does not fit the parameters ({', '.join(names)})")
    known = {name: make_static(default) for name, default in defaults.items()} | given | named
    return [known[name] for name in names]


def _call_kernel(context: Context, kernel: Any, values: list[Value], named: dict[str, Value], node: ast.AST) -> Value:
    code = kernel.function.__code__
    names = code.co_varnames[: code.co_argcount]
    values_of_defaults = kernel.function.__defaults__ or ()
    defaults = dict(zip(names[-len(values_of_defaults) :], values_of_defaults, strict=False))
    arguments = _bind(context, names, defaults, values, named, node)
    if any(isinstance(argument.type, Static) for argument in arguments):
        raise context.refuse(node, "an argument is a number, an array or a tuple of these")
    callee = context.program.translate(kernel, tuple(argument.type for argument in arguments))
    if callee is None:
        raise context.refuse(node, f"{kernel.function.__name__} calls itself; a kernel cannot")
    builder = context.builder
    passed = ", ".join(["ptr %frame", *(leaf for argument in arguments for leaf in typed_leaves(argument))])
    result, types = result_type(callee.returns), leaf_types(callee.returns)
    call = f"call {result} @{callee.name}({passed})"
    if not types:
        builder.emit(call)
        return Value(callee.returns, ())
    whole = builder.define(call)
    if len(types) == 1:
        return Value(callee.returns, (whole,))
    leaves = [builder.define(f"extractvalue {result} {whole}, {place}") for place in range(len(types))]
    return Value(callee.returns, tuple(leaves))
