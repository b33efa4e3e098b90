"""What a game that lives in seasons has its host do: jobs on their days, items from a ledger, teams.

A game offers an object of this kind as `Game.hosting`. Its methods are pure: they say what is due and what the game
must be told, as orders of the host's; the server stores, triggers, and knows none of the game's words.
"""

import datetime
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    from marchland.core.game import Game


class Job(NamedTuple):
    """One thing to do for a match, known by its key; one that ends the turn does so after its orders."""

    name: str
    key: str
    ends_turn: bool = False


class Course(NamedTuple):
    """How a match of a season stands."""

    match: str
    season: str
    start: datetime.date
    end: datetime.date
    """The season's last day, which belongs to it."""
    since: datetime.date
    """The day on which the match began."""
    turn: int
    turn_began: datetime.datetime | None
    """None where turns have no length."""
    turn_length: float
    config: Mapping[str, Any]


class Item(NamedTuple):
    """An item of a player's that is free to be used."""

    id: int
    seat: int
    kind: str
    template: int
    mint: int
    facts: Mapping[str, Any]


class Belongings(NamedTuple):
    """What the ledger says of a match's players: free items, staked power by seat, and what matches hold."""

    items: Sequence[Item] = ()
    stakes: Mapping[int, int] = {}
    held: Set[int] = frozenset()


class Seated(NamedTuple):
    """A member of a team at its seat; ``role`` is leader, vice or trooper."""

    seat: int
    team: int
    role: str


class Use(NamedTuple):
    """The item that an action uses: burned at once, or held until the game frees it."""

    item: int
    burned: bool


class Hosting(Protocol):
    """What a game asks of its host."""

    item_kinds: tuple[str, ...]
    """The kinds of items that the game knows."""
    by_hand: tuple[str, ...]
    """The names of the jobs that an organiser may do at any time."""

    def check_item(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Raise a `MarchlandError` for facts that an item of that kind cannot have."""

    def settings(self, teams: int) -> Mapping[str, Any]:
        """The settings of a match of that many teams that follow from it."""

    def due(self, course: Course, settled: Set[str], now: datetime.datetime) -> Sequence[Job]:
        """What is to be done now, in order, without the keys that are settled."""

    def orders(
        self, job: str, course: Course, game: "Game", belongings: Belongings, now: datetime.datetime
    ) -> Sequence[Any]:
        """What the job of that name tells the game; to tell it twice changes nothing."""

    def seating(self, seated: Sequence[Seated]) -> Sequence[Any]:
        """What the game must be told of its teams."""

    def use_of(self, order: Any) -> Use | None:
        """The item of the ledger's that an action would use, if any."""

    def burned(self, item: int) -> Any:
        """What the game is told once the ledger has burned an item."""

    def freed(self, game: "Game", held: Set[int]) -> Set[int]:
        """Those of the held items that the game uses no longer."""
