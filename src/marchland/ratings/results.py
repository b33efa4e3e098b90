"""Results of matches as the fit reads them: a set, whatever the order and however often each was reported."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Result(NamedTuple):
    """One match: the version on each seat, and the place of each; equal places are shared.

    Matches of one bundle (one seed and map, seats rotated) are not independent, so the bundle is the unit of all
    intervals. Within a bundle, a match is identified by its seating.
    """

    versions: tuple[str, ...]
    places: tuple[int, ...]
    bundle: str


def canonical_set(results: Iterable[Result]) -> list[Result]:
    """The distinct results in an order of their own, so that figures do not depend on the order of arrival."""
    known: dict[tuple[str, tuple[str, ...]], Result] = {}
    for result in results:
        _check(result)
        other = known.setdefault((result.bundle, result.versions), result)
        if other.places != result.places:
            seating = ", ".join(result.versions)
            raise ValueError(
                f"Bundle {result.bundle} has two results of one match ({seating}): places {list(other.places)} and "
                f"{list(result.places)}."
            )
    return [known[key] for key in sorted(known)]


def _check(result: Result) -> None:
    if len(result.versions) != len(result.places) or len(result.versions) < 2:
        raise ValueError(f"A result has at least two versions and a place for each, not {result}.")


def list_versions(results: Sequence[Result]) -> list[str]:
    """All versions of the results, sorted."""
    return sorted({version for result in results for version in result.versions})
