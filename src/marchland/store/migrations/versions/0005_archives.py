"""Archives of finished matches, and how many matches a room keeps."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | Sequence[str] | None = "0004"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Add the table and the columns; finished matches are archived by the running server."""
    op.create_table(
        "archives",
        sa.Column("match", sa.String(length=16), nullable=False),
        sa.Column("part", sa.String(length=8), nullable=False),
        sa.Column("piece", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.String(length=16), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("match", "part", "piece", name=op.f("pk_archives")),
    )
    op.add_column("matches", sa.Column("storage", sa.String(length=8), nullable=False, server_default="log"))
    op.create_index(op.f("ix_matches_storage_state_ended"), "matches", ["storage", "state", "ended"], unique=False)
    op.add_column("rooms", sa.Column("keep", sa.Integer(), nullable=True))
