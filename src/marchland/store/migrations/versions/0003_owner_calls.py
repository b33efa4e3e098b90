"""Rename the table of owner calls; it is empty while no node runs."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | Sequence[str] | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Replace the table."""
    op.drop_table("errands")
    op.create_table(
        "owner_calls",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("match", sa.String(length=16), nullable=False),
        sa.Column("what", sa.String(length=16), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner_calls")),
    )
