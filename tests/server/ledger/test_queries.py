"""The ledger: nothing is spent twice, nothing is lost."""

import asyncio
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from marchland.errors import Refused
from marchland.messages import AccountInfo, ItemInfo, TemplateInfo
from marchland.server.accounts import queries as account_queries
from marchland.server.ledger import object_queries
from marchland.server.ledger import queries as ledger_queries
from marchland.store import Database

SHIP = TemplateInfo(0, "boidvoid", "a ship", "spaceship", {"modifiers": {"attack": 5}}, 0)

FACE = TemplateInfo(0, "boidvoid", "a face", "avatar", {}, 0)


def holder(connection: Connection, name: str = "ann") -> AccountInfo:
    return account_queries.find(connection, name) or account_queries.create(connection, name)


def minted(connection: Connection, amount: int = 1, name: str = "ann", template: TemplateInfo = SHIP) -> list[ItemInfo]:
    template = object_queries.insert_template(connection, template)
    return ledger_queries.mint(connection, template.id, holder(connection, name).id, amount)


def written(store: Database, work: Any) -> Any:
    return asyncio.run(store.write(work))


def states(store: Database) -> list[str]:
    owner = store.read_now(holder).id
    return [item.state for item in store.read_now(partial(ledger_queries.find_album, account=owner)).items]


def test_minted_items_are_numbered_and_lie_in_their_owners_album(store: Database) -> None:
    first = written(store, partial(minted, amount=2))
    again = written(
        store, lambda connection: ledger_queries.mint(connection, first[0].template, holder(connection).id, 1)
    )
    album = store.read_now(lambda connection: ledger_queries.find_album(connection, holder(connection).id))
    assert [item.mint for item in album.items] == [1, 2, 3]
    assert album.items == first + again
    assert {item.state for item in album.items} == {"free"}
    assert album.items[0].facts == {"modifiers": {"attack": 5}}
    assert store.read_now(object_queries.list_templates)[0].minted == 3


def test_of_a_template_that_is_not_there_nothing_is_minted(store: Database) -> None:
    with pytest.raises(Refused, match="no template 99"):
        written(store, lambda connection: ledger_queries.mint(connection, 99, holder(connection).id, 1))


def test_an_item_is_held_by_one_action_only(store: Database) -> None:
    (item,) = written(store, minted)
    written(store, lambda c: ledger_queries.hold(c, "m", 0, "first", item.id, item.owner))
    written(store, lambda c: ledger_queries.hold(c, "m", 0, "first", item.id, item.owner))
    with pytest.raises(Refused, match="free"):
        written(store, lambda c: ledger_queries.hold(c, "m", 0, "second", item.id, item.owner))
    with pytest.raises(Refused, match="free"):
        written(store, lambda c: ledger_queries.hold(c, "other", 0, "first", item.id, item.owner))
    assert [one.key for one in store.read_now(ledger_queries.list_holds)] == ["first"]


def test_what_is_not_ones_own_cannot_be_held(store: Database) -> None:
    (item,) = written(store, minted)
    other = written(store, partial(holder, name="bob"))
    with pytest.raises(Refused, match="free"):
        written(store, lambda c: ledger_queries.hold(c, "m", 0, "k", item.id, other.id))
    with pytest.raises(Refused, match="free"):
        written(store, lambda c: ledger_queries.hold(c, "m", 0, "k", 12345, item.owner))


def test_a_key_holds_the_item_that_it_first_named(store: Database) -> None:
    one, other = written(store, partial(minted, amount=2))
    written(store, lambda c: ledger_queries.hold(c, "m", 0, "k", one.id, one.owner))
    with pytest.raises(Refused):
        written(store, lambda c: ledger_queries.hold(c, "m", 0, "k", other.id, one.owner))
    assert states(store) == ["held", "free"]


def test_what_is_spent_is_spent_for_good(store: Database) -> None:
    (item,) = written(store, minted)
    written(store, lambda c: ledger_queries.hold(c, "m", 0, "k", item.id, item.owner))
    for _ in range(2):
        written(store, lambda c: ledger_queries.spend(c, "m", 0, "k"))
    written(store, lambda c: ledger_queries.release(c, "m", 0, "k"))
    written(store, lambda c: ledger_queries.hold(c, "m", 0, "k", item.id, item.owner))
    assert states(store) == ["spent"]
    assert store.read_now(ledger_queries.list_holds) == []
    with pytest.raises(Refused, match="in use or spent"):
        written(store, lambda c: ledger_queries.transfer_item(c, item.id, item.owner))


def test_what_is_given_back_can_be_held_again(store: Database) -> None:
    (item,) = written(store, minted)
    for key in ("a", "b"):
        written(store, lambda c, key=key: ledger_queries.hold(c, "m", 0, key, item.id, item.owner))
        for _ in range(2):
            written(store, lambda c, key=key: ledger_queries.release(c, "m", 0, key))
    assert states(store) == ["free"]


def test_many_who_want_the_same_item_at_once_get_it_once(store: Database) -> None:
    (item,) = written(store, minted)

    async def scene() -> list[Any]:
        tries = [
            partial(ledger_queries.hold, match="m", seat=0, key=str(n), item=item.id, owner=item.owner)
            for n in range(40)
        ]
        return await asyncio.gather(*map(store.write, tries), return_exceptions=True)

    results = asyncio.run(scene())
    assert sum(result is None for result in results) == 1
    assert all(result is None or isinstance(result, Refused) for result in results)


def test_stakes_and_avatars_belong_to_an_account(store: Database) -> None:
    (item,) = written(store, partial(minted, template=FACE))
    (ship,) = written(store, minted)
    other = written(store, partial(holder, name="bob"))
    with pytest.raises(Refused, match="only an avatar"):
        written(store, lambda c: ledger_queries.set_avatar(c, ship.owner, ship.id))
    written(store, lambda c: ledger_queries.set_stake(c, item.owner, 70))
    written(store, lambda c: ledger_queries.set_avatar(c, item.owner, item.id))
    written(store, lambda c: ledger_queries.set_stake(c, item.owner, 80))
    album = store.read_now(partial(ledger_queries.find_album, account=item.owner))
    assert (album.stake, album.avatar) == (80, item.id)
    assert store.read_now(lambda c: ledger_queries.stakes_of(c, [item.owner, other.id])) == {item.owner: 80}
    with pytest.raises(Refused, match="not yours"):
        written(store, lambda c: ledger_queries.set_avatar(c, other.id, item.id))
    written(store, lambda c: ledger_queries.transfer_item(c, item.id, other.id))
    assert store.read_now(partial(ledger_queries.find_album, account=item.owner)).avatar is None


DEED = st.tuples(st.sampled_from(["hold", "spend", "release"]), st.sampled_from("abc"), st.integers(0, 1))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(DEED, max_size=25))
def test_whatever_is_done_in_whatever_order_items_and_holds_agree(store: Database, deeds: list[Any]) -> None:
    spent: set[int] = set()
    one, other = written(store, partial(minted, amount=2))
    match = f"m{one.id}"
    for verb, key, number in deeds:
        item = (one, other)[number]
        try:
            if verb == "hold":
                written(
                    store, partial(ledger_queries.hold, match=match, seat=0, key=key, item=item.id, owner=item.owner)
                )
            else:
                written(store, partial(getattr(ledger_queries, verb), match=match, seat=0, key=key))
        except Refused:
            assert verb == "hold"
        held = {hold.item for hold in store.read_now(partial(ledger_queries.list_holds, match=match))}
        now = {each.id: store.read_now(partial(ledger_queries.find_item, item=each.id)).state for each in (one, other)}
        assert held == {each for each, state in now.items() if state == "held"}
        assert spent <= {each for each, state in now.items() if state == "spent"}
        spent = {each for each, state in now.items() if state == "spent"}
