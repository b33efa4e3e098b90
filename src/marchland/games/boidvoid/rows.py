"""Tables as kernels see them: one array of rows and columns each."""

from collections.abc import Callable, Sequence
from typing import Any

from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from marchland.core.kernel import JIT, inlined
from marchland.core.state import Schema


def rows_opener(schema: Schema, part: type[Any], columns: Sequence[int]) -> Callable[[Any, Any], Any]:
    """A kernel ``(buffer, at) -> table`` of rows and columns."""
    opened = schema.opener(part)
    width = len(columns)
    if not JIT:
        code = schema.fields[schema.first_field(part)].dtype.char

        def cast(buffer: Any, at: Any) -> Any:
            flat = opened(buffer, at).value
            return flat.cast("B").cast(code, (len(flat) // width, width))

        return cast

    @intrinsic  # type: ignore[untyped-decorator]
    def in_rows(typing_context: Any, flat: Any) -> Any:
        """The same numbers in rows. Numba's ``reshape`` does this too, at fifty times the cost."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            source = context.make_array(signature.args[0])(context, builder, arguments[0])
            table = context.make_array(signature.return_type)(context, builder)
            across = context.get_constant(types.intp, width)
            rows = builder.sdiv(source.nitems, across)
            stride = builder.mul(source.itemsize, across)
            populate_array(table, source.data, [rows, across], [stride, source.itemsize], source.itemsize, None)
            return table._getvalue()

        return types.Array(flat.dtype, 2, "C")(flat), build

    @inlined
    def table(buffer, at):  # type: ignore[no-untyped-def]
        return in_rows(opened(buffer, at).value)

    return table
