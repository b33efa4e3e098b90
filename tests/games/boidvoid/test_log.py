"""The log: per turn and per player, folded from reports."""

from typing import Any

from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.log import ReadableLog
from tests.games.boidvoid.builders import MOTHER_0, NPC, SWARM, position

SWARM_OF_TWO: list[dict[str, Any]] = [
    {"id": SWARM, "at": [2, 2], "team": 0, "name": "s"},
    {"id": 0, "swarm": SWARM},
    {"id": 2, "swarm": SWARM},
]


def texts(log: ReadableLog, player: int) -> list[str]:
    return [line.text for line in log.of_player(player)]


def acted(game: BoidVoid, log: ReadableLog, player: int, **order: Any) -> None:
    log.add_report(game, game.act(player, order))


def test_a_move_concerns_its_player_only() -> None:
    game = position([{"id": 0, "at": [2, 2], "action_points": 9}])
    log = ReadableLog(game)
    acted(game, log, 0, do="move", unit=0, to=[2, 1])
    assert texts(log, 0) == ["p0's ship moved from [2, 2] to [2, 1] for 3 action points"]
    assert texts(log, 1) == []


def test_a_refusal_concerns_the_refused_player_only() -> None:
    game = position([])
    log = ReadableLog(game)
    acted(game, log, 0, do="capture", unit=0)
    assert texts(log, 0) == ["refused: Your unit is not on the map: it has yet to spawn."]


def test_a_battle_concerns_both_sides_with_its_figures_also_to_every_ship_of_a_swarm() -> None:
    game = position([*SWARM_OF_TWO, {"id": 1, "at": [3, 2]}])
    log = ReadableLog(game)
    acted(game, log, 0, do="attack", unit=SWARM, target=1)
    for player in (0, 1, 2):
        assert f"swarm {SWARM} at [2, 2] attacked p1's ship at [3, 2]" in texts(log, player)
        assert f"swarm {SWARM} strikes with 100 + 10, bonus 0 %: 110" in texts(log, player)
    assert "p1's ship has 0 health left, lost 40, blocked 10" in texts(log, 1)
    assert f"p1's ship was destroyed by swarm {SWARM} at [3, 2]" in texts(log, 1)
    assert texts(log, 4) == []


def test_a_ship_that_left_a_swarm_is_no_longer_concerned_by_it() -> None:
    game = position([*SWARM_OF_TWO, {"id": 1, "at": [5, 2]}])
    log = ReadableLog(game)
    acted(game, log, 2, do="leave_swarm", unit=2, to=[1, 2])
    log.add_report(game, game.step())
    before = len(texts(log, 2))
    acted(game, log, 0, do="move", unit=SWARM, to=[3, 2])
    assert len(texts(log, 2)) == before
    assert texts(log, 0)[-1].startswith(f"swarm {SWARM} moved")


def test_a_turn_has_its_own_lines_and_a_mothership_is_its_teams_affair() -> None:
    game = position([{"id": MOTHER_0, "at": [0, 0], "action_points": 9}, {"id": NPC, "at": [5, 0]}], npcs=1)
    log = ReadableLog(game)
    acted(game, log, 0, do="move", unit=MOTHER_0, to=[1, 0])
    log.add_report(game, game.step())
    log.add_report(game, game.step())
    assert [line.turn for line in log.of_turn(1)] == [1] * len(log.of_turn(1)) != []
    assert texts(log, 0) == texts(log, 2) == texts(log, 4) != texts(log, 1)
    assert any(line.text.startswith(f"NPC {NPC}") for line in log.of_turn(2))


def test_every_event_that_happens_in_a_match_of_bots_has_a_sentence() -> None:
    game = BoidVoid.new(6, seed=3, map="duel")
    bots = [game.bots["random" if seat % 2 else "greedy"](seed=seat) for seat in range(6)]
    log = ReadableLog(game)
    for _ in range(25):
        new = log.add_report(game, game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)}))
        assert all("{" not in line.text for line in new)
    assert len({line.turn for line in log.lines}) == 25
