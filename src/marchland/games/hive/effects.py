"""What Hive's orders did, by the events of their turn."""

from collections import defaultdict, deque
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from marchland.core.report import Effect

if TYPE_CHECKING:
    from marchland.core.report import Report

_VALUES: Final = {
    "moved": ("MOVED", ("to",)),
    "foraged": ("FORAGED", ("at", "left")),
    "delivered": ("DELIVERED", ()),
    "built": ("BUILT", ("kind", "at")),
    "spawned": ("SPAWNED", ("kind", "at")),
}


def effects(report: "Report") -> dict[int, Effect]:
    """Each order that is carried out is one event; a player's are carried out in the order given."""
    done: defaultdict[int, deque[Effect]] = defaultdict(deque)
    events = [*report.events, {"event": ""}]
    by_chance = report.config.attack == "chance"
    for event, following in pairwise(events):
        if event["event"] == "attacked":
            done[event["by"]].append(_effect_of_attack(event, following, by_chance=by_chance))
        elif event["event"] in _VALUES:
            code, names = _VALUES[event["event"]]
            done[event["by"]].append(Effect(code, {name: event[name] for name in names}))
    return {row: done[player].popleft() for row, player, _ in report.accepted}


def _effect_of_attack(event: dict[str, Any], following: dict[str, Any], *, by_chance: bool) -> Effect:
    """What it destroyed or stunned is the next event."""
    at = event["at"]
    if following["event"] == "destroyed":
        return Effect("DESTROYED", {"kind": following["kind"], "at": at})
    if following["event"] == "stunned":
        return Effect("STUNNED", {"at": at})
    return Effect("MISSED", {"at": at}, done=False) if by_chance else Effect("HIT", {"at": at})
