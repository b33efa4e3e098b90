"""Non-playable characters."""

import marchland
from tests.games.boidvoid.builders import NPC, SWARM, act, of_kind, position, refusal, unit


def test_an_npc_attacks_the_nearest_unit_in_range_the_weakest_of_equals() -> None:
    game = position(
        [{"id": NPC, "at": [2, 2]}, {"id": 0, "at": [1, 2]}, {"id": 1, "at": [3, 2], "health": 100}], npcs=1
    )
    events = game.step().events
    assert of_kind(events, "attacked")[0]["target"] == 1


def test_an_npc_steps_toward_what_it_sees_and_wanders_otherwise() -> None:
    game = position([{"id": NPC, "at": [0, 2]}, {"id": 0, "at": [4, 2]}], npcs=1)
    game.step()
    assert unit(game, NPC)["at"] == [1, 2]
    places = set()
    for key in range(30):
        alone = position([{"id": NPC, "at": [2, 2]}], npcs=1, key=f"{key:x}")
        alone.step()
        places.add(tuple(unit(alone, NPC)["at"]))
    assert len(places) == 6


def test_an_npc_that_falls_does_not_come_back() -> None:
    game = position([{"id": NPC, "at": [2, 2], "health": 100}, {"id": 0, "at": [1, 2]}], npcs=1)
    act(game, 0, do="attack", unit=0, target=NPC)
    assert NPC not in [one["id"] for one in game.view()["units"]]
    for _ in range(6):
        game.step()
    assert refusal(game, 0, do="attack", unit=0, target=NPC) == "NO_SUCH_UNIT"


def test_npcs_survive_the_opening_and_fight() -> None:
    survived = 0
    for seed in range(50):
        game = marchland.new("boidvoid", players=4, seed=seed)
        bots = [game.bots["greedy"](seed=seat) for seat in range(4)]
        battles = 0
        for _ in range(20):
            events = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)}).events
            fighters = [battle[one] for battle in of_kind(events, "attacked") for one in ("unit", "target")]
            battles += sum(NPC <= fighter < SWARM for fighter in fighters)
        assert battles >= 10
        survived += any(one["kind"] == "npc" for one in game.view()["units"])
    assert survived >= 40
