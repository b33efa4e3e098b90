"""A host of seasons that runs elsewhere reads the ledger of a Marchland server."""

from pathlib import Path

import pytest

from marchland.games.boidvoid.serverledger import ServerLedger
from tests.serving import ADMIN, Person, Served, person

FACTS = {"modifiers": {"attack": 5, "health": 50, "build_rate": 1}, "burnable": False, "collection": "void"}


def test_items_and_stakes_of_a_server_are_read_and_stand_when_it_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MARCHLAND_KERNELS", "python")  # nothing is played
    served = Served(tmp_path)
    try:
        with Person(served, ADMIN) as admin, person(served) as ann:
            name = admin.must("GET", f"/accounts/{ann.account}")["name"]
            kind = {"game": "boidvoid", "name": "tower", "kind": "superstructure", "facts": FACTS}
            template = admin.must("POST", "/ledger/templates", json=kind)["id"]
            wish = {"template": template, "owner": ann.account, "amount": 2}
            minted = admin.must("POST", "/ledger/mint", json=wish)
            admin.must("PUT", f"/ledger/stakes/{ann.account}", json={"stake": 42})
            ledger = ServerLedger(served.url, tmp_path / "ledger.json")
            first, second = ledger.nfts(name)
            assert [first.id, second.id] == [one["id"] for one in minted]
            assert (first.kind, first.modifiers, first.burnable) == ("superstructure", FACTS["modifiers"], False)
            assert ledger.stake(name) == 42 and not ledger.warning
            ledger.reserve("a", first.id, name)
            assert ledger.nfts(name) == [second]
    finally:
        served.stop()
    assert ledger.nfts(name) == [second] and ledger.stake(name) == 42
    assert "does not answer" in ledger.warning
