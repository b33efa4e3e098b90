"""What only one node may do at a time."""

from sqlalchemy import Connection, delete, update

from marchland.store.database import database_now
from marchland.store.schema import leases
from marchland.store.upsert import insert_or_ignore


def hold(connection: Connection, name: str, node: str, seconds: float) -> bool:
    """Take or keep a lease; False while another node has it."""
    now = database_now(connection)
    insert_or_ignore(connection, leases, {"name": name, "owner": node, "until": now + seconds})
    changed = connection.execute(
        update(leases)
        .where(leases.c.name == name, (leases.c.owner == node) | (leases.c.until < now))
        .values(owner=node, until=now + seconds)
    )
    return changed.rowcount == 1


def let_go(connection: Connection, name: str, node: str) -> None:
    """Let another have it at once."""
    connection.execute(delete(leases).where(leases.c.name == name, leases.c.owner == node))
