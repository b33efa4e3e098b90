"""Each team's log: its own events as the public server put them (ruling 18), folded from the reports of turns."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from marchland.core.report import decode_event
from marchland.games.datspulse.rules.events import (
    ATTACKED,
    BLOCKED,
    BY_ACID,
    BY_ANT,
    BY_EXHAUSTION,
    DROPPED,
    FIRED,
    HURT,
    KILLED,
    LOST,
    NOT_SPAWNED,
    PLACES,
    RAIDED,
)
from marchland.games.datspulse.rules.state import ID_TEAMS, KINDS
from marchland.games.datspulse.views import ants_of_team
from marchland.games.datspulse.wire import uuid_of

if TYPE_CHECKING:
    from marchland.core.report import Report
    from marchland.games.datspulse.game import Datspulse

Rows = npt.NDArray[Any]
Event = Mapping[str, Any]
Name = Callable[[int], str]

_TEAM: Final = np.array([places.get("team", 0) for places in PLACES])
"""Where the rows of each event name the team; 0 for no team."""
_UNRECORDED: Final = (FIRED, HURT, DROPPED, LOST, NOT_SPAWNED)
"""What befalls a team's own ants without a line in any recorded log (ruling 18)."""


class Line(msgspec.Struct, frozen=True):
    """A line of ``/api/logs``."""

    message: str
    time: str


class Chapter(NamedTuple):
    """A team's events of one turn, as rows."""

    turn: int
    time: str
    rows: Rows


class Log:
    """The last lines of every team, oldest first. Events are stored as rows and formatted when read.

    It is made from the first state of a match, before any turn is noted: the lines of turn 0 come from there.
    """

    def __init__(self, game: "Datspulse", time: str = "") -> None:
        self._most = game.config.log_lines
        self._complete = game.config.rules != "upstream"
        self._first = [opening_lines(game, team, time) for team in range(len(game.players))]
        self._chapters: list[deque[Chapter]] = [deque() for _ in game.players]
        self._lengths = [0 for _ in game.players]
        self._killed: Rows | None = None
        """The deaths of the last turn, which the next one reports."""

    def note(self, report: "Report", time: str) -> None:
        """Add what happened in a turn, which was carried out at that time."""
        rows, killed = report.event_rows, self._killed
        self._killed = rows[rows[:, 0] == KILLED]
        owners, rows = by_team(rows, complete=self._complete)
        if killed is not None and len(killed):
            owners, rows = prepend_deaths(killed, owners, rows)
        ends = np.searchsorted(owners, np.arange(len(self._chapters) + 1))
        for team, (start, end) in enumerate(pairwise(ends.tolist())):
            if start < end:
                chapters = self._chapters[team]
                chapters.append(Chapter(report.turn + 1, time, rows[start:end].copy()))
                self._lengths[team] += end - start
                while self._lengths[team] - len(chapters[0].rows) >= self._most:
                    self._lengths[team] -= len(chapters.popleft().rows)

    def lines(self, game: "Datspulse", team: int) -> list[Line]:
        """The lines of one team. N is the turn after the transition (ruling 18)."""
        events = [(turn, time, row) for turn, time, rows in self._chapters[team] for row in rows.tolist()]
        logged = [Line(f"turn {turn}: {sentence(game, team, row)}", time) for turn, time, row in events[-self._most :]]
        return (self._first[team] + logged)[-self._most :]


def lines(game: "Datspulse", report: "Report", team: int) -> Iterator[str]:
    """What the log says to a team about one turn, without the deaths of the turn before."""
    log = Log(game)
    log.note(report, "")
    return (line.message for line in log.lines(game, team))


def opening_lines(game: "Datspulse", team: int, time: str) -> list[Line]:
    """The lines of turn 0 and of the first roll, if the match is at its beginning."""
    born = {ant.id // ID_TEAMS: KINDS[ant.kind].capitalize() for ant in ants_of_team(game, team)}  # by serial
    if game.turn != 1 or 1 not in born:
        return []
    spot = _hex(list(game.board.at(game.home(team)[0])))
    logged = [f"turn 0: new ant spawned {born[1]}", f"turn 0: spawn point at {spot}"]
    logged += [f"turn 1: new ant spawned {born[2]}"] if 2 in born else []
    return [Line(line, time) for line in logged]


def by_team(rows: Rows, *, complete: bool) -> tuple[Rows, Rows]:
    """The teams that learn of an event, ascending, and the events, as they happened.

    A raid's victim learns of it, and the owner of a nest that fires. A deadly blow is one line of the attacker's log:
    the row after the blow, which says what it did (ruling 18).
    """
    every = np.arange(len(rows))
    kind = rows[:, 0]
    harmed = (kind == FIRED) | (kind == HURT)
    deadly = harmed & (rows[:, PLACES[HURT]["health"]] == 0)
    kills = np.flatnonzero(deadly & (kind == HURT))
    logged = (_TEAM[kind] > 0) & ~deadly & ((kind != KILLED) | (rows[:, PLACES[KILLED]["by"]] == BY_ACID))
    logged[kills - 1] = False
    if not complete:
        spent = (kind == BLOCKED) & (rows[:, PLACES[BLOCKED]["by"]] == BY_EXHAUSTION)
        logged &= ~(np.isin(kind, _UNRECORDED) | spent)
    fires, raids = np.flatnonzero(kind == FIRED), np.flatnonzero(kind == RAIDED)
    shown = np.concatenate((every[logged], fires, raids, kills))
    owners = (
        rows[every, _TEAM[kind]][logged],
        rows[fires, PLACES[FIRED]["by"]],
        rows[raids, PLACES[RAIDED]["from"]],
        rows[kills - 1, PLACES[ATTACKED]["team"]],
    )
    owner = np.concatenate(owners)
    order = np.lexsort((shown, owner))
    return owner[order], rows[shown[order]]


def prepend_deaths(killed: Rows, owners: Rows, rows: Rows) -> tuple[Rows, Rows]:
    """The events of a turn with the deaths of the turn before, first of all: ``killed``, whatever killed them."""
    late = killed.copy()
    late[:, PLACES[KILLED]["by"]] = BY_ANT
    owner = np.concatenate((killed[:, PLACES[KILLED]["team"]], owners))
    order = np.argsort(owner, kind="stable")
    return owner[order], np.concatenate((late, rows))[order]


def sentence(game: "Datspulse", team: int, row: list[int]) -> str:
    """An event in the words of the team's log."""
    event = decode_event(type(game), row, game.board.dialect)
    if row[0] == RAIDED and event["from"] == team:
        return f"nest robbed of {event['amount']} Nectar at {_hex(event['at'])}"
    if row[0] == FIRED and event["by"] == team:
        return f"spot damaged enemy ant {uuid_of(game, event['ant'])} for {game.config.nest_damage}"
    if row[0] == ATTACKED:
        return _attacked(game, event)
    return _OWN[event["event"]](event, lambda ant: uuid_of(game, ant))


def _attacked(game: "Datspulse", event: Event) -> str:
    """A blow with its exact damage, which counts rounded down, and its bonuses if it has any."""
    names = f"ant {uuid_of(game, event['ant'])} attacked enemy ant {uuid_of(game, event['target'])}"
    spot = game.config.nest_percent if "spot" in event["bonus"] else 0
    ally = game.config.support_percent if "ally" in event["bonus"] else 0
    percent = 100 + spot + ally
    base = -(-100 * event["damage"] // percent)  # no other whole number gives this damage
    bonus = f"(spot bonus {spot / 100:.2f}, ally bonus {ally / 100:.2f})" if spot or ally else ""
    return f"{names} for {base * percent / 100:.2f} damage{bonus}"


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
    kind = event["kind"].capitalize()
    if event["why"] == "limit":
        return f"new ant {kind} not spawned, limit of ants reached"
    return f"new ant {kind} not spawned, your own ant with same type is at {_hex(event['at'])}"


_OWN: dict[str, Callable[[Event, Name], str]] = {
    "fired": lambda event, name: f"ant {name(event['ant'])} damaged by anthill, health now {event['health']}",
    "hurt": lambda event, name: (
        f"ant {name(event['ant'])} damaged by enemy ant {name(event['by'])}, health now {event['health']}"
        if event["health"]
        else f"ant {name(event['by'])} killed enemy ant {name(event['ant'])}"
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
    "spawned": lambda event, name: f"new ant spawned {event['kind'].capitalize()}",
    "not_spawned": _not_spawned,
}
