"""The log of a match, per turn and per player (ruling 27): sentences, folded from the reports of steps and actions."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from marchland.core.words import render
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
from marchland.games.boidvoid.rules.events import EVENTS
from marchland.games.boidvoid.rules.state import Players, Units
from marchland.messages import LogLine

if TYPE_CHECKING:
    from marchland.core.report import Report
    from marchland.games.boidvoid.game import BoidVoid

_KINDS: Final = {kind.name: kind for kind in EVENTS}
_SILENT: Final = ("told",)
"""The host's orders are no news for players."""


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
        if kind in _SILENT:
            return None
        pieces = [event[name] for name, type_ in _KINDS[kind].args.items() if type_ == "piece"]
        about = {seat for piece in pieces if piece is not None for seat in self._seats_of(game, piece)}
        if event.get("player") is not None:
            about.add(event["player"])
        if kind == "attacked":
            self._fighting = about
        elif _KINDS[kind].battle:
            about |= self._fighting  # both sides see each figure
        if kind in ("swarm_left", "destroyed"):
            self._swarm_of.pop(event["unit"], None)
        return LogLine(turn, _sentence(game, kind, event), tuple(sorted(about)))

    def _seats_of(self, game: "BoidVoid", unit: int) -> list[int]:
        """A ship's player, a swarm's players, the whole team of a mothership or superstructure."""
        if FIRST_ID[NPC] <= unit < FIRST_ID[SWARM]:
            return []
        if unit < FIRST_ID[MOTHERSHIP]:
            return [unit]
        if unit >= FIRST_ID[SWARM]:
            return [player for player, swarm in self._swarm_of.items() if swarm == unit]
        team = game.arrays(Units).team[row_of_id(game, unit)]
        return np.flatnonzero(game.arrays(Players).team == team).tolist()


def _sentence(game: "BoidVoid", kind: str, event: Mapping[str, Any]) -> str:
    words, values = game.words_in(), dict(event)
    for name, type_ in _KINDS[kind].args.items():
        if event[name] is None:
            continue
        if type_ == "piece":
            values[name] = unit_label(game, event[name])
        elif type_ == "hundredths":
            values[name] = f"{event[name] / HUNDREDTHS:g}"
        elif type_ == "team":
            values[name] = render(words.phrases["team"], {"number": event[name] + 1})
        elif type_ == "choice":
            values[name] = words.choices[event[name]]
    return render(words.events[kind].one, values)


def unit_label(game: "BoidVoid", unit: int) -> str:
    """A unit's name for readers."""
    if unit < FIRST_ID[MOTHERSHIP]:
        return f"{game.players[unit]}'s ship"
    if unit < FIRST_ID[SUPERSTRUCTURE]:
        phrases = game.words_in().phrases
        team = render(phrases["team"], {"number": unit - FIRST_ID[MOTHERSHIP] + 1})
        return render(phrases["team_piece"], {"kind": "mothership", "team": team})
    kind = "superstructure" if unit < FIRST_ID[NPC] else "NPC" if unit < FIRST_ID[SWARM] else "swarm"
    return f"{kind} {unit}"
