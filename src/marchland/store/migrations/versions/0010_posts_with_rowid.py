"""Posts of SQLite in an ordinary table with an index.

The rows of a table without rowid are in its index, also in the inner nodes. With rows of some hundred bytes each insert
then writes almost three pages; appended to a table beside the index it writes half as many.
"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0010"
down_revision: str | Sequence[str] | None = "0009"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Copy the posts into a new table, in the order of their arrival."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.rename_table("posts", "old_posts")
    op.create_table(
        "posts",
        sa.Column("match", sa.String(length=16), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("orders", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("received", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("match", "turn", "seat", "key", name=op.f("pk_posts")),
    )
    columns = "match, turn, seat, key, number, orders, size, ready, received"
    op.execute(f"INSERT INTO posts ({columns}) SELECT {columns} FROM old_posts ORDER BY number")
    op.drop_table("old_posts")
