"""One LLVM module: its constants, its memory regions, and its text."""

import itertools
import re
from typing import Final

from marchland.kernels.prelude import PRELUDE
from marchland.kernels.types import Region

_FIRST_METADATA: Final = 100
_TAG: Final = re.compile(r", !tag(\d+)")


class Module:
    """Collects what the functions of a module share, and writes the whole."""

    def __init__(self, is_checked: bool) -> None:
        self.is_checked = is_checked
        self._globals: list[str] = []
        self._texts: dict[str, str] = {}
        self._tags: dict[frozenset[Region], int] = {}
        self._stored: set[Region] = set()
        self._frozen: set[Region] = set()

    def write(self, definitions: list[str]) -> str:
        """The text of the module with these functions."""
        text = "\n".join([PRELUDE, *self._globals, *definitions])
        return _TAG.sub(lambda found: self._resolve_tag(int(found[1])), text) + self._write_metadata()

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
        """Note that nothing may store to these regions."""
        self._frozen |= regions

    @property
    def stores_to_frozen(self) -> bool:
        """Whether a function stores to a region that another one has frozen."""
        return any(_overlap(frozen, stored) for frozen in self._frozen for stored in self._stored)

    @property
    def stored_arrays(self) -> list[int]:
        """The numbers of the array arguments that the module stores to."""
        return sorted({region[0] for region in self._stored})

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
