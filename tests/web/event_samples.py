"""Films of real matches in which every kind of event happens, for the page's sentences."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

import marchland
from marchland.core.game import Game
from marchland.core.report import Report
from marchland.core.scene import delta_frame, detached, key_frame
from marchland.messages import Frame, Legend, Result
from tests.games.boidvoid.builders import HALL, ME, MOTHER, STRUCTURE, SWARM
from tests.games.boidvoid.builders import position as boidvoid
from tests.games.colorfight.builders import attack, own, upgrade
from tests.games.colorfight.builders import match as colorfight
from tests.games.datspulse.builders import ant
from tests.games.datspulse.builders import match as datspulse
from tests.games.hive.builders import match as hive
from tests.games.hive.builders import order
from tests.support.small_matches import SMALL

TURNS = 60
TURNS_TO_BUILD = 2
RING = ((1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1))


class Sample(msgspec.Struct):
    """A film as one reader sees it, and the results of all orders in it."""

    game: str
    reader: int | None
    legend: Legend
    names: list[str]
    frames: list[Frame]
    results: list[Result]


class Film:
    """Records what a match shows to one reader."""

    def __init__(self, game: Game, reader: int | None = None) -> None:
        self.game = game
        audience = reader if game.fogged else None
        self.sample = Sample(game.name, reader, game.legend(), list(game.players), [key_frame(game, audience)], [])

    def step(self, orders: Mapping[int, list[Any]] | None = None) -> None:
        before = self._picture()
        self._note(before, self.game.step(orders))

    def act(self, player: int, **fields: Any) -> None:
        before = self._picture()
        report = self.game.act(player, fields)
        assert all(result.ok for results in report.results.values() for result in results), report.results
        self._note(before, report)

    def _picture(self) -> Any:
        return detached(self.game.picture(self._audience))

    @property
    def _audience(self) -> int | None:
        return self.sample.reader if self.game.fogged else None

    def _note(self, before: Any, report: Report) -> None:
        after = self.game.picture(self._audience)
        self.sample.frames.append(delta_frame(self.game, before, after, report.event_rows, self._audience))
        self.sample.results += [result for results in report.results.values() for result in results]


def event_samples() -> list[Sample]:
    """For each game a match of its bots, as a spectator and as a player see it, and what bots do not do."""
    return [*_matches_of_bots(), *_rare_events()]


def _matches_of_bots() -> Iterable[Sample]:
    for name, small in SMALL.items():
        for reader, bots in ((None, ("greedy",) * 4), (1, ("random", "greedy", "random", "greedy"))):
            players = 2 if name == "hive" else 4
            film = Film(marchland.find(name).new(players, seed=2, map=small.get("map"), config=small["config"]), reader)
            playing = [film.game.bots[bot](seed=seat) for seat, bot in enumerate(bots[:players])]
            for _ in range(TURNS):
                if film.game.outcome is None:
                    film.step({seat: bot.play(film.game.observe(seat)) for seat, bot in enumerate(playing)})
            yield film.sample


def _rare_events() -> Iterable[Sample]:
    film = Film(colorfight({(2, 2): own(0, "home"), (2, 3): own(0)}, [{"gold": 5000, "energy": 5000}, {}]), 0)
    film.step({0: [attack(2, 3, 300), upgrade(2, 2), attack(2, 1, 10)]})
    yield film.sample
    fallen = {(0, 0): own(0, "home"), (2, 2): own(0), (3, 2): own(1, "home"), (4, 2): own(1, "gold_mine")}
    film = Film(colorfight(fallen, [{"energy": 5000}, {"energy": 0, "gold": 1000}]), 1)
    film.step({0: [attack(3, 2, 1000)]})
    yield film.sample
    burning = [ant(0, "worker", (0, 0), health=1, food="nectar", amount=5)]
    walls = {(0, 0): "~", **dict.fromkeys(RING, "#")}
    film = Film(datspulse(burning, food=[((0, 0), "apple", 3)], land=walls), 0)
    film.step()
    yield film.sample
    film = Film(hive("H0  .   F   B0  B1", edition="2025"), 0)
    for orders in (order("move", 1, "W"), order("forage", 1), order("move", 1, "W"), order("forage", 1)):
        film.step({0: [orders]})
    yield film.sample
    film = Film(hive("H0  .   .   B0  B1  H1", edition="2025"), 0)
    for _ in range(20):
        film.step({0: [order("attack", 1, "E")]})
    yield film.sample
    film = Film(hive("H0  .   .   B0  B1", bee_hp=1), 1)
    film.step({0: [order("attack", 1, "E")]})
    yield film.sample
    yield from _rare_events_of_boidvoid()


def _rare_events_of_boidvoid() -> Iterable[Sample]:
    hall: Any = {**HALL, "use": "built", "target": STRUCTURE}
    built = {"id": STRUCTURE, "at": [1, 0], "team": 0, "nft": 7, "stats": {"health": 50}}
    rocket: Any = {"id": 3, "kind": "spaceship", "player": 0, "traits": {"range": 1}}
    film = Film(boidvoid([built, MOTHER, ME], nfts=[hall, {**HALL, "id": 8}, rocket]), 0)
    film.act(0, do="stack", at=[1, 0], nft=8, mode="burn")
    film.act(0, do="equip", unit=0, nft=3)
    film.act(0, do="capture", unit=0)
    film.act(0, do="cancel", unit=0)
    film.act(-1, do="clock", minute=668)
    yield film.sample
    slow: Any = {"id": 2, "at": [3, 2], "stats": {"health": 40, "swarm_join_turns": 2}}
    swarm: Any = [{"id": SWARM, "at": [2, 2], "team": 0, "name": "s"}, {"id": 0, "swarm": SWARM, "action_points": 9}]
    film = Film(boidvoid([slow, *swarm, {"id": 1, "at": [3, 3], "ratio": 100}]), 0)
    film.act(2, do="join_swarm", unit=2, swarm=SWARM)
    film.step()
    film.act(0, do="attack", unit=SWARM, target=1)
    film.act(0, do="move", unit=SWARM, to=[1, 2])
    film.step()
    film.act(0, do="detonate", unit=SWARM)
    yield film.sample
    film = Film(boidvoid([{**ME, "at": [1, 0]}], nfts=[HALL]), 0)
    film.act(0, do="build", unit=0, nft=HALL["id"])
    for _ in range(TURNS_TO_BUILD):
        film.step()
    yield film.sample
