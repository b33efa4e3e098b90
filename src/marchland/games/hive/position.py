"""A Hive match in readable form. A hand-written position needs a map, on which slots are the players' seats:

{"game": "hive",
 "players": [{"name": "A", "flowers": 30}, {"name": "B"}],
 "map": ["H0  .   F   ", "  .   B1  .   "]}

What the match itself writes has the bare map and names every entity.
"""

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from marchland.core.state import OVER
from marchland.errors import PositionError
from marchland.games.hive.maps import mapfile
from marchland.games.hive.rules.config import HiveConfig
from marchland.games.hive.rules.state import (
    ENTITIES,
    FIELD,
    KINDS,
    MOST_PLAYERS,
    STONE,
    WITHOUT_CREATION,
    WITHOUT_GATHERING,
    Cells,
    Entities,
    Players,
)
from marchland.games.hive.rules.turn import STALEMATE, TURN_LIMIT

if TYPE_CHECKING:
    from marchland.games.hive.game import Hive

Match = TypeVar("Match", bound="Hive")

_LARGEST = 2**31 - 1
_HIGHEST_ID = 2**52
"""Orders name ids up to 2**53, and no match creates as many as lie between."""
_LONGEST = 2**53


class PlayerText(msgspec.Struct, forbid_unknown_fields=True):
    """One player; ``contends`` once the match is over."""

    name: str
    flowers: int = 0
    next_id: int | None = None
    """Of what the player creates next: its seat plus a multiple of 6. None: beyond all ids in use."""
    contends: bool = False


class EntityText(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One entity; without ``hp`` it has all of its kind's."""

    id: int
    kind: Literal["bee", "hive", "wall"]
    owner: int
    at: tuple[int, int]
    hp: int | None = None
    carries: int = 0


class PositionText(msgspec.Struct, forbid_unknown_fields=True):
    """The whole match."""

    players: list[PlayerText]
    map: list[str]
    fields: list[tuple[int, int, int]] = []
    """Row, column and flowers of each field that is not full."""
    entities: list[EntityText] | None = None
    """By ascending id; None where the map says what stands on it."""
    without_gathering: int = 0
    without_creation: int = 0
    over: int = 0


def write(game: "Hive") -> dict[str, Any]:
    """The match's own part of its position."""
    cells: Cells = game.arrays(Cells)
    players: Players = game.arrays(Players)
    coords = game.board.coords.tolist()
    fields = [
        (*coords[cell], int(cells.flowers[cell]))
        for cell in ((cells.terrain == FIELD) & (cells.flowers != game.config.field_flowers)).nonzero()[0].tolist()
    ]
    rows = int(game.head[ENTITIES])
    columns = [column[:rows].tolist() for column in game.arrays(Entities)]
    entities = [
        EntityText(id_, KINDS[kind], owner, tuple(coords[cell]), hp, carries)  # type: ignore[arg-type]
        for id_, cell, kind, owner, hp, carries, _ in zip(*columns, strict=True)
    ]
    text = PositionText(
        players=[
            PlayerText(name, int(players.flowers[seat]), int(players.next_id[seat]), bool(players.contends[seat]))
            for seat, name in enumerate(game.players)
        ],
        map=mapfile.lines(game.board, cells.terrain.tolist()),
        fields=fields,
        entities=entities,
        without_gathering=int(game.head[WITHOUT_GATHERING]),
        without_creation=int(game.head[WITHOUT_CREATION]),
        over=int(game.head[OVER]),
    )
    return msgspec.json.decode(msgspec.json.encode(text))  # type: ignore[no-any-return]


def read(kind: type[Match], config: HiveConfig, position: dict[str, Any]) -> Match:
    """The match that ``position`` describes."""
    try:
        text = msgspec.convert(position, PositionText)
    except msgspec.ValidationError as problem:
        raise PositionError(f"The position cannot be read: {problem}.".replace("$.", "")) from None
    drawn = "\n".join(text.map)
    if problems := mapfile.mistakes(drawn, starts=False):
        raise PositionError(f"The position's map: {problems[0]}")
    found = mapfile.read(drawn)
    names = kind.seat_names([player.name for player in text.players])
    game = kind.on_map(found, config, names)
    fill_fields(game, text.fields)
    if text.entities is None:
        check_owners([start.slot for start in found.starts], len(names))
        game.place(list(found.starts))
    elif found.starts:
        raise PositionError("The position's map: with a list of entities, the map is bare; leave H, B and W out of it.")
    else:
        fill_entities(game, text.entities)
    fill_players(game, text.players)
    fill_counters(game, text)
    return game


def fill_players(game: "Hive", listed: list[PlayerText]) -> None:
    """The reserves, and the ids of what comes next."""
    players: Players = game.arrays(Players)
    ids = game.arrays(Entities).id[: int(game.head[ENTITIES])]
    for seat, (player, usual) in enumerate(zip(listed, game.free_ids().tolist(), strict=True)):
        if not 0 <= player.flowers < _LONGEST:
            raise PositionError(f"{player.name} has {player.flowers} flowers; there can be 0 to 2**53.")
        next_id = usual if player.next_id is None else player.next_id
        least = int(ids[ids % MOST_PLAYERS == seat].max(initial=seat - MOST_PLAYERS)) + MOST_PLAYERS
        if next_id % MOST_PLAYERS != seat or not least <= next_id <= _HIGHEST_ID:
            raise PositionError(
                f"{player.name} has the next_id {next_id}; it must be {least} or more by a multiple of {MOST_PLAYERS}, "
                f"and at most 2**52."
            )
        players.flowers[seat], players.next_id[seat], players.contends[seat] = player.flowers, next_id, player.contends


def fill_counters(game: "Hive", text: PositionText) -> None:
    """How long nothing was gathered or created, and whether the match is over."""
    for name, count in (("without_gathering", text.without_gathering), ("without_creation", text.without_creation)):
        if not 0 <= count < _LONGEST:
            raise PositionError(f"The position's {name} is {count}; it counts complete turns, 0 to 2**53.")
    game.head[WITHOUT_GATHERING], game.head[WITHOUT_CREATION] = text.without_gathering, text.without_creation
    if not 0 <= text.over <= TURN_LIMIT:
        raise PositionError(
            f"The position's over is {text.over}; it is 0 while the match runs, else 1 to {TURN_LIMIT}."
        )
    game.head[OVER] = text.over
    if text.over == STALEMATE and not game.stalemate_code():
        raise PositionError(
            f"The position's over is {STALEMATE}, a stalemate, but neither without_gathering nor without_creation "
            f"has come to {game.config.stalemate_turns}."
        )


def fill_fields(game: "Hive", fields: list[tuple[int, int, int]]) -> None:
    """What is left in the fields that are not full."""
    cells: Cells = game.arrays(Cells)
    for row, column, flowers in fields:
        cell = game.board.index(row, column)
        if cell < 0 or cells.terrain[cell] != FIELD or not 0 <= flowers <= _LARGEST:
            raise PositionError(f"The position's fields: [{row}, {column}] is no field that could have {flowers}.")
        cells.flowers[cell] = flowers


def fill_entities(game: "Hive", listed: list[EntityText]) -> None:
    """Everything that stands on the board, row by row."""
    cells: Cells = game.arrays(Cells)
    check_owners([entity.owner for entity in listed], len(game.players))
    places = [game.board.index(*entity.at) for entity in listed]
    crowd = Counter(places)
    for entity, place in zip(listed, places, strict=True):
        if place < 0 or cells.terrain[place] == STONE:
            raise PositionError(f"The position's entities: nothing can stand on {list(entity.at)}.")
        if crowd[place] > 1:
            raise PositionError(f"The position's entities: only one can stand on {list(entity.at)}.")
        check_numbers(entity, game.config)
    ids = [entity.id for entity in listed]
    if ids != sorted(set(ids)) or (ids and not 0 <= ids[0] <= ids[-1] < _HIGHEST_ID):
        raise PositionError(
            "The position's entities must come by ascending id, each id once, none below 0 or beyond 2**52."
        )
    rows = Entities._make(column[: len(listed)] for column in game.arrays(Entities))
    rows.id[:], rows.cell[:] = ids, places
    rows.kind[:] = [KINDS.index(entity.kind) for entity in listed]
    rows.owner[:] = [entity.owner for entity in listed]
    rows.hp[:] = [game.full_hp(KINDS.index(entity.kind)) if entity.hp is None else entity.hp for entity in listed]
    rows.carries[:] = [entity.carries for entity in listed]
    game.head[ENTITIES] = len(listed)
    game.count()


def check_numbers(entity: EntityText, config: HiveConfig) -> None:
    """Refuse hit points and loads that the rules never give."""
    least = 1 if config.attack == "damage" else 0
    if entity.hp is not None and not least <= entity.hp <= _LARGEST:
        raise PositionError(
            f"The position's entities: {entity.id} has {entity.hp} hp; "
            f'with attack="{config.attack}" there can be {least} to {_LARGEST}.'
        )
    most = config.forage_flowers if entity.kind == "bee" and config.carrying else 0
    if not 0 <= entity.carries <= most:
        what = f"can carry 0 to {most}" if most else "carries nothing"
        owner = f"a {entity.kind}" if config.carrying else "with carrying=false a bee"
        raise PositionError(f"The position's entities: {entity.id} carries {entity.carries}, but {owner} {what}.")


def check_owners(owners: list[int], players: int) -> None:
    """Refuse an owner who is not there."""
    for owner in owners:
        if not 0 <= owner < players:
            raise PositionError(f"An entity's owner is {owner}, but the players are 0 to {players - 1}.")
