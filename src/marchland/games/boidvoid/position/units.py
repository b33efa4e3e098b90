"""Players and units in a readable position, both ways."""

from typing import TYPE_CHECKING, Literal

import msgspec

from marchland.core.orders import NO_CELL
from marchland.errors import PositionError
from marchland.games.boidvoid.maps import setup
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    FIRST_ID,
    GONE,
    HEALTH,
    HUNDREDTHS,
    IN_SWARM,
    ITEMS,
    KINDS,
    MOST_LETTERS,
    MOST_PERIODS,
    MOST_PLAYERS,
    NO_ITEM,
    NO_TEAM,
    NO_UNIT,
    ROLES,
    SHIP,
    SHIPS_AT,
    STAT_NAMES,
    STATS,
    STATUSES,
    STRUCTURES_AT,
    SUPERSTRUCTURE,
    SWARM,
    SWARMS_AT,
    TASKS,
    TEAMS,
    UNITS,
)
from marchland.games.boidvoid.rules.state import Cells, Items, Letters, Periods, Players, Sheets, Teams, Units

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid

SCORES = ("tiles", "points", "structures", "defeated", "attack", "defense")


class PlayerText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One player; team and role are dealt in turn where they are left out."""

    name: str
    team: int | None = None
    role: Literal["trooper", "vice", "leader"] | None = None
    stake: int | None = None
    automode: bool = False
    periods: list[str] = []
    avatar: int | None = None
    scores: dict[str, int] = {}


class UnitText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One unit. Health and battery in hundredths, full where they are left out."""

    id: int
    at: tuple[int, int] | None = None
    swarm: int | None = None
    team: int | None = None
    health: int | None = None
    battery: int | None = None
    ratio: int | None = None
    action_points: int = 0
    acted: int = 0
    task: Literal["capture", "build", "join_swarm"] | None = None
    wait: int = 0
    aim: int | None = None
    nft: int | None = None
    name: str = ""
    stats: dict[str, int] | None = None
    kind: str = ""  # these two are for the reader only
    status: str = ""


def clock(minute: int) -> str:
    """A minute of the day as people write it."""
    return f"{minute // 60:02}:{minute % 60:02}"


def minutes(text: str) -> int:
    hour, _, minute = text.partition(":")
    return int(hour) * 60 + int(minute)


def periods_of(game: "BoidVoid", player: int) -> list[str]:
    """A player's automode periods, like 22:00-06:00."""
    flat = game.arrays(Periods).minute[2 * MOST_PERIODS * player : 2 * MOST_PERIODS * (player + 1)].tolist()
    pairs = zip(flat[::2], flat[1::2], strict=True)
    return [f"{clock(begin)}-{clock(end)}" for begin, end in pairs if begin >= 0]


def swarm_name(game: "BoidVoid", swarm: int) -> str:
    """The name of the swarm of that row."""
    first = (swarm - int(game.head[SWARMS_AT])) * MOST_LETTERS
    letters: bytes = game.arrays(Letters).byte[first : first + MOST_LETTERS].tobytes()
    return letters.rstrip(b"\0").decode("utf-8", "replace")


def player_texts(game: "BoidVoid") -> list[PlayerText]:
    """Every player."""
    players: Players = game.arrays(Players)
    ids = game.arrays(Items).id
    return [
        PlayerText(
            name,
            int(players.team[seat]),
            ROLES[players.role[seat]],
            int(players.stake[seat]),
            bool(players.automode[seat]),
            periods_of(game, seat),
            None if players.avatar[seat] == NO_ITEM else int(ids[players.avatar[seat]]),
            {score: int(getattr(players, score)[seat]) for score in SCORES if getattr(players, score)[seat]},
        )
        for seat, name in enumerate(game.players)
    ]


def fill_players(game: "BoidVoid", texts: list[PlayerText]) -> None:
    players: Players = game.arrays(Players)
    for seat, text in enumerate(texts):
        if text.team is not None:
            if not 0 <= text.team < game.config.teams:
                raise PositionError(f"{text.name}'s team is {text.team}, but there are {game.config.teams} teams.")
            players.team[seat] = game.arrays(Units).team[game.ship_of(seat)] = text.team
        if text.role is not None:
            players.role[seat] = ROLES.index(text.role)
        if text.stake is not None:
            players.stake[seat] = text.stake
        players.automode[seat] = text.automode
        flat = [minutes(time) for period in text.periods for time in period.split("-")]
        game.arrays(Periods).minute[2 * MOST_PERIODS * seat :][: len(flat)] = flat
        for score, value in text.scores.items():
            getattr(players, score)[seat] = value
        setup.fill_battery(game, seat)


def unit_texts(game: "BoidVoid") -> list[UnitText]:
    """Every unit that is or was; places that no unit ever had are left out."""
    units: Units = game.arrays(Units)
    sheets = game.arrays(Sheets).stat
    ids = game.arrays(Items).id
    found = []
    for row in range(int(game.head[UNITS])):
        kind, status = int(units.kind[row]), int(units.status[row])
        if status == GONE and kind in (SWARM, SUPERSTRUCTURE) and units.team[row] == NO_TEAM:
            continue
        stats = dict(zip(STAT_NAMES, sheets[row * STATS : (row + 1) * STATS].tolist(), strict=True))
        found.append(
            UnitText(
                id=int(units.id[row]),
                at=tuple(game.board.coords[units.cell[row]].tolist()) if units.cell[row] != NO_CELL else None,
                swarm=int(units.id[units.swarm[row]]) if status == IN_SWARM else None,
                team=None if units.team[row] == NO_TEAM else int(units.team[row]),
                health=int(units.health[row]),
                battery=int(units.battery[row]),
                ratio=int(units.ratio[row]),
                action_points=int(units.points[row]),
                acted=int(units.acted[row]),
                task=TASKS[units.task[row]],
                wait=int(units.wait[row]),
                aim=int(units.aim[row]),
                nft=None if units.item[row] == NO_ITEM else int(ids[units.item[row]]),
                name=swarm_name(game, row) if kind == SWARM else "",
                stats={name: value for name, value in stats.items() if value},
                kind=KINDS[kind],
                status=STATUSES[status],
            )
        )
    return found


def row_of_id(game: "BoidVoid", name: int) -> int:
    """The row for the unit of that id, which may not be there yet."""
    head = game.head
    starts = {2: (0, TEAMS), 4: (int(head[TEAMS]), SHIPS_AT), 0: (int(head[SHIPS_AT]), SWARMS_AT)}
    kind = max((kind for kind in range(len(KINDS)) if FIRST_ID[kind] <= name), key=lambda kind: FIRST_ID[kind])
    if kind == SWARM:
        row, end = int(head[SWARMS_AT]) + (name - FIRST_ID[SWARM]) % MOST_PLAYERS, int(head[STRUCTURES_AT])
    elif kind == SUPERSTRUCTURE:
        row, end = int(head[STRUCTURES_AT]) + name - FIRST_ID[kind], int(head[UNITS])
    else:
        row, end = starts[kind][0] + name - FIRST_ID[kind], int(head[starts[kind][1]])
    if row >= end:
        raise PositionError(f"There is no place for a unit {name}.")
    return row


def row_of_item(game: "BoidVoid", nft: int) -> int:
    ids: list[int] = game.arrays(Items).id[: int(game.head[ITEMS])].tolist()
    if nft not in ids:
        raise PositionError(f"There is no NFT {nft}.")
    return ids.index(nft)


def fill_units(game: "BoidVoid", texts: list[UnitText]) -> None:
    units: Units = game.arrays(Units)
    cells: Cells = game.arrays(Cells)
    for text in texts:
        row = row_of_id(game, text.id)
        units.id[row] = text.id
        _fill_unit(game, row, text)
        if text.at is not None:
            cell = game.board.index(*text.at)
            standing = cells.structure if units.kind[row] == SUPERSTRUCTURE else cells.unit
            if cell < 0 or cells.obstacle[cell] or standing[cell] not in (NO_UNIT, row):
                raise PositionError(f"Unit {text.id} cannot be at {list(text.at)}.")
            units.cell[row], units.status[row], standing[cell] = cell, ALONE, row
            if units.kind[row] == SUPERSTRUCTURE:
                game.arrays(Teams).structures[units.team[row]] += 1
    ships = sorted((text for text in texts if text.swarm is not None), key=lambda text: text.id, reverse=True)
    for text in ships:
        ship, swarm = row_of_id(game, text.id), row_of_id(game, text.swarm or 0)
        units.next[ship], units.swarm[ship], units.swarm[swarm] = units.swarm[swarm], swarm, ship
        units.status[ship] = IN_SWARM


def _fill_unit(game: "BoidVoid", row: int, text: UnitText) -> None:
    units: Units = game.arrays(Units)
    stat = game.arrays(Sheets).stat
    is_npc = game.head[TEAMS] <= row < game.head[SHIPS_AT]
    if is_npc and units.cell[row] != NO_CELL:
        game.arrays(Cells).unit[units.cell[row]] = NO_UNIT
        units.status[row], units.cell[row] = GONE, NO_CELL
    if text.stats is not None:
        stat[row * STATS : (row + 1) * STATS] = [text.stats.get(name, 0) for name in STAT_NAMES]
    if text.team is not None:
        units.team[row] = text.team
    if text.nft is not None:
        units.item[row] = row_of_item(game, text.nft)
    full = max(int(stat[row * STATS + HEALTH]), 1) * HUNDREDTHS if text.at or text.swarm is not None else 0
    is_whole = units.kind[row] == SWARM
    units.health[row] = (0 if is_whole else full) if text.health is None else text.health
    if units.kind[row] == SHIP and text.battery is None:
        setup.fill_battery(game, row - int(game.head[SHIPS_AT]))
    elif text.battery is not None:
        units.battery[row] = text.battery
    units.ratio[row] = units.ratio[row] if text.ratio is None else text.ratio
    units.points[row], units.acted[row], units.wait[row] = text.action_points, text.acted, text.wait
    units.task[row] = TASKS.index(text.task)
    units.aim[row] = (1 if units.kind[row] == SUPERSTRUCTURE else 0) if text.aim is None else text.aim
    if text.name:
        letters = game.arrays(Letters).byte
        first = (row - int(game.head[SWARMS_AT])) * MOST_LETTERS
        encoded = text.name.encode().ljust(MOST_LETTERS, b"\0")
        letters[first : first + MOST_LETTERS] = memoryview(encoded).cast("b")
