"""User bots in tournaments: processes with limits of processor time, in the sandbox that is asked for."""

import sqlite3
from pathlib import Path

import pytest

from marchland.arena import Tournament, compare
from marchland.arena.play_fixture import BotLimits
from marchland.arena.report import as_json
from marchland.arena.report_page import make_page
from marchland.bots import Level, SandboxError
from marchland.errors import UnknownNameError
from tests.support.jails import needs_jail
from tests.support.tournaments import SMALL, InlineCarrier, play_all, small_tournament, write_bot

JAILED = BotLimits(sandbox="jailed")


def test_bots_are_measured_in_processor_time_and_stopped_between_their_turns() -> None:
    options = BotLimits(seconds=1, sandbox="contained").process_options()
    assert (options.counts_cpu, options.stops, options.sandbox.level) == (True, True, "contained")


@pytest.mark.parametrize("level", ["open", pytest.param("jailed", marks=needs_jail), "contained"])
def test_the_sandbox_is_recorded_with_every_result_and_shown(tmp_path: Path, level: Level) -> None:
    mine, db = write_bot(tmp_path, "mine", "return []"), tmp_path / "t.db"
    limits = BotLimits(sandbox=level)
    tournament = play_all(small_tournament("enova", [mine, "idle"], matches=2, db=db, limits=limits))
    assert [(played.level, played.notes) for played in tournament.played] == [(level, ("", ""))] * 2
    with sqlite3.connect(db) as connection:
        assert connection.execute("SELECT level FROM fixtures").fetchall() == [(level,)] * 2
    connection.close()
    again = small_tournament("enova", [mine, "idle"], matches=2, db=db, limits=limits)
    again.load()
    assert [played.level for played in again.played] == [level] * 2
    assert as_json(again)["sandbox"] == level
    assert f"sandbox {level}" in make_page(again)
    assert again.spec.title == f"enova, round-robin, sandbox {level}"


@needs_jail
def test_another_sandbox_is_another_tournament_if_there_are_user_bots(tmp_path: Path) -> None:
    mine = write_bot(tmp_path, "mine", "return []")
    own = {
        small_tournament("enova", [mine, "idle"], limits=BotLimits(sandbox=level)).id for level in ("open", "jailed")
    }
    built_in = [
        small_tournament("enova", ["greedy", "idle"], limits=BotLimits(sandbox=level)) for level in ("open", "jailed")
    ]
    assert len(own) == 2
    assert built_in[0].id == built_in[1].id
    assert built_in[1].spec.sandbox == "open"


def test_without_bubblewrap_jailed_bots_are_refused_before_anything_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    mine, db = write_bot(tmp_path, "mine", "return []"), tmp_path / "t.db"
    with pytest.raises(SandboxError, match="need bubblewrap, which is not installed"):
        small_tournament("enova", [mine, "idle"], db=db, limits=JAILED)
    with pytest.raises(SandboxError, match="need bubblewrap, which is not installed"):
        compare(mine, "idle", game="enova", db=db, limits=JAILED, carrier=InlineCarrier, **SMALL["enova"])
    assert not db.exists()


@needs_jail
def test_a_jailed_bot_reads_no_file_beside_its_own(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    curious = write_bot(tmp_path, "curious", f"return open({str(tmp_path / 'secret')!r}).read()")
    tournament = play_all(small_tournament("enova", [curious, "idle"], matches=2, limits=JAILED))
    for played in tournament.played:
        assert "FileNotFoundError" in played.notes[played.seating.index("curious")]


@needs_jail
def test_a_bot_for_a_jail_is_not_executed_outside_of_it(tmp_path: Path) -> None:
    program, mark = tmp_path / "mine.py", tmp_path / "mark"
    program.write_text(f"open({str(mark)!r}, 'w').close()\n\n\ndef play(view):\n    return []\n")
    small_tournament("enova", [str(program), "idle"], limits=JAILED)
    assert not mark.exists()
    small_tournament("enova", [str(program), "idle"])
    assert mark.exists()


@needs_jail
def test_a_bot_for_a_jail_that_is_no_python_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def play(view:\n")
    with pytest.raises(UnknownNameError, match=r"cannot be loaded: SyntaxError.*broken\.py, line 1"):
        small_tournament("enova", [str(broken), "idle"], limits=JAILED)


def test_a_python_file_that_never_answers_is_stopped_and_its_match_counts(tmp_path: Path) -> None:
    endless = write_bot(tmp_path, "endless", "while view['turn'] > 1: pass\n    return []")
    limits = BotLimits(seconds=0.1)
    tournament = play_all(small_tournament("enova", [endless, "greedy"], matches=2, limits=limits))
    assert tournament.standings()[0].version == "greedy"
    for played in tournament.played:
        assert "processor time" in played.notes[played.seating.index("endless")]


def test_a_python_file_that_exits_ends_its_own_process_only(tmp_path: Path) -> None:
    leaving = write_bot(tmp_path, "leaving", "os._exit(3)")
    tournament = play_all(small_tournament("enova", [leaving, "greedy"], matches=2))
    notes = [played.notes[played.seating.index("leaving")] for played in tournament.played]
    assert ["exit code 3" in note for note in notes] == [True, True]


def write_folder(folder: Path, answer: str) -> str:
    """A bot with ``bot.toml``."""
    folder.mkdir(exist_ok=True)
    (folder / "bot.toml").write_text('name = "folder"\nrun = "sh ./run.sh"\n')
    (folder / "run.sh").write_text(f"while read -r line; do case $line in *turn*) echo '{answer}';; esac; done\n")
    return f"{folder}/"


def test_a_folder_with_a_description_plays_and_a_change_makes_another_tournament(tmp_path: Path) -> None:
    spec = write_folder(tmp_path / "folder", "[]")
    tournament = play_all(small_tournament("enova", [spec, "idle"], matches=2))
    assert [played.notes for played in tournament.played] == [("", "")] * 2
    write_folder(tmp_path / "folder", "[ ]")
    assert small_tournament("enova", [spec, "idle"], matches=2).id != tournament.id


def test_a_folder_that_is_not_built_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "bot.toml").write_text('name = "folder"\nrun = "./program"\nbuild = "make"\n')
    with pytest.raises(UnknownNameError, match=r"there is no program \./program; build it first"):
        Tournament("enova", [f"{folder}/", "idle"])
