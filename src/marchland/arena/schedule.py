"""The schedule of a tournament: which bundles are planned, which of them count, and what is planned next.

A function of the format, the field and the results by bundle: neither the order nor the time in which matches finish
changes it. SQL holds the same bundles; this is what the planner reads.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from marchland.arena.fixtures import Bundle, Field, Meeting, make_bundle, seatings_of
from marchland.arena.pairing import Format
from marchland.ratings import Result, Standing, fit_results, rank_versions


class StopRule(NamedTuple):
    """When nothing more is planned; without either, when the format ends."""

    matches: int | None = None
    until: float | None = None
    """The largest half of a 95 % interval, in points."""


class Schedule:
    """What is planned and what counts."""

    def __init__(self, tournament: str, format: Format, field: Field) -> None:
        self._tournament = tournament
        self._format = format
        self._field = field
        self._lag = format.lag_of(field)
        self.bundles: list[Bundle] = []
        self.matches = 0
        """The number of planned fixtures."""
        self._fixtures: dict[str, list[str]] = {}
        """By bundle the ids of its fixtures."""
        self._open: dict[str, set[str]] = {}
        """By bundle its fixtures that are neither played nor stuck."""
        self._open_rounds: Counter[int] = Counter()
        """By round the number of such fixtures; rounds without any are left out."""
        self._full_round = -1
        """The last round of which every bundle is planned."""
        self._bundle: dict[str, Bundle] = {}
        self._lost: set[str] = set()
        """Bundles with a stuck fixture: they do not count."""
        self._results: dict[str, dict[str, Result]] = {}
        """By bundle and fixture."""

    def add(self, planned: Iterable[Bundle]) -> None:
        """Add bundles in the order of planning."""
        for bundle in planned:
            self.bundles.append(bundle)
            ids = self._fixtures[bundle.id] = [fixture.id for fixture in bundle.fixtures()]
            self._open[bundle.id] = set(ids)
            self._open_rounds[bundle.round] += len(ids)
            self._results[bundle.id] = {}
            self._bundle[bundle.id] = bundle
            self.matches += len(ids)

    def count(self, bundle: str, fixture: str, places: Mapping[str, int]) -> None:
        """Count a fixture by the place of each entrant, in the order of sides."""
        self._close(bundle, fixture)
        self._results[bundle][fixture] = Result(tuple(places), tuple(places.values()), bundle)

    def give_up(self, bundle: str, fixture: str) -> None:
        """Do without a fixture that is stuck, and so without its bundle."""
        self._close(bundle, fixture)
        self._lost.add(bundle)

    def _close(self, bundle: str, fixture: str) -> None:
        if fixture in self._open[bundle]:
            self._open[bundle].remove(fixture)
            number = self._bundle[bundle].round
            self._open_rounds[number] -= 1
            if not self._open_rounds[number]:
                del self._open_rounds[number]

    @property
    def is_played(self) -> bool:
        """Whether all planned fixtures are played or stuck."""
        return not self._open_rounds

    def results(self) -> list[Result]:
        """The results of all complete bundles."""
        return [result for bundle in self.bundles for result in self.results_of(bundle)]

    def results_of(self, bundle: Bundle) -> tuple[Result, ...]:
        """The results of a bundle; none unless it is complete."""
        if self._open[bundle.id] or bundle.id in self._lost:
            return ()
        found = self._results[bundle.id]
        return tuple(found[fixture] for fixture in self._fixtures[bundle.id])

    def is_complete(self, bundle: Bundle) -> bool:
        """Whether all its fixtures are played or stuck."""
        return not self._open[bundle.id]

    def plan_next(self, stop: StopRule) -> list[Bundle]:
        """What is to be planned now: the rest of a round, or the next one. Empty if it must wait, or the end is near.

        A limit of matches may cut a round short; with a larger limit its rest is planned first.
        """
        last = self.bundles[-1].round if self.bundles else 0
        for number in range(max(last, self._full_round + 1), last + 2):
            if not self._may_plan(number, stop):
                return []
            known = {bundle.id for bundle in self.bundles}
            pairings = self._format.plan(self._field, self._meetings_before(number))
            planned = [make_bundle(self._tournament, self._field.seed, number, pairing) for pairing in pairings]
            missing = [bundle for bundle in planned if bundle.id not in known]
            now = self._cut(missing, stop)
            if planned and len(now) == len(missing):
                self._full_round = number
            if now or not planned:
                return now
        return []

    def _may_plan(self, number: int, stop: StopRule) -> bool:
        """Whether the rounds on which a plan depends are complete and do not end the tournament."""
        last = number - 1 - self._lag
        if min(self._open_rounds, default=last + 1) <= last:
            return False
        if stop.matches is not None and self.matches >= stop.matches:
            return False
        return stop.until is None or last < 0 or not self._is_precise(last, stop.until)

    def _is_precise(self, last: int, until: float) -> bool:
        """Whether the rounds up to ``last`` give every entrant an interval that is narrow enough."""
        bundles = [bundle for bundle in self.bundles if bundle.round <= last]
        table = rank_versions(fit_results(result for bundle in bundles for result in self.results_of(bundle)))
        return len(table) == len(self._field.entrants) and max(row.margin for row in table) <= until

    def _meetings_before(self, number: int) -> list[Meeting]:
        """The meetings of earlier rounds, those within the lag without results."""
        return [
            Meeting(
                bundle.pairing, bundle.round, self.results_of(bundle) if bundle.round <= number - 1 - self._lag else ()
            )
            for bundle in self.bundles
            if bundle.round < number
        ]

    def _cut(self, bundles: list[Bundle], stop: StopRule) -> list[Bundle]:
        if stop.matches is None:
            return bundles
        room, found = stop.matches - self.matches, list[Bundle]()
        for bundle in bundles:
            if room <= 0:
                break
            found.append(bundle)
            room -= len(seatings_of(bundle.group))
        return found

    def standings(self) -> list[Standing]:
        """The table by all complete bundles."""
        return rank_versions(fit_results(self.results()))
