"""A second reading of the rules: slow, in plain Python, and in whatever order of tiles and players chance picks.

It shares nothing with the kernels but the dice, so where both agree on many positions, neither misreads a ruling and
no outcome hangs on the order of evaluation.
"""

import random
from collections import Counter
from typing import Any, NamedTuple

from marchland.core.dice import roll
from marchland.core.game import Game
from marchland.core.orders import encode_cell
from marchland.core.state import KEY0, KEY1, TURN
from marchland.games.enova.rules.state import Cells
from marchland.games.enova.rules.terrain import CASTLE, IMPASSABLE
from tests.games.enova.builders import Order, owned

Tile = tuple[int, int]


class Beaten(NamedTuple):
    tile: Tile
    player: int
    units: int
    on_edge: bool


class Reference:
    """One turn of one position."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        self.game, self.chance, self.config = game, chance, game.config
        self.land = owned(game)
        terrain = game.arrays(Cells).terrain.tolist()
        self.terrain = {game.board.at(cell): code for cell, code in enumerate(terrain)}
        self.beaten: list[Beaten] = []
        self.killed: Counter[int] = Counter()

    def shuffled(self, things: Any) -> list[Any]:
        listed = list(things)
        self.chance.shuffle(listed)
        return listed

    def beside(self, tile: Tile) -> list[Tile]:
        """The passable neighbours, clockwise from the north."""
        board = self.game.board
        cells = board.neighbours(board.index(*tile))
        return [board.at(cell) for cell in cells if self.terrain[board.at(cell)] != IMPASSABLE]

    def play(self, actions: dict[Tile, Order]) -> dict[Tile, tuple[int, int]]:
        """The land after the turn, before the next one's production."""
        moves = {tile: order for tile, order in actions.items() if order["do"] == "move"}
        supporting = {tile for tile, order in actions.items() if order["do"] == "support"}
        defending = {tile for tile, order in actions.items() if order["do"] == "defend"}
        going = {tile: order.get("units", self.land[tile][1]) for tile, order in moves.items()}
        stay = {tile: units - going.get(tile, 0) for tile, (_, units) in self.land.items()}
        target = {tile: tuple(order["to"]) for tile, order in moves.items()}

        def support(player: int, tile: Tile) -> int:
            near = (other for other in self.beside(tile) if other in supporting)
            return sum(stay[other] for other in near if self.land[other][0] == player)

        for tile in self.shuffled(moves):
            other = target[tile]
            if tile < other and target.get(other) == tile and self.land[tile][0] != self.land[other][0]:
                sides = {
                    self.land[here][0]: (here, going[here], support(self.land[here][0], there))
                    for here, there in self.shuffled([(tile, other), (other, tile)])
                }
                winner = self.fight({who: (here, units + aid) for who, (here, units, aid) in sides.items()}, None, 1)
                for who, (here, units, _) in sides.items():
                    if who != winner:
                        self.lose(here, who, units, on_edge=True)
                        going[here] = 0

        after: dict[Tile, tuple[int, int]] = {tile: (who, stay[tile]) for tile, (who, _) in self.land.items()}
        for tile in self.shuffled({target[tile] for tile in moves}):
            holder = self.land[tile][0] if tile in self.land else None
            force: Counter[int] = Counter()
            for source in self.shuffled(self.beside(tile)):
                if target.get(source) == tile and going[source]:
                    force[self.land[source][0]] += going[source]
            attacked = any(who != holder for who in force)
            if holder is not None and (stay[tile] or (attacked and support(holder, tile))):
                force[holder] += stay[tile]
            if not force:
                continue
            strength = {
                who: (
                    tile,
                    force[who] + support(who, tile) + (stay[tile] if who == holder and tile in defending else 0),
                )
                for who in self.shuffled(force)
            }
            winner = self.fight(strength, holder, 0) if len(force) > 1 else next(iter(force))
            after[tile] = (winner, force[winner])
            for who in self.shuffled(force):
                if who != winner:
                    self.lose(tile, who, force[who], on_edge=False)
        return self.without_the_eliminated(self.retreated(after))

    def lose(self, tile: Tile, player: int, units: int, *, on_edge: bool) -> None:
        dead = units * self.config.killed_percent // 100
        self.killed[player] += dead
        if units > dead:
            self.beaten.append(Beaten(tile, player, units - dead, on_edge))

    def fight(self, strength: dict[int, tuple[Tile, int]], holder: int | None, edge: int) -> int:
        variance = max(1, sum(power for _, power in strength.values()) * self.config.variance_percent // 100)
        tied, attempt = set(strength), 0
        while True:
            scores = {who: strength[who][1] + self.die(strength[who][0], who, edge, attempt, variance) for who in tied}
            tied = {who for who in tied if scores[who] == max(scores.values())}
            if len(tied) == 1:
                return tied.pop()
            if variance == 1:
                return holder if holder in tied else self.lot({who: strength[who][0] for who in tied}, edge)
            attempt += 1

    def lot(self, tied: dict[int, Tile], edge: int) -> int:
        for attempt in range(1, 100):
            lots = {who: self.die(tile, who, edge, attempt, 1 << 20) for who, tile in tied.items()}
            highest = [who for who in tied if lots[who] == max(lots.values())]
            if len(highest) == 1:
                return highest[0]
        raise AssertionError("lots are never equal so often")

    def die(self, tile: Tile, player: int, edge: int, attempt: int, sides: int) -> int:
        key0, key1, turn = self.game.head[[KEY0, KEY1, TURN]].tolist()
        place = encode_cell(self.game.board.dialect, *tile)
        return 1 + roll(key0, key1, turn, 0, place, (2 * player + edge) * 2**32 + attempt, sides)

    def retreated(self, after: dict[Tile, tuple[int, int]]) -> dict[Tile, tuple[int, int]]:
        safe: dict[Beaten, list[Tile]] = {}
        for group in self.beaten:
            back = group.on_edge and after[group.tile][0] == group.player
            near = [group.tile] if back else self.beside(group.tile)
            safe[group] = [tile for tile in near if tile not in after or after[tile][0] == group.player]
        wanted: dict[Tile, set[int]] = {}
        for group, tiles in safe.items():
            for tile in tiles:
                wanted.setdefault(tile, set()).add(group.player)
        settled = dict(after)
        for group in self.shuffled(self.beaten):
            tiles = [tile for tile in safe[group] if tile in after or len(wanted[tile]) == 1]
            if not tiles:
                self.killed[group.player] += group.units
                continue
            share, remainder = divmod(group.units, len(tiles))
            for kind in ([tile for tile in tiles if tile in after], [tile for tile in tiles if tile not in after]):
                for place, tile in enumerate(kind):
                    more = remainder > 0 and self.step_lot(group, tile, len(kind) - place) < remainder
                    remainder -= more
                    if share + more:
                        settled[tile] = (group.player, settled.get(tile, (0, 0))[1] + share + more)
        return settled

    def step_lot(self, group: Beaten, to: Tile, equals: int) -> int:
        """Which of ``equals`` tiles is next to get one of the units left over."""
        board, (key0, key1, turn) = self.game.board, self.game.head[[KEY0, KEY1, TURN]].tolist()
        around = board.tables.neighbours.reshape(board.size, -1)[board.index(*group.tile)].tolist()
        number = -1 - group.player * len(around) - around.index(board.index(*to))
        return roll(key0, key1, turn, 0, encode_cell(board.dialect, *group.tile), number, equals)

    def without_the_eliminated(self, land: dict[Tile, tuple[int, int]]) -> dict[Tile, tuple[int, int]]:
        alive = {who for tile, (who, units) in land.items() if units or self.terrain[tile] == CASTLE}
        return {tile: what for tile, what in land.items() if what[0] in alive}
