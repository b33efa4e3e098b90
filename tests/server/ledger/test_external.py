"""The HTTP source of NFTs and stakes, against a local server that answers well, slowly, partly or wrongly."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from marchland.errors import Refused
from marchland.messages import Album, SourceInfo
from marchland.server.accounts import queries as account_queries
from marchland.server.ledger import external_queries, queries
from marchland.server.ledger.external import ExternalApi, ExternalError
from marchland.server.ledger.external_reader import ExternalLedgerReader
from marchland.store import Database
from tests.support.external_ledger import FakeLedger, Mode, asset, fake_ledger

FIRST = 2**40


@pytest.fixture
def ledger() -> Iterator[FakeLedger]:
    with fake_ledger() as fake:
        yield fake


@pytest.fixture
def api(ledger: FakeLedger) -> ExternalApi:
    return ExternalApi(ledger.address, f"{ledger.address}/stake", timeout=0.3)


def written(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def with_wallet(store: Database, name: str, wallet: str, confirmed: bool = True) -> str:
    """The id of a new account with a wallet."""
    account = written(store, partial(account_queries.create, name=name)).id
    written(store, partial(external_queries.set_wallet, account=account, wallet=wallet))
    if confirmed:
        written(store, partial(external_queries.confirm_wallet, account=account, confirmed=True))
    return str(account)


def album(store: Database, account: str) -> Album:
    return store.read_now(partial(queries.find_album, account=account))


def sources(store: Database) -> dict[str, SourceInfo]:
    return {source.name: source for source in store.read_now(external_queries.list_sources)}


# ---------------------------------------------------------------- one request


def test_every_page_of_assets_is_read(ledger: FakeLedger, api: ExternalApi) -> None:
    ledger.assets["eve"] = [asset(FIRST + number, "eve") for number in range(250)]
    assert [one["asset_id"] for one in api.fetch_assets("eve")] == [str(FIRST + number) for number in range(250)]
    assert len(ledger.requests) == 3


def test_the_stake_is_read(ledger: FakeLedger, api: ExternalApi) -> None:
    ledger.stakes["eve"] = 123
    assert api.fetch_stake("eve") == 123


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("slow", "longer than 0.3 s"),
        ("cut", "incomplete|cannot be reached"),
        ("malformed", "not JSON"),
        ("failing", "status 500"),
        ("second page fails", "reports a failure"),
    ],
)
def test_an_answer_that_is_not_complete_is_none(ledger: FakeLedger, api: ExternalApi, mode: Mode, reason: str) -> None:
    ledger.assets["eve"] = [asset(FIRST + number, "eve") for number in range(100)]
    ledger.mode = mode
    with pytest.raises(ExternalError, match=reason):
        api.fetch_assets("eve")


def test_an_api_that_is_down_is_named(api: ExternalApi) -> None:
    with pytest.raises(ExternalError, match="cannot be reached"):
        ExternalApi(None, "http://127.0.0.1:9/stake").fetch_stake("eve")


# ---------------------------------------------------------------- into the server's ledger


def test_items_and_stakes_of_confirmed_wallets_are_copied(
    store: Database, ledger: FakeLedger, api: ExternalApi
) -> None:
    ann = with_wallet(store, "ann", "ann.void")
    bob = with_wallet(store, "bob", "bob.void", confirmed=False)
    ledger.assets = {
        wallet: [asset(FIRST + number, wallet), asset(FIRST + number + 1, wallet, "song")]
        for wallet, number in (("ann.void", 1), ("bob.void", 11))
    }
    ledger.stakes = {"ann.void": 300, "bob.void": 400}
    asyncio.run(ExternalLedgerReader(store, api, 600).refresh(1000.0))
    (item,) = album(store, ann).items
    assert (item.id, item.kind, item.name, item.external) == (FIRST + 1, "boost", "fuel", True)
    assert (item.facts["modifiers"], item.facts["turns"]) == ({"attack": 7}, 2)
    assert (album(store, ann).stake, album(store, bob).items, album(store, bob).stake) == (300, [], 0)
    assert {name: source.warning for name, source in sources(store).items()} == {"assets": "", "stakes": ""}


def test_an_item_follows_its_wallet_and_a_held_or_spent_one_stays(
    store: Database, ledger: FakeLedger, api: ExternalApi
) -> None:
    ann, bob = with_wallet(store, "ann", "ann.void"), with_wallet(store, "bob", "bob.void")
    ledger.assets["ann.void"] = [asset(FIRST + number, "ann.void") for number in range(4)]
    reader = ExternalLedgerReader(store, api, 600)
    asyncio.run(reader.refresh(0.0))
    for number, key in ((1, "held"), (2, "spent")):
        written(store, partial(queries.hold, match="m", seat=0, key=key, item=FIRST + number, owner=ann))
    written(store, partial(queries.spend, match="m", seat=0, key="spent"))
    ledger.assets = {"bob.void": [asset(FIRST + number, "bob.void") for number in range(3)]}
    asyncio.run(reader.refresh(600.0))
    assert [(item.id - FIRST, item.state) for item in album(store, ann).items] == [(1, "held"), (2, "spent")]
    assert [(item.id - FIRST, item.state) for item in album(store, bob).items] == [(0, "free")]
    with pytest.raises(Refused, match="external ledger"):
        written(store, partial(queries.transfer_item, item=FIRST, to=ann))


@pytest.mark.parametrize("mode", ["slow", "cut", "malformed", "failing", "second page fails", "odd asset"])
def test_the_last_known_values_stand_with_a_warning_until_the_api_answers_again(
    store: Database, ledger: FakeLedger, api: ExternalApi, mode: Mode
) -> None:
    ann = with_wallet(store, "ann", "ann.void")
    ledger.assets["ann.void"] = [asset(FIRST + number, "ann.void") for number in range(100)]
    reader = ExternalLedgerReader(store, api, 600)
    asyncio.run(reader.refresh(0.0))
    before = album(store, ann)
    ledger.mode = mode
    del ledger.assets["ann.void"][100 if mode == "second page fails" else 50 :]
    asyncio.run(reader.refresh(600.0))
    assert album(store, ann) == before
    failed = sources(store)["assets"]
    assert "last known values stand" in failed.warning and (failed.tried, failed.read) == (600.0, 0.0)
    ledger.mode, ledger.assets["ann.void"] = "well", ledger.assets["ann.void"][:50]
    asyncio.run(reader.refresh(605.0))
    assert sources(store)["assets"].warning == ""
    assert len(album(store, ann).items) == 50


def test_pauses_after_failures_double_up_to_the_interval(store: Database, ledger: FakeLedger) -> None:
    with_wallet(store, "ann", "ann.void")
    reader = ExternalLedgerReader(store, ExternalApi(ledger.address, None), 30)
    ledger.mode = "failing"
    tried: list[int] = []
    for now in range(100):
        asyncio.run(reader.refresh(float(now)))
        if len(ledger.requests) > len(tried):
            tried.append(now)
    assert tried == [0, 5, 15, 35, 65, 95]


# ---------------------------------------------------------------- wallets


def test_a_wallet_belongs_to_one_account_and_a_new_one_is_unconfirmed(store: Database) -> None:
    ann, bob = with_wallet(store, "ann", "ann.void"), with_wallet(store, "bob", "bob.void")
    with pytest.raises(Refused, match="Another account has the wallet"):
        written(store, partial(external_queries.set_wallet, account=bob, wallet="ann.void"))
    assert written(store, partial(external_queries.set_wallet, account=ann, wallet="ann.void")).confirmed
    assert not written(store, partial(external_queries.set_wallet, account=ann, wallet="else.void")).confirmed
    written(store, partial(external_queries.confirm_wallet, account=ann, confirmed=False))
    assert [wallet.wallet for wallet in store.read_now(external_queries.list_wallets)] == ["bob.void"]
    with pytest.raises(Refused, match="named no wallet"):
        written(store, partial(external_queries.confirm_wallet, account=ann, confirmed=True))


def test_what_was_read_for_a_wallet_goes_with_it(store: Database, ledger: FakeLedger, api: ExternalApi) -> None:
    ann = with_wallet(store, "ann", "ann.void")
    ledger.assets["ann.void"], ledger.stakes["ann.void"] = [asset(FIRST, "ann.void")], 300
    asyncio.run(ExternalLedgerReader(store, api, 600).refresh(0.0))
    assert (len(album(store, ann).items), album(store, ann).stake) == (1, 300)
    written(store, partial(external_queries.set_wallet, account=ann, wallet="else.void"))
    assert (album(store, ann).items, album(store, ann).stake) == ([], 0)
