"""Who may take a seat, who finds a match, and what of a seat others see."""

import asyncio
import datetime
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from marchland.server.rounds.service import RoundService
from tests.support.asgi import App, Player, running_app
from tests.support.game_loading import loaded_games

CONFIG = {"width": 8, "height": 8, "max_turn": 60}
NOT_ALLOWED = (403, "not_allowed")
PATIENCE = 60.0


def in_app(folder: Path, scene: Callable[[App], Awaitable[Any]], **settings: Any) -> Any:
    async def run() -> Any:
        async with running_app(folder, loaded_games(), **settings) as app:
            return await scene(app)

    return asyncio.run(run())


def template(*seats: str, **more: Any) -> dict[str, Any]:
    """A small match of Colorfight, which late joiners may join."""
    kinds = [{"kind": "builtin", "bot": "idle"} if seat == "idle" else {"kind": seat} for seat in seats]
    return {"game": "colorfight", "seats": kinds, "config": CONFIG, "clock": {"kind": "ready"}, **more}


async def found(look: Callable[[], Awaitable[Any]]) -> Any:
    """What ``look`` finds, as soon as it finds anything."""
    async with asyncio.timeout(PATIENCE):
        while not (value := await look()):
            await asyncio.sleep(0.02)
    return value


async def new_match(creator: Player, *seats: str, **more: Any) -> str:
    return str((await creator.must("POST", "/matches", template(*seats, **more)))["id"])


async def join(player: Player, match: str, **more: Any) -> int:
    return int((await player.must("POST", f"/matches/{match}/join", more))["seat"])


async def refused_join(player: Player, match: str, **more: Any) -> tuple[int, str]:
    return await player.refusal("POST", f"/matches/{match}/join", more)


async def running_pair(app: App, **more: Any) -> tuple[str, Player, Player]:
    """A running match of two accounts; ann has created it and has seat 0."""
    ann, bob = await app.player("ann"), await app.player("bob")
    match = await new_match(ann, "open", "open", **more)
    assert [await join(ann, match), await join(bob, match)] == [0, 1]
    return match, ann, bob


async def ids(player: Player) -> list[str]:
    return [match["id"] for match in await player.must("GET", "/matches")]


# ---------------------------------------------------------------- rounds and seasons


async def round_match(app: App, *players: Player) -> str:
    """The running match of a round for which these players are registered."""
    organiser = await app.player("referee", "organiser")
    body = {"name": "cup", "template": template("idle"), "starts": time.time() + 50.0, "lobby": 60.0}
    cup = (await organiser.must("POST", "/rounds", body))["id"]
    for player in players:
        await player.must("POST", f"/rounds/{cup}/register", {})
    await app.dependency(RoundService).tick(time.time() + 60.0)

    async def look() -> Any:
        (run,) = await organiser.must("GET", f"/rounds/{cup}/runs")
        row = run["match"] and await organiser.must("GET", f"/matches/{run['match']}")
        return row["id"] if row and row["state"] == "running" else None

    return str(await found(look))


def test_a_rounds_match_lets_in_no_account_that_is_not_registered(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann, eve = await app.player("ann"), await app.player("eve")
        return await refused_join(eve, await round_match(app, ann))

    assert in_app(tmp_path, scene) == NOT_ALLOWED


def test_a_registered_player_who_left_gets_the_same_seat_again(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann, bob = await app.player("ann"), await app.player("bob")
        match = await round_match(app, ann, bob)
        before = await join(bob, match)
        await bob.must("POST", f"/matches/{match}/leave")
        return before, await join(bob, match), len((await bob.must("GET", f"/matches/{match}"))["seats"])

    assert in_app(tmp_path, scene) == (2, 2, 3)


def test_a_seasons_match_lets_in_its_members_only(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann, bob, eve = [await app.player(name) for name in ("ann", "bob", "eve")]
        organiser = await app.player("referee", "organiser")
        today = datetime.datetime.now(datetime.UTC).date()
        ends = str(today + datetime.timedelta(days=3))
        await organiser.must("POST", "/seasons", {"name": "now", "start": str(today), "end": ends})
        teams = [{"name": player.name, "members": [{"account": player.id, "role": "leader"}]} for player in (ann, bob)]
        body = {"name": "the game", "template": {"game": "boidvoid"}, "teams": teams}
        game = (await organiser.must("POST", "/seasons/now/games", body))["id"]

        async def look() -> Any:
            match = (await organiser.must("GET", f"/season-games/{game}"))["match"]
            row = match and await organiser.must("GET", f"/matches/{match}")
            return match if row and row["state"] == "running" else None

        match = await found(look)
        stranger = await refused_join(eve, match)
        await bob.must("POST", f"/matches/{match}/leave")
        teams[1]["members"] = [{"account": eve.id, "role": "leader"}]
        await organiser.must("PUT", f"/season-games/{game}/teams", teams)
        return stranger, await refused_join(bob, match)

    assert in_app(tmp_path, scene) == (NOT_ALLOWED, NOT_ALLOWED)


# ---------------------------------------------------------------- seeds


def test_the_creator_of_a_match_with_a_set_seed_cannot_play_in_it(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        organiser, other = await app.player("referee", "organiser"), await app.player("other", "organiser")
        match = await new_match(organiser, "open", "open", seed=4)
        return await refused_join(organiser, match), await join(other, match)

    assert in_app(tmp_path, scene) == (NOT_ALLOWED, 0)


def test_an_organiser_who_fetched_the_replay_of_a_running_match_cannot_join_it(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        reader, other = await app.player("reader", "organiser"), await app.player("other", "organiser")
        match, _, _ = await running_pair(app)
        assert (await reader.request("GET", f"/matches/{match}/replay")).status_code == 200
        return await refused_join(reader, match), await join(other, match)

    assert in_app(tmp_path, scene) == (NOT_ALLOWED, 2)


def test_an_organiser_who_forked_a_match_in_the_fog_cannot_join_it(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        reader, other = await app.player("reader", "organiser"), await app.player("other", "organiser")
        ann = await app.player("ann")
        body = {"game": "hive", "seats": [{}] * 3, "auto_start": False, "clock": {"kind": "ready"}}
        match = (await ann.must("POST", "/matches", body))["id"]
        await join(ann, match)
        await ann.must("POST", f"/matches/{match}/start")
        await reader.must("POST", f"/matches/{match}/fork", {"turn": 0})
        return await refused_join(reader, match), await join(other, match)

    assert in_app(tmp_path, scene) == (NOT_ALLOWED, 1)


def test_an_organiser_who_left_a_seat_cannot_return_with_the_replay(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        organiser = await app.player("referee", "organiser")
        match, _, _ = await running_pair(app)
        await join(organiser, match)
        with_seat = (await organiser.request("GET", f"/matches/{match}/replay")).status_code
        await organiser.must("POST", f"/matches/{match}/leave")
        without = (await organiser.request("GET", f"/matches/{match}/replay")).status_code
        return with_seat, without, await refused_join(organiser, match)

    assert in_app(tmp_path, scene) == (403, 200, NOT_ALLOWED)


def test_an_organiser_cannot_join_a_match_of_a_template_that_sets_the_seed(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        organiser, ann = await app.player("referee", "organiser"), await app.player("ann")
        await organiser.must("POST", "/rooms", {"name": "lab", "template": template("open", "open", seed=4)})

        async def look() -> Any:
            return (await organiser.must("GET", "/rooms/lab"))["match"]

        match = await found(look)
        return await refused_join(organiser, match), await join(ann, match)

    assert in_app(tmp_path, scene) == (NOT_ALLOWED, 0)


def test_a_seed_that_an_earlier_match_of_the_room_has_published_closes_the_seats(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        organiser, ann, bob = await app.player("referee", "organiser"), await app.player("ann"), await app.player("bob")
        short = {**template("open", "idle", seed=4), "config": {**CONFIG, "max_turn": 2}}
        await organiser.must("POST", "/rooms", {"name": "lab", "template": short, "pause": 0.0})

        async def first() -> Any:
            return (await organiser.must("GET", "/rooms/lab"))["match"]

        match = await found(first)
        await join(ann, match)

        async def second() -> Any:
            await organiser.request("POST", f"/matches/{match}/end-turn")
            now = (await organiser.must("GET", "/rooms/lab"))["match"]
            return now if now != match else None

        return await refused_join(bob, await found(second))

    assert in_app(tmp_path, scene) == NOT_ALLOWED


def test_an_organiser_cannot_register_for_a_round_that_sets_the_seed(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        organiser, ann = await app.player("referee", "organiser"), await app.player("ann")
        body = {"name": "cup", "template": template("open", seed=4), "starts": time.time() + 50, "lobby": 60}
        cup = (await organiser.must("POST", "/rounds", body))["id"]
        await ann.must("POST", f"/rounds/{cup}/register", {})
        return await organiser.refusal("POST", f"/rounds/{cup}/register", {})

    assert in_app(tmp_path, scene) == NOT_ALLOWED


def test_a_seed_cannot_be_set_for_a_round_in_which_an_organiser_plays(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        organiser = await app.player("referee", "organiser")
        body = {"name": "cup", "template": template("open"), "starts": time.time() + 50, "lobby": 60}
        cup = (await organiser.must("POST", "/rounds", body))["id"]
        await organiser.must("POST", f"/rounds/{cup}/register", {})
        return await organiser.refusal("PATCH", f"/rounds/{cup}", {"template": template("open", seed=4)})

    assert in_app(tmp_path, scene) == NOT_ALLOWED


# ---------------------------------------------------------------- guests of a closed server


@pytest.mark.parametrize("path", ["newgame?map=tiny&players=2", "join?id={game}&name=eve"])
def test_a_closed_server_has_no_guests_over_hives_protocol(tmp_path: Path, path: str) -> None:
    async def scene(app: App) -> Any:
        game = (await app.get("/hive/newgame?map=tiny&players=2")).json()["id"]  # as the admin
        address = f"/hive/{path.format(game=game)}"
        guest = await app.get(address, headers={"Authorization": ""})
        return guest.status_code, (await app.get(address)).status_code

    assert in_app(tmp_path, scene, registration=False) == (403, 200)


def test_a_closed_server_has_no_guests_over_colorfights_protocol(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        token = app.headers["Authorization"].removeprefix("Bearer ")
        room = {"gameroom_id": "lab", "admin_password": "x", "config": {"first_round_time": "never"}}
        assert (await app.post("/colorfight/creategameroom", json=room)).json() == {"success": True}
        answers = []
        for name, given in (("guest", None), ("member", token)):
            async with app.websocket("/colorfight/gameroom/lab/action_channel", given) as socket:
                await socket.send({"action": "register", "username": name, "password": "p"})
                answers.append((await socket.receive())["success"])
        return answers

    assert in_app(tmp_path, scene, registration=False) == [False, True]


# ---------------------------------------------------------------- private parts of views


def test_failed_orders_are_shown_to_their_own_player_only(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        match, ann, bob = await running_pair(app)
        for player, orders in ((ann, [{"do": "dance"}]), (bob, [])):
            await player.must("POST", f"/matches/{match}/orders", {"orders": orders, "key": "k"})
        view = f"/matches/{match}/view?seat=0"

        async def look() -> Any:
            seen = await ann.must("GET", view)
            return seen if seen["turn"] == 2 else None

        own, other = await found(look), await bob.must("GET", view)
        async with app.websocket(f"/api/v1/matches/{match}/live?seat=0&want=views", bob.token) as socket:
            live = (await socket.receive_type("news"))["view"]
        assert live == other
        return own["error"], other["error"], {**own, "error": {}} == other

    own, other, same = in_app(tmp_path, scene)
    assert len(own["0"]) == 1
    assert (other, same) == ({}, True)


# ---------------------------------------------------------------- solo and private matches


SOLO_AND_PRIVATE = pytest.mark.parametrize(
    ("seats", "more"), [(("open", "idle"), {}), (("open", "open"), {"password": "secret"})], ids=["solo", "private"]
)


@SOLO_AND_PRIVATE
def test_a_solo_or_private_match_is_listed_for_its_own_accounts_only(
    tmp_path: Path, seats: tuple[str, ...], more: dict[str, Any]
) -> None:
    async def scene(app: App) -> Any:
        ann, eve = await app.player("ann"), await app.player("eve")
        organiser = await app.player("referee", "organiser")
        match = await new_match(ann, *seats, **more)
        nobody = eve._replace(token="")
        before = [match in await ids(reader) for reader in (ann, eve, organiser, nobody)]
        await ann.must("PATCH", f"/matches/{match}", {"listed": True})
        return before, match in await ids(eve)

    assert in_app(tmp_path, scene) == ([True, False, True, False], True)


@SOLO_AND_PRIVATE
def test_a_solo_or_private_match_is_closed_to_late_joiners_until_its_creator_opens_it(
    tmp_path: Path, seats: tuple[str, ...], more: dict[str, Any]
) -> None:
    async def scene(app: App) -> Any:
        ann, eve = await app.player("ann"), await app.player("eve")
        match = await new_match(ann, *seats, **more)
        await join(ann, match, **more)
        if seats[1] == "open":
            await join(await app.player("bob"), match, **more)
        before = await refused_join(eve, match, **more)
        await ann.must("PATCH", f"/matches/{match}", {"late_joiners": True})
        return before, await join(eve, match, **more)

    assert in_app(tmp_path, scene) == ((409, "closed"), 2)


def test_an_ordinary_match_is_listed_and_open_to_late_joiners(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        match, _, _ = await running_pair(app)
        eve = await app.player("eve")
        return match in await ids(eve), await join(eve, match)

    assert in_app(tmp_path, scene) == (True, 2)


def test_a_creator_changes_the_access_but_not_the_clock(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        match, ann, bob = await running_pair(app)
        clock = await ann.refusal("PATCH", f"/matches/{match}", {"clock": {"kind": "every", "seconds": 1}})
        return clock, await bob.refusal("PATCH", f"/matches/{match}", {"listed": False})

    assert in_app(tmp_path, scene) == (NOT_ALLOWED, NOT_ALLOWED)


def test_a_removed_player_has_no_seat_and_cannot_come_back(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        match, ann, bob = await running_pair(app)
        by_other = await bob.refusal("DELETE", f"/matches/{match}/seats/0")
        await ann.must("DELETE", f"/matches/{match}/seats/1")
        seats = (await ann.must("GET", f"/matches/{match}"))["seats"]
        post = await bob.refusal("POST", f"/matches/{match}/orders", {"orders": [], "key": "k"})
        return by_other, seats[1]["kind"], post, await refused_join(bob, match)

    assert in_app(tmp_path, scene) == (NOT_ALLOWED, "empty", (409, "no_seat"), NOT_ALLOWED)


def test_a_seat_that_was_cleared_before_the_start_is_open_again(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        ann, bob, eve = [await app.player(name) for name in ("ann", "bob", "eve")]
        match = await new_match(ann, "open", "open")
        await join(bob, match)
        await ann.must("DELETE", f"/matches/{match}/seats/0")
        return await ann.refusal("DELETE", f"/matches/{match}/seats/0"), await join(eve, match)

    assert in_app(tmp_path, scene) == ((409, "no_seat"), 0)


# ---------------------------------------------------------------- clock


def test_a_seat_counts_as_ready_after_the_longest_wait(tmp_path: Path) -> None:
    async def scene(app: App) -> Any:
        match, ann, _ = await running_pair(app, clock={"kind": "ready", "max_seconds": 0.3})
        await ann.must("POST", f"/matches/{match}/orders", {"orders": [], "key": "k"})

        async def look() -> Any:
            row = await ann.must("GET", f"/matches/{match}")
            return row if row["turn"] > 1 else None

        return (await found(look))["closes"]

    assert in_app(tmp_path, scene) is None
