"""Frontier, a bot for Colorfight: every turn it takes the cheapest cells along its border, as many as it can pay for.

The same bot is written in JavaScript (frontier.js) and C (frontier.c); all three play move for move alike.

    marchland play colorfight --bots examples/bots/frontier.py,greedy --watch
    marchland play colorfight --bots "cmd:python -m marchland.bots.stdio examples/bots/frontier.py,greedy"
"""

from typing import Any

View = dict[str, Any]
Cell = dict[str, Any]


class Bot:
    def play(self, view: View) -> list[dict[str, Any]]:
        me = view["me"]
        energy = view["users"][str(me)]["energy"]
        orders = []
        for cell in sorted(border(view), key=price_then_place):
            price = max(1, cell["attack_cost"])
            if price > energy:
                break
            energy -= price
            orders.append({"do": "attack", "at": cell["position"], "energy": price})
        return orders


def border(view: View) -> list[Cell]:
    """The cells that are not mine but lie beside one that is."""
    rows, me = view["game_map"], view["me"]

    def is_mine(x: int, y: int) -> bool:
        return 0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x]["owner"] == me

    return [
        cell
        for y, row in enumerate(rows)
        for x, cell in enumerate(row)
        if not is_mine(x, y) and (is_mine(x, y - 1) or is_mine(x + 1, y) or is_mine(x, y + 1) or is_mine(x - 1, y))
    ]


def price_then_place(cell: Cell) -> tuple[int, int, int]:
    """Cheap cells first; of equal ones the upper, then the left one."""
    x, y = cell["position"]
    return cell["attack_cost"], y, x
