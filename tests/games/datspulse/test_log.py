"""Ruling 18: the log's lines are those of the public server."""

import json
import re
from pathlib import Path

import msgspec
import pytest

import marchland
from marchland.core.report import Report
from marchland.games.datspulse.game import Datspulse
from marchland.games.datspulse.log import Line, Log
from marchland.games.datspulse.wire import uuid_of
from tests.games.datspulse.builders import ant, match, move, play_bots

DATA = Path(__file__).parent / "data"
RECORDED = {file.stem: json.loads(file.read_text()) for file in DATA.glob("logs*.json")}
_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def shape(line: str) -> str:
    """A line without its ids and numbers."""
    return re.sub(r"-?\d+", "0", re.sub(_UUID, "ID", line))


def texts(game: Datspulse, *reports: Report, team: int = 0) -> list[str]:
    """The messages of a team about some turns."""
    log = Log(game)
    for report in reports:
        log.note(report, "")
    return [line.message for line in log.lines(game, team)]


def test_every_recorded_kind_of_line_is_one_of_ours() -> None:
    game = match(
        [
            ant(0, "worker", (0, 0)),
            ant(0, "worker", (0, 2)),
            ant(0, "worker", (0, 4)),
            ant(0, "worker", (1, 4)),
            ant(0, "worker", (0, 6)),
            ant(0, "worker", (-7, 0), food="apple", amount=4),
            ant(0, "worker", (5, -6)),
            ant(0, "scout", (-5, 5), health=20),
            ant(1, "worker", (-6, 0)),
            ant(0, "worker", (6, -6), food="bread", amount=2),
            ant(1, "scout", (6, -5)),
            ant(1, "scout", (-5, -8), health=20),
            ant(0, "soldier", (-6, -8)),
            ant(0, "worker", (-8, -1), food="bread", amount=1),
        ],
        land={(1, 0): ":", (1, 2): "#", (1, 6): "~", (-5, 5): "~"},
        food=[((5, -5), "apple", 1), ((7, -6), "bread", 1)],
        spawn=(0, 1, 0),
        rules="upstream",
    )
    ways = [move(1, (1, 0)), move(2, (1, 2)), move(3, (1, 4)), move(5, (1, 6)), move(6, (-8, 0)), move(7, (5, -5))]
    ours = {shape(line) for line in texts(game, game.step({0: [*ways, move(10, (7, -6))]}), game.step())}
    opening = marchland.new("datspulse", 40, seed=2)
    assert isinstance(opening, Datspulse)
    ours |= {shape(line) for team in range(40) for line in texts(opening, team=team)}
    assert {shape(line["message"]) for lines in RECORDED.values() for line in lines} <= ours


@pytest.mark.parametrize(
    ("land", "others", "text"),
    [
        ({(1, 0): "#"}, [], "cannot move to {1 0} Rock tile"),
        ({}, [ant(0, "worker", (1, 0))], "cannot move to {1 0}, your own ant B with same type is there"),
        ({}, [ant(1, "scout", (1, 0))], "cannot move to {1 0}, enemy ant B is there"),
        ({(1, 0): "~"}, [], "damaged by acid, health now 110"),
        ({}, [], "moved from {0 0} to {1 0}"),
        ({(1, 0): ":"}, [], "moved from {0 0} to {1 0} (dirt on path: 1)"),
        ({}, [ant(1, "soldier", (0, 1))], "attacked enemy ant B for 30.00 damage"),
        ({}, [ant(1, "scout", (0, 1), health=30)], "killed enemy ant B"),
    ],
)
@pytest.mark.parametrize("rules", ["seed", "upstream"])
def test_lines_of_one_ant(
    rules: str, land: dict[tuple[int, int], str], others: list[dict[str, object]], text: str
) -> None:
    game = match([ant(0, "worker", (0, 0)), *others], land=land, rules=rules)
    found = [line.replace(uuid_of(game, 2), "B") for line in texts(game, game.step({0: [move(1, (1, 0))]}))]
    assert f"turn 2: ant {uuid_of(game, 1)} {text}" in found


@pytest.mark.parametrize(
    ("place", "ally", "text"),
    [
        ((0, 0), [], "30.00 damage"),
        ((0, 0), [ant(0, "scout", (1, 0))], "45.00 damage(spot bonus 0.00, ally bonus 0.50)"),
        ((-6, 0), [], "37.50 damage(spot bonus 0.25, ally bonus 0.00)"),
        ((-6, 0), [ant(0, "scout", (-5, 0))], "52.50 damage(spot bonus 0.25, ally bonus 0.50)"),
    ],
)
def test_a_blow_is_reported_with_its_exact_damage_and_its_bonuses(
    place: tuple[int, int], ally: list[dict[str, object]], text: str
) -> None:
    game = match([ant(0, "worker", place), ant(1, "soldier", (place[0], 1)), *ally], rules="upstream")
    attack = f"turn 2: ant {uuid_of(game, 1)} attacked enemy ant {uuid_of(game, 2)} for {text}"
    assert attack in texts(game, game.step())


def test_a_nests_owner_learns_whom_it_hits() -> None:
    game = match([ant(1, "worker", (-6, 0))], rules="upstream")
    report = game.step()
    assert f"turn 2: spot damaged enemy ant {uuid_of(game, 1)} for 20" in texts(game, report)
    assert uuid_of(game, 1) not in "".join(texts(game, report, team=1))


def test_killed_comes_one_turn_after_the_blow_and_before_all_other_lines() -> None:
    game = match([ant(0, "worker", (0, 0), health=1), ant(1, "soldier", (1, 0)), ant(0, "scout", (0, 5))])
    blow, after = game.step(), game.step({0: [move(3, (0, 6))]})
    killed, lines = f"ant {uuid_of(game, 1)} killed", texts(game, blow, after)
    assert lines[0] == "turn 2: new ant spawned Worker"
    assert lines[1:3] == [f"turn 3: {killed}", f"turn 3: ant {uuid_of(game, 3)} moved from {{0 5}} to {{0 6}}"]
    assert f"turn 2: ant {uuid_of(game, 2)} killed enemy ant {uuid_of(game, 1)}" in texts(game, blow, after, team=1)


def test_an_ant_that_acid_kills_is_reported_at_once_and_again_one_turn_later() -> None:
    game = match([ant(0, "worker", (0, 0), health=20)], land={(0, 0): "~"}, rules="upstream")
    lines = [line for line in texts(game, game.step(), game.step(), game.step()) if "killed" in line]
    name = uuid_of(game, 1)
    assert lines == [f"turn 2: ant {name} killed by acid", f"turn 3: ant {name} killed"]


def test_turn_0_has_the_scout_and_the_spawn_point_and_turn_1_the_first_roll() -> None:
    game = marchland.new("datspulse", 3, seed=13, rules="upstream")
    assert isinstance(game, Datspulse)
    q, r = game.board.at(game.home(1)[0])
    log = Log(game, "then")
    assert log.lines(game, 1) == [
        Line("turn 0: new ant spawned Scout", "then"),
        Line(f"turn 0: spawn point at {{{q} {r}}}", "then"),
        Line("turn 1: new ant spawned Worker", "then"),
    ]
    log.note(game.step(), "later")
    assert [line.message.split(":")[0] for line in log.lines(game, 1)] == ["turn 0", "turn 0", "turn 1", "turn 2"]


def test_the_first_lines_are_worded_like_the_recorded_ones() -> None:
    game = marchland.new("datspulse", 3, seed=13, rules="upstream")
    assert isinstance(game, Datspulse)
    recorded = [line["message"] for line in RECORDED["logs_round_start"][:3]]
    assert [shape(line) for line in texts(game, team=1)] == [shape(line) for line in recorded]


def test_lines_about_death_food_and_nests() -> None:
    game = match(
        [
            ant(0, "worker", (0, 0), health=20, food="bread", amount=2),
            ant(0, "worker", (0, 4)),
            ant(0, "worker", (7, 0)),
            ant(0, "soldier", (3, 6), health=1),
            ant(1, "soldier", (3, 7)),
            ant(0, "worker", (9, 3)),
            ant(0, "scout", (6, 0)),
        ],
        land={(0, 0): "~"},
        food=[((0, 4), "bread", 9)],
        nectar={1: (2, 0, 0)},
    )
    report = game.step({0: [move(6, (9, 2), (8, 1), (8, 0)), move(7, (7, 0), (8, 0))]})
    a, b, c, d, e, f, g = (uuid_of(game, number) for number in range(1, 8))
    found = texts(game, report)
    for line in (
        f"ant {a} killed by acid",
        f"ant {a} dropped 2 Bread at {{0 0}}",
        f"ant {b} collected 8 Bread at {{0 4}}",
        f"ant {c} damaged by anthill, health now 110",
        f"ant {g} cannot move to {{8 0}}, foreign anthill is there",
        "new ant spawned Worker",
    ):
        assert f"turn 2: {line}" in found
    assert f"turn 2: ant {f} moved from {{9 3}} to {{8 1}}" in found
    assert any(f"turn 2: ant {raider} raided 2 Nectar at {{8 0}}" in found for raider in (c, f))
    victim = texts(game, report, team=1)
    assert "turn 2: nest robbed of 2 Nectar at {8 0}" in victim
    assert f"turn 2: ant {e} killed enemy ant {d}" in victim
    assert not any(one in line for line in victim for one in (a, b, f))


_COMPLETE = (
    "new ant Worker not spawned, your own ant with same type is at {-8 0}",
    "cannot move to {3 0}, out of movement points",
    "damaged by enemy ant",
    "damaged by anthill, health now 110",
    "dropped 2 Bread at {5 5}",
)


@pytest.mark.parametrize("rules", ["seed", "upstream"])
def test_what_no_recorded_log_has_is_reported_under_the_seeds_rules_only(rules: str) -> None:
    game = match(
        [
            ant(0, "worker", (-8, 0)),
            ant(0, "soldier", (0, 0)),
            ant(0, "worker", (7, 1)),
            ant(0, "worker", (5, 5), health=20, food="bread", amount=2),
            ant(0, "worker", (0, 7)),
            ant(1, "worker", (1, 7)),
        ],
        land={**{(q, 0): ":" for q in range(1, 4)}, (5, 5): "~"},
        rules=rules,
    )
    logged = "\n".join(texts(game, game.step({0: [move(2, (1, 0), (2, 0), (3, 0))]})))
    assert [text in logged for text in _COMPLETE] == [rules == "seed"] * len(_COMPLETE)


def test_the_log_keeps_the_last_lines_oldest_first() -> None:
    game = play_bots(0, log_lines=50)
    bot, log = game.bots["greedy"](), Log(game)
    complete = Log(play_bots(0, log_lines=10_000))
    for _ in range(40):
        report = game.step({0: bot.play(game.observe(0))})
        for one in (log, complete):
            one.note(report, f"time {report.turn}")
    every = complete.lines(game, 0)
    assert len(every) > 50
    assert log.lines(game, 0) == every[-50:]


def test_a_log_answers_in_the_recorded_shape() -> None:
    recorded = RECORDED["logs"]
    game = match([ant(0, "worker", (0, 0))])
    log = Log(game)
    log.note(game.step({0: [move(1, (1, 0))]}), recorded[0]["time"])
    lines = json.loads(msgspec.json.encode(log.lines(game, 0)))
    assert lines[0] == {
        "message": f"turn 2: ant {uuid_of(game, 1)} moved from {{0 0}} to {{1 0}}",
        "time": recorded[0]["time"],
    }
    assert list(lines[0]) == list(recorded[0])


def test_damage_and_obstacles_on_the_way_are_logged_before_the_move() -> None:
    game = match([ant(0, "worker", (0, 0))], land={(1, 0): "~", (2, 0): "#"}, food=[((1, 0), "apple", 2)])
    lines = [line.split(" ", 4)[4] for line in texts(game, game.step({0: [move(1, (1, 0), (2, 0))]}))]
    assert lines[:4] == [
        "damaged by acid, health now 110",
        "cannot move to {2 0} Rock tile",
        "moved from {0 0} to {1 0}",
        "collected 2 Apple at {1 0}",
    ]
