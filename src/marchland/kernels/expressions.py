"""Expressions: what they evaluate to, and conditions as jumps."""

import ast
from typing import Any

from marchland.kernels import arithmetic, arrays
from marchland.kernels.calls import emit_call
from marchland.kernels.context import ADVICE, Context
from marchland.kernels.types import (
    NOTHING,
    Array,
    Scalar,
    Settings,
    Static,
    Tuple,
    Value,
    is_integer,
    make_tuple,
    make_word,
    merge_types,
    split_tuple,
)
from marchland.kernels.variables import Variables
from marchland.kernels.word import Word


class Expressions:
    """Translates the expressions of one kernel."""

    def __init__(self, context: Context, variables: Variables) -> None:
        self._context = context
        self._variables = variables
        self._builder = context.builder

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression."""
        self._builder.line = node.lineno
        match node:
            case ast.Constant(bool() | int() as value):
                return self._context.constant(value, node)
            case ast.Constant(None):
                return NOTHING
            case ast.Name(name) if name in self._context.locals:
                return self._variables.read(name, node)
            case ast.Name() | ast.Attribute():
                return self._evaluate_name(node)
            case ast.Subscript(owner, index):
                return self._evaluate_subscript(owner, index)
            case ast.BinOp(left, operator, right):
                first = self.evaluate(left)
                return self.apply(operator, first, self.evaluate(right), node)
            case ast.Compare(left, [operator_], [right]):
                first = self.evaluate(left)
                condition = self._compare(operator_, first, self.evaluate(right), node)
                return arithmetic.emit_truth(self._builder, condition)
            case ast.UnaryOp(ast.Not()) | ast.Compare():
                return self._choose(node, ast.Constant(1), ast.Constant(0), node)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
                return self._context.constant(-value, node)
            case ast.UnaryOp(operator_, operand):
                return self._evaluate_unary(operator_, operand, node)
            case ast.BoolOp(operator_, values):
                return self._evaluate_and_or(operator_, values)
            case ast.IfExp(test, yes, no):
                return self._choose(test, yes, no, node)
            case ast.Tuple(items):
                return make_tuple(None, [self.evaluate(item) for item in items])
            case ast.Call():
                return self._evaluate_call(node)
        raise self._context.refuse_syntax(node)

    def evaluate_int(self, node: ast.expr) -> Value:
        """The value of an expression that must be an integer."""
        value = self.evaluate(node)
        if not is_integer(value.type):
            raise self._context.refuse(node, f"an integer is needed here, not {value.type}")
        return value

    def apply(self, operator: ast.operator, left: Value, right: Value, node: ast.expr) -> Value:
        """The result of a binary operator."""
        self._builder.line = node.lineno
        if isinstance(operator, ast.Div | ast.Pow | ast.MatMult):
            advice = ADVICE.get(type(operator), "")
            raise self._context.refuse(node, f"the kernel language has no such operator; {advice}")
        result = arithmetic.emit_binary(self._builder, operator, left, right)
        if result is None:
            is_mixed = isinstance(left.type, Scalar) and isinstance(right.type, Scalar)
            advice = "; convert one with `Word(...)` or `int(...)`" if is_mixed else ""
            raise self._context.refuse(node, f"{left.type} and {right.type} cannot be combined so{advice}")
        return result

    def branch(self, test: ast.expr, yes: str, no: str) -> None:
        """Go to ``yes`` if the expression is true, else to ``no``."""
        builder = self._builder
        match test:
            case ast.BoolOp(operator, values):
                for value in values[:-1]:
                    (following,) = builder.new_labels(1)
                    self.branch(value, *((following, no) if isinstance(operator, ast.And) else (yes, following)))
                    builder.place(following)
                    if not builder.is_reachable:
                        return
                self.branch(values[-1], yes, no)
            case ast.UnaryOp(ast.Not(), operand):
                self.branch(operand, no, yes)
            case ast.Compare(left, operators, others):
                before = self.evaluate(left)
                for operator_, other in zip(operators[:-1], others[:-1], strict=True):
                    after = self.evaluate(other)
                    (following,) = builder.new_labels(1)
                    builder.branch(self._compare(operator_, before, after, test), following, no)
                    builder.place(following)
                    if not builder.is_reachable:
                        return
                    before = after
                builder.branch(self._compare(operators[-1], before, self.evaluate(others[-1]), test), yes, no)
            case _:
                number = self.evaluate(test)
                if not isinstance(number.type, Scalar):
                    raise self._context.refuse(test, f"{number.type} is not a condition; compare numbers")
                if number.constant is not None:
                    builder.jump(yes if number.constant else no)
                else:
                    builder.branch(builder.define(f"icmp ne i64 {number.leaves[0]}, 0"), yes, no)

    def locate(self, owner: ast.expr, index: ast.expr) -> tuple[Array, str]:
        """The type of an array and the address of one of its elements."""
        array = self.evaluate(owner)
        if not isinstance(array.type, Array):
            raise self._context.refuse(index, f"{array.type} has no elements that can be assigned")
        return array.type, self._address(array, owner, index)

    # ---------------------------------------------------------------- names

    def _evaluate_name(self, node: ast.Name | ast.Attribute) -> Value:
        """A global name with attributes, or an attribute of a value."""
        dotted = self._context.dotted(node)
        if dotted is not None:
            return self._context.read_global(dotted, node)
        assert isinstance(node, ast.Attribute)
        owner = self.evaluate(node.value)
        found = None
        if isinstance(owner.type, Settings):
            found = arrays.emit_setting(self._builder, owner, node.attr)
        elif isinstance(owner.type, Tuple) and owner.type.class_ and node.attr in owner.type.class_._fields:
            found = list(split_tuple(owner))[owner.type.class_._fields.index(node.attr)]
        if found is None:
            raise self._context.refuse(node, f"{owner.type} has no attribute {node.attr!r}")
        return found

    # ---------------------------------------------------------------- operators

    def _evaluate_unary(self, operator: ast.unaryop, operand: ast.expr, node: ast.expr) -> Value:
        before = self.evaluate(operand)
        self._builder.line = node.lineno
        result = arithmetic.emit_unary(self._builder, operator, before)
        if result is None:
            raise self._context.refuse(node, f"the kernel language has no such operation of {before.type}")
        return result

    def _compare(self, operator: ast.cmpop, left: Value, right: Value, node: ast.AST) -> str:
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(right.type, Tuple):
            met = "false"
            for item in split_tuple(right):
                met = self._builder.define(f"or i1 {met}, {self._compare(ast.Eq(), left, item, node)}")
            return self._builder.define(f"xor i1 {met}, true") if isinstance(operator, ast.NotIn) else met
        condition = arithmetic.emit_comparison(self._builder, operator, left, right)
        if condition is None:
            raise self._context.refuse(node, f"{left.type} and {right.type} cannot be compared so")
        return condition

    def _evaluate_and_or(self, operator: ast.boolop, nodes: list[ast.expr]) -> Value:
        """The operand that decides, as in Python."""
        builder = self._builder
        (end,) = builder.new_labels(1)
        slot: Value | None = None
        type_: Any = None
        for node in nodes:
            value = self.evaluate(node)
            type_ = merge_types(type_ or value.type, value.type)
            if not isinstance(value.type, Scalar) or type_ is None:
                raise self._context.refuse(node, f"`and` and `or` take numbers of one type, not {value.type}")
            slot = slot or builder.new_slot(value.type)
            builder.write_slot(slot, value)
            (following,) = builder.new_labels(1)
            is_true = builder.define(f"icmp ne i64 {value.leaves[0]}, 0")
            builder.branch(is_true, *((following, end) if isinstance(operator, ast.And) else (end, following)))
            builder.place(following)
        builder.place(end)
        assert slot is not None
        return builder.read_slot(slot)._replace(type=type_)

    def _choose(self, test: ast.expr, yes_node: ast.expr, no_node: ast.expr, node: ast.AST) -> Value:
        builder = self._builder
        yes, no, end = builder.new_labels(3)
        self.branch(test, yes, no)
        slot: Value | None = None
        type_: Any = None
        for label, arm in ((yes, yes_node), (no, no_node)):
            builder.place(label)
            if not builder.is_reachable:
                continue
            value = self._context.constant(arm.value, node) if isinstance(arm, ast.Constant) else self.evaluate(arm)
            slot = slot or builder.new_slot(value.type)
            type_ = value.type if type_ is None else merge_types(type_, value.type)
            if type_ is None or isinstance(type_, Static):
                raise self._context.refuse(node, f"one result is {slot.type}, the other {value.type}")
            builder.write_slot(slot, value)
            builder.jump(end)
        builder.place(end)
        assert slot is not None
        return builder.read_slot(slot)._replace(type=type_)

    # ---------------------------------------------------------------- arrays and tuples

    def _address(self, array: Value, owner: ast.expr, index: ast.expr) -> str:
        nodes = index.elts if isinstance(index, ast.Tuple) else [index]
        if len(nodes) != (2 if array.type.columns else 1) or isinstance(index, ast.Slice):
            form = "[row, column]" if array.type.columns else "[index]"
            raise self._context.refuse(index, f"an element of {array.type} is {form}")
        for node in nodes:
            if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
                raise self._context.refuse(node, "an index does not count from the end; write `len(...) - 1`")
        indices = [self.evaluate_int(node) for node in nodes]
        self._builder.line = owner.lineno
        return arrays.emit_address(self._builder, array, indices)

    def _evaluate_subscript(self, owner: ast.expr, index: ast.expr) -> Value:
        value = self.evaluate(owner)
        if isinstance(value.type, Tuple) and not isinstance(index, ast.Slice):
            return self._item(value, owner, index)
        if not isinstance(value.type, Array):
            raise self._context.refuse(owner, f"{value.type} has no such part")
        if not isinstance(index, ast.Slice):
            return arrays.emit_load(self._builder, value.type, self._address(value, owner, index))
        if index.step is not None or value.type.columns:
            raise self._context.refuse(index, "a slice has no step and is of one dimension")
        bounds = [None if bound is None else self.evaluate_int(bound) for bound in (index.lower, index.upper)]
        return arrays.emit_slice(self._builder, value, *bounds)

    def _item(self, items: Value, owner: ast.expr, index: ast.expr) -> Value:
        position = self.evaluate_int(index)
        self._builder.line = owner.lineno
        count = len(items.type.types)
        if position.constant is not None and -count <= position.constant < count:
            return list(split_tuple(items))[position.constant]
        found = arrays.emit_item(self._builder, items, position)
        if found is None:
            reason = f"an index into {items.type} that is no constant needs items that are all alike"
            raise self._context.refuse(index, reason)
        return found

    # ---------------------------------------------------------------- calls

    def _evaluate_call(self, node: ast.Call) -> Value:
        if any(isinstance(argument, ast.Starred) for argument in node.args) or any(
            keyword.arg is None for keyword in node.keywords
        ):
            raise self._context.refuse(node, "arguments are passed one by one, without `*`")
        called = self.evaluate(node.func)
        thing = called.type.thing if isinstance(called.type, Static) else None
        match node.args:
            case [ast.Constant(int() as literal)] if thing is Word and not node.keywords:
                return make_word(literal % 2**64)
        values = [self.evaluate(argument) for argument in node.args]
        named = {str(keyword.arg): self.evaluate(keyword.value) for keyword in node.keywords}
        self._builder.line = node.lineno
        return emit_call(self._context, thing, values, named, node)
