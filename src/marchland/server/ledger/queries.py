"""Items and stakes in the database. An item is held under a key before a match uses it, and spent once, for good."""

import time
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Row, and_, delete, func, insert, or_, select, update

from marchland.errors import Refused
from marchland.messages import Album, HolderInfo, ItemInfo, TemplateCreate, TemplateInfo
from marchland.store.schema import accounts, holders, holds, items, templates

FIRST_ITEM = 1_000_000_000
"""Ids below are free for items that games make themselves."""


class Hold(NamedTuple):
    """An item that a match uses: which action of which seat set it aside, and whether it is spent."""

    match: str
    seat: int
    key: str
    item: int
    state: str


def add_template(connection: Connection, wish: TemplateCreate) -> TemplateInfo:
    """A new kind of item."""
    values = {"game": wish.game, "name": wish.name, "kind": wish.kind, "facts": msgspec.json.encode(wish.facts)}
    made = connection.execute(insert(templates).values(**values, minted=0).returning(templates.c.id)).scalar_one()
    return TemplateInfo(made, wish.game, wish.name, wish.kind, wish.facts, 0)


def all_templates(connection: Connection) -> list[TemplateInfo]:
    """Every template, by number."""
    return [_template(row) for row in connection.execute(select(templates).order_by(templates.c.id))]


def template(connection: Connection, number: int) -> TemplateInfo:
    """One template; refused if there is none."""
    row = connection.execute(select(templates).where(templates.c.id == number)).first()
    if row is None:
        raise Refused("not_found", f"There is no template {number}.")
    return _template(row)


def mint(connection: Connection, number: int, owner: str, amount: int) -> list[ItemInfo]:
    """Make items for an account, each with the next mint number of its template."""
    counted = connection.execute(
        update(templates)
        .where(templates.c.id == number)
        .values(minted=templates.c.minted + amount)
        .returning(templates.c.minted)
    ).scalar()
    if counted is None:
        raise Refused("not_found", f"There is no template {number}.")
    made = [
        {
            "id": FIRST_ITEM + number * 1_000_000_000 + mint_number,
            "template": number,
            "mint": mint_number,
            "owner": owner,
            "state": "free",
            "at": time.time(),
        }
        for mint_number in range(counted - amount + 1, counted + 1)
    ]
    connection.execute(insert(items), made)
    wanted = [one["id"] for one in made]
    return _items(connection, items.c.id.in_(wanted))


def album(connection: Connection, account: str) -> Album:
    """All that an account owns or has spent."""
    row = connection.execute(select(holders).where(holders.c.account == account)).first()
    owned = _items(connection, items.c.owner == account)
    return Album(account, row.stake if row else 0, row.avatar if row else None, owned)


def free_items(connection: Connection, account: str, game: str) -> list[ItemInfo]:
    """The items of a game that an account may use."""
    return _items(connection, and_(items.c.owner == account, items.c.state == "free", templates.c.game == game))


def find(connection: Connection, item: int) -> ItemInfo:
    """One item; refused if there is none."""
    found = _items(connection, items.c.id == item)
    if not found:
        raise Refused("not_found", f"There is no item {item}.")
    return found[0]


def give(connection: Connection, item: int, to: str) -> None:
    """Change the owner of an item that nobody uses."""
    changed = connection.execute(
        update(items).where(items.c.id == item, items.c.state == "free").values(owner=to, at=time.time())
    )
    if changed.rowcount != 1:
        raise Refused("in_use", f"Item {item} is in use or spent.")
    connection.execute(update(holders).where(holders.c.avatar == item).values(avatar=None))


def all_holders(connection: Connection) -> list[HolderInfo]:
    """Every account that has an item or a stake, by name; what is spent counts no more."""
    mine = and_(items.c.owner == accounts.c.id, items.c.state != "spent")
    count = select(func.count()).where(mine).scalar_subquery()
    stake = func.coalesce(holders.c.stake, 0)
    query = (
        select(accounts.c.id, accounts.c.name, stake.label("stake"), count.label("count"))
        .outerjoin(holders, holders.c.account == accounts.c.id)
        .where(or_(stake > 0, count > 0))
        .order_by(accounts.c.name)
    )
    return [HolderInfo(*row) for row in connection.execute(query)]


def stakes(connection: Connection, of: list[str]) -> dict[str, int]:
    """How much power accounts have staked, those of whom that is known."""
    query = select(holders.c.account, holders.c.stake).where(holders.c.account.in_(of))
    return {row.account: row.stake for row in connection.execute(query)}


def set_stake(connection: Connection, account: str, stake: int) -> None:
    """Say how much power an account has staked."""
    _set(connection, account, stake=stake)


def set_avatar(connection: Connection, account: str, avatar: int | None) -> None:
    """Say which of its items stands for an account."""
    if avatar is not None and find(connection, avatar).owner != account:
        raise Refused("not_yours", f"Item {avatar} is not yours.")
    _set(connection, account, avatar=avatar)


def _set(connection: Connection, account: str, **values: Any) -> None:
    changed = connection.execute(update(holders).where(holders.c.account == account).values(**values))
    if changed.rowcount == 0:
        connection.execute(insert(holders).values(**{"account": account, "stake": 0, **values}))


def hold(connection: Connection, match: str, seat: int, key: str, item: int, owner: str) -> None:
    """Set an item aside for an action; the same action again changes nothing."""
    known = connection.execute(select(holds.c.item).where(_under(match, seat, key))).scalar()
    if known == item:
        return
    changed = connection.execute(
        update(items)
        .where(items.c.id == item, items.c.owner == owner, items.c.state == "free")
        .values(state="held", at=time.time())
    )
    if known is not None or changed.rowcount != 1:
        raise Refused("not_free", f"You have no item {item} that is free.")
    connection.execute(insert(holds).values(match=match, seat=seat, key=key, item=item, state="held"))


def spend(connection: Connection, match: str, seat: int, key: str) -> None:
    """Use up what was set aside, for good; again changes nothing."""
    if _move(connection, match, seat, key, "spent"):
        connection.execute(update(holds).where(_under(match, seat, key)).values(state="spent"))


def release(connection: Connection, match: str, seat: int, key: str) -> None:
    """Give back what was set aside; what is spent stays spent."""
    if _move(connection, match, seat, key, "free"):
        connection.execute(delete(holds).where(_under(match, seat, key)))


def _move(connection: Connection, match: str, seat: int, key: str, state: str) -> bool:
    item = connection.execute(select(holds.c.item).where(_under(match, seat, key), holds.c.state == "held")).scalar()
    if item is None:
        return False
    connection.execute(update(items).where(items.c.id == item).values(state=state, at=time.time()))
    return True


def list_holds(connection: Connection, match: str | None = None) -> list[Hold]:
    """What is set aside and not spent, for a match or for all."""
    query = select(holds).where(holds.c.state == "held").order_by(holds.c.match, holds.c.seat, holds.c.key)
    if match is not None:
        query = query.where(holds.c.match == match)
    return [Hold(row.match, row.seat, row.key, row.item, row.state) for row in connection.execute(query)]


def release_all(connection: Connection, match: str) -> None:
    """Give back everything that is held for a match that is no more."""
    for hold_ in list_holds(connection, match):
        release(connection, hold_.match, hold_.seat, hold_.key)


def _under(match: str, seat: int, key: str) -> Any:
    return and_(holds.c.match == match, holds.c.seat == seat, holds.c.key == key)


def _items(connection: Connection, which: Any) -> list[ItemInfo]:
    query = (
        select(items, templates.c.game, templates.c.name, templates.c.kind, templates.c.facts, holds.c.match)
        .join(templates, templates.c.id == items.c.template)
        .outerjoin(holds, holds.c.item == items.c.id)
        .where(which)
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
            facts=msgspec.json.decode(row.facts),
            owner=row.owner,
            state=row.state,
            match=row.match,
        )
        for row in connection.execute(query)
    ]


def _template(row: Row[Any]) -> TemplateInfo:
    return TemplateInfo(row.id, row.game, row.name, row.kind, msgspec.json.decode(row.facts), row.minted)
