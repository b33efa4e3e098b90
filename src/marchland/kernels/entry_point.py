"""The function through which Python calls a kernel: checks and unpacks the arguments, packs the result.

It has CPython's METH_FASTCALL convention. Arguments of other types go to the fallback that the function is bound to.
Arrays are read from NumPy's object header, whose layout is checked at
import.
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from marchland.kernels import layout
from marchland.kernels.context import Function
from marchland.kernels.errors import KernelError
from marchland.kernels.prelude import FAULT_OFFSET, FRAME_BYTES
from marchland.kernels.types import INT, WORD, Array, Nothing, Scalar, Tuple, leaf_types, list_classes, result_type


def write_entry_point(symbol: str, kernel: Function, types: tuple[Any, ...], stored: list[int], function: Any) -> str:
    """The text of the entry point. ``stored`` numbers the arrays that the kernel stores to."""
    if not _is_returnable(kernel.returns):
        raise KernelError(f"kernel {function.__name__} returns an array, which only a kernel that it calls can use")
    return _EntryPointWriter(types, kernel.returns, stored).write(symbol, kernel)


def _is_returnable(type_: Any) -> bool:
    if isinstance(type_, Tuple):
        return all(map(_is_returnable, type_.types))
    return isinstance(type_, Scalar | Nothing)


class _EntryPointWriter:
    """Writes one entry point."""

    def __init__(self, types: tuple[Any, ...], returns: Any, stored: list[int]) -> None:
        self._types = types
        self._returns = returns
        self._stored = stored
        self._classes = list_classes(types, returns)
        self._forms: list[str] = []
        self._lines: list[str] = []
        self._count = itertools.count()
        self._arrays: list[tuple[str, str]] = []
        """First byte and end of every array argument."""

    def write(self, symbol: str, kernel: Function) -> str:
        self._check(self._define(f"icmp eq i64 %count, {len(self._types)}"))
        passed = ["ptr %frame"]
        for position, type_ in enumerate(self._types):
            address = self._define(f"getelementptr ptr, ptr %arguments, i64 {position}")
            leaves = self._unpack(type_, self._define(f"load ptr, ptr {address}"))
            passed += [f"{leaf_type} {leaf}" for leaf_type, leaf in zip(leaf_types(type_), leaves, strict=True)]
        self._check_overlap()
        result = result_type(self._returns)
        call = f"call {result} @{kernel.name}({', '.join(passed)})"
        self._lines += [
            "  %thread = call ptr @PyEval_SaveThread()",
            "  %jumped = call i32 @_setjmp(ptr %frame) returns_twice",
            "  %is_first = icmp eq i32 %jumped, 0",
            "  br i1 %is_first, label %run, label %failed",
            "run:",
            f"  %result = {call}" if result != "void" else f"  {call}",
            "  call void @PyEval_RestoreThread(ptr %thread)",
        ]
        packed = self._pack_result(result)
        classes = f"[{max(len(self._classes), 1)} x ptr]"
        return f"""
@classes_{symbol} = global {classes} zeroinitializer
{chr(10).join(self._forms)}
define ptr @{symbol}(ptr %self, ptr %arguments, i64 %count) {{
  %frame = alloca [{FRAME_BYTES} x i8], align 16
{chr(10).join(self._lines).replace("@classes", f"@classes_{symbol}")}
  ret ptr {packed}
mismatch:
  %has_fallback = icmp ne ptr %self, null
  br i1 %has_fallback, label %fall_back, label %refuse
fall_back:
  %answer = call ptr @PyObject_Vectorcall(ptr %self, ptr %arguments, i64 %count, ptr null)
  ret ptr %answer
refuse:
  call void @PyErr_SetNone(ptr @marchland_mismatch)
  ret ptr null
unreadable:
  call void @PyErr_Clear()
  br label %mismatch
failed:
  call void @PyEval_RestoreThread(ptr %thread)
  %record = getelementptr i8, ptr %frame, i64 {FAULT_OFFSET}
  %site = load ptr, ptr %record
  %kind_at = getelementptr i64, ptr %record, i64 1
  %kind = load i64, ptr %kind_at
  %first_at = getelementptr i64, ptr %record, i64 2
  %first = load i64, ptr %first_at
  %second_at = getelementptr i64, ptr %record, i64 3
  %second = load i64, ptr %second_at
  %details = call ptr (ptr, ...) @Py_BuildValue(ptr @fault_form, ptr %site, i64 %kind, i64 %first, i64 %second)
  call ptr @PyObject_CallObject(ptr @marchland_raise_fault, ptr %details)
  call void @Py_DecRef(ptr %details)
  ret ptr null
}}
"""

    def _define(self, instruction: str) -> str:
        name = f"%e{next(self._count)}"
        self._lines.append(f"  {name} = {instruction}")
        return name

    def _check(self, condition: str) -> None:
        """Continue only if the condition holds; else the arguments are of other types."""
        onward = f"c{next(self._count)}"
        self._lines += [f"  br i1 {condition}, label %{onward}, label %mismatch", f"{onward}:"]

    def _load(self, thing: str, type_: str, offset: int) -> str:
        return self._define(f"load {type_}, ptr {self._define(f'getelementptr i8, ptr {thing}, i64 {offset}')}")

    def _is_instance(self, thing: str, class_: str) -> str:
        return self._define(f"icmp eq ptr {self._load(thing, 'ptr', layout.OBJECT_TYPE)}, {class_}")

    # ---------------------------------------------------------------- arguments

    def _unpack(self, type_: Any, thing: str) -> list[str]:
        """Check that an object has the type, and take its leaves."""
        if isinstance(type_, Tuple):
            return self._unpack_tuple(type_, thing)
        if isinstance(type_, Array):
            return self._unpack_array(type_, thing)
        if type_ == INT:
            is_int = self._is_instance(thing, "@PyLong_Type")
            self._check(self._define(f"or i1 {is_int}, {self._is_instance(thing, '@PyBool_Type')}"))
            return [self._unpack_number("PyLong_AsLongLong", thing)]
        self._check(self._is_instance(thing, "@marchland_word"))
        return [self._unpack_number("PyLong_AsUnsignedLongLong", thing)]

    def _unpack_number(self, convert: str, thing: str) -> str:
        number = self._define(f"call i64 @{convert}(ptr {thing})")
        doubtful, onward = (f"n{next(self._count)}" for _ in range(2))
        is_minus = self._define(f"icmp eq i64 {number}, -1")
        self._lines += [f"  br i1 {is_minus}, label %{doubtful}, label %{onward}", f"{doubtful}:"]
        is_fine = self._define(f"icmp eq ptr {self._define('call ptr @PyErr_Occurred()')}, null")
        self._lines += [f"  br i1 {is_fine}, label %{onward}, label %unreadable", f"{onward}:"]
        return number

    def _unpack_tuple(self, type_: Tuple, thing: str) -> list[str]:
        class_ = "@PyTuple_Type"
        if type_.class_:
            index = self._classes.index(type_.class_)
            class_ = self._define(f"load ptr, ptr {self._define(f'getelementptr ptr, ptr @classes, i64 {index}')}")
        self._check(self._is_instance(thing, class_))
        length = self._load(thing, "i64", layout.TUPLE_LENGTH)
        self._check(self._define(f"icmp eq i64 {length}, {len(type_.types)}"))
        leaves = []
        for position, item in enumerate(type_.types):
            leaves += self._unpack(item, self._load(thing, "ptr", layout.TUPLE_ITEMS + 8 * position))
        return leaves

    def _unpack_array(self, type_: Array, thing: str) -> list[str]:
        self._check(self._is_instance(thing, "@marchland_ndarray"))
        dimensions = self._load(thing, "i32", layout.ARRAY_DIMENSIONS)
        self._check(self._define(f"icmp eq i32 {dimensions}, {2 if type_.columns else 1}"))
        descriptor = self._load(thing, "ptr", layout.ARRAY_DESCRIPTOR)
        number = self._load(descriptor, "i32", layout.DESCRIPTOR_NUMBER)
        self._check(self._define(f"icmp eq i32 {number}, {np.dtype(type_.dtype).num}"))
        order = self._load(descriptor, "i8", layout.DESCRIPTOR_BYTE_ORDER)
        native = [self._define(f"icmp eq i8 {order}, {ord(mark)}") for mark in "=|"]
        self._check(self._define(f"or i1 {native[0]}, {native[1]}"))
        needed = layout.CONTIGUOUS_AND_ALIGNED | (layout.WRITABLE if len(self._arrays) in self._stored else 0)
        flags = self._define(f"and i32 {self._load(thing, 'i32', layout.ARRAY_FLAGS)}, {needed}")
        self._check(self._define(f"icmp eq i32 {flags}, {needed}"))
        shape = self._load(thing, "ptr", layout.ARRAY_SHAPE)
        if type_.columns:
            self._check(self._define(f"icmp eq i64 {self._load(shape, 'i64', 8)}, {type_.columns}"))
        data = self._load(thing, "ptr", layout.ARRAY_DATA)
        length = self._define(f"load i64, ptr {shape}, !range !2")
        size = self._define(f"mul i64 {length}, {type_.itemsize * (type_.columns or 1)}")
        address = self._define(f"ptrtoint ptr {data} to i64")
        is_empty = self._define(f"icmp eq i64 {size}, 0")
        first = self._define(f"select i1 {is_empty}, i64 0, i64 {address}")
        self._arrays.append((first, self._define(f"add i64 {first}, {size}")))
        return [data, length]

    def _check_overlap(self) -> None:
        """An array that is stored to shares memory with no other: the compiler relies on it."""
        apart = "true"
        for (one, (begin, end)), (other, (start, stop)) in itertools.combinations(enumerate(self._arrays), 2):
            if one in self._stored or other in self._stored:
                before, after = (self._define(f"icmp ule i64 {a}, {b}") for a, b in ((end, start), (stop, begin)))
                either = self._define(f"or i1 {before}, {after}")
                apart = self._define(f"and i1 {apart}, {either}")
        self._check(apart)

    # ---------------------------------------------------------------- result

    def _pack_result(self, result: str) -> str:
        """A new Python object for the result."""
        leaves: Iterator[str] = iter(())
        types = leaf_types(self._returns)
        if len(types) == 1:
            leaves = iter(["%result"])
        elif types:
            leaves = iter([self._define(f"extractvalue {result} %result, {place}") for place in range(len(types))])
        return self._pack(self._returns, leaves)

    def _pack(self, type_: Any, leaves: Iterator[str]) -> str:
        if type_ == INT:
            return self._define(f"call ptr @PyLong_FromLongLong(i64 {next(leaves)})")
        if type_ == WORD:
            return self._instantiate("@marchland_word", self._build("(K)", [f"i64 {next(leaves)}"]))
        if isinstance(type_, Nothing):
            return self._build("", [])
        items = [f"ptr {self._pack(item, leaves)}" for item in type_.types]
        plain = self._build(f"({'N' * len(items)})", items)
        if type_.class_ is None:
            return plain
        index = self._classes.index(type_.class_)
        class_ = self._define(f"load ptr, ptr {self._define(f'getelementptr ptr, ptr @classes, i64 {index}')}")
        return self._instantiate(class_, plain)

    def _instantiate(self, class_: str, arguments: str) -> str:
        made = self._define(f"call ptr @PyObject_CallObject(ptr {class_}, ptr {arguments})")
        self._lines.append(f"  call void @Py_DecRef(ptr {arguments})")
        return made

    def _build(self, form: str, values: list[str]) -> str:
        name = f"@form.{len(self._forms)}"
        self._forms.append(f'{name} = private constant [{len(form) + 1} x i8] c"{form}\\00"')
        return self._define(f"call ptr (ptr, ...) @Py_BuildValue({', '.join([f'ptr {name}', *values])})")
