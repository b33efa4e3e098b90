"""Elements and slices of arrays.

An index does not count from the end: in the rules of a game, -1 stands for no cell or no player, never for the last
one. Bounds of slices are cut to the array's length, as in Python.
"""

import functools

from marchland.kernels import errors
from marchland.kernels.builder import Builder
from marchland.kernels.types import INT, NATURAL, Array, Region, Settings, Value, leaf_types, make_int, merge_types


def emit_address(builder: Builder, array: Value, indices: list[Value]) -> str:
    """The address of an element, by one index or by row and column."""
    type_: Array = array.type
    data, length = array.leaves
    position = _emit_index(builder, indices[0], length)
    if type_.columns:
        column = _emit_index(builder, indices[1], str(type_.columns))
        position = builder.define(f"add i64 {builder.define(f'mul i64 {position}, {type_.columns}')}, {column}")
    return builder.define(f"getelementptr inbounds {type_.element}, ptr {data}, i64 {position}")


def _emit_index(builder: Builder, index: Value, length: str) -> str:
    """The index; a fault in checked mode if there is no such element."""
    leaf = index.leaves[0]
    if builder.is_checked:
        builder.fault_if(builder.define(f"icmp uge i64 {leaf}, {length}"), errors.INDEX, leaf, length)
    return leaf


def emit_load(builder: Builder, type_: Array, address: str) -> Value:
    """The element at an address, as 64 bits."""
    leaf = builder.define(f"load {type_.element}, ptr {address}{builder.module.tag_access(type_.regions, False)}")
    if type_.element != "i64":
        leaf = builder.define(f"{'sext' if type_.is_signed else 'zext'} {type_.element} {leaf} to i64")
    return Value(INT if type_.is_signed else NATURAL, (leaf,))


def emit_store(builder: Builder, type_: Array, address: str, value: Value) -> None:
    """Write an element; a fault in checked mode if the value does not fit it."""
    leaf = wide = value.leaves[0]
    if type_.element != "i64":
        leaf = builder.define(f"trunc i64 {wide} to {type_.element}")
        if builder.is_checked:
            back = builder.define(f"{'sext' if type_.is_signed else 'zext'} {type_.element} {leaf} to i64")
            width = str(8 * type_.itemsize)
            builder.fault_if(builder.define(f"icmp ne i64 {back}, {wide}"), errors.STORE, wide, width)
    builder.emit(f"store {type_.element} {leaf}, ptr {address}{builder.module.tag_access(type_.regions, True)}")


def emit_slice(builder: Builder, array: Value, lower: Value | None, upper: Value | None) -> Value:
    """A part of a one-dimensional array."""
    data, length = array.leaves
    start, stop = (
        default if bound is None else builder.define(f"call i64 @clamp_bound(i64 {bound.leaves[0]}, i64 {length})")
        for bound, default in ((lower, "0"), (upper, length))
    )
    size = builder.define(f"call i64 @llvm.smax.i64(i64 {builder.define(f'sub i64 {stop}, {start}')}, i64 0)")
    return Value(array.type, (builder.define(f"getelementptr {array.type.element}, ptr {data}, i64 {start}"), size))


def emit_item(builder: Builder, items: Value, index: Value) -> Value | None:
    """The item of a tuple at an index known only at run time; None unless all items are alike and made of numbers."""
    type_ = functools.reduce(merge_types, items.type.types) if items.type.types else None
    if type_ is None or set(leaf_types(items.type)) != {"i64"}:
        return None
    count = len(items.type.types)
    columns = len(items.leaves) // count
    given = index.leaves[0]
    if index.type != NATURAL:  # items, unlike elements, count from the end as well
        below = builder.define(f"icmp slt i64 {given}, 0")
        wrapped = builder.define(f"add i64 {given}, {count}")
        index = Value(INT, (builder.define(f"select i1 {below}, i64 {wrapped}, i64 {given}"),))
    if builder.is_checked:
        builder.fault_if(builder.define(f"icmp uge i64 {index.leaves[0]}, {count}"), errors.INDEX, given, str(count))
    table = Value(Array("int64", columns), (builder.new_numbers(items.leaves), str(count)))
    addresses = [emit_address(builder, table, [index, make_int(column)]) for column in range(columns)]
    return Value(type_, tuple(builder.define(f"load i64, ptr {address}") for address in addresses))


def emit_field(builder: Builder, buffer: Value, bounds: Value, index: int, dtype: str, columns: int) -> Value:
    """The array in a buffer of bytes that lies from ``bounds[2 * index]`` to ``bounds[2 * index + 1]``."""
    begin, end = (_emit_constant_load(builder, bounds, 2 * index + side) for side in (0, 1))
    type_ = Array(dtype, columns, frozenset(region_of_field(region, index) for region in buffer.type.regions))
    row = type_.itemsize * (columns or 1)
    if builder.is_checked:
        outside = builder.define(f"icmp ugt i64 {end}, {buffer.leaves[1]}")
        backward = builder.define(f"icmp ugt i64 {begin}, {end}")
        rest = builder.define(f"urem i64 {builder.define(f'sub i64 {end}, {begin}')}, {row}")
        for bad in (outside, backward, builder.define(f"icmp ne i64 {rest}, 0")):
            builder.fault_if(bad, errors.FIELD, begin, end)
    size = builder.define(f"sub nuw nsw i64 {end}, {begin}")
    length = builder.define(f"udiv exact i64 {size}, {row}")
    return Value(type_, (builder.define(f"getelementptr inbounds i8, ptr {buffer.leaves[0]}, i64 {begin}"), length))


def region_of_field(region: Region, index: int) -> Region:
    """The region of a field of a buffer; fields of a field share one."""
    return (*region, index) if len(region) == 1 else region


def emit_setting(builder: Builder, settings: Value, name: str) -> Value | None:
    """A setting by name: a number, or an array of numbers that cannot be written."""
    type_: Settings = settings.type
    found = next(((start, count) for known, start, count in type_.names if known == name), None)
    if found is None:
        return None
    start, count = found
    numbers = Array("int64", 0, type_.regions, is_writable=False)
    address = builder.define(f"getelementptr inbounds i64, ptr {settings.leaves[0]}, i64 {start}")
    return Value(numbers, (address, str(count))) if count else emit_load(builder, numbers, address)


def _emit_constant_load(builder: Builder, array: Value, index: int) -> str:
    if builder.is_checked:
        short = builder.define(f"icmp ule i64 {array.leaves[1]}, {index}")
        builder.fault_if(short, errors.INDEX, str(index), array.leaves[1])
    address = builder.define(f"getelementptr inbounds i64, ptr {array.leaves[0]}, i64 {index}")
    promise = "" if builder.is_checked else ", !range !2"  # checked mode looks at the value instead
    tag = builder.module.tag_access(array.type.regions, False)
    return builder.define(f"load i64, ptr {address}{promise}{tag}")
