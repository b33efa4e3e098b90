"""The HTTP source of NFTs and stakes, against a local server that answers well, slowly, partly or wrongly."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import event

from marchland.errors import Refused
from marchland.messages import Album, CollectionCreate, SourceInfo
from marchland.server.accounts import queries as account_queries
from marchland.server.ledger import external_queries, object_queries, queries
from marchland.server.ledger.external import ApiDownError, ExternalApi, ExternalError
from marchland.server.ledger.external_reader import ExternalLedgerReader
from marchland.store import Database
from tests.support.external_ledger import COLLECTION, FakeLedger, Mode, asset, fake_ledger

FIRST = 2**40


@pytest.fixture
def ledger() -> Iterator[FakeLedger]:
    with fake_ledger() as fake:
        yield fake


@pytest.fixture
def store(store: Database) -> Database:
    """A database whose ledger has the collection of the fake's assets."""
    written(store, partial(object_queries.insert_collection, request=CollectionCreate("boidvoid", COLLECTION)))
    return store


@pytest.fixture
def api(ledger: FakeLedger) -> ExternalApi:
    return api_of(ledger)


def api_of(ledger: FakeLedger, mode: Mode = "well") -> ExternalApi:
    """The API with little time for answers that are slow, and much for all others."""
    return ExternalApi(ledger.address, f"{ledger.address}/stake", timeout=0.3 if mode.startswith("slow") else 60)


def written(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def with_wallet(store: Database, name: str, wallet: str, confirmed: bool = True) -> str:
    """The id of a new account with a wallet."""
    account = written(store, partial(account_queries.create, name=name)).id
    written(store, partial(external_queries.set_wallet, account=account, wallet=wallet))
    if confirmed:
        written(store, partial(external_queries.confirm_wallet, account=account, confirmed=True))
    return str(account)


async def assets_of(api: ExternalApi, wallet: str) -> list[Any]:
    async with api.session() as session:
        return await session.fetch_assets(wallet, {COLLECTION})


async def stake_of(api: ExternalApi, wallet: str) -> int:
    async with api.session() as session:
        return await session.fetch_stake(wallet)


def album(store: Database, account: str) -> Album:
    return store.read_now(partial(queries.find_album, account=account))


def sources(store: Database) -> dict[str, SourceInfo]:
    return {source.name: source for source in store.read_now(external_queries.list_sources)}


# ---------------------------------------------------------------- one request


def test_every_page_of_assets_is_read(ledger: FakeLedger, api: ExternalApi) -> None:
    ledger.assets["eve"] = [asset(FIRST + number, "eve") for number in range(250)]
    found = asyncio.run(assets_of(api, "eve"))
    assert [one["asset_id"] for one in found] == [str(FIRST + number) for number in range(250)]
    assert len(ledger.requests) == 3


def test_the_stake_is_read(ledger: FakeLedger, api: ExternalApi) -> None:
    ledger.stakes["eve"] = 123
    assert asyncio.run(stake_of(api, "eve")) == 123


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("slow", "longer than 0.3 s"),
        ("slow head", "longer than 0.3 s"),
        ("cut", "cannot be reached"),
        ("malformed", "not JSON"),
        ("failing", "status 500"),
        ("second page fails", "reports a failure"),
    ],
)
def test_an_answer_that_is_not_complete_is_none(ledger: FakeLedger, mode: Mode, reason: str) -> None:
    ledger.assets["eve"] = [asset(FIRST + number, "eve") for number in range(100)]
    ledger.mode = mode
    with pytest.raises(ExternalError, match=reason):
        asyncio.run(assets_of(api_of(ledger, mode), "eve"))


def test_an_api_that_is_down_is_named() -> None:
    with pytest.raises(ApiDownError, match="cannot be reached"):
        asyncio.run(stake_of(ExternalApi(None, "http://127.0.0.1:9/stake"), "eve"))


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


@pytest.mark.parametrize("mode", ["slow", "slow head", "cut", "malformed", "failing", "second page fails", "odd asset"])
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
    asyncio.run(ExternalLedgerReader(store, api_of(ledger, mode), 600).refresh(600.0))
    assert album(store, ann) == before
    failed = sources(store)["assets"]
    assert "last known values stand" in failed.warning and (failed.tried, failed.read) == (600.0, 0.0)
    ledger.mode, ledger.assets["ann.void"] = "well", ledger.assets["ann.void"][:50]
    asyncio.run(reader.refresh(605.0))
    assert sources(store)["assets"].warning == ""
    assert len(album(store, ann).items) == 50


def test_an_answer_for_one_wallet_that_cannot_be_used_stops_no_other(
    store: Database, ledger: FakeLedger, api: ExternalApi
) -> None:
    ann, bob = with_wallet(store, "ann", "ann.void"), with_wallet(store, "bob", "bob.void")
    ledger.assets = {"ann.void": [asset(FIRST, "ann.void")], "bob.void": [asset(FIRST + 1, "bob.void")]}
    ledger.mode, ledger.odd_wallet = "odd asset", "ann.void"
    asyncio.run(ExternalLedgerReader(store, api, 600).refresh(0.0))
    assert (album(store, ann).items, [item.id for item in album(store, bob).items]) == ([], [FIRST + 1])
    warning = sources(store)["assets"].warning
    assert "1 of 2 wallets (ann.void: it sends an asset that cannot be read" in warning


def test_only_assets_of_collections_in_the_ledger_count(store: Database, ledger: FakeLedger, api: ExternalApi) -> None:
    ann = with_wallet(store, "ann", "ann.void")
    forged = asset(FIRST + 1, "ann.void", collection="forged", attack=1000)
    ledger.assets["ann.void"] = [asset(FIRST, "ann.void"), forged, {**forged, "asset_id": "7", "collection": None}]
    asyncio.run(ExternalLedgerReader(store, api, 600).refresh(0.0))
    assert [item.id for item in album(store, ann).items] == [FIRST]
    assert f"collection_whitelist={COLLECTION}" in ledger.requests[0]


def test_without_a_collection_nothing_is_read_and_the_warning_says_what_to_do(url: str, ledger: FakeLedger) -> None:
    with Database(url) as store:
        with_wallet(store, "ann", "ann.void")
        asyncio.run(ExternalLedgerReader(store, ExternalApi(ledger.address, None), 600).refresh(0.0))
        assert "has no collection: add those whose NFTs count" in sources(store)["assets"].warning
    assert ledger.requests == []


def test_thousands_of_assets_are_written_by_few_statements(
    store: Database, ledger: FakeLedger, api: ExternalApi
) -> None:
    ann = with_wallet(store, "ann", "ann.void")
    ledger.assets["ann.void"] = [asset(FIRST + number, "ann.void", attack=number % 3) for number in range(2_500)]
    reader = ExternalLedgerReader(store, api, 600)
    statements: list[str] = []
    event.listen(store.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    asyncio.run(reader.refresh(0.0))
    assert len(album(store, ann).items) == 2_500
    ledger.assets["ann.void"] = []
    asyncio.run(reader.refresh(600.0))
    assert album(store, ann).items == []
    assert len(statements) < 100


def test_items_without_a_usable_mint_number_get_the_next_one(
    store: Database, ledger: FakeLedger, api: ExternalApi
) -> None:
    ann = with_wallet(store, "ann", "ann.void")
    mints = ("7", "7", None, str(2**40), "3")
    ledger.assets["ann.void"] = [
        {**asset(FIRST + number, "ann.void"), "template_mint": mint} for number, mint in enumerate(mints)
    ]
    asyncio.run(ExternalLedgerReader(store, api, 600).refresh(0.0))
    assert [item.mint for item in album(store, ann).items] == [7, 8, 9, 10, 3]


def test_characters_that_no_database_stores_are_left_out_of_a_name(
    store: Database, ledger: FakeLedger, api: ExternalApi
) -> None:
    ann = with_wallet(store, "ann", "ann.void")
    ledger.assets["ann.void"] = [asset(FIRST, "ann.void", "odd\0", kind="boost", name="fu\0el")]
    asyncio.run(ExternalLedgerReader(store, api, 600).refresh(0.0))
    assert [item.name for item in album(store, ann).items] == ["fuel"]


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
