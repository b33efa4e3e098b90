"""Named leases: work that one node at a time may do."""

from sqlalchemy import Connection, delete, update

from marchland.store.database import database_now
from marchland.store.schema import leases
from marchland.store.upsert import insert_or_ignore


def acquire(connection: Connection, name: str, node: str, seconds: float) -> bool:
    """Acquire or renew a lease; False while another node holds it."""
    now = database_now(connection)
    insert_or_ignore(connection, leases, {"name": name, "owner": node, "until": now + seconds})
    changed = connection.execute(
        update(leases)
        .where(leases.c.name == name, (leases.c.owner == node) | (leases.c.until < now))
        .values(owner=node, until=now + seconds)
    )
    return changed.rowcount == 1


def release(connection: Connection, name: str, node: str) -> None:
    """Release a lease, so that another node can acquire it at once."""
    connection.execute(delete(leases).where(leases.c.name == name, leases.c.owner == node))
