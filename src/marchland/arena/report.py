"""The figures of a tournament: for tables, JSON and pages. Computed from the results alone."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from marchland.arena.tournament import PlayedFixture, Tournament
from marchland.ratings import Duel, Standing, Surprise, fit_results, rank_versions
from marchland.ratings.head_to_head import count_duels
from marchland.ratings.significance import wilson_interval

_POINTS_IN_TIME: Final = 24
"""Moments at which the rating line is computed."""
_SURPRISE: Final = 0.15
"""Pairs whose share differs from the expected one by less are not worth a line."""
_LEAST_MATCHES: Final = 6


class Row(NamedTuple):
    """A line of the table: the standing, and what was counted without any model."""

    standing: Standing
    duel: Duel
    """Against all others together."""
    failures: int
    first_failure: str


class Bias(NamedTuple):
    """How often a side won, on all maps or on one; a shared first place counts as a part of a win for each."""

    where: str
    side: int
    wins: float
    matches: int
    share: float
    low: float
    high: float
    is_suspicious: bool
    """Whether the 95 % interval excludes an equal share."""


class HistoryPoint(NamedTuple):
    """The ratings after so many matches: by bot the rating and its margin."""

    matches: int
    ratings: dict[str, tuple[float, float]]


class MapScore(NamedTuple):
    """The mean score of one bot on one map."""

    map: str
    bot: str
    score: float
    matches: int


class TournamentFigures(NamedTuple):
    """Everything that a report shows."""

    rows: list[Row]
    duels: dict[tuple[str, str], Duel]
    surprises: list[Surprise]
    biases: list[Bias]
    map_scores: list[MapScore]
    history: list[HistoryPoint]


def make_figures(tournament: Tournament) -> TournamentFigures:
    """All figures of what was played so far."""
    return TournamentFigures(
        make_rows(tournament),
        count_duels(tournament.results()),
        find_surprises(tournament),
        find_biases(tournament),
        score_by_map(tournament),
        make_history(tournament),
    )


def make_rows(tournament: Tournament) -> list[Row]:
    """The table, best first."""
    duels: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for (one, _), duel in count_duels(tournament.results()).items():
        duels[one] = [sum(pair) for pair in zip(duels[one], duel, strict=True)]
    failures: dict[str, int] = defaultdict(int)
    notes: dict[str, str] = {}
    for played in sorted(tournament.played, key=lambda played: played.id):
        for entrant, count, note in zip(played.seating, played.failures, played.notes, strict=True):
            failures[entrant] += count
            if note:
                notes.setdefault(entrant, note)
    return [
        Row(row, Duel(*duels[row.version]), failures[row.version], notes.get(row.version, ""))
        for row in tournament.standings()
    ]


def find_surprises(tournament: Tournament) -> list[Surprise]:
    """Pairs that contradict the ratings clearly."""
    return [
        surprise
        for surprise in tournament.surprises()
        if sum(surprise.duel) >= _LEAST_MATCHES and abs(surprise.duel.share - surprise.expected) >= _SURPRISE
    ]


def find_biases(tournament: Tournament) -> list[Bias]:
    """The share of wins of every side: on all maps, and on each if there are several."""
    names = name_maps(tournament)
    groups: dict[str, list[PlayedFixture]] = {"all maps": list(tournament.played)}
    if len(names) > 1:
        for played in tournament.played:
            groups.setdefault(names[played.bundle.seed_index % len(names)], []).append(played)
    return [bias for where, group in groups.items() if group for bias in _count_sides(where, group)]


def _count_sides(where: str, group: Sequence[PlayedFixture]) -> list[Bias]:
    sides = len(group[0].places)
    wins = [0.0] * sides
    for played in group:
        winners = [side for side, place in enumerate(played.places) if place == min(played.places)]
        for side in winners:
            wins[side] += 1 / len(winners)
    biases = []
    for side, won in enumerate(wins):
        low, high = wilson_interval(won, len(group))
        share = won / len(group)
        biases.append(Bias(where, side, won, len(group), share, low, high, not low <= 1 / sides <= high))
    return biases


def name_maps(tournament: Tournament) -> list[str]:
    """A name for each map of the tournament."""
    return [
        "default" if chosen is None else chosen if _is_name(chosen) else f"map {number}"
        for number, chosen in enumerate(tournament.setup.maps, 1)
    ]


def _is_name(chosen: Any) -> bool:
    return isinstance(chosen, str) and "\n" not in chosen


def score_by_map(tournament: Tournament) -> list[MapScore]:
    """The mean score of each bot on each map: the share of opponents it was placed above."""
    names = name_maps(tournament)
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for played in tournament.played:
        name = names[played.bundle.seed_index % len(names)]
        for entrant, place in zip(played.seating, played.places, strict=True):
            others = len(played.places) - 1
            behind = sum(other > place for other in played.places)
            equal = sum(other == place for other in played.places) - 1
            scores[name, entrant].append((behind + equal / 2) / others)
    return [
        MapScore(name, entrant, sum(found) / len(found), len(found))
        for (name, entrant), found in sorted(scores.items(), key=lambda item: (names.index(item[0][0]), item[0][1]))
    ]


def make_history(tournament: Tournament) -> list[HistoryPoint]:
    """The ratings at moments of equal distance, counting bundles in the order of planning."""
    bundles = [results for _, results in tournament.results_in_order() if results]
    count = min(_POINTS_IN_TIME, len(bundles))
    moments = []
    for moment in range(1, count + 1):
        until = len(bundles) * moment // count
        results = [result for bundle in bundles[:until] for result in bundle]
        table = rank_versions(fit_results(results))
        moments.append(HistoryPoint(len(results), {row.version: (row.rating, row.margin) for row in table}))
    return moments


def as_json(tournament: Tournament) -> dict[str, Any]:
    """The report as one JSON object."""
    figures = make_figures(tournament)
    return {
        "tournament": tournament.id,
        "game": tournament.spec.game,
        "version": tournament.spec.version,
        "format": tournament.spec.format,
        "seed": tournament.spec.seed,
        "players": tournament.spec.players,
        "sandbox": tournament.spec.sandbox,
        "maps": name_maps(tournament),
        "matches": len(tournament.played),
        "standings": [_row_as_json(row, tournament) for row in figures.rows],
        "head_to_head": [
            {"bot": one, "against": other, **duel._asdict(), "share": duel.share, "interval": duel.interval}
            for (one, other), duel in sorted(figures.duels.items())
        ],
        "surprises": [surprise._asdict() | {"duel": surprise.duel._asdict()} for surprise in figures.surprises],
        "sides": [bias._asdict() for bias in figures.biases],
        "scores_by_map": [score._asdict() for score in figures.map_scores],
        "stuck": [stuck._asdict() for stuck in tournament.stuck],
    }


def _row_as_json(row: Row, tournament: Tournament) -> dict[str, Any]:
    standing = row.standing._asdict()
    bot = standing.pop("version")
    return {
        "bot": bot,
        "spec": tournament.setup.bots[bot],
        **standing,
        **row.duel._asdict(),
        "failures": row.failures,
        "first_failure": row.first_failure or None,
    }
