"""How the matches of a season follow its teams, its ledger and its clock."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from marchland.server.accounts import queries as account_queries
from marchland.server.ledger import queries as ledger_queries
from marchland.store import Database
from marchland.store.match_log import entries_from
from tests.support.asgi import Player
from tests.support.season_app import HOURLY, Season, eventually, running_season, team


def in_season(folder: Path, work: Callable[[Season], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        async with running_season(folder, **settings) as season:
            await work(season)

    asyncio.run(run())


def test_a_game_without_rules_and_clock_has_those_of_a_season(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        body = {"name": "plain", "template": {"game": "boidvoid"}}
        plain = await season.admin.must("POST", "/seasons/now/games", body)
        assert (plain["template"]["rules"], plain["template"]["clock"]) == (
            "season",
            HOURLY | {"first": None, "least": 0.0},
        )
        path = f"/season-games/{plain['id']}"
        template = {"game": "boidvoid", "seats": [{}], "config": {"turn_length": 600}}
        changed = await season.admin.must("PATCH", path, {"template": template})
        assert changed["template"]["clock"]["seconds"] == 600
        own = {**template, "rules": "bots", "clock": {"kind": "every", "seconds": 2}}
        changed = await season.admin.must("PATCH", path, {"template": own})
        assert (changed["template"]["rules"], changed["template"]["clock"]["seconds"]) == ("bots", 2)

    in_season(tmp_path, work)


def test_a_game_that_has_no_seasons_is_refused(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        body = {"name": "bees", "template": {"game": "hive", "seats": [{}]}}
        answer = await season.admin.request("POST", "/seasons/now/games", body)
        assert answer.status_code == 400 and "hive is not played in seasons; boidvoid is." in answer.text

    in_season(tmp_path, work)


def test_a_member_whom_the_match_does_not_let_in_is_noted_and_the_jobs_go_on(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob, dan = [await season.app.player(name) for name in ("ann", "bob", "dan")]
        game = await season.start_game([team("red", ann), team("blue", bob)], config={"late_join": False})
        teams = [team("red", ann), team("blue", bob, dan)]
        await season.admin.must("PUT", f"/season-games/{game.id}/teams", teams)
        notes = await eventually(lambda: _notes(game))
        assert notes == ["dan has no seat: No player may join this game after its start: its setting late_join is off."]
        assert (await game.run_job("turn_end"))["key"] == f"turn_end/{game.match}/1"
        assert (await game.run_job("daily_maintenance"))["done"] > 0
        await eventually(lambda: _has_job(game, "turn_start", f"turn_start/{game.match}/2"))
        await season.admin.must("PUT", f"/season-games/{game.id}/teams", [*teams[:1], team("blue", bob)])
        await eventually(lambda: _has_job(game, "teams", f"teams/{game.match}/3"))
        assert (await game.info())["notes"] == []

    in_season(tmp_path, work)


def test_an_account_of_no_team_gets_no_seat(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob, fay = [await season.app.player(name) for name in ("ann", "bob", "fay")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        assert await fay.refusal("POST", f"/matches/{game.match}/join", {}) == (403, "not_allowed")
        assert len((await _match(season, game.match))["seats"]) == 2

    in_season(tmp_path, work)


def test_the_match_has_the_names_of_the_teams_also_when_they_change(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        assert (await _match(season, game.match))["team_names"] == ["red", "blue"]
        renamed = [team("red", ann), team("indigo", bob)]
        await season.admin.must("PUT", f"/season-games/{game.id}/teams", renamed)
        assert (await _match(season, game.match))["team_names"] == ["red", "indigo"]

    in_season(tmp_path, work)


def test_a_member_changes_teams_when_the_ship_is_off_the_map_and_a_removed_one_loses_the_rank(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob, cat, eve = [await season.app.player(name) for name in ("ann", "bob", "cat", "eve")]
        game = await season.start_game([team("red", ann, cat, (eve, "vice")), team("blue", bob)])
        seats = {seat["name"]: seat["seat"] for seat in (await _match(season, game.match))["seats"]}
        await game.spawn(cat, seats["cat"])
        await game.spawn(eve, seats["eve"])
        teams = [team("red", ann), team("blue", bob, cat)]
        await season.admin.must("PUT", f"/season-games/{game.id}/teams", teams)
        assert await eventually(lambda: _notes(game)) == ["cat stays in the former team until the ship is destroyed."]
        players = (await game.view())["players"]
        assert (players[seats["cat"]]["team"], players[seats["eve"]]["role"]) == (0, "trooper")
        statuses = {unit["id"]: unit["status"] for unit in (await game.view())["units"]}
        assert (statuses[seats["cat"]], statuses[seats["eve"]]) == ("alone", "waiting")
        assert len(await game.jobs("teams")) == 1
        await game.run_job("turn_end")
        assert (await game.act(cat, "boom", do="detonate", unit=seats["cat"]))["ok"]
        await game.run_job("turn_end")
        await eventually(lambda: _has_job(game, "teams", f"teams/{game.match}/2"))
        assert (await game.view())["players"][seats["cat"]]["team"] == 1
        assert (await game.info())["notes"] == []

    in_season(tmp_path, work)


def test_batteries_follow_stakes_from_the_start_and_an_avatar_changes_nothing(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob, cat = [await season.app.player(name) for name in ("ann", "bob", "cat")]
        face = {"game": "boidvoid", "name": "face", "kind": "avatar"}
        template = await season.admin.must("POST", "/ledger/templates", face)
        for player in (ann, cat):
            (item,) = await season.admin.must(
                "POST", "/ledger/mint", {"template": template["id"], "owner": player.name}
            )
            await player.must("PUT", "/ledger/avatar", {"avatar": item["id"]})
        await season.admin.must("PUT", "/ledger/stakes/ann", {"stake": 300})
        game = await season.start_game([team("red", ann), team("blue", bob)])
        await season.admin.must("PUT", "/ledger/stakes/cat", {"stake": 70})
        teams = [team("red", ann, cat), team("blue", bob)]
        await season.admin.must("PUT", f"/season-games/{game.id}/teams", teams)
        await eventually(lambda: _has_job(game, "teams", f"teams/{game.match}/2"))
        assert [unit["battery"] for unit in (await game.view())["units"] if unit["kind"] == "ship"] == [30000, 0, 7000]

    in_season(tmp_path, work)


def test_every_job_runs_by_hand_and_those_that_run_once_are_not_repeated(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        names = (await season.admin.must("GET", "/games/boidvoid"))["jobs"]
        assert len(names) == 7
        for name in names:
            assert (await game.run_job(name))["name"] == name
        assert len(await game.jobs("season_start")) == 1
        assert (await _match(season, game.match))["state"] == "over"

    in_season(tmp_path, work)


def test_in_the_lock_of_a_turn_neither_actions_nor_queued_orders_are_accepted(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        orders = f"/matches/{game.match}/orders"
        queued = {"orders": [{"do": "battery", "attack": 60}], "key": "early"}
        await ann.must("POST", orders, queued)
        await game.run_job("turn_lock")
        assert (await game.act(ann, "late act", do="battery", attack=70))["reason"] == "LOCKED"
        late = {"orders": [{"do": "battery", "attack": 80}], "key": "late"}
        assert await bob.refusal("POST", orders, late) == (409, "locked")
        await game.run_job("turn_end")
        view = await game.view()
        assert [unit["ratio"] for unit in view["units"] if unit["kind"] == "ship"] == [60, 50]
        await bob.must("POST", orders, {**late, "key": "next"})

    in_season(tmp_path, work)


def test_a_turn_that_ends_by_the_matchs_own_clock_is_in_the_list_of_jobs(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        await season.admin.must("POST", f"/matches/{game.match}/end-turn")
        await eventually(lambda: _has_job(game, "turn_end", f"turn_end/{game.match}/1"))

    in_season(tmp_path, work)


def test_an_item_minted_or_given_today_can_be_used_at_once(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        boost = {"game": "boidvoid", "name": "fuel", "kind": "boost", "facts": {"modifiers": {"attack": 7}, "turns": 2}}
        template = await season.admin.must("POST", "/ledger/templates", boost)
        items = await season.admin.must(
            "POST", "/ledger/mint", {"template": template["id"], "owner": "ann", "amount": 2}
        )
        order = {"do": "boost", "target": 0, "nft": items[0]["id"], "mode": "burn"}
        assert (await game.act(ann, "boost", **order))["ok"]
        await game.run_job("daily_maintenance")
        gift = await ann.must("POST", f"/ledger/items/{items[1]['id']}/gift", {"owner": "bob"})
        assert gift["owner"] == bob.id
        assert (await game.act(bob, "boost", **{**order, "target": 1, "nft": items[1]["id"]}))["ok"]
        ships = [unit["stats"]["attack"] for unit in (await game.view())["units"] if unit["kind"] == "ship"]
        assert ships == [12, 12]

    in_season(tmp_path, work)


def test_members_are_named_by_id_or_name(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann = await season.app.player("ann with a longer name")
        bob = await season.app.player("bob")
        teams = [
            {"name": "red", "members": [{"account": ann.name, "role": "leader"}]},
            {"name": "blue", "members": [{"account": bob.id, "role": "leader"}]},
        ]
        game = await season.create_game(teams)
        assert [one["members"][0]["account"] for one in game["teams"]] == [ann.id, bob.id]
        teams[0]["members"] = [{"account": "nemo", "role": "leader"}]
        answer = await season.admin.request("PUT", f"/season-games/{game['id']}/teams", teams)
        assert answer.status_code == 400 and "no account of the id or name 'nemo'" in answer.text
        teams[0]["members"] = [{"account": "ann", "role": "captain"}]
        answer = await season.admin.request("PUT", f"/season-games/{game['id']}/teams", teams)
        assert answer.status_code == 400
        assert "'captain'" in answer.text and "it is one of 'leader', 'trooper', 'vice'" in answer.text

    in_season(tmp_path, work)


def test_a_player_reads_what_happened_by_turn_and_refusals_are_private(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        await game.spawn(ann, 0)
        late = {"orders": [{"do": "capture", "unit": 1}], "key": "k"}
        await bob.must("POST", f"/matches/{game.match}/orders", late)
        await game.run_job("turn_end")
        assert (await game.act(bob, "ratio", do="battery", attack=70))["ok"]
        path = f"/matches/{game.match}/readable-log"
        spawned = (await season.admin.must("GET", path))[0]
        assert (spawned["turn"], spawned["players"]) == (1, [0]) and spawned["text"].startswith("ann's ship spawned at")
        own = [(line["turn"], line["text"]) for line in await bob.must("GET", f"{path}?seat=1")]
        assert own == [
            (1, "refused: Your unit is not on the map: it has yet to spawn."),
            (2, "bob's ship gives 70 % of its battery to the attack"),
        ]
        assert [line["turn"] for line in await ann.must("GET", f"{path}?seat=1")] == [2]
        assert [line["turn"] for line in await ann.must("GET", f"{path}?from=2")] == [2]

    in_season(tmp_path, work)


def test_the_nfts_of_a_seat_are_shown_to_its_own_account_only(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)], config={"start_boosts": 1})
        view = f"/matches/{game.match}/view?seat=0"
        assert [nft["kind"] for nft in (await ann.must("GET", view))["nfts"]] == ["boost"]
        assert (await bob.must("GET", view))["nfts"] == []
        assert (await season.app.request_as(None, "GET", view)).json()["nfts"] == []

    in_season(tmp_path, work)


def test_a_menu_takes_an_order_bare_or_wrapped_as_for_an_action(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        game = await season.start_game([team("red", ann), team("blue", bob)])
        menu = f"/matches/{game.match}/legal"
        bare = await ann.must("POST", menu, {"do": "battery"})
        assert bare["param"] == "attack"
        assert await ann.must("POST", menu, {"order": {"do": "battery"}}) == bare

    in_season(tmp_path, work)


def test_the_map_of_a_game_names_nfts_of_the_ledger(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        wild = {"game": "boidvoid", "name": "wild", "kind": "npc", "facts": {"modifiers": {"health": 77}}}
        template = await season.admin.must("POST", "/ledger/templates", wild)
        (item,) = await season.admin.must("POST", "/ledger/mint", {"template": template["id"], "owner": "admin"})
        land = {"width": 4, "height": 3, "tiles": ["....", "....", "...."], "homes": [[[0, 0]], [[3, 2]]]}
        npcs = [{"at": [2, 1], "nft": item["id"]}]
        game = await season.start_game([team("red", ann), team("blue", bob)], map={**land, "npcs": npcs})
        assert [unit["health"] for unit in (await game.view())["units"] if unit["kind"] == "npc"] == [7700]
        wrong = {"game": "boidvoid", "seats": [{}, {}], "map": {**land, "points": npcs}}
        answer = await ann.request("POST", "/matches", wrong)
        assert answer.status_code == 400 and "needs a point_of_importance as item" in answer.text

    in_season(tmp_path, work)


def test_a_match_with_more_members_than_a_request_can_name_is_played(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        store = season.app.dependency(Database)
        accounts = await store.write(lambda c: [account_queries.create(c, f"p{number}") for number in range(1_200)])
        people = [Player(season.app, account.id, account.name, "") for account in accounts]
        game = await season.start_game([team("red", *people[:600]), team("blue", *people[600:])])
        await game.run_job("turn_end")
        assert len((await _match(season, game.match))["seats"]) == 1_200
        assert sum(player["team"] for player in (await game.view())["players"]) == 600

    in_season(tmp_path, work)


def test_maintenance_writes_thousands_of_orders_in_a_few_entries(tmp_path: Path) -> None:
    async def work(season: Season) -> None:
        ann, bob = [await season.app.player(name) for name in ("ann", "bob")]
        boost = {"game": "boidvoid", "name": "fuel", "kind": "boost", "facts": {"modifiers": {"attack": 7}, "turns": 2}}
        template = await season.admin.must("POST", "/ledger/templates", boost)
        store = season.app.dependency(Database)
        await store.write(lambda connection: ledger_queries.mint(connection, template["id"], ann.id, 1_500))
        game = await season.start_game([team("red", ann), team("blue", bob)])
        (done,) = await game.jobs("daily_maintenance")
        assert done["done"] == 2 + 4 * 1_500
        entries = await store.read(lambda connection: entries_from(connection, game.match, 0))
        assert len(entries) <= 6
        assert len((await ann.must("GET", f"/matches/{game.match}/view?seat=0"))["nfts"]) == 1_500

    in_season(tmp_path, work)


async def _notes(game: Any) -> Any:
    return (await game.info())["notes"]


async def _has_job(game: Any, name: str, key: str) -> bool:
    return any(job["key"] == key for job in await game.jobs(name))


async def _match(season: Season, match: str) -> Any:
    return await season.admin.must("GET", f"/matches/{match}")
