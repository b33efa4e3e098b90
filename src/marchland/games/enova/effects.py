"""What Enova's orders did, by the battles and moves of their turn."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from marchland.board import Board
from marchland.core.orders import cell_of, encode_cell
from marchland.core.report import Effect
from marchland.games.enova.reports import battle_reports

if TYPE_CHECKING:
    from marchland.core.report import Report

Tile = tuple[int, int]
Battle = Mapping[str, Any]


def effects(report: "Report") -> dict[int, Effect]:
    """A move by its battle on the way or at its end, the others by the battles on their tile and next to it."""
    battles = battle_reports(report.events)
    by_tiles = {_tiles_of(battle): battle for battle in battles}
    moved = {
        (tuple(event["from"]), tuple(event["to"])): event["units"]
        for event in report.events
        if event["event"] == "moved"
    }
    found = {}
    for row, player, order in report.accepted:
        if order["do"] == "move":
            start, end = _tile(report.board, order["from"]), _tile(report.board, order["to"])
            battle = by_tiles.get(frozenset((start, end)))
            if battle is None or battle["winner"] == player:
                battle = by_tiles.get(frozenset((end,)), battle)
            if battle is None:
                found[row] = Effect("MOVED", {"units": moved[start, end], "to": list(end)})
            else:
                found[row] = _effect_of_battle(battle, player)
        else:
            tile = _tile(report.board, order["at"])
            battle = by_tiles.get(frozenset((tile,)))
            if battle is not None:
                found[row] = _effect_of_battle(battle, player)
            elif order["do"] == "defend":
                found[row] = Effect("NOT_ATTACKED")
            else:
                found[row] = _effect_of_support(battles, player, tile, report.board)
    return found


def _tile(board: Board, at: Sequence[int]) -> Tile:
    """A tile by its own coordinates: on a torus an order may name it beyond the edge (ruling 22)."""
    return board.at(cell_of(board.tables, encode_cell(board.dialect, *at)))


def _tiles_of(battle: Battle) -> frozenset[Tile]:
    """The tile of a battle, or the two tiles of one on an edge."""
    return frozenset(tuple(tile) for tile in (battle["at"], battle["against"]) if tile is not None)


def _effect_of_battle(battle: Battle, player: int) -> Effect:
    parties = battle["parties"]
    own = parties[player]
    won = battle["winner"] == player
    rivals = [party for seat, party in parties.items() if seat != player]
    other = max(rivals, key=lambda party: party["score"]) if won else parties[battle["winner"]]
    left = own["units"] - own["killed"] - own["routed"]
    figures = {
        "at": battle["at"],
        **{name: own[name] for name in ("score", "units")},
        "strength": _strength(own),
        "die": own["dice"][-1],
        "other_score": other["score"],
        "other_strength": _strength(other),
        "other_die": other["dice"][-1],
        "left": left,
    }
    return Effect("WON" if won else "LOST" if left else "ROUTED", figures, done=won)


def _strength(party: Mapping[str, Any]) -> str:
    """Units, support and defence, as far as there are any."""
    return "+".join(str(party[name]) for name in ("units", "support", "defence") if party[name]) or "0"


def _effect_of_support(battles: Sequence[Battle], player: int, tile: Tile, board: Board) -> Effect:
    around = {board.at(cell) for cell in board.neighbours(board.index(*tile))}
    count = sum(
        player in battle["parties"] and battle["parties"][player]["support"] > 0 and bool(_tiles_of(battle) & around)
        for battle in battles
    )
    return Effect("SUPPORTED", {"battles": count}) if count else Effect("NOTHING_TO_SUPPORT", done=False)
