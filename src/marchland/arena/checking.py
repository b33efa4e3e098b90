"""Plays a submission the way a server will: a few turns from every seat of every game that it is for."""

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from marchland import registry
from marchland.arena.local import play
from marchland.bots import Bot, ProcessBot, ProcessOptions, as_bot
from marchland.bots.submission import Submission
from marchland.core.game import Game

TURNS = 5
_SEED = 1


class SeatCheck(NamedTuple):
    """How the bot played one seat of one game."""

    game: str
    seat: int
    turns: int
    orders: int
    refused: int
    first_answer: float
    """Seconds by the clock, with the start of the process."""
    slowest_turn: float
    """Seconds of any later turn, by the clock."""
    cpu: float
    """Seconds of processor time."""
    memory: int
    problem: str


class _TimedBot:
    """A bot in a process, and how long each answer took."""

    def __init__(self, bot: ProcessBot) -> None:
        self._bot = bot
        self.seconds: list[float] = []

    def as_bot(self) -> Bot:
        """The same bot, timed."""
        return as_bot(self._bot)._replace(move_encoded=self._move)

    def _move(self, turn: int, view: bytes) -> Any:
        began = time.perf_counter()
        try:
            return self._bot.play_encoded(turn, view)
        finally:
            self.seconds.append(time.perf_counter() - began)


def check_seats(
    submission: Submission, kinds: Sequence[type[Game]], seconds: float, options: ProcessOptions
) -> Iterator[SeatCheck]:
    """Play every seat of a small match of each game, the others by its greedy bot."""
    for kind in kinds:
        players = max(2, kind.least_players)
        for seat in range(players):
            yield _check_seat(submission, kind, players, seat, seconds, options)


def find_games(submission: Submission, names: Sequence[str]) -> list[type[Game]]:
    """The games that are asked for, or those of the submission, or all."""
    wanted = names or submission.description.games or list(registry.find_all())
    return [registry.find(name) for name in wanted]


def _check_seat(
    submission: Submission, kind: type[Game], players: int, seat: int, seconds: float, options: ProcessOptions
) -> SeatCheck:
    sandbox = options.sandbox._replace(folder=submission.folder)
    process = ProcessBot(
        submission.command(), seconds=seconds, seed=_SEED, options=options._replace(sandbox=sandbox).for_rating()
    )
    timed = _TimedBot(process)
    usual = kind.bots["greedy"] if "greedy" in kind.bots else next(iter(kind.bots.values()))
    bots = [timed.as_bot() if number == seat else as_bot(usual(seed=number)) for number in range(players)]
    played = play(kind.new(players, seed=_SEED), bots, turns=TURNS)
    stats = played.stats[seat]
    return SeatCheck(
        kind.name,
        seat,
        played.turns,
        stats.orders,
        stats.refused,
        timed.seconds[0] if timed.seconds else 0.0,
        max(timed.seconds[1:], default=0.0),
        stats.cpu_seconds,
        stats.memory,
        stats.first_failure,
    )
