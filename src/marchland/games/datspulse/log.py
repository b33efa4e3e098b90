"""A team's log: its own events as the public server put them (ruling 18), folded from the reports of turns."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from marchland.games.datspulse.state import KINDS
from marchland.games.datspulse.wire import uuid_of

if TYPE_CHECKING:
    from marchland.core.report import Report
    from marchland.games.datspulse.game import Datspulse

Event = Mapping[str, Any]
Name = Callable[[int], str]


class Log:
    """The last lines of one team, oldest first."""

    def __init__(self, game: "Datspulse", team: int) -> None:
        self.team = team
        self.lines: deque[str] = deque(maxlen=game.config.log_lines)

    def note(self, game: "Datspulse", report: "Report") -> None:
        """Add what happened to the team in a turn."""
        self.lines.extend(lines(game, report, self.team))


def lines(game: "Datspulse", report: "Report", team: int) -> Iterator[str]:
    """The lines of one turn. N is the turn before the transition."""

    def name(ant: int) -> str:
        return uuid_of(game, ant)

    for event in report.events:
        if event.get("team") == team:
            text = _OWN[event["event"]](event, name) if event["event"] in _OWN else ""
            if text:
                yield f"turn {report.turn}: {text}"
        if event["event"] == "raided" and event["from"] == team:
            yield f"turn {report.turn}: nest robbed of {event['amount']} Nectar at {_hex(event['at'])}"


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
    "fired": lambda event, name: (
        f"ant {name(event['ant'])} damaged by anthill, health now {event['health']}" if event["health"] else ""
    ),
    "attacked": lambda event, name: (
        f"ant {name(event['ant'])} attacked enemy ant {name(event['target'])} at {_hex(event['at'])}, "
        f"damage {event['damage']}"
    ),
    "hurt": lambda event, name: (
        f"ant {name(event['ant'])} damaged by enemy ant {name(event['by'])}, health now {event['health']}"
        if event["health"]
        else ""
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
