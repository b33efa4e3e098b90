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

    def check_item(self, kind: str, facts: Mapping[str, Any]) -> None:
        """Refuse facts that an NFT of that kind cannot have."""
        _nft(Item(HOUSE_IDS, 0, kind, 0, 0, facts)).check()

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
        hands = [(_nft(item), item.seat) for item in belongings.items]
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


def _nft(item: Item) -> Nft:
    plain = {**item.facts, "id": item.id, "owner": "", "kind": item.kind, "mint": item.mint, "template": item.template}
    try:
        return msgspec.convert(plain, Nft)
    except msgspec.ValidationError as problem:
        raise LedgerError(f"A {item.kind} NFT cannot be so: {problem}.") from None


HOSTING = BoidVoidHosting()
