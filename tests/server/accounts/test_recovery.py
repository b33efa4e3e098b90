"""Tokens that expire, recovery codes, and the admin's token of a start."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from marchland.server.accounts.queries import add_token, ensure_admin, find_by_token, list_tokens
from marchland.store import Database
from tests.support.asgi import App, running_app
from tests.support.game_loading import loaded_games

WRONG = (403, "wrong_password")


def in_app(folder: Path, scene: Callable[[App], Awaitable[Any]], **settings: Any) -> Any:
    async def run() -> Any:
        async with running_app(folder, loaded_games(), **settings) as app:
            return await scene(app)

    return asyncio.run(run())


async def new_account(app: App, name: str) -> dict[str, Any]:
    made: dict[str, Any] = (await app.request_as(None, "POST", "/accounts", {"name": name})).json()
    return made


async def recover(app: App, name: str, code: str) -> tuple[int, dict[str, Any]]:
    answer = await app.request_as(None, "POST", "/accounts/recover", {"name": name, "code": code})
    return answer.status_code, answer.json()


def test_a_recovery_code_gives_a_lost_account_a_new_token(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        made = await new_account(app, "ann")
        status, restored = await recover(app, "ann", made["recovery_code"])
        me = (await app.request_as(restored["token"], "GET", "/me")).json()
        return status, me["id"] == made["account"]["id"]

    assert in_app(tmp_path, scene) == (201, True)


def test_a_recovery_code_works_once_and_is_replaced(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        first = (await new_account(app, "ann"))["recovery_code"]
        second = (await recover(app, "ann", first))[1]["recovery_code"]
        return [(await recover(app, "ann", code))[0] for code in (first, second)]

    assert in_app(tmp_path, scene) == [403, 201]


def test_a_recovery_code_may_be_typed_in_small_letters_with_spaces_for_dashes(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        code = (await new_account(app, "ann"))["recovery_code"]
        return (await recover(app, " ann ", f" {code.lower().replace('-', ' ')} "))[0]

    assert in_app(tmp_path, scene) == 201


def test_an_account_with_the_most_tokens_is_recovered_and_loses_its_oldest(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        made = await new_account(app, "ann")
        while (answer := await app.request_as(made["token"], "POST", "/tokens", {})).is_success:
            pass
        status, restored = await recover(app, "ann", made["recovery_code"])
        tokens = (await app.request_as(restored["token"], "GET", "/tokens")).json()
        first = await app.request_as(made["token"], "GET", "/me")
        return answer.json()["error"], status, len(tokens), first.status_code

    assert in_app(tmp_path, scene) == ("too_many_tokens", 201, 50, 401)


def test_the_token_of_a_request_is_marked_among_those_of_its_account(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann = await app.player("ann")
        other = (await ann.must("POST", "/tokens", {"label": "other"}))["token"]
        answers = [await app.request_as(token, "GET", "/tokens") for token in (ann.token, other)]
        return [[token["current"] for token in answer.json()] for answer in answers]

    assert in_app(tmp_path, scene) == [[True, False], [False, True]]


def test_the_code_of_another_account_restores_nothing(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        code = (await new_account(app, "eve"))["recovery_code"]
        await new_account(app, "ann")
        answers = [await recover(app, name, code) for name in ("ann", "none")]
        return [(status, body["error"]) for status, body in answers]

    assert in_app(tmp_path, scene) == [WRONG, WRONG]


def test_an_account_replaces_its_recovery_code(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        made = await new_account(app, "ann")
        code = (await app.request_as(made["token"], "POST", "/me/recovery-code")).json()["code"]
        return [(await recover(app, "ann", one))[0] for one in (made["recovery_code"], code)]

    assert in_app(tmp_path, scene) == [403, 201]


def test_a_token_is_refused_after_it_has_expired(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann = await app.player("ann")
        soon = time.time() + 1.0
        made = await ann.must("POST", "/tokens", {"expires": soon})
        listed = [token["expires"] for token in await ann.must("GET", "/tokens")]
        async with asyncio.timeout(60):
            while (answer := await app.request_as(made["token"], "GET", "/me")).status_code == 200:
                assert time.time() < soon + 5
                await asyncio.sleep(0.05)
        return listed == [None, soon], answer.json()["error"]

    assert in_app(tmp_path, scene) == (True, "bad_token")


def test_a_stream_ends_when_its_token_expires(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann = await app.player("ann")
        match = (await app.create_match("colorfight", seats=1)).json()["id"]
        await ann.must("POST", f"/matches/{match}/join", {})
        made = await ann.must("POST", "/tokens", {"expires": time.time() + 1.0})
        async with app.websocket(f"/api/v1/matches/{match}/live?want=none", made["token"]) as socket:
            while not isinstance(message := await socket.receive(), int):
                pass
        return message

    assert in_app(tmp_path, scene, lease=0.5) == 4401


def test_a_token_cannot_expire_in_the_past(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann = await app.player("ann")
        return await ann.refusal("POST", "/tokens", {"expires": time.time() - 1})

    assert in_app(tmp_path, scene) == (400, "bad_request")


def test_a_new_admin_token_at_the_start_revokes_the_previous_one(tmp_path: Path) -> None:
    with Database(str(tmp_path / "server.db")) as store, store.engine.begin() as connection:
        first = ensure_admin(connection, None)
        assert first is not None and ensure_admin(connection, None) is None
        admin = find_by_token(connection, first)
        assert admin is not None
        add_token(connection, admin[0].id, "a script", "the-token-of-a-script")
        known = []
        for token in ("the-second-token", "the-third-token"):
            ensure_admin(connection, token)
            tokens = (first, "the-second-token", "the-third-token", "the-token-of-a-script")
            known.append([find_by_token(connection, one) is not None for one in tokens])
    assert known == [[False, True, False, True], [False, False, True, True]]


def test_the_same_admin_token_at_the_next_start_stays_the_same(tmp_path: Path) -> None:
    with Database(str(tmp_path / "server.db")) as store, store.engine.begin() as connection:
        ids = []
        for _ in range(2):
            ensure_admin(connection, "the-admins-own-token")
            found = find_by_token(connection, "the-admins-own-token")
            assert found is not None
            ids.append([token.id for token in list_tokens(connection, found[0].id)])
    assert ids[0] == ids[1] and len(ids[0]) == 1
