"""Who wins: duels between two bots, and mirror games in which every seat has the same bot.

Games are seeded and independent, so they run on several processes; results come in the order of the games, and the
same call gives the same figures.
"""

import itertools
import multiprocessing
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final, NamedTuple

from marchland import registry
from marchland.arena import BotTeam, load_bot
from marchland.arena.sides import sides_of
from marchland.core.game import Game
from marchland.core.scene import grid_coordinates
from marchland.errors import BotError, UnknownNameError, did_you_mean
from marchland.maps import find_adapter
from marchland.ratings.significance import holm, uniform_test, wilson_interval

MIRROR_SEEDS: Final = range(1000, 2000)
DUEL_SEEDS: Final = range(100)
MIRROR_BOT: Final = "greedy"
LEAST_P: Final = 0.01
"""A map is unfair if a corrected p-value is below this, or a share is further than `MOST_DEVIATION` from equal."""
MOST_DEVIATION: Final = 0.25

_MIRROR_PLAYERS: Final = 4
_TEAM_MEMBERS: Final = 2
_SEATS_A_BOT_SEED: Final = 1000

Advance = Callable[[int], None]
Place = tuple[int, int]


class Setup(NamedTuple):
    """What a game is played on."""

    game: str
    players: int
    map: Any = None
    config: Mapping[str, Any] = {}

    @property
    def name(self) -> str:
        """``tiny/6p``: the map and the number of players."""
        chosen = self.map if isinstance(self.map, str) and "\n" not in self.map else "own"
        return f"{'default' if self.map is None else chosen}/{self.players}p"


class Task(NamedTuple):
    """One game: a bot for each seat."""

    setup: Setup
    seed: int
    bots: tuple[str, ...]


class Result(NamedTuple):
    """How one game ended. A side is a seat, or a team where the game has teams."""

    winners: tuple[int, ...]
    """The sides that share the first place."""
    places: tuple[Place, ...]
    """Where each side started, as column and row."""
    turns: int


def play_task(task: Task) -> Result:
    """Play one game to its end; a bot that fails is an error here, not a lost turn."""
    kind = registry.find(task.setup.game)
    game = kind.new(task.setup.players, seed=task.seed, map=task.setup.map, config=task.setup.config)
    bots = [load_bot(spec, kind, task.seed * _SEATS_A_BOT_SEED + seat) for seat, spec in enumerate(task.bots)]
    sides = sides_of(game)
    places = tuple(start_place_of(game, side) for side in range(max(sides) + 1))
    with BotTeam(game, bots) as team:
        while game.outcome is None:
            game.step(team.orders())
    for seat, stats in enumerate(team.stats):
        if stats.failures:
            raise BotError(f"The bot {task.bots[seat]} failed with seed {task.seed}: {stats.first_failure}")
    return Result(tuple(sorted({sides[seat] for seat in game.outcome.winners})), places, game.turn)


def start_place_of(game: Game, side: int) -> Place:
    """The first cell in reading order that a side has units on, or owns, as the game begins."""
    picture = game.picture()
    places = [(piece[2], piece[3]) for piece in picture.pieces.values() if piece[1] == side]
    cells = [game.board.index(*place) for place in places]
    if not cells:
        owners = next(index for index, layer in enumerate(game.layers) if layer.type == "player")
        cells = [cell for cell, owned_by in enumerate(picture.layers[owners].tolist()) if owned_by == side]
    column, row = grid_coordinates(game.board)
    first = min(cells, key=lambda cell: (row[cell], column[cell]))
    return int(column[first]), int(row[first])


def play_all(tasks: Sequence[Task], processes: int | None = None, advance: Advance = lambda done: None) -> list[Result]:
    """Play the games on all cores, or on ``processes``; ``advance`` gets how many are done."""
    processes = min(processes or os.cpu_count() or 1, len(tasks))
    if processes <= 1:
        return _collect(map(play_task, tasks), advance)
    for name in {task.setup.game for task in tasks}:
        registry.find(name).load()  # compile once, not in every process
    # Spawned: a fork would copy the threads' locks of this process.
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"))
    try:
        return _collect(pool.map(play_task, tasks), advance)
    finally:
        pool.shutdown(cancel_futures=True)


def _collect(results: Iterator[Result], advance: Advance) -> list[Result]:
    collected = []
    for result in results:
        collected.append(result)
        advance(len(collected))
    return collected


# ---------------------------------------------------------------- duels


def duel_tasks(setup: Setup, bots: tuple[str, str], seeds: Sequence[int]) -> list[Task]:
    """Every seed twice, the second time with seats exchanged, so that neither bot profits from its place."""
    return [Task(setup, seed, pair) for seed in seeds for pair in (bots, bots[::-1])]


def duel_figures(tasks: Sequence[Task], results: Sequence[Result]) -> dict[str, Any]:
    """Wins, draws and losses of the first bot; the interval is that of its share of wins, draws counted as not won."""
    first, second = tasks[0].bots
    wins = draws = 0
    for game, result in enumerate(results):
        side = game % 2
        draws += len(result.winners) > 1
        wins += result.winners == (side,)
    low, high = wilson_interval(wins, len(results))
    return {
        "game": tasks[0].setup.game,
        "scenario": f"duel/{tasks[0].setup.name}",
        "bots": [first, second],
        "games": len(results),
        "wins": wins,
        "draws": draws,
        "losses": len(results) - wins - draws,
        "win_share": round(wins / len(results), 4),
        "interval": [round(low, 4), round(high, 4)],
        "turns_mean": round(sum(result.turns for result in results) / len(results), 1),
        "turns_most": max(result.turns for result in results),
    }


# ---------------------------------------------------------------- mirror games


def mirror_setups(game: str) -> list[Setup]:
    """Every map that the game has by name: a player for each start, two for each team, four on generated ones."""
    adapter, has_teams = find_adapter(game), bool(registry.find(game).team_figure)
    drawn, named = adapter.builtin_maps(), adapter.named_maps()
    setups = []
    for name in named:
        counts = adapter.players(drawn[name]) if name in drawn else [_MIRROR_PLAYERS]
        settings = adapter.settings(drawn[name]) if name in drawn else {}
        setups.append(Setup(game, _TEAM_MEMBERS * counts[0] if has_teams else counts[-1], name, settings))
    return setups or [Setup(game, _MIRROR_PLAYERS)]


def select_setups(game: str | None, name: str | None, players: int | None) -> list[Setup]:
    """The setups of one game or of all, on one map or on all of them."""
    setups = [setup for game in ([game] if game else registry.find_all()) for setup in mirror_setups(game)]
    if name is not None:
        known = [str(setup.map) for setup in setups]
        setups = [setup for setup in setups if setup.map == name]
        if not setups:
            raise UnknownNameError(f"{game or 'No game'} has no map {name!r}; {did_you_mean(name, known)}")
    return [setup._replace(players=players or setup.players) for setup in setups]


def mirror_tasks(setup: Setup, seeds: Sequence[int]) -> list[Task]:
    """The same bot on every seat."""
    return [Task(setup, seed, (MIRROR_BOT,) * setup.players) for seed in seeds]


def mirror_figures(setup: Setup, results: Sequence[Result]) -> dict[str, Any]:
    """Each seat's and each place's share of the wins, and how likely a fair game differs as much.

    A shared first place counts as a part of a win for each. Places are named by where they are if every game starts at
    the same ones, else by their order from the top left.
    """
    sides = range(len(results[0].places))
    seats, places = [0.0 for _ in sides], [0.0 for _ in sides]
    starts = set()
    for result in results:
        ordered = tuple(sorted(result.places, key=_reading_order))
        starts.add(ordered)
        for side in result.winners:
            seats[side] += 1 / len(result.winners)
            places[ordered.index(result.places[side])] += 1 / len(result.winners)
    names = [str(list(place)) for place in ordered] if len(starts) == 1 else [str(side + 1) for side in sides]
    shares = [count / len(results) for count in (*seats, *places)]
    return {
        "game": setup.game,
        "scenario": f"mirror/{setup.name}",
        "games": len(results),
        "seats": [round(count / len(results), 4) for count in seats],
        "places": {name: round(count / len(results), 4) for name, count in zip(names, places, strict=True)},
        "p_seats": _round_p(uniform_test(seats).p),
        "p_places": _round_p(uniform_test(places).p),
        "deviation": round(max(abs(share * len(sides) - 1) for share in shares), 4),
        "turns_mean": round(sum(result.turns for result in results) / len(results), 1),
    }


def _reading_order(place: Place) -> tuple[int, int]:
    return place[1], place[0]


def _round_p(p: float) -> float:
    return float(f"{p:.3g}")


def summary_figures(measured: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The p-values of all tests with Holm's correction, and what is unfair by them or by its shares."""
    tests = {
        f"{figures['game']}/{figures['scenario']}/{over}": figures[f"p_{over}"]
        for figures, over in itertools.product(measured, ("seats", "places"))
    }
    adjusted = dict(zip(tests, map(_round_p, holm(list(tests.values()))), strict=True))
    uneven = [
        f"{figures['game']}/{figures['scenario']}" for figures in measured if figures["deviation"] > MOST_DEVIATION
    ]
    return {
        "game": "fairness",
        "scenario": "all",
        "tests": adjusted,
        "least_p": min(adjusted.values(), default=1.0),
        "unfair": sorted({*uneven, *(name.rpartition("/")[0] for name, p in adjusted.items() if p < LEAST_P)}),
    }
