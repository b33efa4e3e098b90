"""Translates the statements of one kernel, for given argument types, into an LLVM function.

One forward pass: the type of a local variable is that of its first assignment, and reading a variable that may not
have been assigned is an error. Every refusal is a `KernelError` with file, line and source text.
"""

import ast
from collections.abc import Iterable
from typing import Any, NamedTuple

from marchland.kernels import arrays, errors
from marchland.kernels.builder import typed_leaves
from marchland.kernels.context import Context, Program
from marchland.kernels.expressions import Expressions
from marchland.kernels.types import (
    INT,
    NATURAL,
    NOTHING,
    Array,
    Static,
    Tuple,
    Value,
    is_integer,
    leaf_types,
    make_int,
    merge_types,
    result_type,
    split_tuple,
    widen,
)
from marchland.kernels.variables import Variables


class _Loop(NamedTuple):
    onward: str
    end: str


def translate_function(program: Program, kernel: Any, types: tuple[Any, ...], name: str) -> tuple[str, Any]:
    """The LLVM text of a kernel for these argument types, and the type of its result."""
    known: dict[str, Any] = {}
    while True:
        context = Context(program, kernel)
        variables = Variables(context, known)
        statements = _Statements(context, variables)
        statements.translate(types)
        if not variables.merged:
            return statements.definition(name), statements.returns
        known |= variables.merged


class _Statements:
    """Translates the body of one kernel."""

    def __init__(self, context: Context, variables: Variables) -> None:
        self._context = context
        self._variables = variables
        self._expressions = Expressions(context, variables)
        self._builder = context.builder
        self._loops: list[_Loop] = []
        self._parameters: list[str] = []
        self.returns: Any = None

    def translate(self, types: tuple[Any, ...]) -> None:
        """Translate the whole body."""
        node = self._context.source.node
        if node.args.vararg or node.args.kwarg or node.args.kwonlyargs or node.args.posonlyargs:
            raise self._context.refuse(node, "a kernel has plain positional parameters only")
        for parameter, type_ in zip(node.args.args, types, strict=True):
            first = len(self._parameters)
            value = Value(type_, tuple(f"%p{first + offset}" for offset in range(len(leaf_types(type_)))))
            self._parameters += typed_leaves(value)
            self._variables.assign(parameter.arg, value, parameter)
        self._translate_block(node.body)
        if self._builder.is_reachable:
            self._translate_return(NOTHING, node)
        if self.returns is None:  # an endless loop
            self.returns = NOTHING.type

    def definition(self, name: str) -> str:
        """The LLVM text."""
        head = f"define internal {result_type(self.returns)} @{name}({', '.join(['ptr %frame', *self._parameters])})"
        return f"{head} nounwind {{\n{self._builder.body()}\n}}"

    # ---------------------------------------------------------------- statements

    def _translate_block(self, body: Iterable[ast.stmt]) -> None:
        for statement in body:
            if self._builder.is_reachable:
                self._builder.line = statement.lineno
                self._translate_statement(statement)

    def _translate_statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Pass() | ast.Expr(ast.Constant(str())):
                pass
            case ast.Expr(ast.Call() as call):
                self._expressions.evaluate(call)
            case ast.Assign(targets, value):
                result = self._expressions.evaluate(value)
                for target in targets:
                    self._assign(target, result)
            case ast.AnnAssign(target, _, ast.expr() as value):
                self._assign(target, self._expressions.evaluate(value))
            case ast.AugAssign(target, operator, value):
                self._translate_augmented(target, operator, value)
            case ast.Return(value):
                self._translate_return(self._expressions.evaluate(value) if value else NOTHING, node)
            case ast.If(test, body, other):
                self._translate_if(test, body, other)
            case ast.While(test, body, []):
                self._translate_while(test, body)
            case ast.For(target, iterable, body, []):
                self._translate_for(node, target, iterable, body)
            case ast.Continue():
                self._builder.jump(self._loops[-1].onward)
            case ast.Break():
                self._builder.jump(self._loops[-1].end)
            case ast.For() | ast.While():
                raise self._context.refuse(node, "a loop in a kernel has no `else`")
            case _:
                raise self._context.refuse_syntax(node)

    def _assign(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name(name):
                self._variables.assign(name, value, target)
            case ast.Tuple(parts):
                items = list(split_tuple(value)) if isinstance(value.type, Tuple) else []
                if len(items) != len(parts) or any(isinstance(part, ast.Starred) for part in parts):
                    raise self._context.refuse(target, f"{len(parts)} names cannot be assigned from {value.type}")
                for part, item in zip(parts, items, strict=True):
                    self._assign(part, item)
            case ast.Subscript(owner, index):
                array, address = self._expressions.locate(owner, index)
                self._store(array, address, value, target)
            case _:
                raise self._context.refuse(target, "only names, tuples of names and elements of arrays can be assigned")

    def _translate_augmented(self, target: ast.expr, operator: ast.operator, operand: ast.expr) -> None:
        if isinstance(target, ast.Subscript):
            array, address = self._expressions.locate(target.value, target.slice)
            before = arrays.emit_load(self._builder, array, address)
            after = self._expressions.apply(operator, before, self._expressions.evaluate(operand), target)
            self._store(array, address, after, target)
        else:
            before = self._expressions.evaluate(target)
            self._assign(target, self._expressions.apply(operator, before, self._expressions.evaluate(operand), target))

    def _store(self, array: Array, address: str, value: Value, node: ast.expr) -> None:
        if not array.is_writable:
            raise self._context.refuse(node, "settings and tuples cannot be changed")
        if not is_integer(value.type):
            raise self._context.refuse(node, f"an element of an array is an integer, not {value.type}")
        self._builder.line = node.lineno
        arrays.emit_store(self._builder, array, address, value)

    def _translate_return(self, value: Value, node: ast.AST) -> None:
        if isinstance(value.type, Static):
            raise self._context.refuse(node, f"{value.type} cannot be returned")
        type_ = widen(value.type)
        merged = type_ if self.returns is None else merge_types(self.returns, type_)
        if merged is None:
            raise self._context.refuse(node, f"this returns {value.type}, an earlier line {self.returns}")
        self.returns = merged
        if len(value.leaves) > 1:
            result, whole = result_type(value.type), "poison"
            for position, leaf in enumerate(typed_leaves(value)):
                whole = self._builder.define(f"insertvalue {result} {whole}, {leaf}, {position}")
            self._builder.emit(f"ret {result} {whole}")
        else:
            self._builder.emit(f"ret {''.join(typed_leaves(value)) or 'void'}")
        self._builder.is_reachable = False

    # ---------------------------------------------------------------- control flow

    def _translate_if(self, test: ast.expr, body: list[ast.stmt], other: list[ast.stmt]) -> None:
        yes, no, end = self._builder.new_labels(3)
        self._expressions.branch(test, yes, no)
        for label, arm in ((yes, body), (no, other)):
            self._builder.place(label)
            self._translate_block(arm)
            self._builder.jump(end)
        self._builder.place(end)

    def _translate_while(self, test: ast.expr, body: list[ast.stmt]) -> None:
        again, inside, end = self._builder.new_labels(3)
        self._builder.place(again)
        self._builder.line = test.lineno
        self._expressions.branch(test, inside, end)
        self._builder.place(inside)
        self._translate_loop(body, again, end)
        self._builder.jump(again)
        self._builder.place(end)

    def _translate_loop(self, body: list[ast.stmt], onward: str, end: str) -> None:
        self._loops.append(_Loop(onward, end))
        self._translate_block(body)
        self._loops.pop()

    def _translate_for(self, node: ast.stmt, target: ast.expr, iterable: ast.expr, body: list[ast.stmt]) -> None:
        match iterable:
            case ast.Call(ast.Name("range"), bounds, []) if self._context.is_builtin("range"):
                self._translate_range(node, target, bounds, body)
            case _:
                self._translate_items(target, iterable, body)

    def _translate_range(self, node: ast.stmt, target: ast.expr, bounds: list[ast.expr], body: list[ast.stmt]) -> None:
        builder = self._builder
        values = [self._expressions.evaluate_int(bound) for bound in bounds]
        builder.line = node.lineno
        if not 1 <= len(values) <= 3 or not isinstance(target, ast.Name):
            raise self._context.refuse(node, "a loop is `for name in range(...)` with one to three bounds")
        start, stop, step = [make_int(0), *values, make_int(1)] if len(values) == 1 else [*values, make_int(1)][:3]
        if step.constant is None or step.constant == 0:
            is_zero = builder.define(f"icmp eq i64 {step.leaves[0]}, 0")
            builder.fault_if(is_zero, errors.STEP, "0", "0")
        counter = builder.new_slot(INT)
        builder.write_slot(counter, start)
        test, inside, onward, end = builder.new_labels(4)
        if step.constant in (1, -1):  # the plain form, which LLVM knows how to vectorise
            builder.place(test)
            position = builder.read_slot(counter)
            comparison = "slt" if step.constant == 1 else "sgt"
            builder.branch(builder.define(f"icmp {comparison} i64 {position.leaves[0]}, {stop.leaves[0]}"), inside, end)
        else:  # counts down the iterations, since the counter itself may pass the largest integer
            arguments = ", ".join(f"i64 {bound.leaves[0]}" for bound in (start, stop, step))
            left = builder.new_slot(INT)
            builder.write_slot(left, Value(INT, (builder.define(f"call i64 @range_length({arguments})"),)))
            builder.place(test)
            remaining = builder.read_slot(left).leaves[0]
            builder.write_slot(left, Value(INT, (builder.define(f"sub i64 {remaining}, 1"),)))
            position = builder.read_slot(counter)
            builder.branch(builder.define(f"icmp ne i64 {remaining}, 0"), inside, end)
        builder.place(inside)
        is_natural = start.type == NATURAL and step.constant is not None and step.constant > 0
        self._assign(target, position._replace(type=NATURAL if is_natural else INT))
        self._translate_loop(body, onward, end)
        builder.place(onward)
        if builder.is_reachable:
            flags = "nsw " if step.constant in (1, -1) else ""
            position = builder.read_slot(counter)
            following = builder.define(f"add {flags}i64 {position.leaves[0]}, {step.leaves[0]}")
            builder.write_slot(counter, Value(INT, (following,)))
            builder.jump(test)
        builder.place(end)

    def _translate_items(self, target: ast.expr, iterable: ast.expr, body: list[ast.stmt]) -> None:
        """A loop over a tuple: the body once for each item."""
        items = self._expressions.evaluate(iterable)
        if not isinstance(items.type, Tuple):
            raise self._context.refuse(iterable, "a loop goes over `range(...)` or a tuple")
        (end,) = self._builder.new_labels(1)
        for item in split_tuple(items):
            (onward,) = self._builder.new_labels(1)
            if self._builder.is_reachable:
                self._assign(target, item)
                self._translate_loop(body, onward, end)
                self._builder.place(onward)
        self._builder.place(end)
