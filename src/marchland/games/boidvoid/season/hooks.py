"""BoidVoid's `SeasonHooks`: jobs, NFTs and teams, in the terms of a server."""

import datetime
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, cast

import msgspec

from marchland.core.season_hooks import ExternalItem, Item, ItemUse, Job, LedgerState, SeasonState, SeatedMember
from marchland.games.boidvoid.rules.config import BoidVoidConfig
from marchland.games.boidvoid.rules.constants import ROLES, WAITING
from marchland.games.boidvoid.rules.host_orders import MOST_TURNS
from marchland.games.boidvoid.rules.nfts import STAT_LIMIT
from marchland.games.boidvoid.rules.state import Players, Units
from marchland.games.boidvoid.season import calendar
from marchland.games.boidvoid.season.items import (
    FIRST_LEDGER_ID,
    MODIFIERS,
    burns,
    nft_from_asset,
    nft_from_item,
    ownership_orders,
    unused_nfts,
)
from marchland.games.boidvoid.season.map_items import map_with_nfts, nfts_of_map

if TYPE_CHECKING:
    from marchland.core.game import Game
    from marchland.games.boidvoid.game import BoidVoid


class BoidVoidSeasonHooks:
    """Translates between the game's calendar and NFTs and a server's jobs and items."""

    item_kinds: tuple[str, ...] = tuple(MODIFIERS)
    manual_jobs: tuple[str, ...] = (
        *("teams", "season_start", "daily_maintenance", "turn_start", "turn_lock", "turn_end", "season_end"),
    )
    job_descriptions: Mapping[str, str] = {
        "teams": "Seats the members of the teams and gives them their ranks.",
        "season_start": "Gives the game the staked power of every player, with full batteries.",
        "daily_maintenance": "Gives the game the staked power and the NFTs of every player.",
        "turn_start": "Opens a turn.",
        "turn_lock": "Refuses further actions until the turn ends.",
        "turn_end": "Ends the turn and opens the next.",
        "season_end": "Ends the game; its standings are final.",
    }

    def check_item(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Refuse facts that an NFT of that kind cannot have."""
        nft_from_item(Item(FIRST_LEDGER_ID, 0, kind, 0, 0, facts)).check()

    def item_from_asset(self, asset: Mapping[str, Any]) -> ExternalItem | None:
        """An asset of an AtomicAssets API as an NFT (ruling 26)."""
        nft = nft_from_asset(asset)
        if nft is None:
            return None
        nft.check()
        origin = f"{nft.collection}/{nft.schema}/{nft.template}"
        plain = msgspec.to_builtins(nft)
        facts = {
            name: value for name, value in plain.items() if name not in ("id", "owner", "kind", "mint", "template")
        }
        name = str((asset.get("data") or {}).get("name") or f"{nft.schema} {nft.template}")
        return ExternalItem(nft.id, nft.kind, nft.mint, origin, name, facts)

    def items_of_map(self, map: Any) -> Mapping[int, str]:
        """The NFTs that a map names, with the kind that each has to be."""
        return nfts_of_map(map)

    def map_with_items(self, map: Any, facts: Mapping[int, Mapping[str, Any]]) -> Any:
        """The map with the modifiers of its NFTs."""
        return map_with_nfts(map, facts)

    def merge_facts(self, schema: Mapping[str, Any], template: Mapping[str, Any]) -> Mapping[str, Any]:
        """The template's facts stand, and its modifiers add to the schema's."""
        own, shared = template.get("modifiers", {}), schema.get("modifiers", {})
        modifiers = {name: shared.get(name, 0) + own.get(name, 0) for name in {**shared, **own}}
        return {**schema, **template, **({"modifiers": modifiers} if modifiers else {})}

    def is_transferable(self, facts: Mapping[str, Any]) -> bool:
        """Whether the NFT may change its owner."""
        return bool(facts.get("transferable", True))

    def item_schema(self, kind: str) -> dict[str, Any]:
        """The JSON Schema of the facts of an NFT of that kind."""
        number = {"type": "integer", "minimum": -STAT_LIMIT, "maximum": STAT_LIMIT, "default": 0}
        modifiers = dict.fromkeys(MODIFIERS[kind], number)
        turns = {"type": "integer", "minimum": 0, "maximum": MOST_TURNS, "default": 0}
        properties: dict[str, Any] = {
            "modifiers": {"type": "object", "properties": modifiers, "default": {}},
            "turns": {**turns, "description": "How long a boost lasts."},
            "transferable": {"type": "boolean", "default": True},
            "burnable": {"type": "boolean", "default": True},
            "sprite": {"type": "string", "format": "picture", "default": "", "description": "How it is shown."},
        }
        if not modifiers:
            del properties["modifiers"]
        if kind != "boost":
            del properties["turns"]
        return {"type": "object", "properties": properties}

    rules: str = "season"

    def turn_length(self, config: Mapping[str, Any]) -> float:
        """The seconds of a turn that the settings name."""
        return float(config.get("turn_length", BoidVoidConfig().turn_length))

    def match_settings(self, teams: int) -> Mapping[str, Any]:
        """A match has as many teams as the season gives it."""
        return {"teams": teams}

    def manual_job(self, name: str, season: SeasonState, now: datetime.datetime) -> Job:
        """The job of that name, run by an organiser."""
        return calendar.manual_job(name, season, now)

    def ended_turn_jobs(self, season: SeasonState, settled: Set[str]) -> Sequence[Job]:
        """The turn ends that the match's own clock has run."""
        return calendar.ended_turn_jobs(season, settled)

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
        return [*orders, *_ownership_orders(game, ledger)]

    def newcomer_orders(self, game: "Game", seats: Set[int], ledger: LedgerState) -> Sequence[Any]:
        """Stake, full battery and NFTs of players who have just been seated."""
        stakes = [{"do": "stake", "player": seat, "amount": ledger.stakes.get(seat, 0)} for seat in sorted(seats)]
        return [*stakes, *calendar.charge_orders(sorted(seats)), *_ownership_orders(game, ledger)]

    def team_orders(self, game: "Game", members: Sequence[SeatedMember]) -> Sequence[Any]:
        """What is to change and can change now: a ship on the map stays in its team (ruling 42). A player who is no
        member is a trooper without a ship on the map (ruling 55). Troopers first: a role's former holder becomes one
        (ruling 23)."""
        players: Players = cast("BoidVoid", game).arrays(Players)
        wanted = {member.seat: member for member in members}
        roles = [wanted[seat].role if seat in wanted else "trooper" for seat in range(len(game.players))]
        teams = [wanted[seat].team if seat in wanted else int(players.team[seat]) for seat in range(len(game.players))]
        here = cast("BoidVoid", game).arrays(Units).status[cast("BoidVoid", game).ship_of(0) :] != WAITING
        retired = [{"do": "retire", "player": seat} for seat in range(len(roles)) if seat not in wanted and here[seat]]
        return retired + [
            {"do": "assign", "player": seat, "team": teams[seat], "rank": roles[seat]}
            for seat in sorted(range(len(game.players)), key=lambda seat: ROLES.index(roles[seat]))
            if (players.team[seat], ROLES[players.role[seat]]) != (teams[seat], roles[seat])
            and not (players.team[seat] != teams[seat] and here[seat])
        ]

    def misplaced_seats(self, game: "Game", members: Sequence[SeatedMember]) -> Mapping[int, str]:
        """The members whose team or role the game does not have yet, and why."""
        players: Players = cast("BoidVoid", game).arrays(Players)
        return {
            member.seat: "stays in the former team until the ship is destroyed"
            for member in members
            if (players.team[member.seat], ROLES[players.role[member.seat]]) != (member.team, member.role)
        }

    def item_orders(self, game: "Game", item: Item) -> Sequence[Any]:
        """The host orders by which the game learns of one NFT, none if it knows it."""
        return ownership_orders(cast("BoidVoid", game), [(nft_from_item(item), item.seat)], None)

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


def _ownership_orders(game: "Game", ledger: LedgerState) -> Sequence[Any]:
    owned = [(nft_from_item(item), item.seat) for item in ledger.items]
    return ownership_orders(cast("BoidVoid", game), owned, ledger.held)


SEASON_HOOKS = BoidVoidSeasonHooks()
