"""Tournaments without games: a format pairs entrants of known strength, and a model decides their matches."""

from collections.abc import Mapping, Sequence

import numpy as np

from marchland.arena.fixtures import Field, Meeting, Pairing, seatings_of
from marchland.arena.pairing import Format, find_format
from marchland.ratings import Result, fit_results


def field_of(count: int, players: int = 2, seed: int = 0) -> Field:
    return Field(tuple(f"v{number:03}" for number in range(count)), players, seed)


def play_pairing(
    pairing: Pairing, number: int, strengths: Mapping[str, float], random: np.random.Generator
) -> tuple[Result, ...]:
    """Every seating of a bundle, decided by strength and Gumbel noise."""
    results = []
    for seating in seatings_of(pairing.group):
        scores = np.array([strengths[one] for one in seating]) + random.gumbel(size=len(seating))
        places = np.argsort(np.argsort(-scores)) + 1
        results.append(Result(seating, tuple(places.tolist()), f"b{number:05}"))
    return tuple(results)


def visible(meetings: Sequence[Meeting], lag: int) -> list[Meeting]:
    """The meetings without the results of the last rounds, as a tournament shows them to its format."""
    last = max((meeting.round for meeting in meetings), default=-1)
    return [meeting if meeting.round <= last - lag else meeting._replace(results=()) for meeting in meetings]


def play_round(
    format: Format,
    field: Field,
    meetings: list[Meeting],
    strengths: Mapping[str, float],
    random: np.random.Generator,
) -> bool:
    """Plan and play one round; False if there is none."""
    number = 1 + max((meeting.round for meeting in meetings), default=-1)
    pairings = format.plan(field, visible(meetings, format.lag))
    for pairing in pairings:
        meetings.append(Meeting(pairing, number, play_pairing(pairing, len(meetings), strengths, random)))
    return bool(pairings)


def play_rounds(name: str, field: Field, strengths: Mapping[str, float], rounds: int, seed: int = 0) -> list[Meeting]:
    """The first rounds of a tournament, or all that there are."""
    random, meetings = np.random.default_rng(seed), list[Meeting]()
    for _ in range(rounds):
        if not play_round(find_format(name), field, meetings, strengths, random):
            break
    return meetings


def kendall_tau(found: Sequence[float], truth: Sequence[float]) -> float:
    """The share of pairs in the right order, less the share in the wrong one."""
    one, other = np.triu_indices(len(truth), 1)
    signs = [np.sign(np.subtract.outer(values, values)[one, other]) for values in (found, truth)]
    return float(np.mean(signs[0] * signs[1]))


def matches_until(format: Format, tau: float, seed: int, entrants: int = 32, spread: float = 3.0) -> int:
    """How many matches a format needs until the order of all entrants is known as well as ``tau``."""
    random = np.random.default_rng(seed)
    field = field_of(entrants, seed=seed)
    strengths = dict(zip(field.entrants, random.normal(0, spread, entrants).tolist(), strict=True))
    meetings = list[Meeting]()
    while True:
        play_round(format, field, meetings, strengths, random)
        results = [result for meeting in meetings for result in meeting.results]
        fit = fit_results(results)
        found = dict(zip(fit.versions, fit.strengths.tolist(), strict=True))
        order = [found.get(one, 0.0) for one in field.entrants]
        if kendall_tau(order, [strengths[one] for one in field.entrants]) >= tau:
            return len(results)


def plan_at_random(field: Field, meetings: Sequence[Meeting]) -> list[Pairing]:
    """Eight groups at random: what an adaptive format is compared with."""
    dice = np.random.default_rng((field.seed, len(meetings)))
    groups = [dice.choice(len(field.entrants), field.players, replace=False) for _ in range(8)]
    return [
        Pairing(tuple(field.entrants[row] for row in group), len(meetings) + number, "at random")
        for number, group in enumerate(groups)
    ]


RANDOM = Format("random", plan_at_random, lambda field: None, 1, True)
