"""What Colorfight's orders did, by the events of their turn."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from marchland.core.report import Effect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from marchland.core.report import Report

_OF_ATTACKS = ("captured", "shielded", "repelled")


def effects(report: "Report") -> dict[int, Effect]:
    """Attacks by the outcome at their cell, buildings as they stand."""
    outcomes = {tuple(event["at"]): event for event in report.events if event["event"] in _OF_ATTACKS}
    levels = {tuple(event["at"]): event["level"] for event in report.events if event["event"] == "upgraded"}
    spent: Counter[tuple[Any, ...]] = Counter()
    for _, player, order in report.accepted:
        if order["do"] == "attack":
            spent[player, *order["at"]] += order["energy"]
    found = {}
    for row, player, order in report.accepted:
        at = tuple(order["at"])
        if order["do"] == "attack":
            found[row] = _effect_of_attack(outcomes[at], player, spent[player, *at], report.names)
        elif order["do"] == "build":
            found[row] = Effect("BUILT", {"at": order["at"], "building": order["building"]})
        else:
            found[row] = Effect("UPGRADED", {"at": order["at"], "level": levels[at]})
    return found


def _effect_of_attack(event: "Mapping[str, Any]", player: int, energy: int, names: Any) -> Effect:
    """``energy`` is what the player spent on the cell, in all its attacks (ruling 2)."""
    kind, at = event["event"], event["at"]
    if event["by"] != player:
        return Effect("OUTDONE", {"at": at, "by": names[event["by"]], "energy": energy}, done=False)
    if kind == "captured":
        return Effect("CAPTURED", {"at": at, "from": None if event["from"] is None else names[event["from"]]})
    if kind == "shielded":
        return Effect("SHIELDED", {"at": at, "force_field": event["force_field"]})
    figures = {"energy": energy, "counted": max(event["energy"], 0), "needed": event["needed"]}
    return Effect("REPELLED" if event["energy"] == energy else "REPELLED_AMONG_OTHERS", figures, done=False)
