"""Places of players and figures of teams in frames."""

import pytest

import marchland
from marchland.messages import places_by_key
from marchland.registry import games
from tests.support.small_matches import SMALL


@pytest.mark.parametrize("game", games())
def test_the_places_at_the_end_are_those_of_the_outcome(game: str) -> None:
    config = {
        **SMALL[game].get("config", {}),
        **({"turn_limit": 3} if game in ("boidvoid", "enova") else {"max_turn": 3}),
    }
    match = marchland.new(game, 2, seed=4, **{**SMALL[game], "config": config})
    bots = [marchland.registry.find(game).bots["greedy"](seed=seat) for seat in range(2)]
    while match.outcome is None:
        match.step({seat: bot.play(match.observe(seat)) for seat, bot in enumerate(bots)})
    by_player = {standing.player: standing.place for standing in match.outcome.ranking}
    assert match.scene().places == [by_player[0], by_player[1]]


def test_a_player_in_the_fog_learns_no_places() -> None:
    match = marchland.new("hive", 2, seed=4, **SMALL["hive"])
    assert match.scene(0).places == []
    assert len(match.scene().places) == 2


def test_teams_come_with_the_figures_by_which_they_are_ranked() -> None:
    match = marchland.new("boidvoid", 4, seed=4, **SMALL["boidvoid"])
    assert match.legend().team_figures == ["tiles", "points", "structures", "destroyed"]
    assert [row[0] for row in match.scene().teams] == [team["tiles"] for team in match.view()["teams"]]


def test_a_thousand_players_have_places() -> None:
    match = marchland.new("enova", 1000, seed=1)
    assert match.scene().places == [1] * 1000
    bot = marchland.registry.find("enova").bots["random"](seed=1)
    for _ in range(3):
        match.step({7: bot.play(match.observe(7))})
    ahead = match.scene().places
    assert (ahead[7], {*ahead}) == (1, {1, 2})


def test_equal_players_share_a_place_and_the_next_is_skipped() -> None:
    assert places_by_key([(1, 2), (3, 0), (1, 2), (0, 9), (3, 0)]) == [3, 1, 3, 5, 1]
