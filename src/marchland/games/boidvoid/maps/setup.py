"""How a match begins: the map laid out, players dealt to teams, units waiting, NFTs in hand."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from marchland.core.orders import NO_CELL
from marchland.core.state import PLAYERS
from marchland.games.boidvoid.maps.mapfile import OBSTACLE, MapText
from marchland.games.boidvoid.rules.config import BoidVoidConfig
from marchland.games.boidvoid.rules.constants import (
    ALONE,
    BONUS_NAMES,
    BONUSES,
    FIRST_ID,
    FREE,
    GONE,
    HEALTH,
    HUNDREDTHS,
    ITEM_NUMBERS,
    ITEMS,
    LEADER,
    MINUTE,
    MOST_BATTERY,
    MOST_PLAYERS,
    MOTHERSHIP,
    N_BOOST,
    N_SHIP,
    N_STRUCTURE,
    NO_ITEM,
    NO_TEAM,
    NO_UNIT,
    NPC,
    NPCS,
    OWN_STATS,
    SHEET_ROWS,
    SHIP,
    SHIPS_AT,
    STAT_NAMES,
    STATS,
    STRUCTURES_AT,
    SUPERSTRUCTURE,
    SWARM,
    SWARMS_AT,
    TEAMS,
    TERRAINS,
    TRAIT_ROWS,
    TROOPER,
    UNIT_NUMBERS,
    UNITS,
    VICE,
    WAITING,
)
from marchland.games.boidvoid.rules.state import (
    ITEM_WIDTH,
    UNIT_WIDTH,
    Cells,
    Items,
    Land,
    Periods,
    Players,
    Sheets,
    Teams,
    Traits,
    Units,
)

if TYPE_CHECKING:
    from marchland.games.boidvoid.game import BoidVoid


def lay_out(game: "BoidVoid", found: MapText, npcs: int, items: int) -> None:
    """Tiles with their bonuses, and an empty place for every unit."""
    cells: Cells = game.arrays(Cells)
    land: Land = game.arrays(Land)
    cells.owner[:] = NO_TEAM
    cells.unit[:] = cells.structure[:] = NO_UNIT
    for cell, at in enumerate(game.board.coords.tolist()):
        letter = found.letter((at[0], at[1]))
        cells.obstacle[cell] = letter == OBSTACLE
        cells.terrain[cell] = found.terrain(letter)
        land.tile[cell * BONUSES : (cell + 1) * BONUSES] = getattr(game.config, TERRAINS[cells.terrain[cell]])
    for place in found.bonuses:
        cell = game.board.index(*place.at)
        _override(land.tile, cell * BONUSES, BONUS_NAMES, place.bonuses)
    for place in found.points:
        cell = game.board.index(*place.at)
        cells.point[cell] = 1
        land.point[cell * BONUSES : (cell + 1) * BONUSES] = game.config.point
        _override(land.point, cell * BONUSES, BONUS_NAMES, place.bonuses)
    game.arrays(Teams).home[:] = [game.board.index(*homes[0]) for homes in found.homes[: game.config.teams]]
    game.arrays(Periods).minute[:] = -1
    game.head[MINUTE] = -1
    mark_regions(game, npcs, items)
    fill_unit_rows(game)


def _override(values: "Land | object", start: int, names: Sequence[str], given: Mapping[str, int]) -> None:
    for name, value in given.items():
        values[start + names.index(name)] = value  # type: ignore[index]


def mark_regions(game: "BoidVoid", npcs: int, items: int) -> None:
    """Where in the table of units each kind begins."""
    head, teams, players = game.head, game.config.teams, int(game.head[PLAYERS])
    head[TEAMS], head[NPCS], head[ITEMS], head[TRAIT_ROWS] = teams, npcs, items, items * STATS
    head[SHIPS_AT] = teams + npcs
    head[SWARMS_AT] = head[SHIPS_AT] + players
    head[STRUCTURES_AT] = head[SWARMS_AT] + players
    head[UNITS] = head[STRUCTURES_AT] + items
    head[SHEET_ROWS] = head[UNITS] * STATS
    head[UNIT_NUMBERS], head[ITEM_NUMBERS] = head[UNITS] * UNIT_WIDTH, items * ITEM_WIDTH


def fill_unit_rows(game: "BoidVoid") -> None:
    """Motherships and ships wait to spawn with full batteries (ruling 9); nothing else is there yet."""
    units: Units = game.arrays(Units)
    sheets = game.arrays(Sheets).stat
    config: BoidVoidConfig = game.config
    bounds = [0, *(int(game.head[slot]) for slot in (TEAMS, SHIPS_AT, SWARMS_AT, STRUCTURES_AT, UNITS))]
    nothings = {"team": NO_TEAM, "cell": NO_CELL, "swarm": NO_UNIT, "next": NO_UNIT, "item": NO_ITEM}
    for column, nothing in nothings.items():
        getattr(units, column)[: bounds[-1]] = nothing
    kinds = (MOTHERSHIP, NPC, SHIP, SWARM, SUPERSTRUCTURE)
    sheet_of = {MOTHERSHIP: config.mothership, NPC: config.npc, SHIP: config.ship}
    for kind, first, last in zip(kinds, bounds[:-1], bounds[1:], strict=True):
        units.kind[first:last] = kind
        units.id[first:last] = range(FIRST_ID[kind], FIRST_ID[kind] + last - first)
        units.status[first:last] = WAITING if kind in (MOTHERSHIP, SHIP) else GONE
        for row in range(first, last) if kind in sheet_of else ():
            sheets[row * STATS : row * STATS + OWN_STATS] = sheet_of[kind]
    swarms = slice(bounds[3], bounds[4])
    units.id[swarms] -= MOST_PLAYERS  # the first swarm at a place is of generation 0
    units.team[: bounds[1]] = range(bounds[1])
    units.ratio[bounds[2] : bounds[3]] = config.battery_ratio


def deal_players(game: "BoidVoid") -> None:
    """To teams in turn; the first of each team is its leader, the second its vice-leader."""
    players: Players = game.arrays(Players)
    teams = game.config.teams
    for player in range(len(game.names)):
        players.team[player] = player % teams
        players.role[player] = LEADER if player < teams else VICE if player < 2 * teams else TROOPER
        players.stake[player] = game.config.start_stake
        players.avatar[player] = NO_ITEM
        game.arrays(Units).team[game.ship_of(player)] = player % teams
        fill_battery(game, player)


def fill_battery(game: "BoidVoid", player: int) -> None:
    """A full battery."""
    ship = game.ship_of(player)
    stake = int(game.arrays(Players).stake[player]) * game.config.battery_per_stake
    most = stake + int(game.arrays(Sheets).stat[ship * STATS + STAT_NAMES.index("battery")])
    game.arrays(Units).battery[ship] = min(max(most, 0), MOST_BATTERY) * HUNDREDTHS


def set_owner(game: "BoidVoid", cell: int, team: int) -> None:
    """Give a tile that has no owner to a team."""
    cells: Cells = game.arrays(Cells)
    teams: Teams = game.arrays(Teams)
    cells.owner[cell] = team
    teams.tiles[team] += 1
    teams.points[team] += cells.point[cell]


def place_npcs(game: "BoidVoid", found: MapText) -> None:
    units: Units = game.arrays(Units)
    sheets = game.arrays(Sheets).stat
    for number, npc in enumerate(found.npcs):
        row, cell = int(game.head[TEAMS]) + number, game.board.index(*npc.at)
        _override(sheets, row * STATS, STAT_NAMES, npc.stats)
        units.status[row], units.cell[row] = ALONE, cell
        units.health[row] = max(int(sheets[row * STATS + HEALTH]), 1) * HUNDREDTHS
        game.arrays(Cells).unit[cell] = row


def starting_nfts(config: BoidVoidConfig, players: int) -> list[tuple[int, int, tuple[int, ...], int]]:
    """What every player owns at the start: player, kind, modifiers, turns."""
    structure = (*config.structure, *config.structure_bonus)
    return [
        item
        for player in range(players)
        for item in (
            *[(player, N_STRUCTURE, structure, 0)] * config.start_structures,
            *[(player, N_BOOST, config.boost, config.boost_turns)] * config.start_boosts,
            *[(player, N_SHIP, config.hull, 0)] * config.start_hulls,
        )
    ]


def add_nfts(game: "BoidVoid", listed: list[tuple[int, int, tuple[int, ...], int]]) -> None:
    """Write the NFTs of the start; their ids count from 1, their template is their kind."""
    items: Items = game.arrays(Items)
    traits = game.arrays(Traits).value
    for item, (player, kind, values, turns) in enumerate(listed):
        items.id[item], items.player[item], items.kind[item], items.template[item] = item + 1, player, kind, kind
        items.target[item], items.turns[item], items.use[item], items.burnable[item] = NO_UNIT, turns, FREE, 1
        traits[item * STATS : item * STATS + len(values)] = values
