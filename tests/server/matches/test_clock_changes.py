"""The clock of a match that is on, changed by an organiser."""

from tests.support.api import SMALL, Api, until

SLOW = {**SMALL, "clock": {"kind": "every", "seconds": 3600, "early": False}}


def test_a_new_clock_holds_from_the_next_turn_on(admin: Api) -> None:
    match = admin.post("/matches", **{**SLOW, "config": {"width": 12, "height": 12, "max_turn": 9}})["id"]
    before = until(lambda: admin.get(f"/matches/{match}")["closes"])
    response = admin.patch(f"/matches/{match}", clock={"kind": "every", "seconds": 7200, "early": False})
    assert response["clock"]["seconds"] == 7200 and abs(response["closes"] - before) < 1, "the open turn keeps its end"
    turn = response["turn"]
    admin.post(f"/matches/{match}/end-turn")
    until(lambda: admin.get(f"/matches/{match}")["turn"] == turn + 1)
    after = admin.get(f"/matches/{match}")
    assert 7100 < after["closes"] - after["now"] <= 7200
    assert ("change clock", match) in [(one["what"], one["about"]) for one in admin.get("/admin/audit")]
    admin.delete(f"/matches/{match}")


def test_a_clock_that_cannot_be_is_refused(admin: Api, player: Api) -> None:
    match = admin.post("/matches", **SMALL)["id"]
    clock = {"clock": {"kind": "ready"}}
    assert player.refused("PATCH", f"/matches/{match}", clock)[0] == 403
    assert admin.refused("PATCH", "/matches/nothing", clock)[0] == 404
    assert admin.refused("PATCH", f"/matches/{match}", {"clock": {"kind": "every", "seconds": 0}})[0] == 400
    until(lambda: admin.get(f"/matches/{match}")["state"] == "over")
    assert admin.refused("PATCH", f"/matches/{match}", clock)[1] == "over"
    assert admin.get(f"/matches/{match}")["clock"]["kind"] == "every"
