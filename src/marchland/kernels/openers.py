"""Arrays and settings by name: what kernels open at their start."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from marchland.kernels import errors
from marchland.kernels.arrays import emit_field
from marchland.kernels.builder import Builder
from marchland.kernels.python_mode import Elements
from marchland.kernels.types import Array, Settings, Value, make_tuple

_FORMATS = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H", "uint32": "I"}


class Field(NamedTuple):
    """One array in a buffer of bytes: its element type, and its columns if it has rows."""

    dtype: str
    columns: int = 0


class FieldsOpener:
    """``open(buffer, bounds)``: the arrays of a buffer from number ``first`` on.

    Array ``k`` lies from byte ``bounds[2 * k]`` to ``bounds[2 * k + 1]``. Arrays of one buffer must not overlap: the
    compiler relies on it. The result is a NamedTuple of class ``class_``, or the array itself without one.
    """

    def __init__(self, class_: type[Any] | None, first: int, fields: Sequence[Field]) -> None:
        self._class = class_
        self._first = first
        self._fields = tuple(fields)
        self._row_bytes = [np.dtype(field.dtype).itemsize * (field.columns or 1) for field in self._fields]

    def __call__(self, buffer: Any, bounds: Any) -> Any:
        """Open in Python mode."""
        views = []
        for index, (field, row_bytes) in enumerate(zip(self._fields, self._row_bytes, strict=True), self._first):
            begin, end = bounds[2 * index], bounds[2 * index + 1]
            rows, rest = divmod(end - begin, row_bytes)
            if rest or not 0 <= begin <= end <= len(buffer):
                raise IndexError(f"the bytes from {begin} to {end} are no such field of the buffer")
            if not rows:  # memoryviews without rows cannot be made by a cast
                views.append(Elements(np.empty((0, field.columns) if field.columns else 0, field.dtype).data))
            elif field.columns:
                views.append(buffer[begin:end].cast(_FORMATS[field.dtype], (rows, field.columns)))
            else:
                views.append(buffer[begin:end].cast(_FORMATS[field.dtype]))
        return self._class(*views) if self._class else views[0]

    def emit(self, builder: Builder, buffer: Value, bounds: Value) -> Value:
        """Write the code for a compiled kernel."""
        if not isinstance(buffer.type, Array) or buffer.type.dtype != "uint8" or buffer.type.columns:
            raise TypeError(f"a buffer is an array of uint8, not {buffer.type}")
        if not isinstance(bounds.type, Array) or bounds.type.dtype != "int64" or bounds.type.columns:
            raise TypeError(f"the bounds of a buffer's fields are an array of int64, not {bounds.type}")
        views = [
            emit_field(builder, buffer, bounds, index, *field) for index, field in enumerate(self._fields, self._first)
        ]
        return make_tuple(self._class, views) if self._class else views[0]

    def fingerprint(self) -> str:
        """What the code depends on."""
        class_ = self._class and (self._class.__qualname__, self._class._fields)
        return f"fields {class_} {self._first} {[tuple(field) for field in self._fields]}"


class PartsOpener:
    """``open(buffer, bounds)``: what each of several openers opens, as a tuple."""

    def __init__(self, openers: Sequence[FieldsOpener]) -> None:
        self._openers = tuple(openers)

    def __call__(self, buffer: Any, bounds: Any) -> Any:
        """Open in Python mode."""
        return tuple(opener(buffer, bounds) for opener in self._openers)

    def emit(self, builder: Builder, buffer: Value, bounds: Value) -> Value:
        """Write the code for a compiled kernel."""
        return make_tuple(None, [opener.emit(builder, buffer, bounds) for opener in self._openers])

    def fingerprint(self) -> str:
        """What the code depends on."""
        return "; ".join(opener.fingerprint() for opener in self._openers)


class SettingsOpener:
    """``open(numbers)``: the numbers of an int64 array by name, each a number or a tuple of them.

    ``names`` has of each its name, its position, and its count, 0 for a single number.
    """

    def __init__(self, names: Sequence[tuple[str, int, int]]) -> None:
        self._names = tuple(names)
        self._length = max((start + max(count, 1) for _, start, count in names), default=0)
        self._class: Any = NamedTuple("Settings", [(name, Any) for name, _, _ in names])  # type: ignore[misc]

    def __call__(self, numbers: Any) -> Any:
        """Open in Python mode."""
        if len(numbers) < self._length:
            raise IndexError(f"settings need {self._length} numbers, not {len(numbers)}")
        return self._class(
            *(numbers[start : start + count] if count else numbers[start] for _, start, count in self._names)
        )

    def emit(self, builder: Builder, numbers: Value) -> Value:
        """Write the code for a compiled kernel: a setting is loaded where it is read, and nothing may change it."""
        if not isinstance(numbers.type, Array) or numbers.type.dtype != "int64" or numbers.type.columns:
            raise TypeError(f"settings are opened from an array of int64, not {numbers.type}")
        builder.module.freeze(numbers.type.regions)
        length = numbers.leaves[1]
        if builder.is_checked:
            is_short = builder.define(f"icmp ult i64 {length}, {self._length}")
            builder.fault_if(is_short, errors.INDEX, str(self._length - 1), length)
        return Value(Settings(self._names, numbers.type.regions), numbers.leaves[:1])

    def fingerprint(self) -> str:
        """What the code depends on."""
        return f"settings {self._names}"
