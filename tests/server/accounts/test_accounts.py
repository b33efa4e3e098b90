"""Accounts, roles and tokens, as admins look after them."""

from tests.support.api import Api, some_name
from tests.support.in_process import InProcessServer


def test_accounts_are_found_by_a_part_of_their_name(admin: Api, player: Api) -> None:
    part = player.name[2:].upper()
    assert [one["id"] for one in admin.get("/accounts", find=part)] == [player.account]
    assert admin.get("/accounts", find="%") == [], "a sign is a sign"
    assert admin.get(f"/accounts/{player.name}")["id"] == player.account
    assert admin.refused("GET", "/accounts/no-such-account")[0] == 404
    assert player.refused("GET", f"/accounts/{player.account}")[0] == 403


def test_an_admin_creates_and_revokes_tokens_of_other_accounts(
    server: InProcessServer, admin: Api, player: Api
) -> None:
    path = f"/accounts/{player.account}/tokens"
    assert player.refused("GET", path)[0] == player.refused("POST", path, {})[0] == 403
    created = admin.post(path, label="lost and found")
    with Api(server, created["token"]) as again:
        assert again.get("/me")["id"] == player.account
        assert [one["label"] for one in admin.get(path)] == ["first", "lost and found"]
        admin.delete(f"{path}/{created['id']}")
        assert again.refused("GET", "/me")[1] == "bad_token"
    assert admin.refused("DELETE", f"{path}/{created['id']}")[0] == 404
    deeds = [(one["what"], one["about"]) for one in admin.get("/admin/audit", limit=2)]
    assert deeds == [("revoke token", player.name), ("create token", player.name)]


def test_one_revokes_a_token_of_ones_own_and_the_log_knows(admin: Api, player: Api) -> None:
    created = player.post("/tokens", label="bot")
    player.delete(f"/tokens/{created['id']}")
    assert [one["label"] for one in player.get("/tokens")] == ["first"]
    deed = admin.get("/admin/audit", limit=1)[0]
    assert (deed["what"], deed["name"], deed["details"]["label"]) == ("revoke token", player.name, "bot")


def test_the_last_admin_stays_one(admin: Api, player: Api) -> None:
    me = admin.get("/me")["id"]
    status, error, _ = admin.refused("PATCH", f"/accounts/{me}", {"role": "player"})
    assert (status, error) == (409, "last_admin")
    admin.patch(f"/accounts/{player.account}", role="admin")
    status, error, _ = admin.refused("PATCH", f"/accounts/{me}", {"role": "player"})
    assert (status, error) == (403, "not_allowed"), "not even where there is another"
    player.patch(f"/accounts/{me}", role="organiser")
    player.patch(f"/accounts/{me}", role="admin")
    admin.patch(f"/accounts/{player.account}", role="player")


def test_who_makes_an_account_for_another_is_written_down(admin: Api) -> None:
    name = some_name("guest")
    admin.post("/accounts", name=name)
    deed = admin.get("/admin/audit", limit=1)[0]
    assert (deed["what"], deed["about"]) == ("create account", name)
