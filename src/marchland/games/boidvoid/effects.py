"""What BoidVoid's actions did, by the events of their turn."""

from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from marchland.core.report import Effect
from marchland.games.boidvoid.rules.constants import HUNDREDTHS
from marchland.games.boidvoid.rules.events import EVENTS

if TYPE_CHECKING:
    from marchland.core.report import Report

_OF_BATTLES: Final = {kind.name for kind in EVENTS if kind.battle}
_VALUES: Final = {
    "move": ("moved", "MOVED", ("to", "cost")),
    "capture": ("capture_begun", "CAPTURE_BEGUN", ("at", "turns")),
    "build": ("build_begun", "BUILD_BEGUN", ("at", "turns")),
}


class Battle(NamedTuple):
    """The events of one attack, the first of which names attacker and target."""

    events: list[dict[str, Any]]

    def value(self, kind: str, unit: int, name: str) -> int | None:
        """A value of the first event of a kind that is about a unit."""
        return next((event[name] for event in self.events if event["event"] == kind and event["unit"] == unit), None)

    def has_victim_of(self, unit: int) -> bool:
        """Whether a unit destroyed anything."""
        return any(event["event"] == "destroyed" and event["by"] == unit for event in self.events)


def effects(report: "Report") -> dict[int, Effect]:
    """Attacks by their battles; what begins or moves by the unit's event of that kind, in the order given."""
    battles: defaultdict[tuple[int, int], deque[Battle]] = defaultdict(deque)
    others: defaultdict[tuple[str, int], deque[dict[str, Any]]] = defaultdict(deque)
    current: Battle | None = None
    for event in report.events:
        if event["event"] == "attacked":
            current = Battle([event])
            battles[event["unit"], event["target"]].append(current)
        elif current is not None and event["event"] in _OF_BATTLES:
            current.events.append(event)
        elif "unit" in event:
            others[event["event"], event["unit"]].append(event)
    found = {}
    for row, _, order in report.accepted:
        if order["do"] == "attack":
            found[row] = _effect_of_attack(battles[order["unit"], order["target"]].popleft(), order)
        elif order["do"] in _VALUES:
            kind, code, names = _VALUES[order["do"]]
            event = others[kind, order["unit"]].popleft()
            found[row] = Effect(code, {name: event[name] for name in names})
    return found


def _effect_of_attack(battle: Battle, order: dict[str, Any]) -> Effect:
    unit, target = order["unit"], order["target"]
    damage, defense = battle.value("hit", target, "damage"), battle.value("guard", target, "total")
    answer = battle.value("hit", unit, "damage")
    figures = {"damage": _points(damage), "answer": None if answer is None else _points(answer)}
    if battle.has_victim_of(target):
        return Effect("ATTACKER_DESTROYED", figures, done=False)
    if battle.has_victim_of(unit):
        return Effect("TARGET_DESTROYED", figures)
    if (damage or 0) <= (defense or 0):
        return Effect("BLOCKED_BLOW", {**figures, "defense": _points(defense)}, done=False)
    return Effect("HIT", {**figures, "defense": _points(defense)})


def _points(hundredths: int | None) -> float:
    return (hundredths or 0) / HUNDREDTHS
