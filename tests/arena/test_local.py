"""A match in this process: bots may do what they like, the match goes on."""

import sys
from pathlib import Path
from typing import Any

import pytest

import marchland
from marchland import Game, Recording
from marchland.arena import Bot, as_bot, load_bot, play


def greedy(seed: int = 0) -> Bot:
    return load_bot("greedy", marchland.find("colorfight"), seed)


def idle(view: Any) -> list[Any]:
    return []


def failing(view: dict[str, Any]) -> list[Any]:
    if view["turn"] % 2 == 0:
        raise RuntimeError("lost my way\nhere")
    return []


def test_a_match_is_played_to_its_end(game: Game) -> None:
    played = play(game, [greedy(), greedy()])
    assert game.outcome is not None
    assert played.turns == game.turn - 1


def test_a_match_stops_after_the_turns_asked_for(game: Game) -> None:
    assert play(game, [greedy(), greedy()], turns=3).turns == 3
    assert game.turn == 4


def test_every_turn_is_reported(game: Game) -> None:
    reported: list[int] = []
    play(game, [greedy(), greedy()], turns=4, on_turn=lambda game, report: reported.append(report.turn))
    assert reported == [1, 2, 3, 4]


def test_orders_given_and_refused_are_counted(game: Game) -> None:
    bad = as_bot(lambda view: [{"do": "attack", "at": [99, 99], "energy": 1}, {"do": "dance"}])
    stats = play(game, [bad, as_bot(idle)], turns=3).stats
    assert [(bot.orders, bot.refused) for bot in stats] == [(6, 6), (0, 0)]


def test_a_bot_that_raises_loses_only_its_turn(game: Game) -> None:
    stats = play(game, [as_bot(failing), greedy()], turns=6).stats[0]
    assert game.turn == 7
    assert stats.failures == 3
    assert stats.first_failure.startswith("in turn 2: RuntimeError: lost my way (test_local.py, line ")


def test_a_bot_that_leaves_python_loses_only_its_turn(game: Game) -> None:
    def leaving(view: Any) -> None:
        raise SystemExit(1)

    assert play(game, [as_bot(leaving), greedy()], turns=2).stats[0].failures == 2


@pytest.mark.parametrize("rubbish", [5, "attack", object(), {"do": 7}, [[[]]], [None, b"\xff", float("nan")], {1: 2}])
def test_a_bot_that_answers_rubbish_is_refused_and_the_match_goes_on(game: Game, rubbish: Any) -> None:
    stats = play(game, [as_bot(lambda view: rubbish), greedy()], turns=2).stats[0]
    assert stats.failures == 0
    assert stats.orders == stats.refused > 0


def test_a_bot_that_modifies_its_view_affects_no_other_bot() -> None:
    def spoiling(view: dict[str, Any]) -> list[Any]:
        for row in view["game_map"]:
            for cell in row:
                cell.clear()
        view["info"].clear()
        view.clear()
        return []

    digests = []
    for first in (spoiling, idle):
        match = marchland.new("colorfight", players=2, seed=5, config={"width": 10, "height": 10})
        seen: list[Any] = []

        def looking(view: dict[str, Any], seen: list[Any] = seen) -> list[Any]:
            seen.append({name: view[name] for name in ("turn", "game_map", "info")})
            return []

        play(match, [as_bot(first), as_bot(looking)], turns=4)
        digests.append((match.digest(), seen))
    assert digests[0] == digests[1]


def test_a_bot_cannot_write_into_the_match_through_what_it_observes(game: Game) -> None:
    def writing(seen: dict[str, Any]) -> list[Any]:
        seen["owner"][:] = 0
        return []

    stats = play(game, [Bot(writing, observes=True), greedy()], turns=2).stats[0]
    assert stats.failures == 2


def test_what_a_bot_prints_stays_off_stdout(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    play(game, [as_bot(lambda view: sys.stdout.write("thinking")), greedy()], turns=1)
    assert capsys.readouterr() == ("", "thinking")


def test_a_recorded_match_can_be_verified(game: Game, tmp_path: Path) -> None:
    recording = Recording(game)
    play(game, [greedy(), as_bot(failing)], turns=10, recording=recording)
    recording.save(tmp_path / "game.march")
    replay = marchland.open_replay(tmp_path / "game.march")
    replay.verify()
    assert replay.at(11).digest() == game.digest()
