"""A DatsPulse match in readable form. What a hand-written position leaves out has its usual value:

{"game": "datspulse", "teams": [{"name": "A", "spot": [-3, 0]}, {"name": "B", "spot": [3, 0]}],
 "map": ["....", ".....", ...], "ants": [{"team": 0, "type": "worker", "at": [-1, 0]}],
 "food": [{"at": [0, 2], "type": "apple", "amount": 4}]}

The map has a line for each row of the hexagon: `.` empty, `:` dirt, `~` acid, `#` rock, `n` a nest; spaces mean
nothing, and where nests are, the teams' spots say.
"""

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import msgspec
import numpy as np

from marchland.board import Board
from marchland.core.state import OVER
from marchland.errors import PositionError
from marchland.games.datspulse.maps.mapfile import LARGEST, At, PileText, hex_at, rows_of, world_of
from marchland.games.datspulse.rules.config import DatspulseConfig
from marchland.games.datspulse.rules.state import (
    DESTROYED,
    FOODS,
    ID_KEY0,
    ID_KEY1,
    ID_TEAMS,
    KINDS,
    MOST_SERIAL,
    MOST_STEPS,
    NECTAR,
    NEIGHBOURS,
    NEST_HEXES,
    PILES,
    ROCK,
    Ants,
    Cells,
    Nests,
    Teams,
)
from marchland.games.datspulse.views import Ant, ants_of_team, way_planned, way_walked

if TYPE_CHECKING:
    from marchland.games.datspulse.game import Datspulse

Match = TypeVar("Match", bound="Datspulse")
Whole = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class TeamText(msgspec.Struct, forbid_unknown_fields=True):
    """One team; its nest is the spot and the two hexes above, and ``nectar`` what each of the three stores.

    ``serial`` is of its last ant that hatched; without it, beyond every id that is listed.
    """

    name: str
    spot: At
    nectar: tuple[Whole, Whole, Whole] = (0, 0, 0)
    remainder: Whole = 0
    delivered: Whole = 0
    lost: Whole = 0
    walked: Whole = 0
    serial: int | None = None


class AntText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One ant; without an id it gets the next one, without health its full one."""

    team: int
    type: str
    at: At
    id: int = 0
    health: int | None = None
    food: str = FOODS[0]
    amount: int = 0
    last_move: list[At] = []
    move: list[At] = []
    last_attack: At | None = None
    last_enemy: Whole = 0


class PositionText(msgspec.Struct, forbid_unknown_fields=True):
    """The whole match."""

    teams: list[TeamText]
    map: list[str]
    ants: list[AntText] = []
    food: list[PileText] = []
    destroyed: Whole = 0
    ids: str = "0"
    over: Literal[0, 1] = 0


def write(game: "Datspulse") -> dict[str, Any]:
    """The match's own part of its position."""
    cells: Cells = game.arrays(Cells)
    at, head = game.board.at, game.head
    teams = [_team(game, seat) for seat in range(len(game.players))]
    ants = [_ant(game, team, ant) for team in range(len(game.players)) for ant in sorted(ants_of_team(game, team))]
    piles = np.flatnonzero(cells.amount).tolist()
    ids = (int(head[ID_KEY0]) & (2**64 - 1)) | (int(head[ID_KEY1]) & (2**64 - 1)) << 64
    text = PositionText(
        teams=teams,
        map=rows_of(game.board, cells.terrain),
        ants=ants,
        food=[PileText(at(cell), FOODS[cells.food[cell]], int(cells.amount[cell])) for cell in piles],
        destroyed=int(head[DESTROYED]),
        ids=f"{ids:032x}",
        over=1 if head[OVER] else 0,
    )
    return msgspec.json.decode(msgspec.json.encode(text))  # type: ignore[no-any-return]


def _team(game: "Datspulse", seat: int) -> TeamText:
    teams: Teams = game.arrays(Teams)
    first, *others = game.arrays(Nests).nectar[NEST_HEXES * seat : NEST_HEXES * (seat + 1)].tolist()
    return TeamText(
        game.players[seat],
        game.board.at(game.home(seat)[0]),
        (first, *others),
        int(teams.remainder[seat]),
        int(teams.delivered[seat]),
        int(teams.lost[seat]),
        int(teams.walked[seat]),
        int(teams.serial[seat]),
    )


def _ant(game: "Datspulse", team: int, ant: Ant) -> AntText:
    at = game.board.at
    return AntText(
        team=team,
        type=KINDS[ant.kind],
        at=at(ant.cell),
        id=ant.id,
        health=ant.health,
        food=FOODS[ant.food],
        amount=ant.amount,
        last_move=[at(cell) for cell in way_walked(game.board, ant)],
        move=[at(cell) for cell in way_planned(game.board, ant)],
        last_attack=at(ant.enemy_cell) if ant.enemy else None,
        last_enemy=ant.enemy,
    )


def read(kind: type[Match], config: DatspulseConfig, position: dict[str, Any]) -> Match:
    """The match that ``position`` describes."""
    try:
        text = msgspec.convert(position, PositionText)
        ids = int(text.ids, 16).to_bytes(16, "little")
    except (msgspec.ValidationError, ValueError, OverflowError) as problem:
        raise PositionError(f"The position cannot be read: {problem}.".replace("$.", "")) from None
    world = world_of(text.map, [team.spot for team in text.teams], text.food)
    game = kind.on(world, config, kind.seat_names([team.name for team in text.teams]))
    fill_teams(game, text.teams)
    game.head[ID_KEY0], game.head[ID_KEY1] = np.frombuffer(ids, "<i8")
    for number, ant in enumerate(text.ants):
        settle(game, ant, ant.id or number + 1)
    game.order_ants()
    count(game)
    number_on(game, text.teams)
    game.head[DESTROYED], game.head[OVER] = text.destroyed, text.over
    return game


def fill_teams(game: "Datspulse", listed: list[TeamText]) -> None:
    """What each team has stored and achieved."""
    teams: Teams = game.arrays(Teams)
    nests: Nests = game.arrays(Nests)
    for seat, team in enumerate(listed):
        if team.remainder >= game.config.calories[NECTAR - 1]:
            raise PositionError(f"{team.name}'s remainder is a nectar's worth or more.")
        nests.nectar[NEST_HEXES * seat : NEST_HEXES * (seat + 1)] = team.nectar
        teams.remainder[seat], teams.delivered[seat] = team.remainder, team.delivered
        teams.lost[seat], teams.walked[seat] = team.lost, team.walked


def number_on(game: "Datspulse", listed: list[TeamText]) -> None:
    """Whence each team's ids go on, so that none comes twice."""
    teams: Teams = game.arrays(Teams)
    ids = game.arrays(Ants).id
    taken = ids[ids > 0]
    if len(np.unique(taken)) < len(taken):
        raise PositionError("Two ants have the same id.")
    for seat, team in enumerate(listed):
        own = ids[seat * game.slots : (seat + 1) * game.slots] if team.serial is not None else ids
        least = int(own.max()) // ID_TEAMS
        if not least <= (least if team.serial is None else team.serial) <= MOST_SERIAL:
            raise PositionError(f"{team.name}'s serial must be {least} at least, and {MOST_SERIAL} at most.")
        teams.serial[seat] = least if team.serial is None else team.serial


def settle(game: "Datspulse", ant: AntText, number: int) -> None:
    """Put one ant on the board."""
    if not 0 <= ant.team < len(game.players):
        raise PositionError(f"An ant's team is {ant.team}, but the teams are 0 to {len(game.players) - 1}.")
    if ant.type not in KINDS or ant.food not in FOODS:
        raise PositionError(
            f"An ant is {', '.join(KINDS)} and carries {', '.join(FOODS)}, not {ant.type} and {ant.food}."
        )
    teams: Teams = game.arrays(Teams)
    ants: Ants = game.arrays(Ants)
    kind, cell = KINDS.index(ant.type), hex_at(game.board, ant.at)
    health = game.config.health[kind] if ant.health is None else ant.health
    row = ant.team * game.slots + int(teams.ants[ant.team])
    if row >= (ant.team + 1) * game.slots or (health > 0 and teams.living[ant.team] >= game.config.ant_limit):
        raise PositionError(f"Team {ant.team} has more than {game.config.ant_limit} ants.")
    capacity = game.config.capacity[kind] if health > 0 else 0  # the dead have dropped all (ruling 14)
    if not 0 <= health <= LARGEST or not 0 <= ant.amount <= capacity or (ant.amount > 0) != (ant.food != FOODS[0]):
        raise PositionError(f"The health or the cargo of the ant at {list(ant.at)} is out of range.")
    if not 0 < number < ID_TEAMS * MOST_SERIAL:
        raise PositionError(f"An ant's id is {number}, but ids are 1 to {ID_TEAMS * MOST_SERIAL - 1}.")
    teams.ants[ant.team] += 1
    teams.living[ant.team] += health > 0
    ants.id[row], ants.cell[row], ants.kind[row], ants.health[row] = number, cell, kind, health
    ants.team[row] = ant.team
    ants.food[row], ants.amount[row] = FOODS.index(ant.food), ant.amount
    ants.planned[row] = _way(game.board, [cell, *(hex_at(game.board, at) for at in ant.move)])
    walked = [hex_at(game.board, at) for at in ant.last_move]
    if walked and walked[-1] != cell:
        raise PositionError(f"The last_move of the ant at {list(ant.at)} must end there.")
    ants.walked[row] = _way_back(game.board, walked)
    if ant.last_enemy:
        ants.enemy[row], ants.enemy_cell[row] = ant.last_enemy, hex_at(game.board, ant.last_attack or ant.at)


def count(game: "Datspulse") -> None:
    """Check who stands where, and count the piles."""
    cells: Cells = game.arrays(Cells)
    ants: Ants = game.arrays(Ants)
    standing: dict[int, tuple[int, set[int]]] = {}
    for row in np.flatnonzero(ants.health > 0).tolist():
        team, kinds = standing.setdefault(int(ants.cell[row]), (int(ants.team[row]), set()))
        rock = cells.terrain[ants.cell[row]] == ROCK
        if (
            rock
            or team != ants.team[row]
            or int(ants.kind[row]) in kinds
            or cells.nest[ants.cell[row]] not in (-1, team)
        ):
            raise PositionError(f"The ants at {list(game.board.at(int(ants.cell[row])))} cannot stand there.")
        kinds.add(int(ants.kind[row]))
    game.head[PILES] = np.count_nonzero(cells.amount)
    game.muster()


def _directions(board: Board, cells: list[int]) -> list[int]:
    beside = np.asarray(board.tables.neighbours).reshape(-1, NEIGHBOURS)
    try:
        ways = [beside[here].tolist().index(there) for here, there in pairwise(cells)]
    except ValueError:
        raise PositionError("The hexes of a way must lie next to each other.") from None
    if len(ways) > MOST_STEPS:
        raise PositionError(f"A way has at most {MOST_STEPS} steps.")
    return ways


def _way(board: Board, cells: list[int]) -> int:
    ways = _directions(board, cells)
    return sum(way << 3 * step for step, way in enumerate(ways)) + (1 << 3 * len(ways)) if ways else 0


def _way_back(board: Board, cells: list[int]) -> int:
    way = 1 if cells else 0
    for direction in _directions(board, cells):
        way = way * 8 + direction
    return way
