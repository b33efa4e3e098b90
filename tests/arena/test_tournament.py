"""Tournaments: every match counts once, whatever is killed; the same call continues."""

import asyncio
import contextlib
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine

import marchland
from marchland.arena import Tournament, load_bot, names_of, play
from marchland.arena.play_fixture import Job, MatchSetup, PlayedMatch
from marchland.arena.referee_pool import RefereePool
from marchland.core.replay import Replay
from marchland.errors import MarchlandError, UnknownNameError
from marchland.messages import MatchInfo
from marchland.ratings import fit_results, rank_versions
from marchland.registry import find
from marchland.server.compile_processes import make_game_loader
from marchland.server.retention.check import check_database
from marchland.store.addresses import database_url
from tests.support.asgi import running_app
from tests.support.postgres import Cluster
from tests.support.tournaments import play_all, small_tournament, write_bot

BOTS = ["greedy", "random", "idle"]


def test_every_match_counts_once_and_the_best_bot_leads(tmp_path: Path) -> None:
    db = tmp_path / "t.db"
    tournament = small_tournament("enova", BOTS, matches=18, db=db, carrier=RefereePool)
    yielded = [played.id for played in tournament.play()]
    assert len(yielded) == len(set(yielded)) == 18 == len(tournament.played)
    table = tournament.standings()
    assert table[0].version == "greedy"
    assert {row.matches for row in table} == {12}
    assert sum(tournament.head_to_head("greedy", "idle")) == 6
    engine = create_engine(database_url(str(db)))
    checked = check_database(engine)
    engine.dispose()
    assert (checked.archives, checked.problems, checked.unverifiable) == (18, [], [])


def test_a_tournament_that_was_stopped_continues_and_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    whole = play_all(small_tournament("enova", BOTS, matches=12))
    db = tmp_path / "t.db"
    for _ in range(2):
        playing = small_tournament("enova", BOTS, matches=12, db=db).play()
        next(playing)
        playing.close()
    rest = small_tournament("enova", BOTS, matches=12, db=db)
    later = [played.id for played in rest.play()]
    assert 0 < len(later) < 12 == len(rest.played)
    assert rest.standings() == whole.standings()
    assert {played.id: played.digest for played in rest.played} == {played.id: played.digest for played in whole.played}
    assert list(small_tournament("enova", BOTS, matches=12, db=db).play()) == []


@pytest.mark.parametrize("format", ["round-robin", "ladder", "gauntlet"])
def test_more_matches_continue_a_tournament_as_if_it_had_been_asked_for_at_once(tmp_path: Path, format: str) -> None:
    db = tmp_path / "t.db"
    for matches in (5, 10, 20):
        continued = play_all(small_tournament("enova", [*BOTS, "greedy"], format=format, matches=matches, db=db))
    whole = play_all(small_tournament("enova", [*BOTS, "greedy"], format=format, matches=20))
    assert [bundle.id for bundle in continued.bundles] == [bundle.id for bundle in whole.bundles]
    assert continued.standings() == whole.standings()


@pytest.mark.parametrize("format", ["swiss", "bracket"])
def test_a_format_with_an_end_ends_by_itself(format: str) -> None:
    tournament = play_all(small_tournament("enova", ["greedy", "random", "idle", "random"], format=format))
    assert tournament.standings()[0].version == "greedy"
    assert tournament.progress.played == tournament.progress.planned > 0
    assert all(bundle.why.startswith(format) for bundle in tournament.bundles)


def test_a_tournament_ends_when_every_interval_is_narrow_enough() -> None:
    tournament = play_all(small_tournament("enova", ["random", "random"], until=200.0))
    margins = [row.margin for row in tournament.standings()]
    assert max(margins) <= 200
    assert 4 <= len(tournament.played) < 200


def test_results_in_any_order_give_the_same_table_to_the_last_bit() -> None:
    tournament = play_all(small_tournament("enova", BOTS, matches=24))
    results, table = tournament.results(), tournament.standings()
    dice = random.Random(1)
    for _ in range(10):
        dice.shuffle(results)
        assert rank_versions(fit_results(results)) == table


def test_a_bundle_has_every_seating_and_each_seed_has_its_map() -> None:
    maps = ["duel", "straits"]
    tournament = play_all(small_tournament("boidvoid", ["greedy", "idle"], players=4, maps=maps, matches=4))
    seatings = Counter((played.bundle.seed_index, played.seating) for played in tournament.played)
    pairs = [("greedy", "idle"), ("idle", "greedy")]
    assert seatings == {(index, pair): 1 for index in (0, 1) for pair in pairs}


def test_in_a_game_with_teams_each_bot_plays_one_team() -> None:
    tournament = play_all(small_tournament("boidvoid", ["greedy", "idle"], players=4, matches=2))
    assert tournament.field.players == 2
    assert [len(played.places) for played in tournament.played] == [2, 2]
    assert tournament.standings()[0].version == "greedy"


def test_players_that_form_no_equal_teams_are_refused() -> None:
    with pytest.raises(MarchlandError, match="teams of equal size"):
        small_tournament("boidvoid", ["greedy", "idle"], players=3)


def test_four_bots_in_a_match_play_four_rotations() -> None:
    tournament = play_all(small_tournament("enova", [*BOTS, "greedy"], players=4, matches=4))
    assert [sorted(played.seating) for played in tournament.played] == [["greedy 1", "greedy 2", "idle", "random"]] * 4
    assert len({played.seating[0] for played in tournament.played}) == 4


def test_a_match_can_be_played_again_by_its_seed() -> None:
    tournament = play_all(small_tournament("colorfight", ["greedy", "random"], matches=2))
    kind = find("colorfight")
    for played in tournament.played:
        specs = list(played.seating)
        game = kind.new(names_of(specs), seed=played.bundle.seed, config=tournament.setup.config)
        play(game, [load_bot(spec, kind, played.bundle.seed + seat) for seat, spec in enumerate(specs)])
        assert game.digest() == played.digest


class KillingPool(RefereePool):
    """Kills a referee after each of the first submissions, while it starts, plays or waits."""

    def __init__(self, setup: MatchSetup, workers: int) -> None:
        super().__init__(setup, workers)
        self.killed: set[int] = set()

    def submit(self, jobs: Sequence[Job]) -> "list[Future[PlayedMatch]]":
        futures = super().submit(jobs)
        deadline = time.monotonic() + 120
        before = len(self.killed)
        while len(self.killed) < min(before + 1, 2):  # three deaths of one fixture would be its own fault
            assert time.monotonic() < deadline, "no referee starts"
            for pid in set(self.pids) - self.killed:
                with contextlib.suppress(ProcessLookupError):  # its thread may reap it at this moment
                    os.kill(pid, signal.SIGKILL)
                self.killed.add(pid)
                break
            time.sleep(0.01)
        return futures


def test_a_killed_referee_loses_no_match(tmp_path: Path) -> None:
    pools: list[KillingPool] = []

    def make(setup: MatchSetup, workers: int) -> KillingPool:
        pools.append(KillingPool(setup, workers))
        return pools[0]

    tournament = play_all(small_tournament("enova", BOTS, matches=18, db=tmp_path / "t.db", carrier=make))
    assert len(pools[0].killed) == 2
    assert len({played.id for played in tournament.played}) == 18
    assert tournament.standings() == play_all(small_tournament("enova", BOTS, matches=18)).standings()


def test_a_match_whose_bot_was_killed_counts_and_says_so(tmp_path: Path) -> None:
    program = tmp_path / "killed.py"
    program.write_text("import os, signal\ninput()\ninput()\nos.kill(os.getpid(), signal.SIGKILL)\n")
    tournament = play_all(small_tournament("enova", [f"cmd:{sys.executable} {program}", "greedy"], matches=2))
    assert tournament.standings()[0].version == "greedy"
    for played in tournament.played:
        side = played.seating.index("killed")
        assert "signal 9" in played.notes[side] and played.failures[side] > 0
        assert played.notes[1 - side] == ""


def test_a_fixture_that_ends_its_referee_is_stuck_and_its_bundle_does_not_count(tmp_path: Path) -> None:
    referee = "int(open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()[1])"
    deadly = write_bot(tmp_path, "deadly", f"os.kill({referee}, 9)")
    tournament = play_all(small_tournament("enova", [deadly, "idle"], matches=2, carrier=RefereePool))
    assert [sorted(stuck.seating) for stuck in tournament.stuck] == [["deadly", "idle"]] * 2
    assert all("signal 9" in stuck.how for stuck in tournament.stuck)
    assert tournament.standings() == []


def test_a_bot_that_raises_loses_its_turns_only(tmp_path: Path) -> None:
    failing = write_bot(tmp_path, "failing", "raise ValueError('no idea')")
    tournament = play_all(small_tournament("enova", [failing, "greedy"], matches=2))
    notes = {note for played in tournament.played for note in played.notes}
    assert any("no idea" in note for note in notes)


def test_a_changed_bot_is_another_tournament(tmp_path: Path) -> None:
    ids = []
    for body in ("return []", "return [1]"):
        mine = write_bot(tmp_path, "mine", body)
        ids.append(small_tournament("enova", [mine, "greedy"]).id)
    assert ids[0] != ids[1]
    assert small_tournament("enova", [mine, "greedy"], matches=7, workers=1).id == ids[1]


def test_a_tournament_in_postgresql_is_like_one_in_a_file(url: str) -> None:
    tournament = play_all(small_tournament("enova", BOTS, matches=12, db=url))
    assert tournament.standings() == play_all(small_tournament("enova", BOTS, matches=12)).standings()
    again = small_tournament("enova", BOTS, matches=12, db=url)
    again.load()
    assert again.standings() == tournament.standings()


def test_two_commands_share_a_tournament_in_postgresql(cluster: Cluster) -> None:
    url = cluster.new_database()
    tournaments = [small_tournament("enova", BOTS, matches=24, db=url) for _ in range(2)]
    own: list[list[str]] = [[], []]
    playing = [tournament.play() for tournament in tournaments]
    for side in (0, 1, 0, 1, 0):
        own[side].append(next(playing[side]).id)
    for generator in playing:
        generator.close()
    for tournament in tournaments:
        play_all(tournament)
        assert len({played.id for played in tournament.played}) == len(tournament.played) == 24
    assert own[0] and own[1] and not set(own[0]) & set(own[1])
    assert tournaments[0].standings() == tournaments[1].standings()


def test_a_server_lists_and_shows_the_matches_of_a_tournament(tmp_path: Path) -> None:
    tournament = play_all(small_tournament("hive", ["greedy", "idle"], matches=2, db=tmp_path / "server.db"))

    async def look() -> None:
        async with running_app(tmp_path, make_game_loader()) as app:
            listed = msgspec.json.decode((await app.get("/api/v1/matches?state=over")).content, type=list[MatchInfo])
            assert {match.id for match in listed} == {played.id for played in tournament.played}
            for match in listed:
                played = next(one for one in tournament.played if one.id == match.id)
                assert [seat.name for seat in match.seats] == list(played.seating)
                assert match.outcome is not None
                frames = (await app.get(f"/api/v1/matches/{match.id}/frames?count=200")).json()
                assert len(frames) == played.turns + 1
                replay = Replay("served", marchland.find, (await app.get(f"/api/v1/matches/{match.id}/replay")).content)
                assert replay.has_film
                replay.verify()

    asyncio.run(look())


def test_unknown_bots_and_games_are_refused_before_anything_is_played() -> None:
    with pytest.raises(UnknownNameError, match="greedi"):
        Tournament("enova", ["greedi", "random"])
    with pytest.raises(UnknownNameError, match="enovo"):
        Tournament("enovo", ["greedy", "random"])
    with pytest.raises(UnknownNameError, match="no program"):
        Tournament("enova", ["cmd:no-such-program-here", "random"])
