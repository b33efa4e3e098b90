"""Is the new version of a bot better? Pairs of matches on equal seeds until a sequential test decides."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple

from marchland.arena.fixtures import scores_of
from marchland.arena.pairing import VERSIONS
from marchland.arena.tournament import Tournament
from marchland.bots import Level
from marchland.errors import MarchlandError
from marchland.ratings import SequentialTest, Verdict
from marchland.ratings.sprt import Estimate

DEFAULT_PAIRS = 1000


class Comparison(NamedTuple):
    """What a sequential test says."""

    new: str
    old: str
    verdict: Verdict
    llr: float
    """The log-likelihood ratio; the test ends when it leaves the range from minus to plus ``bound``."""
    bound: float
    pairs: int
    score: float
    """The new version's mean score: 1 is a win, 0.5 a draw; against others, a half and half of what it has more."""
    estimate: Estimate
    failures: int
    """Turns in which the new version failed."""
    first_failure: str
    sandbox: Level
    """Where the user bots ran."""


def compare(
    new: str,
    old: str,
    *,
    game: str,
    elo: tuple[float, float] = (0.0, 10.0),
    pairs: int = DEFAULT_PAIRS,
    against: Sequence[str] = (),
    on_pair: Callable[[Comparison], None] = lambda comparison: None,
    **options: Any,
) -> Comparison:
    """Play until the new version is at least ``elo[1]`` better, or at most ``elo[0]``, or ``pairs`` are played.

    With bots to play ``against``, both versions play each of them in turn on equal seeds, instead of each other; what
    counts is the difference of their scores. Options are those of `Tournament`. Pairs count in the order of their
    seeds, so workers change nothing.
    """
    if not elo[0] < elo[1]:
        raise MarchlandError(f"The first bound of --elo must be below the second, not {elo[0]:g},{elo[1]:g}.")
    kind, matches = (VERSIONS.name, 4) if against else ("round-robin", 2)
    tournament = Tournament(game, [new, old, *against], format=kind, matches=matches * pairs, **options)
    if tournament.field.players != 2:
        raise MarchlandError("A comparison is between two bots in a match.")
    test = _PairTest(tournament, elo)
    playing = tournament.play()
    try:
        while test.verdict is Verdict.UNDECIDED and next(playing, None) is not None:
            if test.update():
                on_pair(test.result())
    finally:
        playing.close()
    test.update()
    return test.result()


class _PairTest:
    """The test over the pairs that are complete without a gap, up to the one that decides."""

    def __init__(self, tournament: Tournament, elo: tuple[float, float]) -> None:
        self._tournament = tournament
        self._new, self._old, *field = tournament.field.entrants
        self._test = SequentialTest(*elo, sensitivity=0.5 if field else 1.0)
        self._bundles_of_seed = 2 if field else 1
        self._seen = 0
        self._failures = 0
        self._first_failure = ("", "")
        """The fixture with the lowest id in which the new version failed, and how."""
        self.update()

    @property
    def verdict(self) -> Verdict:
        return self._test.verdict

    def update(self) -> bool:
        """Count the pairs that are new; False if there is none."""
        before = self._test.bundles
        for score in islice(self._scores(), before, None):
            if self.verdict is not Verdict.UNDECIDED:
                break
            self._test.add(score)
        return self._test.bundles > before

    def _scores(self) -> Iterator[float]:
        """The new version's score on each seed: against the old one, or half of what it has more against a third."""
        for _, bundles in groupby(self._tournament.results_in_order(), lambda found: found[0].seed_index):
            found = [results for _, results in bundles if results]
            if len(found) < self._bundles_of_seed:  # not all are played, or one is stuck
                continue
            if self._bundles_of_seed == 1:
                yield scores_of(found[0])[self._new]
            else:
                yield 0.5 + (scores_of(found[0])[self._new] - scores_of(found[1])[self._old]) / 2

    def result(self) -> Comparison:
        """What the test says by now."""
        self._count_failures()
        test = self._test
        return Comparison(
            self._new,
            self._old,
            test.verdict,
            test.llr,
            test.bound,
            test.bundles,
            test.mean,
            test.estimate,
            self._failures,
            self._first_failure[1],
            self._tournament.spec.sandbox,
        )

    def _count_failures(self) -> None:
        for played in self._tournament.played[self._seen :]:
            if self._new not in played.seating:
                continue
            side = played.seating.index(self._new)
            self._failures += played.failures[side]
            if played.failures[side] and (not self._first_failure[0] or played.id < self._first_failure[0]):
                self._first_failure = (played.id, played.notes[side])
        self._seen = len(self._tournament.played)
