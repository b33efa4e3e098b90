"""Many matches together, of one size or of several."""

import pytest

import marchland
from marchland.core.batch import Batch, BatchOrders
from marchland.core.orders import Packed

NONE = Packed.of_rows([])


def match(side: int, seed: int, players: int = 2) -> marchland.Game:
    return marchland.new("colorfight", players, seed=seed, config={"width": side, "height": side})


def test_matches_of_different_sizes_share_a_batch() -> None:
    games = [match(8, 0), match(12, 1, 3), match(8, 2)]
    batch = Batch(games)
    for _ in range(3):
        batch.step([NONE] * 3)
        for game in games:
            game.step()
    assert [batch.digest(number) for number in range(3)] == [game.digest() for game in games]


def test_a_batch_is_independent_of_the_matches_it_was_made_of() -> None:
    game = match(8, 0)
    before = game.digest()
    batch = Batch([game, game])
    batch.step(BatchOrders.of([NONE, NONE]))
    assert game.digest() == before
    assert batch.turns.tolist() == [2, 2]
    assert batch.game(1).turn == 2


def test_each_match_has_its_own_names_and_errors() -> None:
    games = [marchland.new("colorfight", names, seed=1) for names in (["ann", "bob"], ["cid", "dee"])]
    games[0].step({0: ["nonsense"]})
    games[1].step()
    batch = Batch(games)
    assert [batch.game(number).players for number in range(2)] == [("ann", "bob"), ("cid", "dee")]
    batch.step()
    assert [batch.game(number).view(0)["error"] for number in range(2)] == [{"0": []}] * 2


def test_matches_that_have_ended_are_skipped_or_reset() -> None:
    with pytest.raises(ValueError, match="skipped or reset"):
        Batch([match(8, 0)], ended="rest")  # type: ignore[arg-type]


def test_orders_may_be_plain_dicts_or_none_at_all() -> None:
    games = [match(8, 0), match(8, 1)]
    batch = Batch(games)
    home = games[0].view()["users"]["0"]["cells"][0]
    order = {"do": "attack", "at": [home[0], home[1] + 1 if home[1] < 7 else home[1] - 1], "energy": 500}
    batch.step([{0: [order]}, None])
    batch.step()
    games[0].step({0: [order]})
    games[1].step()
    for game in games:
        game.step()
    assert [batch.digest(number) for number in range(2)] == [game.digest() for game in games]


def test_the_number_of_orders_must_fit() -> None:
    batch = Batch([match(8, 0), match(8, 1)])
    with pytest.raises(ValueError, match="Orders for 2 matches"):
        batch.step(BatchOrders.of([NONE]))
    with pytest.raises(ValueError, match="not 3"):
        batch.step([NONE] * 3)


def test_a_batch_needs_matches() -> None:
    with pytest.raises(ValueError, match="one or more"):
        Batch([])
