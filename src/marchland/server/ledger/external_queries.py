"""SQL of wallets, of items that an external ledger lists, and of the state of its APIs."""

import hashlib
import time
from collections.abc import Sequence, Set
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, func, insert, select, true, update
from sqlalchemy.exc import IntegrityError

from marchland.core.season_hooks import ExternalItem
from marchland.errors import Refused
from marchland.messages import SourceInfo, TemplateInfo, WalletInfo
from marchland.server.ledger import object_queries, queries
from marchland.store.batches import batches
from marchland.store.schema import accounts, holders, holds, items, ledger_sources, templates


def set_wallet(connection: Connection, account: str, wallet: str | None) -> WalletInfo:
    """Set or clear the wallet of an account, unconfirmed; refused if another account has it."""
    before = find_wallet(connection, account)
    if wallet is not None and before.wallet == wallet:
        return before
    _forget_wallet(connection, before)
    try:
        with connection.begin_nested():
            values = {"wallet": wallet, "wallet_confirmed": False}
            connection.execute(update(accounts).where(accounts.c.id == account).values(**values))
    except IntegrityError:
        raise Refused(
            "wallet_taken", f"Another account has the wallet {wallet!r}; ask an admin if it is yours."
        ) from None
    return find_wallet(connection, account)


def confirm_wallet(connection: Connection, account: str, confirmed: bool) -> WalletInfo:
    """Store that an admin has confirmed the wallet of an account, or removes it."""
    found = find_wallet(connection, account)
    if found.wallet is None:
        raise Refused("no_wallet", f"{found.name} has named no wallet.")
    if not confirmed:
        _forget_wallet(connection, found)
    values: dict[str, Any] = {"wallet_confirmed": True} if confirmed else {"wallet_confirmed": False, "wallet": None}
    connection.execute(update(accounts).where(accounts.c.id == account).values(**values))
    return find_wallet(connection, account)


def _forget_wallet(connection: Connection, before: WalletInfo) -> None:
    """Take away what was read for a wallet that the account does not have any more."""
    if before.confirmed:
        _remove_items(connection, before.account, None, frozenset())
        queries.set_stake(connection, before.account, 0)


def find_wallet(connection: Connection, account: str) -> WalletInfo:
    """The wallet of an account that exists."""
    return _wallet(connection.execute(select(accounts).where(accounts.c.id == account)).one())


def list_wallets(connection: Connection) -> list[WalletInfo]:
    """The wallets of all accounts that have one, those to be confirmed first."""
    query = select(accounts).where(accounts.c.wallet.is_not(None))
    return [_wallet(row) for row in connection.execute(query.order_by(accounts.c.wallet_confirmed, accounts.c.name))]


def _wallet(row: Row[Any]) -> WalletInfo:
    return WalletInfo(row.id, row.name, row.wallet, row.wallet_confirmed)


def save_items(connection: Connection, account: str, game: str, listed: Sequence[ExternalItem]) -> None:
    """Make the items of a wallet those that the external ledger lists. Items that matches use or used stay as they are:
    the server only reads, so a burned item may still be listed."""
    known = _known_items(connection, [item.id for item in listed])
    for item in listed:
        row = known.get(item.id)
        if row is None:
            _insert_item(connection, account, game, item)
        elif row.external and row.state == "free" and row.owner != account:
            _change_free_item(connection, item.id, owner=account)
    _remove_items(connection, account, game, {item.id for item in listed})


def _remove_items(connection: Connection, account: str, game: str | None, listed: Set[int]) -> None:
    """Remove the free external items of an account, of one game or of all, that are not listed."""
    owned = (
        select(items.c.id)
        .join(templates, templates.c.id == items.c.template)
        .where(items.c.owner == account, items.c.external, items.c.state == "free")
        .where(templates.c.game == game if game is not None else true())
    )
    for gone in set(connection.execute(owned).scalars()) - listed:
        connection.execute(update(holders).where(holders.c.avatar == gone).values(avatar=None))
        connection.execute(delete(holds).where(holds.c.item == gone))
        connection.execute(delete(items).where(items.c.id == gone, items.c.state == "free"))


def _known_items(connection: Connection, ids: Sequence[int]) -> dict[int, Any]:
    query = select(items.c.id, items.c.owner, items.c.state, items.c.external)
    rows = (row for some in batches(ids) for row in connection.execute(query.where(items.c.id.in_(some))))
    return {row.id: row for row in rows}


def _change_free_item(connection: Connection, item: int, owner: str) -> None:
    connection.execute(update(holders).where(holders.c.avatar == item).values(avatar=None))
    condition = (items.c.id == item, items.c.state == "free")
    connection.execute(update(items).where(*condition).values(owner=owner, at=time.time()))


def _insert_item(connection: Connection, account: str, game: str, item: ExternalItem) -> None:
    template = _template_of(connection, game, item)
    taken = select(items.c.id).where(items.c.template == template, items.c.mint == item.mint)
    mint = item.mint
    if mint < 1 or connection.execute(taken).first() is not None:
        mint = 1 + int(
            connection.execute(select(func.max(items.c.mint)).where(items.c.template == template)).scalar() or 0
        )
    values = {"id": item.id, "template": template, "mint": mint, "owner": account}
    connection.execute(insert(items).values(**values, state="free", at=time.time(), external=True))


def _template_of(connection: Connection, game: str, item: ExternalItem) -> int:
    """The number of the template for items of this origin and these facts."""
    facts = hashlib.blake2b(msgspec.json.encode(item.facts, order="sorted"), digest_size=8).hexdigest()
    origin = f"{game}/{item.origin}"[:180] + f"/{facts}"
    number = connection.execute(select(templates.c.id).where(templates.c.origin == origin)).scalar()
    if number is None:
        made = TemplateInfo(0, game, item.name[:80], item.kind, dict(item.facts), 0)
        number = object_queries.insert_template(connection, made, origin).id
    return number


def save_stake(connection: Connection, account: str, stake: int) -> None:
    """Store the stake of a wallet."""
    if queries.stakes_of(connection, [account]).get(account) != stake:
        queries.set_stake(connection, account, stake)


def save_source(connection: Connection, name: str, tried: float, warning: str) -> None:
    """Store whether an API has answered for every wallet."""
    values: dict[str, Any] = {"tried": tried, "warning": warning, **({} if warning else {"read": tried})}
    changed = connection.execute(update(ledger_sources).where(ledger_sources.c.name == name).values(**values))
    if changed.rowcount == 0:
        connection.execute(insert(ledger_sources).values(name=name, **values))


def list_sources(connection: Connection) -> list[SourceInfo]:
    """The APIs that have been asked, with what went wrong last."""
    rows = connection.execute(select(ledger_sources).order_by(ledger_sources.c.name))
    return [SourceInfo(row.name, row.tried, row.read, row.warning) for row in rows]
