"""A small bot: every turn it takes the cheapest cells it can afford.

marchland play colorfight --bots examples/opportunist.py,random --watch
"""

from typing import Any


class Bot:
    """Any class with `play(view)` is a bot; the view is what `game.view(player)` returns."""

    def play(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        me, cells = view["me"], view["game_map"]
        energy = view["users"][str(me)]["energy"]
        orders = []
        for cell in sorted(self.targets(me, cells), key=lambda cell: cell["attack_cost"]):
            if cell["attack_cost"] <= energy:
                orders.append({"do": "attack", "at": cell["position"], "energy": cell["attack_cost"]})
                energy -= cell["attack_cost"]
        return orders

    def targets(self, me: int, cells: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
        """Cells next to mine that another player or no player owns."""
        found = {}
        for y, row in enumerate(cells):
            for x, cell in enumerate(row):
                if cell["owner"] == me:
                    for column, line in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
                        if 0 <= line < len(cells) and 0 <= column < len(row) and cells[line][column]["owner"] != me:
                            found[column, line] = cells[line][column]
        return list(found.values())
