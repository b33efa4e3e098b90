"""The ledger over the API: collections, schemas, templates, gifts, wallets and sources."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.asgi import App, Player
from tests.support.external_ledger import COLLECTION, asset, fake_ledger
from tests.support.ledger_app import in_app
from tests.support.season_app import eventually


def test_a_template_has_kind_and_facts_of_its_schema_and_adds_its_own(tmp_path: Path) -> None:
    async def work(app: App, admin: Player) -> None:
        collection = await admin.must("POST", "/ledger/collections", {"game": "boidvoid", "name": "void"})
        facts = {"modifiers": {"attack": 2}, "sprite": "hull.png"}
        schema = {"collection": collection["id"], "name": "hulls", "kind": "spaceship", "facts": facts}
        made = await admin.must("POST", "/ledger/schemas", schema)
        own = {"name": "raider", "schema": made["id"], "facts": {"modifiers": {"attack": 3, "range": 1}}}
        template = await admin.must("POST", "/ledger/templates", own)
        assert (template["game"], template["kind"], template["schema"]) == ("boidvoid", "spaceship", made["id"])
        assert template["facts"] == {"modifiers": {"attack": 5, "range": 1}, "sprite": "hull.png"}
        await app.player("ann")
        (item,) = await admin.must("POST", "/ledger/mint", {"template": template["id"], "owner": "ann"})
        assert item["facts"] == template["facts"]
        assert [one["id"] for one in await admin.must("GET", "/ledger/collections")] == [collection["id"]]
        assert [one["id"] for one in await admin.must("GET", "/ledger/schemas")] == [made["id"]]
        assert await admin.refusal("POST", "/ledger/collections", {"game": "boidvoid", "name": "void"}) == (
            409,
            "name_taken",
        )
        assert await admin.refusal("POST", "/ledger/schemas", schema) == (409, "name_taken")
        assert await admin.refusal("POST", "/ledger/schemas", {**schema, "collection": 99}) == (404, "not_found")
        answer = await admin.request("POST", "/ledger/templates", {**own, "kind": "boost"})
        assert answer.status_code == 400 and "is spaceship, not boost" in answer.text
        stray = await admin.request("POST", "/ledger/schemas", {**schema, "name": "x", "facts": {"health": 1}})
        assert stray.status_code == 400 and "'health' is a modifier" in stray.text

    in_app(tmp_path, work)


def test_players_give_away_what_is_their_own_and_transferable(tmp_path: Path) -> None:
    async def work(app: App, admin: Player) -> None:
        ann, bob = await app.player("ann"), await app.player("bob")

        async def mint(**facts: Any) -> str:
            kind = {"game": "boidvoid", "name": "badge", "kind": "collectible", "facts": facts}
            template = await admin.must("POST", "/ledger/templates", kind)
            (item,) = await admin.must("POST", "/ledger/mint", {"template": template["id"], "owner": "ann"})
            return f"/ledger/items/{item['id']}"

        free, bound = await mint(), await mint(transferable=False)
        assert await bob.refusal("POST", f"{free}/gift", {"owner": "bob"}) == (409, "not_yours")
        assert await ann.refusal("POST", f"{bound}/gift", {"owner": "bob"}) == (409, "not_transferable")
        assert await admin.refusal("PATCH", bound, {"owner": "bob"}) == (409, "not_transferable")
        assert await ann.refusal("POST", f"{free}/gift", {"owner": "nemo"}) == (404, "not_found")
        assert (await ann.must("POST", f"{free}/gift", {"owner": "bob"}))["owner"] == bob.id
        (deed, *_) = await admin.must("GET", "/admin/audit")
        assert (deed["what"], deed["name"]) == ("give item", "ann")

    in_app(tmp_path, work)


@pytest.mark.parametrize("kind", ["collectible", "spaceship", "boost"])
def test_only_an_avatar_can_be_chosen_as_the_avatar(tmp_path: Path, kind: str) -> None:
    async def work(app: App, admin: Player) -> None:
        ann = await app.player("ann")
        items = {}
        for name in (kind, "avatar"):
            template = await admin.must("POST", "/ledger/templates", {"game": "boidvoid", "name": name, "kind": name})
            (item,) = await admin.must("POST", "/ledger/mint", {"template": template["id"], "owner": "ann"})
            items[name] = item["id"]
        await ann.must("PUT", "/ledger/avatar", {"avatar": items["avatar"]})
        answer = await ann.request("PUT", "/ledger/avatar", {"avatar": items[kind]})
        assert answer.status_code == 409 and "only an avatar" in answer.text
        assert (await ann.must("GET", "/ledger/albums/ann"))["avatar"] == items["avatar"]

    in_app(tmp_path, work)


def test_a_confirmed_wallet_brings_items_and_stake_and_a_failing_api_a_warning(tmp_path: Path) -> None:
    with fake_ledger() as ledger:
        ledger.assets["ann.void"] = [asset(2**40 + 1, "ann.void")]
        ledger.stakes["ann.void"] = 250

        async def work(app: App, admin: Player) -> None:
            ann, bob = await app.player("ann"), await app.player("bob")
            await admin.must("POST", "/ledger/collections", {"game": "boidvoid", "name": COLLECTION})
            wallet = await ann.must("PUT", "/ledger/wallet", {"wallet": "ann.void"})
            assert (wallet["wallet"], wallet["confirmed"]) == ("ann.void", False)
            assert await bob.refusal("PUT", "/ledger/wallet", {"wallet": "ann.void"}) == (409, "wallet_taken")
            assert await ann.refusal("PUT", "/ledger/wallets/ann", {"confirmed": True}) == (403, "not_allowed")
            assert (await admin.must("PUT", "/ledger/wallets/ann", {"confirmed": True}))["confirmed"]
            assert await ann.must("GET", "/ledger/wallet") == (await admin.must("GET", "/ledger/wallets"))[0]

            async def album() -> Any:
                found = await ann.must("GET", "/ledger/albums/ann")
                return found if found["stake"] and found["items"] else None

            assert (await eventually(album))["items"][0]["external"]
            ledger.mode = "failing"

            async def warnings() -> Any:
                found = await admin.must("GET", "/ledger/sources")
                return found if all(source["warning"] for source in found) else None

            assert [source["name"] for source in await eventually(warnings)] == ["assets", "stakes"]
            assert await album()

        settings = {"assets_url": ledger.address, "stakes_url": f"{ledger.address}/stake", "ledger_interval": 0.1}
        in_app(tmp_path, work, **settings)
