"""The ledger: what it keeps, what it refuses, and that burning and its action are one."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest

from marchland.core.orders import HOST
from marchland.games.boidvoid.burning import give_back, recover, spend
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.httpledger import HttpLedger
from marchland.games.boidvoid.ledger import FileLedger, LedgerError, MemoryLedger, Nft, host_orders
from tests.games.boidvoid.arena import STRUCTURE, position, told
from tests.games.boidvoid.killed import FileJournal, builder

HALL = Nft(id=2**40, owner="p0", kind="superstructure", template=9, modifiers={"health": 30, "build_rate": 1})


def test_nfts_are_checked_when_they_are_minted() -> None:
    ledger = MemoryLedger()
    ledger.mint(HALL)
    with pytest.raises(LedgerError, match="already"):
        ledger.mint(HALL)
    with pytest.raises(LedgerError, match="no modifier 'battery'"):
        ledger.mint(Nft(id=1, owner="p0", kind="mothership", modifiers={"battery": 1}))
    with pytest.raises(LedgerError, match="64 bits"):
        ledger.mint(Nft(id=2**64, owner="p0", kind="avatar"))


def test_a_reserved_or_burned_nft_is_offered_to_nobody_and_used_once() -> None:
    ledger = MemoryLedger()
    ledger.mint(HALL)
    ledger.reserve("a", HALL.id, "p0")
    ledger.reserve("a", HALL.id, "p0")  # the same key again is the same reservation
    assert ledger.nfts("p0") == []
    with pytest.raises(LedgerError, match="free"):
        ledger.reserve("b", HALL.id, "p0")
    ledger.release("a")
    assert ledger.nfts("p0") == [HALL]
    ledger.reserve("b", HALL.id, "p0")
    ledger.commit("b")
    ledger.commit("b")
    ledger.release("b")
    assert ledger.nfts("p0") == []
    with pytest.raises(LedgerError, match="Nothing"):
        ledger.commit("a")


def test_a_file_ledger_is_the_same_after_a_restart(tmp_path: Path) -> None:
    ledger = FileLedger(tmp_path / "ledger.json")
    ledger.mint(HALL)
    ledger.set_stake("p0", 70)
    ledger.reserve("a", HALL.id, "p0")
    again = FileLedger(tmp_path / "ledger.json")
    assert (again.stake("p0"), again.reservations()) == (70, {"a": HALL.id})
    (tmp_path / "ledger.json").write_text("{")
    with pytest.raises(LedgerError, match="cannot be read"):
        FileLedger(tmp_path / "ledger.json")


def test_a_refused_action_gives_the_nft_back(tmp_path: Path) -> None:
    game, ledger, journal = builder(tmp_path)
    report = spend(game, 0, {"do": "build", "unit": 99, "nft": HALL.id}, ledger, journal, "m")
    assert not report.results[0][0].ok
    assert ledger.nfts("p0") == [HALL]


def test_an_accepted_action_burns_it(tmp_path: Path) -> None:
    game, ledger, journal = builder(tmp_path)
    assert spend(game, 0, {"do": "build", "unit": 0, "nft": HALL.id}, ledger, journal, "m").results[0][0].ok
    assert ledger.nfts("p0") == []
    assert list(ledger.book.burned.values()) == [HALL.id]
    assert game.view(0)["nfts"][0]["mode"] == "burned"


@pytest.mark.parametrize(("moment", "burned"), [("reserve", False), ("write", True)])
def test_whatever_dies_in_between_both_happened_or_neither(tmp_path: Path, moment: str, burned: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.boidvoid.killed", str(tmp_path), moment],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "MARCHLAND_KERNELS": "python"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    ledger, journal = FileLedger(tmp_path / "ledger.json"), FileJournal(tmp_path / "journal")
    assert len(ledger.reservations()) == 1
    recover(ledger, journal, "m")
    recover(ledger, journal, "m")
    assert ledger.reservations() == {}
    assert (list(ledger.book.burned.values()) == [HALL.id]) == burned == bool(journal.entries())
    assert (ledger.nfts("p0") == [HALL]) != burned


BOOST = Nft(id=2**41, owner="p0", kind="boost", turns=2, modifiers={"attack": 10})
HULLS = [Nft(id=2**42 + number, owner="p0", kind="spaceship", modifiers={"range": 1}) for number in range(2)]


def owner_of_boosts(tmp_path: Path) -> tuple[BoidVoid, FileLedger, FileJournal]:
    game, ledger, journal = builder(tmp_path)
    for nft in (BOOST, *HULLS):
        ledger.mint(nft)
        for order in host_orders(nft, 0):
            game.act(HOST, order)
    return game, ledger, journal


def test_a_staked_boost_is_released_when_it_is_over(tmp_path: Path) -> None:
    game, ledger, journal = owner_of_boosts(tmp_path)
    spend(game, 0, {"do": "boost", "target": 0, "nft": BOOST.id, "mode": "stake"}, ledger, journal, "m")
    game.step()
    assert (give_back(game, ledger, "m"), BOOST in ledger.nfts("p0")) == ([], False)
    assert told(game.step().events, "returned") == [{"event": "returned", "player": 0, "nft": BOOST.id}]
    assert give_back(game, ledger, "another match") == []
    (key,) = give_back(game, ledger, "m")
    assert (key.split("/")[0], BOOST in ledger.nfts("p0"), give_back(game, ledger, "m")) == ("m", True, [])


def test_what_is_staked_on_a_superstructure_is_released_when_it_falls(tmp_path: Path) -> None:
    game, ledger, journal = builder(tmp_path)
    second = Nft(id=HALL.id + 1, owner="p0", kind="superstructure", template=9)
    ledger.mint(second)
    for order in host_orders(second, 0):
        game.act(HOST, order)
    spend(game, 0, {"do": "build", "unit": 0, "nft": HALL.id}, ledger, journal, "m")
    game.step()
    spend(game, 0, {"do": "stack", "at": [1, 0], "nft": second.id, "mode": "stake"}, ledger, journal, "m")
    assert second not in ledger.nfts("p0")
    for order in ({"do": "detonate", "unit": 0}, {"do": "attack", "unit": 1, "target": STRUCTURE}):
        player = 0 if order["do"] == "detonate" else 1
        assert game.act(player, order).results[player][0].ok
    give_back(game, ledger, "m")
    assert ledger.nfts("p0") == [second]


def test_equipment_is_set_aside_and_released_when_it_is_changed(tmp_path: Path) -> None:
    game, ledger, journal = owner_of_boosts(tmp_path)
    spend(game, 0, {"do": "equip", "unit": 0, "nft": HULLS[0].id}, ledger, journal, "m")
    assert HULLS[0] not in ledger.nfts("p0")
    spend(game, 0, {"do": "equip", "unit": 0, "nft": HULLS[1].id}, ledger, journal, "m")
    assert HULLS[0] in ledger.nfts("p0")
    assert HULLS[1] not in ledger.nfts("p0")


def test_after_the_match_all_that_is_not_burned_is_released(tmp_path: Path) -> None:
    game, ledger, journal = owner_of_boosts(tmp_path)
    spend(game, 0, {"do": "boost", "target": 0, "nft": BOOST.id, "mode": "stake"}, ledger, journal, "m")
    spend(game, 0, {"do": "equip", "unit": 0, "nft": HULLS[0].id}, ledger, journal, "m")
    spend(game, 0, {"do": "build", "unit": 0, "nft": HALL.id}, ledger, journal, "m")
    game.act(HOST, {"do": "end_season"})
    assert len(give_back(game, ledger, "m")) == 2
    assert {nft.id for nft in ledger.nfts("p0")} == {BOOST.id, *(hull.id for hull in HULLS)}
    assert list(ledger.book.burned.values()) == [HALL.id]


def test_an_nft_that_the_ledger_refuses_changes_nothing_in_the_game(tmp_path: Path) -> None:
    game, ledger, journal = builder(tmp_path)
    ledger.reserve("elsewhere/1/0/1", HALL.id, "p0")
    before = game.digest()
    with pytest.raises(LedgerError, match="free"):
        spend(game, 0, {"do": "build", "unit": 0, "nft": HALL.id}, ledger, journal, "m")
    assert (game.digest(), journal.entries()) == (before, {})
    assert recover(ledger, journal, "m") == []  # another match's reservation is not ours to release
    assert recover(ledger, journal, "elsewhere") == ["elsewhere/1/0/1"]


def test_ledger_values_become_host_orders() -> None:
    game = position([{"id": 0, "at": [1, 0]}])
    for order in host_orders(HALL, 0):
        assert game.act(HOST, order).results[HOST][0].ok
    nft = game.view(0)["nfts"][0]
    assert (nft["template"], nft["traits"]) == (9, HALL.modifiers)
    assert host_orders(Nft(id=1, owner="p0", kind="obstacle"), 0) == []


# ---------------------------------------------------------------- over HTTP


class Api(BaseHTTPRequestHandler):
    """Answers as AtomicAssets does, and as a stake API."""

    def do_GET(self) -> None:
        address = urlparse(self.path)
        query = parse_qs(address.query)
        body: dict[str, Any] = {"stake": 123}
        if address.path == "/atomicassets/v1/assets":
            page, limit = int(query["page"][0]), int(query["limit"][0])
            every = [asset(number, query["owner"][0]) for number in range(150)]
            body = {"success": True, "data": every[(page - 1) * limit : page * limit]}
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def asset(number: int, owner: str) -> dict[str, Any]:
    return {
        "asset_id": str(2**40 + number),
        "owner": owner,
        "collection": {"collection_name": "boidvoid"},
        "schema": {"schema_name": "superstructure" if number else "song"},
        "template": {"template_id": "9"},
        "template_mint": str(number),
        "is_burnable": number != 1,
        "data": {"name": "Hall", "img": "hall.png", "health": 30, "build_rate": "1"},
    }


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    running = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield running
    running.shutdown()
    thread.join()
    running.server_close()


def test_the_http_ledger_reads_both_apis_and_keeps_the_last_values_when_they_are_down(
    server: ThreadingHTTPServer, tmp_path: Path
) -> None:
    address = f"http://127.0.0.1:{server.server_address[1]}"
    ledger = HttpLedger(address, f"{address}/stake", tmp_path / "http.json", timeout=5)
    held = ledger.nfts("eve")
    assert (len(held), held[0].burnable, held[0].modifiers) == (149, False, {"health": 30, "build_rate": 1})
    assert ledger.stake("eve") == 123
    ledger.reserve("a", held[1].id, "eve")
    ledger.commit("a")
    assert not ledger.warning
    dead = HttpLedger("http://127.0.0.1:9", "http://127.0.0.1:9", tmp_path / "http.json", timeout=1)
    assert len(dead.nfts("eve")) == 148
    assert "does not answer" in dead.warning
    assert dead.stake("eve") == 123
    dead.reserve("b", held[2].id, "eve")
    assert held[2] not in dead.nfts("eve")


def test_the_game_is_whole_without_any_ledger() -> None:
    assert BoidVoid.new(2, seed=1).view(0)["nfts"]
