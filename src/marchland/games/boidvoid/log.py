"""The log of a match, per turn and per player (ruling 27): sentences, folded from the reports of steps and actions."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from marchland.games.boidvoid.position.units import row_of_id
from marchland.games.boidvoid.rules.constants import (
    FIRST_ID,
    HUNDREDTHS,
    IN_SWARM,
    MOTHERSHIP,
    NPC,
    SUPERSTRUCTURE,
    SWARM,
)
from marchland.games.boidvoid.rules.state import Players, Units
from marchland.messages import LogLine

if TYPE_CHECKING:
    from marchland.core.report import Report
    from marchland.games.boidvoid.game import BoidVoid

_PIECES = ("unit", "target", "swarm", "by")
_HUNDREDTHS = ("main", "additional", "damage", "shields", "defense", "total", "spent", "battery", "blocked", "wound")
_OF_BATTLE = ("force", "chance", "guard", "hit", "no_counter", "shields", "wound")
_SENTENCES = {
    "moved": "{unit} moved from {from} to {to} for {cost} action points",
    "capture_begun": "{unit} began to capture {at}, {turns} turns",
    "captured": "{unit} captured {at}",
    "build_begun": "{unit} began to build at {at}, {turns} turns",
    "built": "{by} finished {unit} at {at}",
    "stacked": "{unit} at {at} reached level {level}",
    "spawned": "{unit} spawned at {at}",
    "detonated": "{unit} detonated at {at}",
    "swarm_created": "{unit} founded {swarm} at {at}",
    "swarm_joined": "{unit} joined {swarm} at {at}",
    "swarm_left": "{unit} left {swarm} for {to}",
    "swarm_gone": "{swarm} is no more",
    "join_failed": "{unit} could not join {swarm}: it is not next to it any more",
    "cancelled": "{unit} gave up: {task}",
    "attacked": "{unit} at {from} attacked {target} at {to}, range {range}",
    "force": "{unit} strikes with {main} + {additional}, bonus {bonus} %: {damage}",
    "chance": "{unit} has a critical chance of {chance}, drew {rolled}: critical damage {critical} %",
    "guard": "{unit} has {shields} shields and {defense} defense, bonus {bonus} %: {total}",
    "hit": "{unit} takes {damage} damage from {by}",
    "no_counter": "{unit} does not strike back: {why}",
    "shields": "{unit} spent {spent} of {shields} shields, battery {battery}",
    "wound": "{unit} blocked {blocked} and lost {wound} health, {health} left",
    "destroyed": "{unit} was destroyed at {at}",
    "boosted": "{unit} is boosted by NFT {nft} for {turns} turns",
    "boost_over": "the boost of {unit} by NFT {nft} is over",
    "equipped": "{unit} got NFT {nft} ({kind})",
    "ratio_set": "{unit} gives {attack} % of its battery to the attack",
    "automode_set": "{unit} set its automode",
    "returned": "NFT {nft} returned to its owner",
}


class ReadableLog:
    """The lines so far, oldest first. Begins with the swarms of the given state and follows them by events."""

    def __init__(self, game: "BoidVoid", lines: Iterable[LogLine] = ()) -> None:
        units: Units = game.arrays(Units)
        first = game.ship_of(0)
        self.lines = list(lines)
        self._fighting: set[int] = set()
        self._swarm_of = {
            player: int(units.id[units.swarm[first + player]])
            for player in range(len(game.players))
            if units.status[first + player] == IN_SWARM
        }

    def add_report(self, game: "BoidVoid", report: "Report") -> list[LogLine]:
        """Add the lines of a step or an action and return them. A refused order concerns only its player."""
        new = [line for event in report.events if (line := self._line(game, report.turn, event))]
        for player, results in report.results.items():
            concerned = (player,) if isinstance(player, int) and 0 <= player < len(game.players) else ()
            new += [
                LogLine(report.turn, f"refused: {result.sentence}", concerned, private=True)
                for result in results
                if not result.ok
            ]
        self.lines += new
        return new

    def of_turn(self, turn: int) -> list[LogLine]:
        """The lines of one turn."""
        return [line for line in self.lines if line.turn == turn]

    def of_player(self, player: int) -> list[LogLine]:
        """The lines that concern one player."""
        return [line for line in self.lines if player in line.players]

    def _line(self, game: "BoidVoid", turn: int, event: Mapping[str, Any]) -> LogLine | None:
        kind = event["event"]
        if kind == "swarm_joined":
            self._swarm_of[event["unit"]] = event["swarm"]
        if kind not in _SENTENCES:
            return None
        about = {seat for name in _PIECES if name in event for seat in self._seats_of(game, event[name])}
        if event.get("player") is not None:
            about.add(event["player"])
        if kind == "attacked":
            self._fighting = about
        elif kind in _OF_BATTLE:
            about |= self._fighting  # both sides see each figure
        elif kind in ("swarm_left", "destroyed"):
            self._swarm_of.pop(event["unit"], None)
        return LogLine(turn, _SENTENCES[kind].format(**_readable(game, event)), tuple(sorted(about)))

    def _seats_of(self, game: "BoidVoid", unit: int) -> list[int]:
        """A ship's player, a swarm's players, the whole team of a mothership or superstructure."""
        if unit < 0 or FIRST_ID[NPC] <= unit < FIRST_ID[SWARM]:
            return []
        if unit < FIRST_ID[MOTHERSHIP]:
            return [unit]
        if unit >= FIRST_ID[SWARM]:
            return [player for player, swarm in self._swarm_of.items() if swarm == unit]
        team = game.arrays(Units).team[row_of_id(game, unit)]
        return np.flatnonzero(game.arrays(Players).team == team).tolist()


def _readable(game: "BoidVoid", event: Mapping[str, Any]) -> dict[str, Any]:
    words = dict(event)
    for name in _PIECES:
        if name in event:
            words[name] = unit_label(game, event[name])
    in_hundredths = _HUNDREDTHS if event["event"] != "wound" else (*_HUNDREDTHS, "health")
    for name in in_hundredths:
        if name in event:
            words[name] = f"{event[name] / HUNDREDTHS:g}"
    return words


def unit_label(game: "BoidVoid", unit: int) -> str:
    """A unit's name for readers."""
    if unit < 0:
        return "no unit"
    if unit < FIRST_ID[MOTHERSHIP]:
        return f"{game.players[unit]}'s ship"
    if unit < FIRST_ID[SUPERSTRUCTURE]:
        return f"the mothership of team {unit - FIRST_ID[MOTHERSHIP]}"
    kind = "superstructure" if unit < FIRST_ID[NPC] else "NPC" if unit < FIRST_ID[SWARM] else "swarm"
    return f"{kind} {unit}"
