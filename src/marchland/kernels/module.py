"""One LLVM module for one entry kernel: itself, everything it calls, and its entry point."""

import itertools
import re
from typing import Any, Final, NamedTuple

from marchland.kernels.entry import write_entry
from marchland.kernels.errors import KernelError
from marchland.kernels.frontend import Function, translate_function
from marchland.kernels.names import Dependencies, fingerprint_constant, fingerprint_function
from marchland.kernels.prelude import PRELUDE
from marchland.kernels.types import Region, list_shapes, number_arrays

_FIRST_METADATA: Final = 100
_TAG: Final = re.compile(r", !tag(\d+)")


class Module(NamedTuple):
    """A finished module."""

    text: str
    shapes: list[type[Any]]
    """The NamedTuple classes in its arguments and result."""
    stored: list[int]
    """The numbers of the array arguments that it stores to."""


class Program:
    """Collects the functions, constants and memory regions of one module."""

    def __init__(self, is_checked: bool) -> None:
        self.is_checked = is_checked
        self._functions: dict[Any, Function] = {}
        self._definitions: list[str] = []
        self._globals: list[str] = []
        self._texts: dict[str, str] = {}
        self._tags: dict[frozenset[Region], int] = {}
        self._stored: set[Region] = set()
        self._frozen: set[Region] = set()
        self._active: list[Any] = []
        self._kernels: dict[Any, str] = {}
        self.dependencies: Dependencies = {}

    def write(self, kernel: Any, types: tuple[Any, ...], symbol: str) -> Module:
        """The module, with an entry point of the name ``symbol`` for arguments of these types."""
        self.name_kernel(kernel)
        entry = self.translate(kernel, number_arrays(types))
        assert entry is not None
        if any(_overlap(frozen, stored) for frozen in self._frozen for stored in self._stored):
            path, name = kernel.function.__code__.co_filename, kernel.function.__name__
            raise KernelError(f"{path}: kernel {name} stores to an array that it opens settings from; pass a copy")
        stored = sorted({region[0] for region in self._stored})
        point = write_entry(symbol, entry, types, stored, kernel.function)
        text = "\n".join([PRELUDE, *self._globals, *self._definitions, point])
        resolved = _TAG.sub(lambda found: self._resolve_tag(int(found[1])), text)
        return Module(resolved + self._write_metadata(), list_shapes(types, entry.returns), stored)

    def translate(self, kernel: Any, types: tuple[Any, ...]) -> Function | None:
        """The kernel for these argument types; None while it is being translated for any types."""
        if any(kernel is one for one in self._active):
            return None
        key = kernel, types
        if key not in self._functions:
            self._active.append(kernel)
            readable = "".join(letter for letter in kernel.function.__name__ if letter.isascii() and letter.isalnum())
            name = f"kernel.{readable}.{len(self._definitions)}"
            text, returns = translate_function(self, kernel, types, name)
            self._definitions.append(text)
            self._functions[key] = Function(name, returns)
            self._active.pop()
        return self._functions[key]

    # ---------------------------------------------------------------- dependencies

    def name_kernel(self, kernel: Any) -> str:
        """A kernel's name among the dependencies."""
        if kernel not in self._kernels:
            function = kernel.function
            self._kernels[kernel] = name = f"{len(self._kernels)} {function.__module__}:{function.__qualname__}"
            self.dependencies[name] = {"": fingerprint_function(function)}
        return self._kernels[kernel]

    def add_dependency(self, kernel: Any, dotted: str, thing: Any) -> None:
        """Note what a global name in a kernel stands for."""
        is_kernel = isinstance(thing, type(kernel))
        fingerprint = f"kernel {self.name_kernel(thing)}" if is_kernel else fingerprint_constant(thing)
        self.dependencies[self.name_kernel(kernel)][dotted] = fingerprint

    # ---------------------------------------------------------------- constants

    def add_text(self, text: str) -> str:
        """The address of a text, which ends with a zero byte."""
        if text not in self._texts:
            self._texts[text] = name = f"@text.{len(self._texts)}"
            encoded = text.encode()
            escaped = "".join(chr(byte) if byte < 128 and chr(byte).isalnum() else f"\\{byte:02x}" for byte in encoded)
            self._globals.append(f'{name} = private constant [{len(encoded) + 1} x i8] c"{escaped}\\00"')
        return self._texts[text]

    def add_table(self, numbers: tuple[str, ...]) -> str:
        """The address of constant integers."""
        name = f"@table.{len(self._globals)}"
        content = ", ".join(f"i64 {number}" for number in numbers)
        self._globals.append(f"{name} = private constant [{len(numbers)} x i64] [{content}]")
        return name

    # ---------------------------------------------------------------- memory regions

    def freeze(self, regions: frozenset[Region]) -> None:
        """Refuse this module if anything in it stores to these regions."""
        self._frozen |= regions

    def tag_access(self, regions: frozenset[Region], is_store: bool) -> str:
        """Metadata of a load or store; resolved when all regions of the module are known."""
        if is_store:
            self._stored |= regions
        if not regions:
            return ""
        return f", !tag{self._tags.setdefault(regions, len(self._tags))}"

    def _resolve_tag(self, tag: int) -> str:
        """What LLVM may know of an access: which accesses it cannot overlap, and whether the memory is constant.

        Regions are types of LLVM's type-based alias analysis, a field's type below that of its buffer. (Alias scopes
        would say the same, but LLVM renames them when it inlines a function.)
        """
        regions = list(self._tags)[tag]
        is_constant = not any(_overlap(region, stored) for region in regions for stored in self._stored)
        tbaa = f", !tbaa !{_FIRST_METADATA + tag}" if len(regions) == 1 else ""
        return tbaa + (", !invariant.load !0" if is_constant else "")

    def _write_metadata(self) -> str:
        """The types of all regions, and an access tag for each."""
        number = itertools.count(_FIRST_METADATA + len(self._tags))
        names: dict[Region, str] = {(): "!3"}
        lines = []
        for tagged, tag in self._tags.items():
            for region in tagged:
                for length in range(1, len(region) + 1):
                    if region[:length] not in names:
                        names[region[:length]] = name = f"!{next(number)}"
                        lines.append(f'{name} = !{{!"{region[:length]}", {names[region[: length - 1]]}, i64 0}}')
                if len(tagged) == 1:
                    lines.append(f"!{_FIRST_METADATA + tag} = !{{{names[region]}, {names[region]}, i64 0}}")
        return "\n".join(["", *lines, ""])


def _overlap(one: Region, other: Region) -> bool:
    """Whether two regions share memory: the same, or one a field of the other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]
