"""The public server's answers (rulings 5, 13, 16, 17, 23, 24), recorded and ours, by one checker."""

import json
import re
import uuid
from pathlib import Path

import msgspec
import pytest

import marchland
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.rules.state import APPLE, NECTAR, ROCK, Ants, Cells, Nests, Teams
from marchland.games.datspulse.views import look_around
from marchland.games.datspulse.wire import EMPTY_ARENA, Arenas, Hex, Move, arena_bytes, judge, move_bytes, uuid_of
from tests.games.datspulse.builders import SPOTS, ant, at, balance, find, match, move, play_bots
from tests.support.datspulse_arena_checks import check_arena, disk

RECORDED = [json.loads(line) for line in (Path(__file__).parent / "data/arenas.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("number", range(len(RECORDED)))
def test_the_recorded_answers_pass(number: int) -> None:
    check_arena(RECORDED[number], recorded=True)


def test_our_answers_pass_the_same_checks_turn_by_turn() -> None:
    game = play_bots(0, teams=3)
    bots = [game.bots["greedy"](), game.bots["random"](), game.bots["greedy"]()]
    fights = deaths = 0
    for _ in range(80):
        game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        for team in range(3):
            arena = json.loads(arena_bytes(game, team, 1.234))
            check_arena(arena, on_map=lambda q, r: game.board.index(q, r) >= 0)
            assert (arena["turnNo"], arena["nextTurnIn"]) == (game.turn, 1.234)
            fights += sum("lastAttack" in one for one in arena["ants"])
            deaths += sum(one["health"] == 0 for one in arena["ants"])
        assert balance(game) == 0
    assert fights > 20
    assert deaths > 5


def test_the_answer_of_a_lobby_is_the_recorded_one() -> None:
    lines = (Path(__file__).parent / "data/arenas.jsonl").read_bytes().splitlines()
    assert lines[1] == EMPTY_ARENA


def test_nothing_outside_a_teams_sight_changes_a_byte_of_its_answer() -> None:
    game = play_bots(60)
    for team in range(4):
        hidden = look_around(game, team).seen == 0
        before = arena_bytes(game, team, 1.0)
        other = game.copy()
        cells: Cells = other.arrays(Cells)
        nests: Nests = other.arrays(Nests)
        ants: Ants = other.arrays(Ants)
        teams: Teams = other.arrays(Teams)
        plain = hidden & (cells.nest < 0)
        cells.terrain[plain] = ROCK
        cells.food[plain], cells.amount[plain] = APPLE, 99
        nests.nectar[hidden[nests.cell]] += 1000
        foreign = (ants.id > 0) & (ants.team != team) & hidden[ants.cell]
        assert foreign.any()
        assert plain.any()
        ants.health[foreign], ants.food[foreign], ants.amount[foreign] = 1, NECTAR, 77
        ants.walked[ants.team != team] = ants.planned[ants.team != team] = ants.enemy[ants.team != team] = 0
        others = [seat for seat in range(4) if seat != team]
        teams.remainder[others], teams.lost[others], teams.walked[others] = 1, 99, 99
        assert arena_bytes(other, team, 1.0) == before


def test_one_writer_gives_every_team_and_every_repetition_its_own_answer() -> None:
    game = play_bots(25)
    arenas = Arenas(game)
    for team in (2, 0, 1, 0, 2):
        assert arenas.arena(team, 1.0) == arena_bytes(game, team, 1.0)


def test_ids_are_stable_uuids_that_a_fork_keeps_and_another_match_does_not_have() -> None:
    game = play_bots(3)
    names = [uuid_of(game, number) for number in range(1, 9)]
    assert len(set(names)) == 8
    assert all(uuid.UUID(name).version == 4 and str(uuid.UUID(name)) == name for name in names)
    game.step()
    assert [uuid_of(game, number) for number in range(1, 9)] == names
    assert uuid_of(game.fork(), 1) == names[0]
    assert uuid_of(marchland.restore(game.snapshot()), 1) == names[0]  # type: ignore[arg-type]
    assert uuid_of(play_bots(0, seed=2), 1) != names[0]
    arena = json.loads(arena_bytes(game, 0, 0))
    assert arena["ants"][0]["id"] == uuid_of(game, int(game.arrays(Ants).id[0]))


def test_the_pending_path_is_shown_as_move() -> None:
    game = match([ant(0, "worker", (0, 0)), ant(0, "worker", (0, 3))])
    ways = judge(game, 0, [Move(uuid_of(game, 2), [Hex(1, 3), Hex(1, 4)])]).ways
    arena = json.loads(arena_bytes(game, 0, 2, ways))
    assert "move" not in arena["ants"][0]
    assert arena["ants"][1]["move"] == [{"q": 1, "r": 3}, {"q": 1, "r": 4}]
    assert list(arena["ants"][1]) == ["q", "r", "type", "health", "id", "move", "food"]


def test_the_longest_paths_are_shown_whole() -> None:
    there = [(q, 0) for q in range(1, 11)]
    way = [*there, *reversed([(0, 0), *there[:-1]])]
    ants = [ant(0, "worker", (0, r), move=[(q, r + s) for q, s in way]) for r in (-6, -4, -2, 0, 2, 4)]
    for one in ants:
        one["last_move"] = one["move"]
    game = match(ants, speed=(1, 1, 1), vision=(0, 0, 0), radius=16)
    listed = json.loads(arena_bytes(game, 0, 0))["ants"]
    assert [len(ant["move"]) for ant in listed] == [len(ant["lastMove"]) for ant in listed] == [20] * 6
    assert all(ant["lastMove"] == ant["move"] for ant in listed)


def test_stored_nectar_is_shown_on_visible_nest_hexes_of_friend_and_foe() -> None:
    game = match([ant(0, "scout", (5, 0))], nectar={0: (0, 7, 0), 1: (3, 0, 0)})
    food = json.loads(arena_bytes(game, 0, 0))["food"]
    assert food == [{"q": -8, "r": -1, "type": 3, "amount": 7}, {"q": 8, "r": 0, "type": 3, "amount": 3}]


def test_a_nest_sees_two_hexes_round_its_main_hex() -> None:
    arena = json.loads(arena_bytes(match(), 0, 0))
    assert {(tile["q"], tile["r"]) for tile in arena["map"]} == disk(SPOTS[0], 2)


def test_the_arena_names_the_three_hexes_of_the_nest_and_which_is_the_main_one() -> None:
    arena = json.loads(arena_bytes(match(), 0, 0))
    assert {(tile["q"], tile["r"]) for tile in arena["home"]} == {(-8, 0), (-8, -1), (-9, -1)}
    assert arena["spot"] == {"q": -8, "r": 0}


def test_vision_example_the_trail_is_seen_for_one_turn() -> None:
    game = match([ant(0, "worker", (1, 1))], speed=(7, 4, 7))
    trail = [(2, 2), (2, 3), (3, 4), (3, 5), (4, 5), (5, 5)]
    spot = disk(SPOTS[0], 2)

    def visible() -> set[tuple[int, int]]:
        return {game.board.at(int(cell)) for cell in look_around(game, 0).cells} - spot

    assert visible() == disk((1, 1), 1)
    game.step({0: [move(1, *trail)]})
    assert visible() == set().union(*(disk(at, 1) for at in trail))  # but not round the start
    game.step()
    assert visible() == disk((5, 5), 1)


# ---------------------------------------------------------------- moves


def wired(game: Datspulse, number: int, *path: tuple[int, int]) -> Move:
    name = uuid_of(game, number) if number else "00000000-0000-4000-8000-000000000000"
    return msgspec.convert({"ant": name, "path": [{"q": q, "r": r} for q, r in path]}, Move)


def test_each_bad_move_gets_its_message_and_the_others_stand() -> None:
    game = match(
        [
            ant(0, "worker", (0, 0)),
            ant(0, "scout", (0, 5), health=0),
            ant(1, "worker", (0, 8)),
            ant(0, "soldier", (3, 3)),
        ]
    )
    moves = [
        wired(game, 1, (1, 0), (3, 0)),
        wired(game, 1, *[(q, 0) for q in range(1, 7)]),
        wired(game, 1, *[(1, 0), (0, 0)] * 500_000),
        wired(game, 1, (1, 0), (1, 99)),
        wired(game, 2, (0, 6)),
        wired(game, 3, (0, 7)),
        wired(game, 0, (0, 7)),
        wired(game, 4, (4, 3)),
    ]
    judged = judge(game, 0, moves)
    a, b, c = (uuid_of(game, number) for number in (1, 2, 3))
    assert judged.errors == [
        f"ant {a} cannot move from {{1 0}} to {{3 0}}, not adjacent coordinates",
        f"ant {a} cannot move more than 5 tiles, but tried to move 6 tiles",
        f"ant {a} cannot move more than 5 tiles, but tried to move 1000000 tiles",
        f"ant {a} cannot move to {{1 99}}, tile not found",
        f"ant {b} is dead",
        f"ant {c} not found",
        "ant 00000000-0000-4000-8000-000000000000 not found",
    ]
    assert judged.orders == [move(4, (4, 3))]


def test_the_wire_and_the_turn_judge_alike() -> None:
    game = play_bots(20)
    names = {uuid_of(game, int(number)): int(number) for number in game.arrays(Ants).id if number}
    q, r = game.board.at(int(game.arrays(Ants).cell[0]))
    paths = [[], [(q + 1, r)], [(q + 2, r)], [(q, r)], [(q + step, r) for step in range(1, 9)], [(q, r + 90)]]
    for name, number in names.items():
        for path in paths:
            sent = msgspec.convert({"ant": name, "path": [{"q": a, "r": b} for a, b in path]}, Move)
            judged = judge(game, 0, [sent])
            (result,) = game.copy().step({0: [move(number, *path)]}).results[0]
            assert result.ok == (not judged.errors), (result, judged)


@pytest.mark.parametrize("far", [2**31, 2**32, -(2**63), 10**30])
def test_a_hex_beyond_every_number_is_not_found(far: int) -> None:
    game = match([ant(0, "worker", (0, 0))])
    (message,) = judge(game, 0, [wired(game, 1, (far, 0))]).errors
    assert message == f"ant {uuid_of(game, 1)} cannot move to {{{far} 0}}, tile not found"


def test_an_empty_path_is_an_order_that_takes_the_earlier_one_back() -> None:
    game = match([ant(0, "worker", (0, 0))])
    judged = judge(game, 0, [wired(game, 1, (1, 0)), wired(game, 1)])
    assert (judged.orders, judged.errors, judged.ways) == ([move(1)], [], {1: 0})
    game.step({0: judged.orders})
    assert at(game, 1) == (0, 0)


def test_the_answer_to_a_move_is_the_arena_with_errors() -> None:
    arena = arena_bytes(play_bots(1), 0, 0)
    answer = json.loads(move_bytes(arena, ["ant x not found"]))
    assert list(answer) == [*json.loads(arena), "errors"]
    assert answer["errors"] == ["ant x not found"]
    assert json.loads(move_bytes(arena, []))["errors"] == []


def test_an_ant_is_found_by_its_number() -> None:
    game = match([ant(0, "worker", (0, 0), id=7)])
    assert find(game, 7).kind == 0
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", uuid_of(game, 7))
