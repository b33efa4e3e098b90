"""The audit log tells what was done, and nothing of what was refused."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from marchland.errors import Refused
from marchland.messages import MatchCreate, SeatRequest
from marchland.server.matches.history import MatchHistory
from marchland.server.matches.manager import MatchManager
from marchland.server.matches.service import MatchService
from marchland.server.matches.visibility import Visibility
from marchland.server.metrics import Metrics
from marchland.server.settings import Settings
from marchland.store import Database
from tests.support.api import SMALL, Api, until
from tests.support.game_loading import loaded_games

OPEN = {**SMALL, "seats": [{"kind": "open"}, {"kind": "open"}], "clock": {"kind": "ready"}}


def deeds(admin: Api, match: str) -> list[str]:
    return [one["what"] for one in admin.get("/admin/audit", limit=500) if one["about"] == match]


def test_a_match_that_is_removed_is_noted_once(admin: Api, player: Api) -> None:
    match = player.post("/matches", **OPEN)["id"]
    admin.delete(f"/matches/{match}")
    assert admin.refused("DELETE", f"/matches/{match}")[:2] == (404, "not_found")
    assert deeds(admin, match) == ["remove match"]


def test_what_a_player_may_not_do_leaves_no_note(admin: Api, player: Api) -> None:
    match = admin.post("/matches", **OPEN)["id"]
    for method, path in (("DELETE", ""), ("POST", "/start"), ("POST", "/end-turn")):
        assert player.refused(method, f"/matches/{match}{path}")[0] == 403
    assert deeds(admin, match) == []
    admin.delete(f"/matches/{match}")


def test_a_start_is_noted_if_the_match_starts(admin: Api, player: Api) -> None:
    match = player.post("/matches", **OPEN)["id"]
    admin.post(f"/matches/{match}/start")
    assert admin.refused("POST", f"/matches/{match}/start")[:2] == (409, "started")
    assert deeds(admin, match) == ["start match"]
    huge = player.post("/matches", **{**OPEN, "config": {"width": 400, "height": 400}})["id"]
    assert admin.refused("POST", f"/matches/{huge}/start")[:2] == (409, "cannot_start")
    assert deeds(admin, huge) == []


def test_a_turn_that_is_ended_by_hand_is_noted_and_one_that_is_not_is_not(admin: Api, player: Api) -> None:
    match = player.post("/matches", **{**OPEN, "config": {"width": 12, "height": 12, "max_turn": 2}})["id"]
    assert admin.refused("POST", f"/matches/{match}/end-turn")[:2] == (409, "not_started")
    player.post(f"/matches/{match}/start")
    admin.post(f"/matches/{match}/end-turn")
    until(lambda: admin.get(f"/matches/{match}")["state"] == "over")
    assert admin.refused("POST", f"/matches/{match}/end-turn")[:2] == (409, "over")
    assert deeds(admin, match) == ["end turn"]


def test_a_job_that_is_not_done_leaves_no_note(admin: Api) -> None:
    match = admin.post("/matches", **OPEN)["id"]
    assert admin.refused("POST", "/jobs", {"match": match, "name": "turn_end"})[:2] == (404, "not_found")
    assert deeds(admin, match) == []
    admin.delete(f"/matches/{match}")


def test_a_replay_that_cannot_be_made_leaves_no_note(admin: Api) -> None:
    match = admin.post("/matches", **OPEN)["id"]
    assert admin.refused("GET", f"/matches/{match}/replay")[0] == 409
    assert deeds(admin, match) == []
    admin.delete(f"/matches/{match}")


def test_what_cannot_be_noted_is_not_done(tmp_path: Path) -> None:
    def broken(connection: Any) -> None:
        raise Refused("full", "There is no room for a note.")

    async def scene() -> None:
        with Database(str(tmp_path / "audit.db")) as store:
            manager = MatchManager(store, Settings(db=""), Metrics(), loaded_games())
            service = MatchService(manager, MatchHistory(store, manager.games), Visibility(store))
            made = await service.create(MatchCreate("colorfight", [SeatRequest(), SeatRequest()]), None)
            for deed in (service.start, service.remove):
                with pytest.raises(Refused, match="no room"):
                    await deed(made.id, extra=broken)
                assert (await service.row(made.id)).state == "lobby"
            await service.remove(made.id)
            with pytest.raises(Refused, match="There is no match"):
                await service.row(made.id)
            await manager.close()

    asyncio.run(scene())
