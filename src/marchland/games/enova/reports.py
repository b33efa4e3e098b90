"""Battle reports (ruling 14), put together from the events of a turn."""

from collections.abc import Iterable, Mapping
from typing import Any


def battle_reports(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A report for each battle in ``report.events``, in the order in which they are numbered.

    ``at`` is the tile; in a battle on an edge ``at`` and ``against`` are the two tiles that the forces came from. Each
    party has its strength split into units, support and defence, its dice in the order drawn, how many of its units
    were killed and routed, and where the rest retreated to. ``lots`` is the number of parties that drew lots
    because strength and dice were equal; mostly 0.
    """
    reports: dict[int, dict[str, Any]] = {}
    for event in events:
        kind = event["event"]
        if kind == "battle":
            reports[event["battle"]] = {
                **{name: event[name] for name in ("battle", "at", "against", "variance")},
                "lots": 0,
                "winner": None,
                "parties": {},
            }
        elif "battle" in event:
            _note(reports[event["battle"]], kind, event)
    return list(reports.values())


def _note(report: dict[str, Any], kind: str, event: Mapping[str, Any]) -> None:
    if kind == "force":
        strength = {name: event[name] for name in ("units", "support", "defence")}
        report["parties"][event["player"]] = {
            **strength,
            "strength": sum(strength.values()),
            "dice": [],
            "score": 0,
            "killed": 0,
            "routed": 0,
            "retreats": [],
        }
        return
    party = report["parties"][event["player"]]
    if kind == "roll":
        party["dice"].append(event["die"])
        party["score"] = event["score"]
    elif kind == "drew_lots":
        report["lots"] = event["among"]
    elif kind == "won":
        report["winner"] = event["player"]
    elif kind == "retreated":
        party["retreats"].append({"to": event["to"], "units": event["units"]})
    else:
        party[kind] += event["units"]
