"""Who owns which NFT and has staked how much: the ledger that a host asks, and the built-in one.

The game itself never asks. A host reads the ledger, tells the game by host orders, and burns by a key: `reserve` before
the action, `commit` after it was recorded. So an NFT is burned with its action or not at all, and never twice.
"""

import os
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from marchland.errors import MarchlandError, did_you_mean
from marchland.games.boidvoid.codes import BONUS_NAMES, OWN_STATS, STAT_NAMES

Kind = Literal[
    "spaceship",
    "mothership",
    "superstructure",
    "tile",
    "point_of_importance",
    "obstacle",
    "npc",
    "boost",
    "avatar",
    "collectible",
]

_OWN = STAT_NAMES[:OWN_STATS]
MODIFIERS: dict[str, tuple[str, ...]] = {
    "spaceship": tuple(name for name in _OWN if name != "build_rate"),
    "mothership": ("attack", "defense", "health", "cost_to_move", "range", "respawn", "action_points"),
    "superstructure": (
        *("attack", "defense", "health", "range", "build_rate", "critical_chance", "critical_value"),
        *STAT_NAMES[OWN_STATS:],
    ),
    "tile": BONUS_NAMES,
    "point_of_importance": BONUS_NAMES,
    "npc": ("attack", "defense", "health", "range", "critical_chance", "critical_value"),
    "boost": STAT_NAMES,
    "obstacle": (),
    "avatar": (),
    "collectible": (),
}
"""Which modifiers an NFT of each kind may have (ruling 24)."""


class LedgerError(MarchlandError):
    """What a ledger refuses."""


class Nft(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One token: what never changes about it, and its owner."""

    id: int
    owner: str
    kind: Kind
    mint: int = 0
    collection: str = ""
    schema: str = ""
    template: int = 0
    transferable: bool = True
    burnable: bool = True
    sprite: str = ""
    modifiers: dict[str, int] = {}
    turns: int = 0

    def check(self) -> None:
        """Refuse an id beyond 64 bits and modifiers that its kind does not have."""
        if not 0 <= self.id < 2**63:
            raise LedgerError(f"An NFT's id is a whole number of 64 bits, not {self.id}.")
        allowed = MODIFIERS[self.kind]
        for name in self.modifiers:
            if name not in allowed:
                hint = did_you_mean(name, allowed) if allowed else "it has none."
                raise LedgerError(f"A {self.kind} NFT has no modifier {name!r}; {hint}")


class Ledger(Protocol):
    """What a host needs of a ledger. ``warning`` is a sentence while its values may be old, else empty."""

    warning: str

    def nfts(self, owner: str) -> list[Nft]:
        """The NFTs of an owner that are neither burned nor reserved."""

    def stake(self, owner: str) -> int:
        """The power that an owner has staked."""

    def reserve(self, key: str, nft: int, owner: str) -> None:
        """Set an NFT aside; the same key again changes nothing."""

    def commit(self, key: str) -> None:
        """Burn what was set aside, for good."""

    def release(self, key: str) -> None:
        """Give back what was set aside."""

    def reservations(self) -> dict[str, int]:
        """What is set aside, by key."""


class Book(msgspec.Struct, omit_defaults=True):
    """All that the built-in ledger knows."""

    nfts: list[Nft] = []
    stakes: dict[str, int] = {}
    reserved: dict[str, int] = {}
    burned: dict[str, int] = {}


class MemoryLedger:
    """The built-in ledger, filled by an admin."""

    warning = ""

    def __init__(self, book: Book | None = None) -> None:
        self.book = book or Book()
        for nft in self.book.nfts:
            nft.check()

    def mint(self, nft: Nft) -> None:
        """Add an NFT."""
        nft.check()
        if any(known.id == nft.id for known in self.book.nfts):
            raise LedgerError(f"There is an NFT {nft.id} already.")
        self.book.nfts.append(nft)
        self._save()

    def set_stake(self, owner: str, amount: int) -> None:
        """Say how much an owner has staked."""
        self.book.stakes[owner] = amount
        self._save()

    def nfts(self, owner: str) -> list[Nft]:
        """The NFTs of an owner that are neither burned nor reserved."""
        gone = {*self.book.reserved.values(), *self.book.burned.values()}
        return [nft for nft in self.book.nfts if nft.owner == owner and nft.id not in gone]

    def stake(self, owner: str) -> int:
        """The power that an owner has staked."""
        return self.book.stakes.get(owner, 0)

    def reserve(self, key: str, nft: int, owner: str) -> None:
        """Set an NFT aside; the same key again changes nothing."""
        if {**self.book.reserved, **self.book.burned}.get(key) == nft:
            return
        if all(held.id != nft for held in self.nfts(owner)):
            raise LedgerError(f"{owner} has no NFT {nft} that is free.")
        self.book.reserved[key] = nft
        self._save()

    def commit(self, key: str) -> None:
        """Burn what was set aside, for good; again changes nothing."""
        if key in self.book.reserved:
            self.book.burned[key] = self.book.reserved.pop(key)
            self._save()
        elif key not in self.book.burned:
            raise LedgerError(f"Nothing is reserved under {key!r}.")

    def release(self, key: str) -> None:
        """Give back what was set aside."""
        if self.book.reserved.pop(key, None) is not None:
            self._save()

    def reservations(self) -> dict[str, int]:
        """What is set aside, by key."""
        return dict(self.book.reserved)

    def _save(self) -> None:
        """A ledger in memory keeps nothing."""


class FileLedger(MemoryLedger):
    """The built-in ledger in a JSON file, which is whole at every moment: a new one replaces the old."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            book = msgspec.json.decode(self.path.read_bytes(), type=Book) if self.path.exists() else Book()
        except msgspec.MsgspecError as problem:
            raise LedgerError(f"The ledger {self.path} cannot be read: {problem}.") from None
        super().__init__(book)

    def _save(self) -> None:
        write_whole(self.path, msgspec.json.format(msgspec.json.encode(self.book)))


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file so that it is the old one or the new one, whatever happens meanwhile."""
    draft = path.with_suffix(".new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def host_orders(nft: Nft, player: int) -> list[dict[str, Any]]:
    """The host orders by which a game learns of an NFT; kinds that only maps use are not for players."""
    if nft.kind in ("tile", "point_of_importance", "obstacle", "npc"):
        return []
    told = [{"do": "nft", "nft": nft.id, "player": player, "kind": nft.kind}]
    traits = {**nft.modifiers, "turns": nft.turns, "template": nft.template, "burnable": int(nft.burnable)}
    return told + [{"do": "trait", "nft": nft.id, "trait": name, "value": value} for name, value in traits.items()]
