"""Each team's log: its own events as the public server put them (ruling 18), folded from the reports of turns."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.report import decode_event
from marchland.core.state import NO_PLAYER
from marchland.games.datspulse.rules.events import EVENTS, FIRED, HURT, PLACES, RAIDED
from marchland.games.datspulse.rules.state import KINDS
from marchland.games.datspulse.wire import uuid_of

if TYPE_CHECKING:
    from marchland.core.report import Report
    from marchland.games.datspulse.game import Datspulse

Event = Mapping[str, Any]
Name = Callable[[int], str]

_TEAM: Final = np.array([places.get("team", 0) for places in PLACES])
"""Where the rows of each event name the team; 0 for no team."""


class Line(msgspec.Struct, frozen=True):
    """A line of ``/api/logs``."""

    message: str
    time: str


class Chapter(NamedTuple):
    """A team's events of one turn, as rows."""

    turn: int
    time: str
    rows: npt.NDArray[Any]


class Log:
    """The last lines of every team, oldest first. Events are stored as rows and formatted when read."""

    def __init__(self, game: "Datspulse") -> None:
        self._most = game.config.log_lines
        self._chapters: list[deque[Chapter]] = [deque() for _ in game.players]
        self._lengths = [0 for _ in game.players]

    def note(self, report: "Report", time: str) -> None:
        """Add what happened in a turn, which was carried out at that time."""
        owners, rows = by_team(report.event_rows)
        ends = np.searchsorted(owners, np.arange(len(self._chapters) + 1))
        for team, (start, end) in enumerate(pairwise(ends.tolist())):
            if start < end:
                chapters = self._chapters[team]
                chapters.append(Chapter(report.turn, time, rows[start:end].copy()))
                self._lengths[team] += end - start
                while self._lengths[team] - len(chapters[0].rows) >= self._most:
                    self._lengths[team] -= len(chapters.popleft().rows)

    def lines(self, game: "Datspulse", team: int) -> list[Line]:
        """The lines of one team. N is the turn before the transition."""
        events = [(turn, time, row) for turn, time, rows in self._chapters[team] for row in rows.tolist()]
        return [Line(f"turn {turn}: {sentence(game, team, row)}", time) for turn, time, row in events[-self._most :]]


def lines(game: "Datspulse", report: "Report", team: int) -> Iterator[str]:
    """What the log says to a team about one turn."""
    log = Log(game)
    log.note(report, "")
    return (line.message for line in log.lines(game, team))


def by_team(rows: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The teams that learn of an event, ascending, and the events, as they happened. A raid's victim learns of it too.

    Of a deadly blow or fire the log has the death alone (ruling 36).
    """
    every = np.arange(len(rows))
    kind = rows[:, 0]
    deadly = ((kind == FIRED) & (rows[:, PLACES[FIRED]["health"]] == 0)) | (
        (kind == HURT) & (rows[:, PLACES[HURT]["health"]] == 0)
    )
    owner = np.where((_TEAM[kind] > 0) & ~deadly, rows[every, _TEAM[kind]], NO_PLAYER)
    raids = np.flatnonzero(kind == RAIDED)
    shown = np.concatenate((every[owner != NO_PLAYER], raids))
    owner = np.concatenate((owner[owner != NO_PLAYER], rows[raids, PLACES[RAIDED]["from"]]))
    order = np.lexsort((shown, owner))
    return owner[order], rows[shown[order]]


def sentence(game: "Datspulse", team: int, row: list[int]) -> str:
    """An event in the words of the team's log."""
    event = decode_event(EVENTS[row[0]], row[1:], game.board.dialect)
    if row[0] == RAIDED and event["from"] == team:
        return f"nest robbed of {event['amount']} Nectar at {_hex(event['at'])}"
    return _OWN[event["event"]](event, lambda ant: uuid_of(game, ant))


def _hex(at: list[int]) -> str:
    return f"{{{at[0]} {at[1]}}}"


def _moved(event: Event, name: Name) -> str:
    dirt = f" (dirt on path: {event['dirt']})" if event["dirt"] else ""
    return f"ant {name(event['ant'])} moved from {_hex(event['from'])} to {_hex(event['to'])}{dirt}"


def _blocked(event: Event, name: Name) -> str:
    text = f"ant {name(event['ant'])} cannot move to {_hex(event['at'])}"
    if event["by"] == "rock":
        return f"{text} Rock tile"
    if event["by"] == "own ant":
        return f"{text}, your own ant {name(event['other'])} with same type is there"
    if event["by"] == "enemy ant":
        return f"{text}, enemy ant {name(event['other'])} is there"
    if event["by"] == "foreign nest":
        return f"{text}, foreign anthill is there"
    return f"{text}, out of movement points"


def _killed(event: Event, name: Name) -> str:
    return f"ant {name(event['ant'])} killed{' by acid' if event['by'] == 'acid' else ''}"


def _food(verb: str) -> Callable[[Event, Name], str]:
    return lambda event, name: (
        f"ant {name(event['ant'])} {verb} {event['amount']} {event['food'].capitalize()} at {_hex(event['at'])}"
    )


def _not_spawned(event: Event, name: Name) -> str:
    kind = KINDS[event["kind"]].capitalize()
    if event["why"] == "limit":
        return f"new ant {kind} not spawned, limit of ants reached"
    return f"new ant {kind} not spawned, your own ant with same type is at {_hex(event['at'])}"


_OWN: dict[str, Callable[[Event, Name], str]] = {
    "fired": lambda event, name: f"ant {name(event['ant'])} damaged by anthill, health now {event['health']}",
    "attacked": lambda event, name: (
        f"ant {name(event['ant'])} attacked enemy ant {name(event['target'])} at {_hex(event['at'])}, "
        f"damage {event['damage']}"
    ),
    "hurt": lambda event, name: (
        f"ant {name(event['ant'])} damaged by enemy ant {name(event['by'])}, health now {event['health']}"
    ),
    "killed": _killed,
    "dropped": _food("dropped"),
    "lost": _food("lost"),
    "burnt": lambda event, name: f"ant {name(event['ant'])} damaged by acid, health now {event['health']}",
    "blocked": _blocked,
    "moved": _moved,
    "raided": lambda event, name: f"ant {name(event['ant'])} raided {event['amount']} Nectar at {_hex(event['at'])}",
    "collected": _food("collected"),
    "delivered": lambda event, name: (
        f"ant {name(event['ant'])} stocked up {event['amount']} {event['food'].capitalize()} ({event['calories']} cal)"
    ),
    "spawned": lambda event, name: f"new ant spawned {KINDS[event['kind']].capitalize()}",
    "not_spawned": _not_spawned,
}
