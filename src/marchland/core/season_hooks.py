"""What a game that is played in seasons asks of its server: dated jobs, items from a ledger, teams.

A game offers an object of this kind as `Game.season_hooks`. Its methods are pure: they name the jobs that are due and
the host orders that each job gives the game. The server stores and triggers, and knows no game by name.
"""

import datetime
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from marchland.messages import TeamRole

if TYPE_CHECKING:
    from marchland.core.game import Game


class Job(NamedTuple):
    """One job for a match, idempotent by its key. If `ends_turn`, the turn ends after the job's orders."""

    name: str
    key: str
    ends_turn: bool = False


class SeasonState(NamedTuple):
    """A match of a season: the season's days, the open turn and the match's settings."""

    match: str
    season: str
    start: datetime.date
    end: datetime.date
    """The season's last day, included."""
    since: datetime.date
    """The day on which the match began."""
    turn: int
    turn_began: datetime.datetime | None
    """None where turns have no length."""
    turn_length: float
    config: Mapping[str, Any]


class Item(NamedTuple):
    """A ledger item of the player in `seat`, free to be used."""

    id: int
    seat: int
    kind: str
    template: int
    mint: int
    facts: Mapping[str, Any]


class ExternalItem(NamedTuple):
    """An item that an external ledger lists."""

    id: int
    kind: str
    mint: int
    origin: str
    """Its collection, schema and template there."""
    name: str
    facts: Mapping[str, Any]


class LedgerState(NamedTuple):
    """The ledger's entries for a match's players: free items, staked power by seat, and ids that matches hold."""

    items: Sequence[Item] = ()
    stakes: Mapping[int, int] = {}
    held: Set[int] = frozenset()


class SeatedMember(NamedTuple):
    """A member of a team in a seat of the match."""

    seat: int
    team: int
    role: TeamRole


class ItemUse(NamedTuple):
    """The item that an action uses: burned at once, or held until the game releases it."""

    item: int
    burned: bool


class SeasonHooks(Protocol):
    """The hooks by which a server runs the seasons of a game."""

    item_kinds: tuple[str, ...]
    """The kinds of ledger items that the game uses."""
    manual_jobs: tuple[str, ...]
    """The names of the jobs that an organiser may run at any time."""
    job_descriptions: Mapping[str, str]
    """One sentence for each job."""

    rules: str
    """The preset of a season's match whose template names none."""

    def turn_length(self, config: Mapping[str, Any]) -> float:
        """The seconds of a turn in a season's match whose template has no clock, by its settings."""

    def check_item(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Raise a `MarchlandError` for facts that an item of that kind cannot have."""

    def item_from_asset(self, asset: Mapping[str, Any]) -> ExternalItem | None:
        """An asset of an external ledger as an item; None if it is none of the game's."""

    def items_of_map(self, map: Any) -> Mapping[int, str]:
        """The items that a map names, with the kind that each has to be."""

    def map_with_items(self, map: Any, facts: Mapping[int, Mapping[str, Any]]) -> Any:
        """The map as the game plays it, with the facts of the items that it names."""

    def merge_facts(self, schema: Mapping[str, Any], template: Mapping[str, Any]) -> Mapping[str, Any]:
        """The facts of a template with those of its schema."""

    def is_transferable(self, facts: Mapping[str, Any]) -> bool:
        """Whether an item of these facts may change its owner."""

    def item_schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema of the facts of an item of that kind."""

    def match_settings(self, teams: int) -> Mapping[str, Any]:
        """The settings that follow from the number of teams."""

    def manual_job(self, name: str, season: SeasonState, now: datetime.datetime) -> Job:
        """The job of that name as an organiser runs it; under the usual key if it may run only once."""

    def ended_turn_jobs(self, season: SeasonState, settled: Set[str]) -> Sequence[Job]:
        """The jobs of turns that the match's own clock has ended, without those whose keys are settled."""

    def due_jobs(self, season: SeasonState, settled: Set[str], now: datetime.datetime) -> Sequence[Job]:
        """The jobs that are due, in order, without those whose keys are settled."""

    def job_orders(
        self, job: str, season: SeasonState, game: "Game", ledger: LedgerState, now: datetime.datetime
    ) -> Sequence[Any]:
        """The host orders of a job; giving them twice changes nothing."""

    def newcomer_orders(self, game: "Game", seats: Set[int], ledger: LedgerState) -> Sequence[Any]:
        """The host orders for players who have just been seated."""

    def team_orders(self, game: "Game", members: Sequence[SeatedMember]) -> Sequence[Any]:
        """The host orders that put members into their teams and roles, as far as the game allows it now."""

    def misplaced_seats(self, game: "Game", members: Sequence[SeatedMember]) -> Mapping[int, str]:
        """The members whose team or role the game does not have yet, and why, as the end of a sentence."""

    def item_orders(self, game: "Game", item: Item) -> Sequence[Any]:
        """The host orders by which the game learns of one item; none if it knows it."""

    def item_used_by(self, order: Any) -> ItemUse | None:
        """The ledger item that an action would use, if any."""

    def burned_order(self, item: int) -> Any:
        """The host order by which the game marks an item as burned."""

    def released_items(self, game: "Game", held: Set[int]) -> Set[int]:
        """Those of the held items that the game no longer uses."""
