"""Queued actions: in round N the Nth of every player, players shuffled for each round. Compiled."""

from typing import Final

from marchland.core.dice import draw
from marchland.core.state import PLAYERS
from marchland.games.boidvoid.rules.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.rules.state import L
from marchland.games.boidvoid.rules.world import (
    OK,
    SHUFFLE,
    dice_in,
    head_in,
    lineup_in,
    rules_in,
)
from marchland.kernels import kernel

_PLACES: Final = 1 << 20


@kernel
def queue_orders(world, queue, commands):
    """Each player's actions in the order given, as many as are read; returns how many rounds the longest list makes."""
    head = head_in(world)
    lineup = lineup_in(world)
    rules = rules_in(world)
    limit = rules.orders_limit
    for player in range(head[PLAYERS]):
        lineup[player, L.read] = 0
    rounds = 0
    for row in range(len(commands.player)):
        if commands.reason[row] != OK:
            continue
        player = commands.player[row]
        if lineup[player, L.read] == limit:
            commands.reason[row] = Why.TOO_MANY_ORDERS.value
        else:
            queue[player * limit + lineup[player, L.read]] = row
            lineup[player, L.read] += 1
            rounds = max(rounds, lineup[player, L.read])
    return rounds


@kernel
def shuffle_players(world, number):
    """Shuffle the players with an action of this number; returns how many."""
    head = head_in(world)
    lineup = lineup_in(world)
    dice = dice_in(world)
    count = 0
    for player in range(head[PLAYERS]):
        if number < lineup[player, L.read]:
            lineup[count, L.player] = player
            count += 1
    for place in range(count - 1, 0, -1):
        other = draw(dice, SHUFFLE, number * _PLACES + place, place + 1)
        lineup[place, L.player], lineup[other, L.player] = lineup[other, L.player], lineup[place, L.player]
    return count
