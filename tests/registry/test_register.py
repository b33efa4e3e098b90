"""``registry.register``: games that a program adds by itself."""

import sys
from pathlib import Path

import pytest

import marchland
from marchland import registry
from marchland.conformance import GameUnderTest
from marchland.errors import GameImportError, RegistrationError, UnknownNameError


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a module ``other_game``."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "other_game", raising=False)
    return tmp_path / "other_game.py"


def test_a_registered_game_is_listed_and_played(toy: GameUnderTest) -> None:
    assert "toy" in marchland.games()
    match = marchland.new("toy", 2, seed=1)
    (result,) = match.step({0: [{"do": "claim", "at": [1, 0]}]}).results[0]
    assert result.ok
    assert match.view()["owner"][:3] == [1, 1, 0]


def test_an_unregistered_game_is_unknown_again(toy: GameUnderTest) -> None:
    registry.unregister("toy")
    with pytest.raises(UnknownNameError, match="no game 'toy'"):
        marchland.find("toy")
    registry.register("toy", "toy_game:Toy")


def test_a_misspelt_name_is_answered_with_the_registered_one(toy: GameUnderTest) -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'toy'"):
        marchland.new("toyy")


def test_nothing_is_imported_before_the_game_is_used(module: Path) -> None:
    module.write_text("raise RuntimeError")
    registry.register("other", "other_game:Other")
    try:
        assert "other" in marchland.games()
    finally:
        registry.unregister("other")
    assert "other_game" not in sys.modules


@pytest.mark.parametrize("name", ["hive", "toy"])
def test_a_name_that_is_taken_is_refused(toy: GameUnderTest, name: str) -> None:
    with pytest.raises(RegistrationError, match=f"game '{name}' already"):
        registry.register(name, "elsewhere:Game")


def test_the_same_game_may_be_registered_twice(toy: GameUnderTest) -> None:
    registry.register("toy", "toy_game:Toy")
    registry.register("hive", "marchland.games.hive.game:Hive")
    assert marchland.games().count("toy") == marchland.games().count("hive") == 1


@pytest.mark.parametrize("name", ["", "Toy", "my game", "7up", "a" * 41, "../x"])
def test_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(RegistrationError, match="name is a small letter"):
        registry.register(name, "toy_game:Toy")


@pytest.mark.parametrize("place", ["", "toy_game", "toy_game.Toy", ":Toy", "toy game:Toy", "toy_game:Toy:x"])
def test_a_bad_place_is_refused(place: str) -> None:
    with pytest.raises(RegistrationError, match=r"package\.module:Class"):
        registry.register("toy", place)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("import nowhere_at_all", "No module named 'nowhere_at_all'"),
        ("", "has no attribute 'Other'"),
        ("Other = dict", "no subclass of marchland.Game"),
        ("from marchland.games.hive.game import Hive as Other", "calls itself 'hive'"),
    ],
)
def test_a_game_that_cannot_be_loaded_is_reported_and_the_others_work(module: Path, source: str, words: str) -> None:
    module.write_text(source)
    registry.register("other", "other_game:Other")
    try:
        with pytest.raises(GameImportError, match="'other' cannot be loaded from other_game:Other") as error:
            marchland.find("other")
        assert words in str(error.value)
        assert "other" not in registry.find_all()
        assert set(registry.BUILTIN) <= set(registry.find_all())
    finally:
        registry.unregister("other")
