"""BoidVoid's `SeasonHooks`: jobs, NFTs and teams, in the terms of a server."""

import datetime
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, cast

from marchland.core.season_hooks import Item, ItemUse, Job, LedgerState, SeasonState, SeatedMember
from marchland.games.boidvoid.rules.constants import ROLES
from marchland.games.boidvoid.season import calendar
from marchland.games.boidvoid.season.items import (
    FIRST_LEDGER_ID,
    MODIFIERS,
    burns,
    nft_from_item,
    ownership_orders,
    unused_nfts,
)

if TYPE_CHECKING:
    from marchland.core.game import Game
    from marchland.games.boidvoid.game import BoidVoid


class BoidVoidSeasonHooks:
    """Translates between the game's calendar and NFTs and a server's jobs and items."""

    item_kinds: tuple[str, ...] = tuple(MODIFIERS)
    manual_jobs: tuple[str, ...] = ("daily_maintenance", "turn_lock", "turn_end", "season_end")
    job_descriptions: Mapping[str, str] = {
        "teams": "Seats the members of the teams and gives them their ranks.",
        "season_start": "Begins the season.",
        "daily_maintenance": "Gives the game the staked power and the NFTs of every player.",
        "turn_start": "Opens a turn.",
        "turn_lock": "Refuses further actions until the turn ends.",
        "turn_end": "Ends the turn and opens the next.",
        "season_end": "Ends the game; its standings are final.",
    }

    def check_item(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Refuse facts that an NFT of that kind cannot have."""
        nft_from_item(Item(FIRST_LEDGER_ID, 0, kind, 0, 0, facts)).check()

    def item_schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema of the facts of an NFT of that kind."""
        number = {"type": "integer", "default": 0}
        modifiers = dict.fromkeys(MODIFIERS[kind], number)
        properties: dict[str, Any] = {
            "modifiers": {"type": "object", "properties": modifiers, "default": {}},
            "turns": {"type": "integer", "minimum": 0, "default": 0, "description": "How long a boost lasts."},
            "transferable": {"type": "boolean", "default": True},
            "burnable": {"type": "boolean", "default": True},
            "sprite": {"type": "string", "default": "", "description": "The picture by which it is shown."},
            "collection": {"type": "string", "default": ""},
            "schema": {"type": "string", "default": ""},
        }
        if not modifiers:
            del properties["modifiers"]
        if kind != "boost":
            del properties["turns"]
        return {"type": "object", "properties": properties}

    def match_settings(self, teams: int) -> Mapping[str, Any]:
        """A match has as many teams as the season gives it."""
        return {"teams": teams}

    def job(self, name: str, key: str) -> Job:
        """The job of that name under the given key."""
        return calendar.make_job(name, key)

    def due_jobs(self, season: SeasonState, settled: Set[str], now: datetime.datetime) -> Sequence[Job]:
        """The jobs that are due, in order."""
        return calendar.due_jobs(season, settled, now)

    def job_orders(
        self, job: str, season: SeasonState, game: "Game", ledger: LedgerState, now: datetime.datetime
    ) -> Sequence[Any]:
        """The host orders of a job; daily maintenance also updates who owns which NFT."""
        stakes = {game.players[seat]: stake for seat, stake in ledger.stakes.items()}
        orders = calendar.job_orders(job, game.players, stakes, now)
        if job != "daily_maintenance":
            return orders
        owned = [(nft_from_item(item), item.seat) for item in ledger.items]
        return orders + ownership_orders(cast("BoidVoid", game), owned, ledger.held)

    def team_orders(self, members: Sequence[SeatedMember]) -> Sequence[Any]:
        """Troopers first: giving a role to a new holder makes the former holder a trooper (ruling 23)."""
        return [
            {"do": "assign", "player": member.seat, "team": member.team, "rank": member.role}
            for member in sorted(members, key=lambda member: ROLES.index(member.role))
        ]

    def item_used_by(self, order: Any) -> ItemUse | None:
        """The ledger's NFT that an action names."""
        nft = order.get("nft") if isinstance(order, dict) and "do" in order else None
        if isinstance(nft, bool) or not isinstance(nft, int) or nft < FIRST_LEDGER_ID:
            return None
        return ItemUse(nft, burns(order))

    def burned_order(self, item: int) -> Any:
        """The host order by which the game marks an NFT as burned."""
        return {"do": "burned", "nft": item}

    def released_items(self, game: "Game", held: Set[int]) -> Set[int]:
        """Those of the held NFTs that the game no longer uses."""
        return held & unused_nfts(cast("BoidVoid", game))


SEASON_HOOKS = BoidVoidSeasonHooks()
