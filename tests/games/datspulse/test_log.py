"""Ruling 18: the log's lines are those of the public server."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from marchland.games.datspulse.log import Line, Log, lines
from marchland.games.datspulse.wire import uuid_of
from tests.games.datspulse.builders import ant, match, move, play_bots

RECORDED = [line["message"] for line in json.loads((Path(__file__).parent / "data/logs.json").read_text())]
_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def shape(line: str) -> str:
    """A line without its ids and numbers."""
    return re.sub(r"-?\d+", "0", re.sub(_UUID, "ID", line))


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
        ],
        land={(1, 0): ":", (1, 2): "#", (1, 6): "~"},
        spawn=(0, 1, 0),
    )
    ways = [move(1, (1, 0)), move(2, (1, 2)), move(3, (1, 4)), move(5, (1, 6)), move(6, (-8, 0)), move(7, (5, -5))]
    ours = {shape(line) for line in lines(game, game.step({0: ways}), 0)}
    spawned = {shape(f"turn 1: new ant spawned {kind}") for kind in ("Worker", "Soldier", "Scout")}
    assert {shape(line) for line in RECORDED} - spawned <= ours


@pytest.mark.parametrize(
    ("land", "others", "text"),
    [
        ({(1, 0): "#"}, [], "cannot move to {1 0} Rock tile"),
        ({}, [ant(0, "worker", (1, 0))], "cannot move to {1 0}, your own ant B with same type is there"),
        ({}, [ant(1, "scout", (1, 0))], "cannot move to {1 0}, enemy ant B is there"),
        ({(1, 0): "~"}, [], "damaged by acid, health now 110"),
        ({}, [], "moved from {0 0} to {1 0}"),
        ({(1, 0): ":"}, [], "moved from {0 0} to {1 0} (dirt on path: 1)"),
        ({}, [ant(1, "scout", (0, 1))], "attacked enemy ant B at {0 1}, damage 30"),
        ({}, [ant(1, "scout", (0, 1))], "damaged by enemy ant B, health now 110"),
    ],
)
def test_lines_of_one_ant(land: dict[tuple[int, int], str], others: list[dict[str, object]], text: str) -> None:
    game = match([ant(0, "worker", (0, 0)), *others], land=land)
    found = [line.replace(uuid_of(game, 2), "B") for line in lines(game, game.step({0: [move(1, (1, 0))]}), 0)]
    assert f"turn 1: ant {uuid_of(game, 1)} {text}" in found


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
    found = list(lines(game, report, 0))
    for line in (
        f"ant {a} killed by acid",
        f"ant {a} dropped 2 Bread at {{0 0}}",
        f"ant {b} collected 8 Bread at {{0 4}}",
        f"ant {c} damaged by anthill, health now 110",
        f"ant {c} raided 2 Nectar at {{8 0}}",
        f"ant {d} killed",
        f"ant {g} cannot move to {{8 0}}, foreign anthill is there",
        "new ant spawned Worker",
    ):
        assert f"turn 1: {line}" in found
    assert f"turn 1: ant {f} moved from {{9 3}} to {{8 1}}" in found
    victim = list(lines(game, report, 1))
    assert "turn 1: nest robbed of 2 Nectar at {8 0}" in victim
    assert not any(one in line for line in victim for one in (a, b, c, f, g))
    assert all(line.split(": ")[1].split()[1] != d for line in victim)
    assert e in "".join(victim)


def test_a_skipped_spawn_and_spent_points_are_logged() -> None:
    game = match([ant(0, "worker", (-8, 0)), ant(0, "soldier", (0, 0))], land={(q, 0): ":" for q in range(1, 4)})
    found = list(lines(game, game.step({0: [move(2, (1, 0), (2, 0), (3, 0))]}), 0))
    assert "turn 1: new ant Worker not spawned, your own ant with same type is at {-8 0}" in found
    assert f"turn 1: ant {uuid_of(game, 2)} cannot move to {{3 0}}, out of movement points" in found


def test_the_log_keeps_the_last_lines_oldest_first() -> None:
    game = play_bots(0, log_lines=50)
    bot, log = game.bots["greedy"](), Log(game)
    every: list[Line] = []
    for _ in range(40):
        report = game.step({0: bot.play(game.observe(0))})
        log.note(report, f"time {report.turn}")
        every += [Line(line, f"time {report.turn}") for line in lines(game, report, 0)]
    assert len(every) > 50
    assert log.lines(game, 0) == every[-50:]


def test_a_log_answers_in_the_recorded_shape() -> None:
    recorded = json.loads((Path(__file__).parent / "data/logs.json").read_text())
    game = match([ant(0, "worker", (0, 0))])
    log = Log(game)
    log.note(game.step({0: [move(1, (1, 0))]}), recorded[0]["time"])
    told = json.loads(msgspec.json.encode(log.lines(game, 0)))
    assert told[0] == {
        "message": f"turn 1: ant {uuid_of(game, 1)} moved from {{0 0}} to {{1 0}}",
        "time": recorded[0]["time"],
    }
    assert list(told[0]) == list(recorded[0])


def test_damage_and_obstacles_on_the_way_are_logged_before_the_move() -> None:
    game = match([ant(0, "worker", (0, 0))], land={(1, 0): "~", (2, 0): "#"}, food=[((1, 0), "apple", 2)])
    told = [line.split(" ", 4)[4] for line in lines(game, game.step({0: [move(1, (1, 0), (2, 0))]}), 0)]
    assert told[:4] == [
        "damaged by acid, health now 110",
        "cannot move to {2 0} Rock tile",
        "moved from {0 0} to {1 0}",
        "collected 2 Apple at {1 0}",
    ]


def test_a_deadly_blow_or_fire_is_logged_as_killed_alone() -> None:
    game = match([ant(0, "worker", (0, 0), health=1), ant(1, "soldier", (1, 0)), ant(0, "scout", (7, 0), health=20)])
    told = [line.removeprefix("turn 1: ") for line in lines(game, game.step(), 0)]
    killed = [f"ant {uuid_of(game, number)} killed" for number in (1, 3)]
    assert sorted(told) == sorted([*killed, "new ant spawned Worker"])
