"""Where the fields of Python's and NumPy's objects lie, which entry points read directly."""

import ctypes
from typing import Any, Final

import numpy as np

_OBJECT: Final = object.__basicsize__
"""The size of the header of every Python object; NumPy's own fields follow it."""
OBJECT_TYPE: Final = _OBJECT - 8
ARRAY_DATA: Final = _OBJECT
ARRAY_DIMENSIONS: Final = _OBJECT + 8
ARRAY_SHAPE: Final = _OBJECT + 16
ARRAY_DESCRIPTOR: Final = _OBJECT + 40
ARRAY_FLAGS: Final = _OBJECT + 48
DESCRIPTOR_BYTE_ORDER: Final = _OBJECT + 10
DESCRIPTOR_NUMBER: Final = _OBJECT + 12
CONTIGUOUS_AND_ALIGNED: Final = 0x0101
WRITABLE: Final = 0x0400
TUPLE_LENGTH: Final = _OBJECT
TUPLE_ITEMS: Final = tuple.__basicsize__


def check_layout() -> bool:
    """Whether tuples and NumPy's array headers are laid out as entry points read them."""
    pair = (object(), object())
    array = np.zeros((3, 5), np.int16)
    array.flags.writeable = False

    def read(type_: Any, address: int, offset: int) -> Any:
        return type_.from_address(address + offset).value

    shape = read(ctypes.c_void_p, id(array), ARRAY_SHAPE)
    descriptor = read(ctypes.c_void_p, id(array), ARRAY_DESCRIPTOR)
    flags = read(ctypes.c_int32, id(array), ARRAY_FLAGS)
    items = [read(ctypes.c_void_p, id(pair), TUPLE_ITEMS + 8 * position) for position in (0, 1)]
    return bool(
        items == [id(item) for item in pair]
        and read(ctypes.c_int64, id(pair), TUPLE_LENGTH) == 2
        and read(ctypes.c_void_p, id(array), ARRAY_DATA) == array.ctypes.data
        and read(ctypes.c_int32, id(array), ARRAY_DIMENSIONS) == 2
        and (shape and [read(ctypes.c_int64, shape, 8 * axis) for axis in (0, 1)] == [3, 5])
        and descriptor == id(array.dtype)
        and read(ctypes.c_int32, descriptor, DESCRIPTOR_NUMBER) == array.dtype.num
        and chr(read(ctypes.c_uint8, descriptor, DESCRIPTOR_BYTE_ORDER)) == "="
        and flags & 0x0501 == 0x0101
    )
