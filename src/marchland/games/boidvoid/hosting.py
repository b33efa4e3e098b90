"""What BoidVoid asks of whoever hosts its seasons: jobs, NFTs and teams, as `marchland.core.hosting` wants them."""

import datetime
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, cast

import msgspec

from marchland.core.hosting import Belongings, Course, Item, Job, Seated, Use
from marchland.games.boidvoid.burning import HOUSE_IDS, burns, changes_of_hands, freed
from marchland.games.boidvoid.ledger import MODIFIERS, LedgerError, Nft
from marchland.games.boidvoid.season import Books, JobName, RunningGame, Season, due, orders_of
from marchland.games.boidvoid.season import Job as SeasonJob

if TYPE_CHECKING:
    from marchland.core.game import Game
    from marchland.games.boidvoid.game import BoidVoid


class BoidVoidHosting:
    """Translates between the season's words and a host's."""

    item_kinds: tuple[str, ...] = tuple(MODIFIERS)
    by_hand: tuple[str, ...] = ("daily_maintenance", "turn_lock", "turn_end", "season_end")
    job_words: Mapping[str, str] = {
        "teams": "Seats the members of the teams and gives them their ranks.",
        "season_start": "Begins the season.",
        "daily_maintenance": "Tells the game how much power everybody has staked and who owns which NFT.",
        "turn_start": "Opens a turn.",
        "turn_lock": "Refuses further actions until the turn ends.",
        "turn_end": "Ends the turn and opens the next.",
        "season_end": "Ends the game; its standings are final.",
    }

    def check_item(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Refuse facts that an NFT of that kind cannot have."""
        nft_of_item(Item(HOUSE_IDS, 0, kind, 0, 0, facts)).check()

    def item_schema(self, kind: str) -> dict[str, Any]:
        """What an NFT of that kind may say of itself."""
        whole = {"type": "integer", "default": 0}
        modifiers = dict.fromkeys(MODIFIERS[kind], whole)
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

    def settings(self, teams: int) -> Mapping[str, Any]:
        """A match has as many teams as the season gives it."""
        return {"teams": teams}

    def due(self, course: Course, settled: Set[str], now: datetime.datetime) -> Sequence[Job]:
        """What is to be done now, in order."""
        running = RunningGame(
            course.match,
            course.season,
            course.turn,
            course.turn_began,
            max(1, round(course.turn_length)),
            int(course.config.get("lock", 0)),
        )
        season = Season(course.season, course.start, course.end)
        books = Books(course.since, (season,), (running,), frozenset(settled))
        return [Job(job.name, job.key, ends_turn=job.name == "turn_end") for job in due(books, now)]

    def orders(
        self, job: str, course: Course, game: "Game", belongings: Belongings, now: datetime.datetime
    ) -> Sequence[Any]:
        """What a job tells the game; in the daily maintenance also who owns which NFT."""
        stakes = {game.players[seat]: stake for seat, stake in belongings.stakes.items()}
        told = orders_of(SeasonJob(cast(JobName, job), course.match, ""), game.players, stakes, now)
        if job != "daily_maintenance":
            return told
        hands = [(nft_of_item(item), item.seat) for item in belongings.items]
        return told + changes_of_hands(cast("BoidVoid", game), hands, belongings.held)

    def seating(self, seated: Sequence[Seated]) -> Sequence[Any]:
        """Troopers first, so that nobody loses a rank to somebody who gives his up."""
        ranks = ("trooper", "vice", "leader")
        return [
            {"do": "assign", "player": one.seat, "team": one.team, "rank": one.role}
            for one in sorted(seated, key=lambda one: ranks.index(one.role))
        ]

    def use_of(self, order: Any) -> Use | None:
        """The ledger's NFT that an action names."""
        nft = order.get("nft") if isinstance(order, dict) and "do" in order else None
        if isinstance(nft, bool) or not isinstance(nft, int) or nft < HOUSE_IDS:
            return None
        return Use(nft, burns(order))

    def burned(self, item: int) -> Any:
        """The game marks it as gone."""
        return {"do": "burned", "nft": item}

    def freed(self, game: "Game", held: Set[int]) -> Set[int]:
        """Those that the game does not use any more."""
        return held & freed(cast("BoidVoid", game))


def nft_of_item(item: Item, owner: str = "") -> Nft:
    """An item of a host's ledger as this game's ledgers write it."""
    plain = {
        **item.facts,
        "id": item.id,
        "owner": owner,
        "kind": item.kind,
        "mint": item.mint,
        "template": item.template,
    }
    try:
        return msgspec.convert(plain, Nft)
    except msgspec.ValidationError as problem:
        raise LedgerError(f"A {item.kind} NFT cannot be so: {problem}.") from None


HOSTING = BoidVoidHosting()
