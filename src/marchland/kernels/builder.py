"""Writes one LLVM function: instructions, labels, local variables, checks."""

from collections.abc import Iterator
from typing import Any

from marchland.kernels.module import Module
from marchland.kernels.types import Value, leaf_types

Names = frozenset[str]


class Builder:
    """The body of one function. Code that cannot be reached is not written."""

    def __init__(self, module: Module, site: str, first_line: int) -> None:
        self.module = module
        self._site = site
        self.is_checked = module.is_checked
        self.is_reachable = True
        self.assigned: Names = frozenset()
        """The local variables that certainly have a value here."""
        self.line = first_line
        self._first_line = first_line
        self._text: list[str] = []
        self._slots: list[str] = []
        self._faults: list[str] = []
        self._count = 0
        self._targets: dict[str, Names] = {}

    def body(self) -> str:
        """The instructions."""
        return "\n".join([*self._slots, *self._text, *self._faults])

    def emit(self, instruction: str) -> None:
        """Write an instruction without a result."""
        if self.is_reachable:
            self._text.append("  " + instruction)

    def define(self, instruction: str) -> str:
        """Write an instruction; returns the name of its result."""
        self._count += 1
        self.emit(f"%v{self._count} = {instruction}")
        return f"%v{self._count}"

    # ---------------------------------------------------------------- control flow

    def new_labels(self, count: int) -> Iterator[str]:
        """Labels to be placed later."""
        for _ in range(count):
            self._count += 1
            yield f"l{self._count}"

    def place(self, label: str) -> None:
        """Put the label here; what follows is reached from here and from every jump to the label."""
        self.jump(label)
        if label in self._targets:
            self._text.append(f"{label}:")
            self.is_reachable = True
            self.assigned = self._targets[label]

    def jump(self, label: str) -> None:
        """Continue at the label."""
        self._reach(label)
        self.emit(f"br label %{label}")
        self.is_reachable = False

    def branch(self, condition: str, yes: str, no: str) -> None:
        """Continue at one of two labels."""
        if condition in ("true", "false"):
            return self.jump(yes if condition == "true" else no)
        self._reach(yes)
        self._reach(no)
        self.emit(f"br i1 {condition}, label %{yes}, label %{no}")
        self.is_reachable = False
        return None

    def _reach(self, label: str) -> None:
        if self.is_reachable:
            self._targets[label] = self._targets.get(label, self.assigned) & self.assigned

    def fault_if(self, condition: str, kind: int, first: str, second: str) -> None:
        """Leave the kernel with a fault if the condition holds."""
        if not self.is_reachable or condition == "false":
            return
        self._count += 1
        fault, onward = f"f{self._count}", f"l{self._count}"
        site = self.module.add_text(f"{self._site}:{self.line - self._first_line}")
        self._faults += [
            f"{fault}:",
            f"  call void @fault(ptr %frame, ptr {site}, i64 {kind}, i64 {first}, i64 {second})",
            "  unreachable",
        ]
        self.emit(f"br i1 {condition}, label %{fault}, label %{onward}, !prof !1")
        self._text.append(f"{onward}:")

    # ---------------------------------------------------------------- local variables

    def new_slot(self, type_: Any) -> Value:
        """Memory for a local variable; LLVM turns it into registers."""
        names = []
        for leaf in leaf_types(type_):
            self._count += 1
            names.append(f"%s{self._count}")
            self._slots.append(f"  {names[-1]} = alloca {leaf}")
        return Value(type_, tuple(names))

    def new_numbers(self, leaves: tuple[str, ...]) -> str:
        """The address of integers side by side, to be indexed."""
        if not any(leaf.startswith("%") for leaf in leaves):
            return self.module.add_table(leaves)
        self._count += 1
        table = f"%s{self._count}"
        self._slots.append(f"  {table} = alloca [{len(leaves)} x i64]")
        for position, leaf in enumerate(leaves):
            self.emit(f"store i64 {leaf}, ptr {self.define(f'getelementptr i64, ptr {table}, i64 {position}')}")
        return table

    def write_slot(self, slot: Value, value: Value) -> None:
        """Assign a local variable."""
        for typed, address in zip(typed_leaves(value), slot.leaves, strict=True):
            self.emit(f"store {typed}, ptr {address}")

    def read_slot(self, slot: Value) -> Value:
        """The present value of a local variable."""
        loads = zip(leaf_types(slot.type), slot.leaves, strict=True)
        return Value(slot.type, tuple(self.define(f"load {leaf}, ptr {address}") for leaf, address in loads))


def typed_leaves(value: Value) -> list[str]:
    """The leaves with their LLVM types, as in a list of arguments."""
    return [f"{leaf_type} {leaf}" for leaf_type, leaf in zip(leaf_types(value.type), value.leaves, strict=True)]
