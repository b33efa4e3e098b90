"""The game loader by itself: what is loaded when, what is retried, and what a request gets as its answer."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from marchland.server.compile_processes import CompileProcesses
from marchland.server.game_loader import CompileError, GameFailed, GameLoader, GameNotLoaded
from tests.support.game_loading import FakeBackend

GAMES = ("a", "bb", "ccc")


def run(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


async def settle() -> None:
    """Let every task go on as far as it can without time passing."""
    for _ in range(50):
        await asyncio.sleep(0)


def states(loader: GameLoader) -> dict[str, str]:
    return {one.game: one.state for one in loader.status()}


async def finish(loader: GameLoader) -> None:
    for game in GAMES:
        await loader.wait_until_loaded(game)


def test_cached_games_are_loaded_and_not_compiled() -> None:
    async def scene() -> None:
        backend = FakeBackend(GAMES)
        loader = GameLoader(backend, GAMES)
        await loader.load_cached()
        loader.start()
        await settle()
        assert loader.all_loaded
        assert backend.attempts == []

    run(scene)


def test_games_compile_one_per_slot_and_the_longest_first() -> None:
    async def scene() -> None:
        backend = FakeBackend(("bb",))
        loader = GameLoader(backend, GAMES, parallel=1)
        await loader.load_cached()
        loader.start()
        await settle()
        assert states(loader) == {"a": "waiting", "bb": "loaded", "ccc": "compiling"}
        backend.progress["ccc"](0.25)
        assert loader.status()[2].progress == 0.25
        backend.finish.set()
        await finish(loader)
        assert backend.attempts == ["ccc", "a"]
        assert {one.progress for one in loader.status()} == {1.0}

    run(scene)


def test_a_request_is_held_until_its_game_is_loaded() -> None:
    async def scene() -> None:
        backend = FakeBackend()
        loader = GameLoader(backend, GAMES, hold=3600)
        await loader.load_cached()
        loader.start()
        request = asyncio.create_task(loader.require("a"))
        await settle()
        assert not request.done()
        backend.finish.set()
        await request
        assert loader.is_loaded("a")
        await loader.close()

    run(scene)


def test_a_request_that_waits_too_long_gets_the_game_and_its_progress() -> None:
    async def scene() -> None:
        backend = FakeBackend()
        loader = GameLoader(backend, GAMES, hold=0, parallel=3)
        await loader.load_cached()
        loader.start()
        await settle()
        backend.progress["bb"](0.4)
        with pytest.raises(
            GameNotLoaded, match=r"The game bb is loading: .* \(40% done\)\. Try again in 2 s"
        ) as response:
            await loader.require("bb")
        assert (response.value.error, response.value.retry) == ("loading", 2)
        await loader.close()

    run(scene)


def test_a_name_that_is_no_games_is_not_waited_for() -> None:
    run(lambda: GameLoader(FakeBackend(), GAMES, hold=3600).require("chess"))


def test_a_worker_that_fails_is_retried_and_blocks_no_other_game(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        backend = FakeBackend(("a", "bb"), failures=2)
        backend.finish.set()
        loader = GameLoader(backend, GAMES, first_delay=0.001)
        await loader.load_cached()
        loader.start()
        await finish(loader)
        assert backend.attempts == ["ccc"] * 3

    run(scene)
    failures = [record for record in caplog.records if record.message == "compile worker failed"]
    assert [(vars(record)["attempt"], vars(record)["retry_in"]) for record in failures] == [(1, 0.001), (2, 0.002)]
    assert "ccc does not compile" in vars(failures[0])["error"]


def test_a_game_that_never_compiles_fails_with_the_reason_and_the_others_work(caplog: pytest.LogCaptureFixture) -> None:
    async def scene() -> None:
        backend = FakeBackend(("a", "bb"), failures=99)
        loader = GameLoader(backend, GAMES, hold=3600, first_delay=0, max_attempts=3)
        await loader.load_cached()
        loader.start()
        with pytest.raises(GameFailed, match="The game ccc could not be compiled on this server") as response:
            await loader.require("ccc")
        assert (response.value.error, response.value.retry) == ("game_failed", None)
        assert backend.attempts == ["ccc"] * 3
        assert not loader.all_loaded
        assert states(loader) == {"a": "loaded", "bb": "loaded", "ccc": "failed"}
        assert loader.status()[2].error == "ccc does not compile"
        await loader.require("a")

    run(scene)
    assert "ccc does not compile" in caplog.text


def test_a_game_is_compiled_in_the_server_if_workers_have_another_cache() -> None:
    class OwnCache(FakeBackend):
        here: list[str]

        def compile_here(self, game: str) -> None:
            self.here = [game]

        def load(self, game: str) -> bool:
            return game != "ccc"

    async def scene() -> None:
        backend = OwnCache()
        backend.finish.set()
        loader = GameLoader(backend, GAMES)
        await loader.load_cached()
        loader.start()
        await finish(loader)
        assert backend.here == ["ccc"]

    run(scene)


def test_a_cached_game_that_cannot_be_loaded_is_compiled_again(caplog: pytest.LogCaptureFixture) -> None:
    class Damaged(FakeBackend):
        def load(self, game: str) -> bool:
            if not self.attempts:
                raise OSError("the object file is damaged")
            return True

    async def scene() -> None:
        backend = Damaged()
        backend.finish.set()
        loader = GameLoader(backend, ("a",))
        await loader.load_cached()
        loader.start()
        await loader.wait_until_loaded("a")
        assert backend.attempts == ["a"]

    run(scene)
    assert "the object file is damaged" in caplog.text


def test_what_is_to_be_done_when_a_game_is_loaded_is_done() -> None:
    async def scene() -> None:
        backend = FakeBackend(("a",))
        backend.finish.set()
        loader = GameLoader(backend, GAMES)
        loaded: list[str] = []
        loader.on_loaded.append(loaded.append)
        await loader.load_cached()
        loader.start()
        await finish(loader)
        assert sorted(loaded) == ["bb", "ccc"]

    run(scene)


def test_a_worker_that_raises_says_why() -> None:
    with pytest.raises(CompileError, match="There is no game 'chess'"):
        run(lambda: CompileProcesses().compile("chess", lambda done: None))


def test_the_largest_game_is_expected_to_compile_longest() -> None:
    cost = CompileProcesses().compile_cost
    assert cost("boidvoid") == max(map(cost, ("boidvoid", "colorfight", "datspulse", "enova", "hive")))
