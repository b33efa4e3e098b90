"""Which attack pays most: alone, together with other ships of the team, or as a swarm.

A ship that falls loses about five turns, and without its mothership a whole team captures nothing for as long, so both
are worth a full battery. Only as much of the battery is used as the target needs; the rest stays in the shields.
"""

from typing import Final, NamedTuple

import numpy as np

from marchland.games.boidvoid.bots.combat import WHOLE
from marchland.games.boidvoid.bots.situation import LOSS, Ints, Situation
from marchland.games.boidvoid.rules.constants import (
    CAPTURING,
    HUNDREDTHS,
    IDLE,
    MOTHERSHIP,
    NPC,
    SHIP,
    SUPERSTRUCTURE,
    SWARM,
    WAITING,
)

TURN_WORTH: Final = 0.5
"""Tiles that a ship captures in a turn."""
_CHARGED: Final = 0.8
"""The part of a full battery from which on a strike that destroys nothing is worth its turn."""
_NPC_WORTH: Final = 0.8
_STRUCTURE_WORTH: Final = 1.0
_MOVING: Final = 0.8
"""The chance that a ship which is free to move is still in range when it is attacked."""
_LATEST: Final = 3
"""Turns from now to the latest attack that is considered."""
_BEST_TILE: Final = 1.5
"""The factor by which the attack bonus of a tile may raise a strike."""


class Attack(NamedTuple):
    """An attack that pays: tiles gained for each turn, from which cell, with which part of the battery, and when."""

    rate: float
    target: int
    cell: int
    ratio: int
    turns: int


def best_attack(now: Situation, unit: int, turns: Ints, least: float, latest: int = _LATEST) -> Attack | None:
    """The attack of a ship or swarm with the best rate, if that is above ``least``; ``turns`` says when it can be
    where."""
    seen = now.seen
    best: Attack | None = None
    open_cells = now.free_for(unit) & (turns <= latest)
    for bound, _, foe in _promising(now, unit, least):
        if best is not None and bound <= best.rate:
            break
        cells = np.flatnonzero((now.distances(foe) <= seen.reach(unit)) & open_cells)
        if len(cells) == 0:
            continue
        soonest = int(turns[cells].min())
        cells = cells[turns[cells] == soonest]
        found = _attack_on(now, unit, foe, now.pick(cells, -now.threats[cells]), soonest)
        if found is not None and found.rate > (least if best is None else best.rate):
            best = found
    return best


def _promising(now: Situation, unit: int, least: float) -> list[tuple[float, float, int]]:
    """The enemies whose fall could be worth more than ``least`` a turn, with that rate, the best first."""
    seen, field = now.seen, now.field
    place, steps, reach = seen.place(unit), now.steps(unit), seen.reach(unit)
    strike = field.strike(unit, place, 0, WHOLE)
    is_charged = _is_charged(now, unit)
    found = []
    for foe in seen.foes.tolist():
        late = int(now.distances(foe)[place]) - reach > steps
        bound = worth_of(now, foe) / (1 + late)
        if bound <= least:
            continue
        is_prey = seen.unit["kind"][foe] in (SHIP, SWARM)
        if (is_prey or not is_charged) and _BEST_TILE * strike <= field.toughness(foe):
            armour = field.armour(foe, seen.place(foe))
            if late or _BEST_TILE * (strike + sum(_helpers(now, unit, foe, armour))) <= field.toughness(foe):
                continue
        found.append((bound, now.chance.random(), foe))
    return sorted(found, reverse=True)


def worth_of(now: Situation, foe: int) -> float:
    """Tiles that the fall of the unit is worth."""
    seen = now.seen
    kind, team = seen.unit["kind"][foe], seen.unit["team"][foe]
    if kind == NPC:
        return _NPC_WORTH
    if kind == SUPERSTRUCTURE:
        return _STRUCTURE_WORTH
    share = TURN_WORTH * (1 if now.rivals == 1 else 1.5 / now.rivals)
    if kind == MOTHERSHIP:
        active = sum(seen.status(ship) != WAITING for ship in now.ships[team])
        stopped: int = seen.settings["respawn_mothership"] + 1
        return share * stopped * max(active, 0.5)
    lost: int = seen.settings["respawn_ship"] + 2 + (seen.unit["task"][foe] == CAPTURING)
    return share * lost * (1.0 if now.is_on_map(team) else 0.5) * len(seen.members(foe))


def _attack_on(now: Situation, unit: int, foe: int, cell: int, turns: int) -> Attack | None:
    seen, field = now.seen, now.field
    kind, gain = seen.unit["kind"][foe], worth_of(now, foe)
    apart, armour = int(now.distances(foe)[cell]), field.armour(foe, seen.place(foe))
    needed = field.toughness(foe)
    swarming = seen.unit["kind"][unit] == SWARM
    ratio = field.least_ratio(unit, cell, apart, needed)
    if kind in (SHIP, SWARM) and seen.unit["task"][foe] == IDLE and turns + apart > 0:
        gain *= _MOVING
    falls = ratio <= WHOLE
    if not falls:
        ratio = WHOLE
        strike = field.strike(unit, cell, apart, WHOLE)
        support = sum(_helpers(now, unit, foe, armour))
        if turns == 0 and support > 0 and strike + support > needed:
            gain *= strike / (strike + support)
        elif kind in (SHIP, SWARM) or strike <= armour or not _is_charged(now, unit):
            return None
        else:
            gain *= (strike - armour) / max(seen.unit["health"][foe], 1)
    elif not swarming and turns == 0 and _is_left_to_a_mate(now, unit, foe, needed):
        return None
    remaining = field.toughness(unit, cell, ratio)
    danger = field.threat_without(cell, foe) if falls else int(now.threats[cell])
    if not falls and kind != MOTHERSHIP and apart <= seen.reach(foe):
        answer = field.strike(foe, seen.place(foe), apart)
        if answer >= remaining:
            return None
        remaining -= max(answer - field.armour(unit, cell), 0)
    if danger >= remaining:
        gain -= LOSS
    return Attack(gain / (1 + turns), foe, cell, ratio, turns) if gain > 0 else None


def _helpers(now: Situation, unit: int, foe: int, armour: int) -> list[int]:
    """What each other free ship of the team that can reach the target would add to an attack of a ship."""
    if now.seen.unit["kind"][unit] == SWARM:
        return []
    found = []
    for mate in now.ships[now.seen.team]:
        if mate != unit and now.is_idle(mate) and _can_reach(now, mate, foe):
            found.append(now.field.strike(mate, now.seen.place(mate), 0, WHOLE) - armour)
    return [strike for strike in found if strike > 0]


def _is_left_to_a_mate(now: Situation, ship: int, foe: int, needed: int) -> bool:
    """Whether a ship of the team that is nearer, or as near and first by chance, can destroy the target alone."""
    mine = (int(now.distances(foe)[now.seen.place(ship)]), now.mixed(ship))
    for mate in now.ships[now.seen.team]:
        if mate == ship or not now.is_idle(mate) or not _can_reach(now, mate, foe):
            continue
        theirs = (int(now.distances(foe)[now.seen.place(mate)]), now.mixed(mate))
        if theirs < mine and now.field.strike(mate, now.seen.place(mate), 0, WHOLE) > needed:
            return True
    return False


def _can_reach(now: Situation, ship: int, foe: int) -> bool:
    apart = int(now.distances(foe)[now.seen.place(ship)])
    return apart <= now.steps(ship) + now.seen.reach(ship)


def _is_charged(now: Situation, unit: int) -> bool:
    seen = now.seen
    ships = seen.members(unit)
    full = sum(int(seen.arrays["player_stake"][seen.unit["id"][ship]]) for ship in ships) * HUNDREDTHS
    return sum(seen.unit["battery"][ship] for ship in ships) >= _CHARGED * full
