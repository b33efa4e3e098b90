"""The local variables of one kernel: their types and where their values are."""

import ast
import functools
from collections.abc import Iterator
from typing import Any

from marchland.kernels.context import Context
from marchland.kernels.types import Static, Value, merge_types


class Variables:
    """The type of a variable is that of its first assignment, widened by later ones as far as `merge_types` allows."""

    def __init__(self, context: Context, known: dict[str, Any]) -> None:
        self._context = context
        self._known = known
        """The types of variables that hold more than their first assignment tells."""
        self.merged: dict[str, Any] = {}
        """Types that turned out to be wider than was known: the translation must be done again."""
        self._values: dict[str, Value] = {}
        self._slots: dict[str, Value] = {}
        # A variable that only top-level statements assign needs no slot: each assignment names a new value.
        self._slotted = _assigned_in_blocks(context.source.node)

    def assign(self, name: str, value: Value, node: ast.AST) -> None:
        """Give a variable a value."""
        builder = self._context.builder
        if isinstance(value.type, Static):
            raise self._context.refuse(node, f"{value.type} cannot be assigned; use its name")
        if name in self._known:
            value = value._replace(type=merge_types(self._known[name], value.type) or value.type)
        if name not in self._slotted:
            self._values[name] = value
        else:
            if name not in self._slots:
                self._slots[name] = builder.new_slot(value.type)
            slot = self._slots[name]
            merged = merge_types(self.merged.get(name, slot.type), value.type)
            if merged is None:
                raise self._context.refuse(node, f"{name!r} is {slot.type} at first and {value.type} here")
            if merged != slot.type:
                self.merged[name] = merged
            builder.write_slot(slot, value)
        builder.assigned |= {name}

    def read(self, name: str, node: ast.AST) -> Value:
        """The value of a variable that was assigned on every path to here."""
        builder = self._context.builder
        if name not in builder.assigned:
            reason = f"{name!r} may have no value here; assign it on every path that leads here"
            raise self._context.refuse(node, reason)
        return self._values[name] if name not in self._slotted else builder.read_slot(self._slots[name])


@functools.lru_cache(maxsize=256)
def _assigned_in_blocks(kernel: ast.FunctionDef) -> frozenset[str]:
    """The names assigned in statements that may not run, or run again. A kernel is translated several times."""
    return frozenset(_list_assigned_in_blocks(kernel))


def _list_assigned_in_blocks(kernel: ast.FunctionDef) -> Iterator[str]:
    for statement in kernel.body:
        if isinstance(statement, ast.If | ast.While | ast.For):
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    yield node.id
