"""``marchland bench fairness``: figures for scripts, lines for people."""

import json

from tests.cli.conftest import Run


def test_mirror_games_print_a_line_for_each_map_and_a_summary(run: Run) -> None:
    ran = run("bench", "fairness", "enova", "--seeds", 2, "--players", 2, "--processes", 1, "--json")
    assert ran.code == 0
    *maps, summary = [json.loads(line) for line in ran.out.splitlines()]
    assert [(line["game"], line["scenario"], line["games"]) for line in maps] == [
        ("enova", "mirror/lattice/2p", 2),
        ("enova", "mirror/torus/2p", 2),
    ]
    assert all(sum(line["seats"]) == sum(line["places"].values()) == 1 for line in maps)
    assert set(summary["tests"]) == {
        f"enova/mirror/{world}/2p/{over}" for world in ("lattice", "torus") for over in ("seats", "places")
    }


def test_a_duel_prints_wins_with_their_interval(run: Run) -> None:
    ran = run("bench", "fairness", "duel", "enova", "--bots", "greedy,idle", "--seeds", 1, "--processes", 1)
    assert ran.code == 0
    assert ran.out.startswith("enova duel/default/2p: bots greedy, idle  games 2  wins 2  draws 0  losses 0")
    assert "interval 0.3424, 1.0" in ran.out


def test_a_duel_of_three_is_refused(run: Run) -> None:
    ran = run("bench", "fairness", "duel", "enova", "--bots", "greedy,idle,random")
    assert (ran.code, "between two bots" in ran.err) == (2, True)


def test_an_unknown_bot_is_refused_before_a_game_is_played(run: Run) -> None:
    ran = run("bench", "fairness", "duel", "enova", "--bots", "greedy,idel")
    assert (ran.code, "did you mean 'idle'?" in ran.err) == (2, True)
