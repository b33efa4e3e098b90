"""SQL of items and stakes. A match reserves an item under a key (a hold) before it uses it; spending is final."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, and_, delete, func, insert, or_, select, update

from marchland.errors import Refused
from marchland.messages import Album, HolderInfo, ItemInfo
from marchland.store.batches import batches
from marchland.store.schema import accounts, holders, holds, items, templates

FIRST_ITEM = 1_000_000_000
"""Smaller ids are for items that games create themselves."""


class Hold(NamedTuple):
    """An item reserved for an action of a seat, or spent by it."""

    match: str
    seat: int
    key: str
    item: int
    state: str


def mint(connection: Connection, number: int, owner: str, amount: int) -> list[ItemInfo]:
    """Insert items for an account, each with the next mint number of its template."""
    minted = connection.execute(
        update(templates)
        .where(templates.c.id == number)
        .values(minted=templates.c.minted + amount)
        .returning(templates.c.minted)
    ).scalar()
    if minted is None:
        raise Refused("not_found", "no_such_template", number=number)
    rows = [
        {
            "id": FIRST_ITEM + number * 1_000_000_000 + mint_number,
            "template": number,
            "mint": mint_number,
            "owner": owner,
            "state": "free",
            "at": time.time(),
        }
        for mint_number in range(minted - amount + 1, minted + 1)
    ]
    connection.execute(insert(items), rows)
    return _select_items(connection, items.c.id.in_([row["id"] for row in rows]))


def find_album(connection: Connection, account: str) -> Album:
    """Stake, avatar and all items of an account, the spent ones included."""
    row = connection.execute(select(holders).where(holders.c.account == account)).first()
    owned = _select_items(connection, items.c.owner == account)
    return Album(account, row.stake if row else 0, row.avatar if row else None, owned)


def free_items(connection: Connection, owners: Sequence[str], game: str) -> list[ItemInfo]:
    """The items of a game that these accounts can use: neither held nor spent."""
    return [
        item
        for some in batches(owners)
        for item in _select_items(
            connection, and_(items.c.owner.in_(some), items.c.state == "free", templates.c.game == game)
        )
    ]


def find_item(connection: Connection, item: int) -> ItemInfo:
    """One item; refused if there is none."""
    found = _select_items(connection, items.c.id == item)
    if not found:
        raise Refused("not_found", "no_such_item", item=item)
    return found[0]


def transfer_item(connection: Connection, item: int, to: str) -> None:
    """Change the owner of a free item of this server; it is no avatar any more."""
    if find_item(connection, item).external:
        raise Refused("external", "item_external", item=item)
    changed = connection.execute(
        update(items).where(items.c.id == item, items.c.state == "free").values(owner=to, at=time.time())
    )
    if changed.rowcount != 1:
        raise Refused("in_use", "item_in_use", item=item)
    connection.execute(update(holders).where(holders.c.avatar == item).values(avatar=None))


def list_holders(connection: Connection) -> list[HolderInfo]:
    """All accounts that have an unspent item or a stake, by name."""
    unspent = and_(items.c.owner == accounts.c.id, items.c.state != "spent")
    count = select(func.count()).where(unspent).scalar_subquery()
    stake = func.coalesce(holders.c.stake, 0)
    query = (
        select(accounts.c.id, accounts.c.name, stake.label("stake"), count.label("count"))
        .outerjoin(holders, holders.c.account == accounts.c.id)
        .where(or_(stake > 0, count > 0))
        .order_by(accounts.c.name)
    )
    return [HolderInfo(*row) for row in connection.execute(query)]


def stakes_of(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """The staked power of those accounts for which it is known."""
    query = select(holders.c.account, holders.c.stake)
    return {
        row.account: row.stake
        for some in batches(ids)
        for row in connection.execute(query.where(holders.c.account.in_(some)))
    }


def set_stake(connection: Connection, account: str, stake: int) -> None:
    """Set the staked power of an account."""
    _upsert_holder(connection, account, stake=stake)


def set_avatar(connection: Connection, account: str, avatar: int | None) -> None:
    """Set or clear the avatar of an account; refused if the item has another owner or is no avatar."""
    if avatar is not None:
        item = find_item(connection, avatar)
        if item.owner != account:
            raise Refused("not_yours", "item_not_yours", item=avatar)
        if item.kind != "avatar":
            raise Refused("no_avatar", "item_no_avatar", item=avatar, kind=item.kind)
    _upsert_holder(connection, account, avatar=avatar)


def _upsert_holder(connection: Connection, account: str, **values: Any) -> None:
    changed = connection.execute(update(holders).where(holders.c.account == account).values(**values))
    if changed.rowcount == 0:
        connection.execute(insert(holders).values(**{"account": account, "stake": 0, **values}))


def hold(connection: Connection, match: str, seat: int, key: str, item: int, owner: str) -> None:
    """Reserve a free item for an action; idempotent."""
    held = connection.execute(select(holds.c.item).where(_is_hold(match, seat, key))).scalar()
    if held == item:
        return
    changed = connection.execute(
        update(items)
        .where(items.c.id == item, items.c.owner == owner, items.c.state == "free")
        .values(state="held", at=time.time())
    )
    if held is not None or changed.rowcount != 1:
        raise Refused("not_free", "item_not_free", item=item)
    connection.execute(insert(holds).values(match=match, seat=seat, key=key, item=item, state="held"))


def spend(connection: Connection, match: str, seat: int, key: str) -> None:
    """Spend a held item, which is final; idempotent."""
    if _change_state(connection, match, seat, key, "spent"):
        connection.execute(update(holds).where(_is_hold(match, seat, key)).values(state="spent"))


def release(connection: Connection, match: str, seat: int, key: str) -> None:
    """Release a held item; a spent one stays spent."""
    if _change_state(connection, match, seat, key, "free"):
        connection.execute(delete(holds).where(_is_hold(match, seat, key)))


def _change_state(connection: Connection, match: str, seat: int, key: str, state: str) -> bool:
    item = connection.execute(select(holds.c.item).where(_is_hold(match, seat, key), holds.c.state == "held")).scalar()
    if item is None:
        return False
    connection.execute(update(items).where(items.c.id == item).values(state=state, at=time.time()))
    return True


def list_holds(connection: Connection, match: str | None = None) -> list[Hold]:
    """The holds of items that are not spent, of a match or of all."""
    query = select(holds).where(holds.c.state == "held").order_by(holds.c.match, holds.c.seat, holds.c.key)
    if match is not None:
        query = query.where(holds.c.match == match)
    return [Hold(row.match, row.seat, row.key, row.item, row.state) for row in connection.execute(query)]


def release_all(connection: Connection, match: str) -> None:
    """Release all items that are held for a deleted match."""
    for held in list_holds(connection, match):
        release(connection, held.match, held.seat, held.key)


def _is_hold(match: str, seat: int, key: str) -> Any:
    return and_(holds.c.match == match, holds.c.seat == seat, holds.c.key == key)


def _select_items(connection: Connection, condition: Any) -> list[ItemInfo]:
    decoded: dict[int, dict[str, Any]] = {}

    def facts_of(template: int, facts: bytes) -> dict[str, Any]:
        if template not in decoded:
            decoded[template] = msgspec.json.decode(facts)
        return decoded[template]

    query = (
        select(items, templates.c.game, templates.c.name, templates.c.kind, templates.c.facts, holds.c.match)
        .join(templates, templates.c.id == items.c.template)
        .outerjoin(holds, holds.c.item == items.c.id)
        .where(condition)
        .order_by(items.c.id)
    )
    return [
        ItemInfo(
            id=row.id,
            template=row.template,
            mint=row.mint,
            game=row.game,
            name=row.name,
            kind=row.kind,
            facts=facts_of(row.template, row.facts),
            owner=row.owner,
            state=row.state,
            match=row.match,
            external=row.external,
        )
        for row in connection.execute(query)
    ]
