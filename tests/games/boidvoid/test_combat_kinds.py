"""The steps and lists of combat for each kind of unit, with figures computed by hand (in hundredths).

I am the usual ship (battery 100 at 50/50, attack 5, defense 10, health 40, range 2) at [2, 2]. All others have attack
30, defense 20, health 100 and range 2; ships and swarms also a battery of 100 for each ship, and the swarm is of two.
"""

from typing import Any

import pytest

from marchland.games.boidvoid.game import BoidVoid
from tests.games.boidvoid.builders import (
    MOTHER_0,
    MOTHER_1,
    NPC,
    STRUCTURE,
    SWARM,
    act,
    of_kind,
    position,
    refusal,
    unit,
)

KINDS = ("ship", "swarm", "mothership", "superstructure", "npc")
NAMES = {"ship": 1, "swarm": SWARM + 1, "mothership": MOTHER_1, "superstructure": STRUCTURE, "npc": NPC}
STATS = {"attack": 30, "defense": 20, "health": 100, "range": 2}
HALL = {"id": 77, "kind": "superstructure", "player": 1, "use": "built", "target": STRUCTURE}
BEARABLE = {"ship": 170, "swarm": 340, "mothership": 120, "superstructure": 120, "npc": 120}
"""Shields 50 a ship, defense 20 and health 100 each."""


def facing(kind: str, at: list[int] | None = None, me: dict[str, Any] | None = None, **more: Any) -> BoidVoid:
    """Me and a unit of that kind."""
    stats = {**STATS, **more.pop("stats", {})}
    other: dict[str, Any] = {"id": NAMES[kind], "at": at or [3, 2], "stats": stats}
    if kind != "npc":
        other["team"] = 1
    if kind == "superstructure":
        other["nft"] = 77
    units = [{"id": 0, "at": [2, 2], **(me or {})}, other]
    if kind == "swarm":
        del other["stats"]
        other["name"] = "s"
        units += [{"id": seat, "swarm": SWARM + 1, "stats": stats} for seat in (1, 3)]
    return position(units, nfts=[HALL], npcs=1, **more)


def struck(game: BoidVoid, kind: str) -> list[dict[str, Any]]:
    return act(game, 0, do="attack", unit=0, target=NAMES[kind])


def state(game: BoidVoid, name: int) -> tuple[int, int]:
    found = unit(game, name)
    return found.get("battery", 0), found.get("health", 0)


def blow(points: int) -> dict[str, Any]:
    """What makes my attack exactly that strong, and me too tough to fall."""
    return {"battery": 0, "stats": {"attack": points, "range": 2, "health": 900, "defense": 10}}


# ---------------------------------------------------------------- steps 3 to 13


@pytest.mark.parametrize(
    ("kind", "shields", "defense", "total", "main", "additional"),
    [
        ("ship", 5000, 2000, 8000, 5000, 3000),
        ("swarm", 10000, 4000, 16000, 10000, 6000),
        ("mothership", 0, 2000, 3000, 0, 0),
        ("superstructure", 0, 2000, 3000, 0, 3000),
        ("npc", 0, 2000, 3000, 0, 3000),
    ],
)
def test_3_to_5_and_8_to_13_on_a_tile_that_gives_half_as_much_defense(
    kind: str, shields: int, defense: int, total: int, main: int, additional: int
) -> None:
    land: Any = {"bonuses": [{"at": [2, 2], "bonuses": {"attack": 10}}, {"at": [3, 2], "bonuses": {"defense": 50}}]}
    events = struck(facing(kind, land=land), kind)
    mine, theirs = of_kind(events, "force")
    assert (mine["main"], mine["additional"], mine["bonus"], mine["damage"]) == (5000, 500, 10, 6050)
    guard = of_kind(events, "guard")[0]
    assert (guard["shields"], guard["defense"], guard["bonus"], guard["total"]) == (shields, defense, 50, total)
    assert (theirs["main"], theirs["additional"], theirs["damage"]) == (main, additional, main + additional)


@pytest.mark.parametrize(
    ("kind", "damage"), [("ship", 12000), ("swarm", 24000), ("mothership", 0), ("superstructure", 4500), ("npc", 4500)]
)
def test_6_and_7_a_forced_critical_hit_of_the_answer(kind: str, damage: int) -> None:
    critical = {"critical_chance": 100, "critical_value": 50}
    events = struck(facing(kind, stats=critical, config={"critical_limit": 100}), kind)
    chance = of_kind(events, "chance")[1]
    assert (chance["chance"], chance["critical"], of_kind(events, "force")[1]["damage"]) == (100, 50, damage)
    forbidden = struck(facing(kind, stats=critical, config={"critical_limit": 0}), kind)
    assert of_kind(forbidden, "chance")[1]["critical"] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_6_the_tile_adds_to_the_chance_up_to_the_limit(kind: str) -> None:
    land: Any = {"bonuses": [{"at": [3, 2], "bonuses": {"critical_chance": 33}}]}
    game = facing(kind, stats={"critical_chance": 10}, land=land, config={"critical_limit": 100})
    assert of_kind(struck(game, kind), "chance")[1]["chance"] == 43
    game = facing(kind, stats={"critical_chance": 10}, land=land, config={"critical_limit": 40})
    assert of_kind(struck(game, kind), "chance")[1]["chance"] == 40


def test_6_a_point_and_a_superstructure_of_the_own_team_add_to_the_chance() -> None:
    land: Any = {"points": [{"at": [3, 2], "bonuses": {"critical_chance": 7}}]}
    hall: Any = {"id": 7, "kind": "superstructure", "player": 1, "use": "built", "target": STRUCTURE}
    tower: Any = {"id": STRUCTURE, "at": [3, 2], "team": 1, "nft": 7, "stats": {"tile_critical_chance": 5}}
    for owner, chance in ((1, 10 + 7 + 5), (0, 10 + 5)):
        owned = [[[0, 0]], [[5, 4]]]
        owned[owner].append([3, 2])
        game = position(
            [{"id": 0, "at": [2, 2]}, {"id": 1, "at": [3, 2]}, tower],
            land=land,
            nfts=[hall],
            owned=owned,
            config={"critical_limit": 100},
        )
        assert of_kind(act(game, 0, do="attack", unit=0, target=1), "chance")[1]["chance"] == chance


# ---------------------------------------------------------------- steps 14 to 19


@pytest.mark.parametrize("kind", KINDS)
def test_14_and_15_exactly_what_it_bears_is_answered_and_more_is_not(kind: str) -> None:
    game = facing(kind, me=blow(BEARABLE[kind]))
    events = struck(game, kind)
    assert of_kind(events, "hit")[0]["damage"] == BEARABLE[kind] * 100
    assert len(of_kind(events, "hit")) == (1 if kind == "mothership" else 2)
    assert len(of_kind(events, "destroyed")) == (2 if kind == "swarm" else 1)
    assert game.view()["teams"][0]["destroyed"] == (2 if kind == "swarm" else 1)
    overwhelmed = struck(facing(kind, me=blow(BEARABLE[kind] + 1)), kind)
    assert of_kind(overwhelmed, "no_counter")[0]["why"] == "overwhelmed"


@pytest.mark.parametrize("kind", KINDS)
def test_16_without_counterattack_no_unit_answers_and_the_attacker_keeps_its_shields(kind: str) -> None:
    game = facing(kind, config={"counterattack": False})
    assert of_kind(struck(game, kind), "no_counter")[0]["why"] == "not allowed"
    assert state(game, 0) == (5000, 4000)


@pytest.mark.parametrize("kind", KINDS)
def test_17_out_of_its_own_range_no_unit_answers(kind: str) -> None:
    game = facing(kind, at=[4, 2], stats={"range": 1})
    assert of_kind(struck(game, kind), "no_counter")[0]["why"] == "out of range"


@pytest.mark.parametrize(
    ("kind", "mine"),
    [
        ("ship", (0, 2000)),  # 80 against 50 shields, 10 defense: 20 of my 40 health
        ("swarm", (0, 0)),  # 160: more than all I have
        ("mothership", (5000, 4000)),
        ("superstructure", (2000, 4000)),  # 30 within my shields of 50
        ("npc", (2000, 4000)),
    ],
)
@pytest.mark.parametrize("depletes", [False, True])
def test_18_and_19_what_the_answer_does_to_me(kind: str, mine: tuple[int, int], depletes: bool) -> None:
    game = facing(kind, config={"deplete_on_defense": depletes})
    struck(game, kind)
    battery, health = mine
    assert state(game, 0) == (battery if kind == "mothership" or not depletes else 0, health)


# ---------------------------------------------------------------- the three lists


@pytest.mark.parametrize(
    ("points", "battery", "health"),
    [
        (30, 2000, 10000),  # 1: it paid 50 to answer; 2: 30 of its shields
        (50, 0, 10000),  # 2: just its shields
        (60, 0, 10000),  # 4 and 5: 10 of its defense
        (70, 0, 10000),  # all of its defense
        (75, 0, 9500),  # 6
    ],
)
def test_the_list_of_a_spaceship(points: int, battery: int, health: int) -> None:
    game = facing("ship", me=blow(points))
    struck(game, "ship")
    assert state(game, 1) == (battery, health)


@pytest.mark.parametrize("kind", ["mothership", "superstructure", "npc"])
@pytest.mark.parametrize(("points", "health"), [(5, 10000), (20, 10000), (21, 9900), (119, 100)])
def test_the_list_of_mothership_superstructure_and_npc(kind: str, points: int, health: int) -> None:
    game = facing(kind, me=blow(points))
    struck(game, kind)
    assert unit(game, NAMES[kind])["health"] == health


@pytest.mark.parametrize(
    ("distribution", "points", "first", "second"),
    [
        # Both paid 50 to answer. One after the other: shields 50, defense 20, health 100.
        ("strong", 30, (2000, 10000), (5000, 10000)),
        ("weak", 60, (0, 10000), (5000, 10000)),  # 2.5: its defense bears what its shields do not
        ("strong", 100, (0, 7000), (5000, 10000)),  # 2.7
        ("strong", 190, (0, 0), (3000, 10000)),  # it falls, and 20 go on to the next one's shields
        # Spread: half of it each, and nothing goes on.
        ("spread", 30, (3500, 10000), (3500, 10000)),
        ("spread", 140, (0, 10000), (0, 10000)),
        ("spread", 200, (0, 7000), (0, 7000)),
        ("spread", 61, (1950, 10000), (1950, 10000)),
    ],
)
def test_the_list_of_a_swarm(distribution: str, points: int, first: tuple[int, int], second: tuple[int, int]) -> None:
    game = facing("swarm", me=blow(points), config={"damage_distribution": distribution})
    struck(game, "swarm")
    assert [state(game, name) for name in (1, 3)] == [first, second]


@pytest.mark.parametrize(("depletes", "first", "second"), [(False, 3500, 3500), (True, 0, 0)])
def test_swarm_2_3_depletion_takes_the_shields_of_all_who_were_hit(depletes: bool, first: int, second: int) -> None:
    config = {"damage_distribution": "spread", "deplete_on_defense": depletes}
    game = facing("swarm", me=blow(30), config=config)
    struck(game, "swarm")
    assert [unit(game, name).get("battery", 0) for name in (1, 3)] == [first, second]


# ---------------------------------------------------------------- who attacks


def test_an_npc_attacks_by_the_same_steps() -> None:
    game = facing("npc")
    events = game.step().events
    assert [force["damage"] for force in of_kind(events, "force")] == [3000, 5500]
    assert unit(game, NPC)["health"] == 10000 - (5500 - 2000)
    assert unit(game, 0)["battery"] == 10000 - 5000 - 3000 + 1500  # and the turn start's recharge


def test_an_unowned_point_helps_no_npc() -> None:
    land: Any = {"points": [{"at": [3, 2], "bonuses": {"attack": 50, "defense": 50}}]}
    events = struck(facing("npc", land=land), "npc")
    assert (of_kind(events, "guard")[0]["bonus"], of_kind(events, "force")[1]["bonus"]) == (0, 0)


def test_motherships_and_superstructures_cannot_attack() -> None:
    game = position([{"id": MOTHER_0, "at": [2, 2]}, {"id": 1, "at": [3, 2]}])
    assert refusal(game, 0, do="attack", unit=MOTHER_0, target=1) == "WRONG_KIND"
    stats = {"health": 50, "attack": 5, "range": 2}
    game = position(
        [{"id": STRUCTURE, "at": [2, 2], "team": 0, "nft": 77, "stats": stats}, {"id": 1, "at": [3, 2]}],
        nfts=[{**HALL, "player": 0}],
    )
    assert refusal(game, 0, do="attack", unit=STRUCTURE, target=1) == "NOT_YOUR_UNIT"
