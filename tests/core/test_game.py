"""The contract's smaller promises."""

from typing import Any

import pytest

import marchland
from marchland import registry
from marchland.core.game import Game
from marchland.core.report import Report
from marchland.messages import Scoring


def test_games_are_listed_before_and_after_one_was_loaded() -> None:
    assert "colorfight" in marchland.games()
    marchland.new("colorfight", 2, seed=0)
    assert "colorfight" in marchland.games()


def test_an_unknown_game_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(marchland.UnknownNameError, match="did you mean 'colorfight'"):
        marchland.new("colourfight", 2)


def test_a_game_without_a_scoring_of_its_own_has_the_default() -> None:
    assert registry.find("colorfight").default_scoring() == Scoring()


def test_a_turn_that_breaks_leaves_the_match_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    game = marchland.new("colorfight", 2, seed=0)
    before = game.digest()

    def broken(self: Game, *arguments: Any) -> None:
        arguments[1][:] = 1
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Game, "_run", broken)
        with pytest.raises(KeyboardInterrupt):
            game.step()
    assert game.digest() == before
    game.step()
    assert game.turn == 2


def test_a_turn_with_more_events_than_expected_reports_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("marchland.core.game._FIRST_ROOM", 1)
    game = marchland.new("colorfight", 8, seed=0)
    twin = game.copy()
    twin._event_room = 256
    bots = [game.bots["greedy"]() for _ in range(8)]
    orders = {seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)}
    reports: list[Report] = [game.step(orders), twin.step(orders)]
    assert len(reports[0].events) > 8
    assert reports[0].events == reports[1].events
    assert game.digest() == twin.digest()


def test_an_immediate_action_is_refused_where_the_game_has_none() -> None:
    game = marchland.new("colorfight", 2, seed=0)
    before = game.digest()
    (result,) = game.act(0, {"do": "attack", "at": [0, 0], "energy": 5}).results[0]
    assert (result.ok, result.reason) == (False, "NOT_IMMEDIATE")
    assert game.digest() == before


def test_step_takes_a_dict_and_says_so() -> None:
    with pytest.raises(TypeError, match="dict from player"):
        marchland.new("colorfight", 2, seed=0).step([{"do": "attack"}])  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [b"", b"march-snapshot\n", b"x" * 100, None, "text"])
def test_what_is_no_snapshot_is_refused(data: Any) -> None:
    with pytest.raises(marchland.SnapshotError):
        marchland.restore(data)


def test_settings_can_be_typed_as_text() -> None:
    kind = marchland.find("colorfight").config_type
    texts = {"width": "12", "late_join": "false", "refund": "[1, 2, 3]", "rank_by": "gold"}
    assert kind.from_text(texts) == {"width": 12, "late_join": False, "refund": (1, 2, 3), "rank_by": "gold"}
    for name, text in {"width": "wide", "wdth": "12", "width ": "12"}.items():
        with pytest.raises(marchland.ConfigError, match="width"):
            kind.from_text({name: text})


def test_the_hosts_orders_are_not_a_players() -> None:
    codec = marchland.find("colorfight").codec
    assert codec.parse({"do": "attack", "at": [0, 0], "energy": 5}, host=True) == "This order is a player's."
