"""``.march`` files: written, read, sought in both directions, verified, and refused when something is wrong."""

import random
import time
from pathlib import Path
from typing import Any

import pytest

import marchland
from marchland.conformance.playing import pick_orders
from marchland.core.game import Game
from marchland.core.recording import Recording
from marchland.core.replay_blocks import SavedState
from marchland.messages import Outcome


def played(turns: int = 130, **config: Any) -> tuple[Recording, list[str]]:
    """A small recorded match, and the digest at the start of each turn."""
    chance = random.Random(1)
    game = marchland.new("colorfight", 3, seed=6, config={"width": 8, "height": 8, **config})
    recording, digests = Recording(game), [game.digest()]
    for _ in range(turns):
        report = game.step({seat: pick_orders(game, seat, chance) for seat in range(len(game.players))})
        recording.note(game, report.orders)
        digests.append(game.digest())
    return recording, digests


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    path = tmp_path_factory.mktemp("replays") / "match.march"
    recording, digests = played()
    recording.save(path)
    return path, digests


def test_any_turn_can_be_reached_in_either_direction(saved: tuple[Path, list[str]]) -> None:
    path, digests = saved
    replay = marchland.open_replay(path)
    assert (replay.first_turn, replay.last_turn) == (1, 131)
    for turn in [131, 1, 51, 50, 100, 2, 130]:
        assert replay.at(turn).digest() == digests[turn - 1]


def test_a_match_goes_on_from_any_turn(saved: tuple[Path, list[str]]) -> None:
    replay = marchland.open_replay(saved[0])
    game = replay.at(60)
    game.step(replay.orders(60))
    assert game.digest() == replay.at(61).digest()


@pytest.mark.parametrize("turn", [0, -5, 132, 10**9])
def test_a_turn_that_is_not_there_is_refused(saved: tuple[Path, list[str]], turn: int) -> None:
    with pytest.raises(marchland.ReplayError, match="turns 1 to 131"):
        marchland.open_replay(saved[0]).at(turn)


def test_verify_recomputes_every_turn_and_tells_how_far_it_is(saved: tuple[Path, list[str]]) -> None:
    reported: list[tuple[int, int]] = []
    marchland.open_replay(saved[0]).verify(lambda done, total: reported.append((done, total)))
    assert reported[-1] == (130, 130)


def test_a_replay_whose_orders_were_changed_does_not_verify(tmp_path: Path) -> None:
    recording, _ = played(60)
    recording.turns[30].table[0] = 0
    recording.save(tmp_path / "forged.march", film=False)
    with pytest.raises(marchland.ReplayError, match="turn 31 leads to another state"):
        marchland.open_replay(tmp_path / "forged.march").verify()


def test_a_replay_that_claims_another_end_does_not_verify(tmp_path: Path) -> None:
    recording, _ = played(5)
    recording._outcome = Outcome([], "Forged.")
    recording.save(tmp_path / "forged.march", film=False)
    with pytest.raises(marchland.ReplayError, match="ends otherwise"):
        marchland.open_replay(tmp_path / "forged.march").verify()


def test_a_replay_with_a_foreign_snapshot_in_the_middle_does_not_verify(tmp_path: Path) -> None:
    recording, _ = played(5)
    recording._snapshots.append(SavedState(2, recording._snapshots[0].state))
    recording.save(tmp_path / "forged.march", film=False)
    with pytest.raises(marchland.ReplayError, match="another state"):
        marchland.open_replay(tmp_path / "forged.march").verify()


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    recording, _ = played(3)
    path = tmp_path / "match.march"
    recording.save(path)
    data = path.read_bytes()
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 0x40
        path.write_bytes(damaged)
        with pytest.raises(marchland.ReplayError):
            marchland.open_replay(path)


def test_every_truncated_file_is_noticed(tmp_path: Path) -> None:
    recording, _ = played(3)
    path = tmp_path / "match.march"
    recording.save(path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        with pytest.raises(marchland.ReplayError):
            marchland.open_replay(path)


@pytest.mark.parametrize("content", [b"", b"hello", b"march 2\n" + bytes(100)])
def test_what_is_no_replay_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.march"
    path.write_bytes(content)
    with pytest.raises(marchland.ReplayError, match="no Marchland replay"):
        marchland.open_replay(path)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(marchland.ReplayError, match=r"nowhere\.march cannot be read"):
        marchland.open_replay("nowhere.march")


def test_a_file_of_another_version_can_only_be_watched(
    saved: tuple[Path, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(marchland.find("colorfight"), "version", 99)
    replay = marchland.open_replay(saved[0])
    assert len(replay.film()) == 131
    for attempt in (lambda: replay.at(5), replay.verify):
        with pytest.raises(marchland.ReplayError, match="can be watched, but not verified"):
            attempt()


def test_a_failed_save_leaves_the_old_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "match.march"
    recording, _ = played(5)
    recording.save(path)
    before = path.read_bytes()

    def full_disk(_: Recording, __: bool) -> Any:
        yield from ()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Recording, "_blocks", full_disk)
    with pytest.raises(OSError, match="No space"):
        recording.save(path)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["match.march"]


def test_late_joiners_are_part_of_the_replay(tmp_path: Path) -> None:
    game = marchland.new("colorfight", ["A", "B"], seed=6, config={"width": 12, "height": 12})
    recording = Recording(game)

    def turn(orders: dict[int, list[dict[str, Any]]]) -> None:
        recording.note(game, game.step(orders).orders)

    turn({})
    for name in ("eve", "mal"):
        game.join(name)
        recording.note_join(name)
    turn({2: [{"do": "attack", "at": [0, 0], "energy": 5}]})
    turn({})
    game.join("zoe")
    recording.note_join("zoe")
    recording.save(tmp_path / "joined.march")
    replay = marchland.open_replay(tmp_path / "joined.march")
    replay.verify()
    assert replay.at(1).players == ("A", "B")
    assert replay.at(2).players == ("A", "B", "eve", "mal")
    continued = replay.at(2)
    continued.step(replay.orders(2))
    assert continued.digest() == replay.at(3).digest()
    assert replay.at(3).players == ("A", "B", "eve", "mal")
    assert replay.at(4).players == ("A", "B", "eve", "mal", "zoe")
    assert replay.at(4).digest() == game.digest()
    film = replay.film()
    assert [len(frame.players) for frame in film] == [2, 2, 4, 4]
    assert film[2].names == ["A", "B", "eve", "mal"]


def test_snapshots_are_stored_where_a_seek_would_take_long(tmp_path: Path) -> None:
    game = marchland.new("colorfight", 2, seed=6, config={"width": 600, "height": 600})
    recording = Recording(game)
    for _ in range(6):
        recording.note(game, game.step().orders)
    recording.save(tmp_path / "large.march", film=False)
    replay = marchland.open_replay(tmp_path / "large.march")
    assert len(replay._snapshots) > 1
    assert replay.at(5).turn == 5


def test_five_hundred_turns_of_eight_greedy_players_are_small_and_quick(tmp_path: Path) -> None:
    game = marchland.new("colorfight", 8, seed=7, config={"early_end": False})
    bots = [game.bots["greedy"](seed=seat) for seat in range(8)]
    recording = Recording(game)
    while game.outcome is None:
        report = game.step({seat: bot.play(game.observe(seat)) for seat, bot in enumerate(bots)})
        recording.note(game, report.orders)
    path = tmp_path / "long.march"
    recording.save(path, film=False)
    orders = sum(map(len, recording.turns))
    assert (len(recording.turns), orders >= 20 * 499) == (499, True)
    assert path.stat().st_size <= 4 * orders
    replay = marchland.open_replay(path)
    assert replay.at(500).digest() == game.digest()
    assert best_of_three(lambda: replay.at(500)) <= 0.05
    assert best_of_three(replay.verify) <= 2


def best_of_three(action: Any) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def test_the_film_shows_what_the_match_shows(saved: tuple[Path, list[str]]) -> None:
    replay = marchland.open_replay(saved[0])
    layers: list[dict[tuple[int, int], int]] = [{} for _ in replay.header.legend.layers]
    for turn, frame in enumerate(replay.film(), start=1):
        if frame.key:
            layers = [{} for _ in replay.header.legend.layers]
        for patch in frame.patches:
            layers[patch.layer].update(
                {(patch.chunk, offset): value for offset, value in zip(patch.offsets, patch.values, strict=True)}
            )
        if turn in (1, 50, 51, 99, 131):
            assert layers == shown(replay.at(turn))


def shown(game: Game) -> list[dict[tuple[int, int], int]]:
    layers: list[dict[tuple[int, int], int]] = [{} for _ in game.layers]
    for patch in game.scene().patches:
        layers[patch.layer].update(
            {(patch.chunk, offset): value for offset, value in zip(patch.offsets, patch.values, strict=True)}
        )
    return layers
