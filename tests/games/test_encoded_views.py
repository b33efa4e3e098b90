"""The JSON that games write themselves is that of their views, in whole matches on boards of the usual size."""

import msgspec
import pytest

import marchland


@pytest.mark.parametrize("name", marchland.games())
def test_the_text_of_a_view_is_byte_for_byte_the_encoded_view(name: str) -> None:
    kind = marchland.find(name)
    game = marchland.new(name, players=["ada", 'b "e" \\ ä'], seed=4)
    bots = [kind.bots["greedy"](seed=seat) for seat in range(2)]
    compared = 0
    while game.outcome is None and game.turn < 90:
        if game.turn % 4 == 0:
            for audience in (None, 0, 1):
                assert game.encode_view(audience) == msgspec.json.encode(game.view(audience))
                compared += 1
        game.step({seat: [*bot.play(game.observe(seat)), {"do": "nothing"}] for seat, bot in enumerate(bots)})
    assert compared >= 30


def test_the_text_of_datspulse_has_every_part_of_an_ant() -> None:
    kind = marchland.find("datspulse")
    game = marchland.new("datspulse", players=4, seed=4)
    bots = [kind.bots["greedy"](seed=seat) for seat in range(4)]
    met = set()
    while game.turn < 120:
        for seat in range(4):
            text = game.encode_view(seat)
            seen = game.view(seat)
            assert text == msgspec.json.encode(seen)
            met |= {"enemy"} if seen["enemies"] else set()
            for ant in seen["ants"]:
                met |= {part for part in ("food", "lastMove", "move", "lastAttack", "lastEnemyAnt") if ant[part]}
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
    assert met == {"enemy", "food", "lastMove", "move", "lastAttack", "lastEnemyAnt"}
