"""When the runs of a round start, and how many players they take."""

from marchland.messages import RoundCreate
from marchland.registry import find
from marchland.server.rounds.queries import RoundRun


def next_run(request: RoundCreate, run: RoundRun, ended: float, now: float) -> RoundRun | None:
    """The run after a finished one: after the pause, or by the schedule if at least half of its lobby is left.

    After an empty lobby the next one opens at once.
    """
    number = run.number + 1
    if request.runs and number >= request.runs:
        return None
    if request.every is None:
        pause = 0.0 if run.state == "empty" else request.pause
        starts = max(ended + pause, now) + request.lobby
    else:
        starts = request.starts + number * request.every
        while starts - now < request.lobby / 2:
            starts += request.every  # missed runs are not made up for in a burst
    return RoundRun(run.round, number, starts, "lobby", None)


def free_places(request: RoundCreate, entrants: int) -> int:
    """How many more players can register."""
    bots = sum(seat.kind == "builtin" for seat in request.template.seats)
    return find(request.template.game).most_players - bots - entrants
