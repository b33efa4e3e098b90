"""SQL of wallets, of items that an external ledger lists, and of the state of its APIs."""

import hashlib
import time
from collections.abc import Sequence, Set
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, delete, insert, select, true, update
from sqlalchemy.exc import IntegrityError

from marchland.core.season_hooks import ExternalItem
from marchland.errors import Refused
from marchland.messages import SourceInfo, TemplateInfo, WalletInfo
from marchland.server.ledger import object_queries, queries
from marchland.store.batches import batches
from marchland.store.schema import accounts, holders, holds, items, ledger_sources, templates

_MOST_MINTS = 2**30
"""Below SQL's integers, so that there is a next number."""


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
        raise Refused("wallet_taken", "wallet_taken", wallet=wallet) from None
    return find_wallet(connection, account)


def confirm_wallet(connection: Connection, account: str, confirmed: bool) -> WalletInfo:
    """Store that an admin has confirmed the wallet of an account, or removes it."""
    found = find_wallet(connection, account)
    if found.wallet is None:
        raise Refused("no_wallet", "no_wallet", account=found.name)
    if not confirmed:
        _forget_wallet(connection, found)
    values: dict[str, Any] = {"wallet_confirmed": True} if confirmed else {"wallet_confirmed": False, "wallet": None}
    connection.execute(update(accounts).where(accounts.c.id == account).values(**values))
    return find_wallet(connection, account)


def _forget_wallet(connection: Connection, before: WalletInfo) -> None:
    """Take away what was read for a wallet that the account does not have any more."""
    if before.confirmed:
        remove_unlisted_items(connection, before.account, None, frozenset())
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
    """Give a wallet the items that the external ledger lists for it. Items that matches use or used stay as they are:
    the server only reads, so a burned item may still be listed."""
    known = _known_items(connection, [item.id for item in listed])
    _move_items(
        connection,
        [row.id for row in known.values() if row.external and row.state == "free" and row.owner != account],
        account,
    )
    new = [item for item in listed if item.id not in known]
    if not new:
        return
    numbers = _template_numbers(connection, game, new)
    mints = _mint_numbers(connection, new, numbers)
    shared = {"owner": account, "state": "free", "at": time.time(), "external": True}
    rows = [
        {"id": item.id, "template": number, "mint": mint, **shared}
        for item, number, mint in zip(new, numbers, mints, strict=True)
    ]
    connection.execute(insert(items), rows)


def remove_unlisted_items(connection: Connection, account: str, game: str | None, listed: Set[int]) -> None:
    """Remove the free external items of an account, of one game or of all, that its wallet does not have any more."""
    owned = (
        select(items.c.id)
        .join(templates, templates.c.id == items.c.template)
        .where(items.c.owner == account, items.c.external, items.c.state == "free")
        .where(templates.c.game == game if game is not None else true())
    )
    for gone in batches([item for item in connection.execute(owned).scalars() if item not in listed]):
        connection.execute(update(holders).where(holders.c.avatar.in_(gone)).values(avatar=None))
        connection.execute(delete(holds).where(holds.c.item.in_(gone)))
        connection.execute(delete(items).where(items.c.id.in_(gone), items.c.state == "free"))


def _known_items(connection: Connection, ids: Sequence[int]) -> dict[int, Any]:
    query = select(items.c.id, items.c.owner, items.c.state, items.c.external)
    rows = (row for some in batches(ids) for row in connection.execute(query.where(items.c.id.in_(some))))
    return {row.id: row for row in rows}


def _move_items(connection: Connection, moved: Sequence[int], owner: str) -> None:
    for some in batches(moved):
        connection.execute(update(holders).where(holders.c.avatar.in_(some)).values(avatar=None))
        condition = (items.c.id.in_(some), items.c.state == "free")
        connection.execute(update(items).where(*condition).values(owner=owner, at=time.time()))


def _template_numbers(connection: Connection, game: str, listed: Sequence[ExternalItem]) -> list[int]:
    """For each item the number of the template for items of its origin and facts, which is added if there is none."""
    origins = [_origin_of(game, item) for item in listed]
    by_origin = dict(zip(origins, listed, strict=True))
    known = object_queries.numbers_by_origin(connection, list(by_origin))
    missing = [origin for origin in by_origin if origin not in known]
    object_queries.insert_templates(connection, {origin: _template_of(game, by_origin[origin]) for origin in missing})
    known |= object_queries.numbers_by_origin(connection, missing)
    return [known[origin] for origin in origins]


def _origin_of(game: str, item: ExternalItem) -> str:
    facts = hashlib.blake2b(msgspec.json.encode(item.facts, order="sorted"), digest_size=8).hexdigest()
    return f"{game}/{_printable(item.origin)}"[:180] + f"/{facts}"


def _template_of(game: str, item: ExternalItem) -> TemplateInfo:
    return TemplateInfo(0, game, _printable(item.name)[:80], item.kind, dict(item.facts), 0)


def _printable(text: str) -> str:
    """Without characters that a database refuses."""
    return "".join(character for character in text if character.isprintable())


def _mint_numbers(connection: Connection, listed: Sequence[ExternalItem], numbers: Sequence[int]) -> list[int]:
    """For each item its number at the external ledger, or the template's next one if it has none or that is taken."""
    used: dict[int, set[int]] = {number: set() for number in numbers}
    query = select(items.c.template, items.c.mint)
    for some in batches(list(used)):
        for number, mint in connection.execute(query.where(items.c.template.in_(some))):
            used[number].add(mint)
    highest = {number: max(mints, default=0) for number, mints in used.items()}
    found = []
    for item, number in zip(listed, numbers, strict=True):
        mint = item.mint
        if not 0 < mint < _MOST_MINTS or mint in used[number]:
            mint = highest[number] + 1
        used[number].add(mint)
        highest[number] = max(highest[number], mint)
        found.append(mint)
    return found


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
