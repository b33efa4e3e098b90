"""``marchland replay``."""

import json
from pathlib import Path

import pytest

import marchland
from marchland.cli.terminal.film import still_from_film
from marchland.cli.terminal.still import still_of

from .conftest import SMALL, Run


@pytest.fixture
def later_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules have changed since the replay was made."""
    monkeypatch.setattr(marchland.find("colorfight"), "version", 1000)


def test_a_saved_match_verifies(run: Run, replay_file: Path) -> None:
    ran = run("replay", "verify", replay_file)
    assert ran.code == 0
    assert ran.out.startswith("verified: 20 turns, ")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_flipped_byte_is_refused(run: Run, replay_file: Path, share: float) -> None:
    data = bytearray(replay_file.read_bytes())
    data[int(share * len(data))] ^= 1
    replay_file.write_bytes(data)
    ran = run("replay", "verify", replay_file)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "damaged" in ran.err


def test_a_file_of_another_kind_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "g.march").write_text("hello")
    assert run("replay", "info", tmp_path / "g.march").err.endswith("is no Marchland replay.\n")


def test_info_says_what_the_file_holds(run: Run, replay_file: Path) -> None:
    info = json.loads(run("replay", "info", replay_file, "--json").out)
    assert (info["game"], info["turns"], info["first_turn"], info["last_turn"]) == ("colorfight", 20, 1, 21)
    assert (info["film"], info["verifiable"], info["outcome"]) == (True, True, None)
    assert info["bytes"] == replay_file.stat().st_size


def test_info_in_words_names_players_and_outcome(run: Run, replay_file: Path) -> None:
    words = run("replay", "info", replay_file).out
    assert "greedy 1, greedy 2" in words
    assert "The match was not over." in words


def test_a_turn_is_drawn_with_its_players(run: Run, replay_file: Path) -> None:
    lines = run("replay", "show", replay_file, "--turn", 1).out.splitlines()
    assert lines[0] == "colorfight  turn 1 of 21"
    board = "".join(lines[1:11])
    assert (board.count("0H"), board.count("1H"), board.count(". ")) == (1, 1, 98)
    assert lines[11].startswith("H home")
    assert [line.split()[:2] for line in lines[13:15]] == [["0", "greedy"], ["1", "greedy"]]


def test_a_position_is_printed_for_programs(run: Run, replay_file: Path) -> None:
    position = json.loads(run("replay", "show", replay_file, "--json").out)
    assert marchland.from_position(position).digest() == marchland.open_replay(replay_file).at(21).digest()


def test_a_turn_that_was_not_played_is_refused(run: Run, replay_file: Path) -> None:
    ran = run("replay", "show", replay_file, "--turn", 22)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "turns 1 to 21, not 22" in ran.err


def test_the_film_shows_what_the_match_was(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wide.march"
    run("play", "colorfight", *SMALL[4:], "--set", "width=40", "--set", "height=35", "--save", path)
    replay = marchland.open_replay(path)
    frames = replay.film()
    for turn in (1, 2, 20, 21):
        shown, was = (
            still_from_film(replay.header.legend, replay.header.names, frames[:turn]),
            still_of(replay.at(turn)),
        )
        assert (shown.turn, shown.names, shown.players) == (was.turn, was.names, was.players)
        assert (shown.cells == was.cells).all()
        assert all((one == other).all() for one, other in zip(shown.layers, was.layers, strict=True))


def test_a_replay_of_another_version_is_shown_from_its_film(
    run: Run, replay_file: Path, request: pytest.FixtureRequest
) -> None:
    before = run("replay", "show", replay_file, "--turn", 7).out
    request.getfixturevalue("later_version")
    assert run("replay", "show", replay_file, "--turn", 7).out == before


def test_a_turn_beyond_the_film_is_refused(run: Run, replay_file: Path, later_version: None) -> None:
    assert "turns 1 to 21, not 0" in run("replay", "show", replay_file, "--turn", 0).err


def test_a_replay_of_another_version_cannot_be_verified_and_says_so(
    run: Run, replay_file: Path, later_version: None
) -> None:
    ran = run("replay", "verify", replay_file)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "it can be watched, but not verified" in ran.err
    assert json.loads(run("replay", "info", replay_file, "--json").out)["verifiable"] is False


def test_a_replay_of_another_version_without_film_has_nothing_to_show(
    run: Run, tmp_path: Path, later_version: None
) -> None:
    recording = marchland.Recording(marchland.new("colorfight", seed=1))
    recording.header = type(recording.header)("colorfight", 1, {}, [], recording.header.legend, 1)
    recording.save(tmp_path / "g.march", film=False)
    assert "saved without its film" in run("replay", "show", tmp_path / "g.march").err
