"""What DatsPulse's orders did: how far each ant got, and what stopped it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from marchland.core.report import Effect

if TYPE_CHECKING:
    from marchland.core.report import Report

_STOPPED: Final = {
    "rock": "STOPPED_BY_ROCK",
    "foreign nest": "STOPPED_BY_NEST",
    "enemy ant": "STOPPED_BY_ENEMY",
    "own ant": "STOPPED_BY_OWN",
    "exhaustion": "STOPPED_BY_EXHAUSTION",
}


def effects(report: "Report") -> dict[int, Effect]:
    """An ant walks its path, is stopped, or dies before or on its way."""
    happened: dict[tuple[str, int], dict[str, Any]] = {
        (event["event"], event["ant"]): event
        for event in report.events
        if event["event"] in ("moved", "blocked", "killed")
    }
    found = {}
    for row, _, order in report.accepted:
        ant, path = order["ant"], order["path"]
        end, stop = happened.get(("moved", ant)), happened.get(("blocked", ant))
        steps = _count_steps(path, end["to"] if end else None, stop["at"] if stop else None)
        figures = {"steps": steps, "planned": len(path)}
        if death := happened.get(("killed", ant)):
            found[row] = Effect("KILLED", {**figures, "by": death["by"]}, done=False)
        elif not path:
            found[row] = Effect("STAYS")
        elif stop is not None:
            met = {"at": stop["at"], "kind": stop["kind"]}
            found[row] = Effect(_STOPPED[stop["by"]], {**figures, **met}, done=False)
        else:
            found[row] = Effect("WALKED", {"steps": steps, "to": path[-1]})
    return found


def _count_steps(path: Sequence[list[int]], end: list[int] | None, stop: list[int] | None) -> int:
    """How many steps lead to ``end``, after which ``stop`` could not be entered."""
    if end is None:
        return 0
    for step, at in enumerate(path, 1):
        following = path[step] if step < len(path) else None
        if at == end and (stop is None or following == stop):
            return step
    return 0
