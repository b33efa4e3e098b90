"""Skeletons of account names. Of existing names that look alike the oldest has it; the others stay as they are."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

from marchland.messages.names import skeleton

revision: str = "0004"
down_revision: str | Sequence[str] | None = "0003"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Add the column and fill it."""
    op.add_column("accounts", sa.Column("skeleton", sa.Text(), nullable=True))
    _fill(op.get_bind())
    op.create_index(op.f("ix_accounts_skeleton"), "accounts", ["skeleton"], unique=True)


def _fill(connection: sa.Connection) -> None:
    accounts = sa.table("accounts", *map(sa.column, ("id", "name", "created", "skeleton")))
    seen: set[str] = set()
    for account, name in connection.execute(
        sa.select(accounts.c.id, accounts.c.name).order_by(accounts.c.created)
    ).all():
        if (made := skeleton(name)) not in seen:
            seen.add(made)
            connection.execute(sa.update(accounts).where(accounts.c.id == account).values(skeleton=made))
