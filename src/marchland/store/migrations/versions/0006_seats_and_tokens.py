"""Unlisted matches, exclusions from seats, tokens that expire, recovery codes."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | Sequence[str] | None = "0005"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Add the columns and the table; existing matches stay listed and open to late joiners."""
    op.add_column("accounts", sa.Column("recovery", sa.LargeBinary(length=32), nullable=True))
    op.add_column("tokens", sa.Column("expires", sa.Double(), nullable=True))
    for name in ("listed", "late_joiners"):
        op.add_column("matches", sa.Column(name, sa.Boolean(), server_default=sa.true(), nullable=False))
    op.create_table(
        "exclusions",
        sa.Column("match", sa.String(length=16), nullable=False),
        sa.Column("account", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(
            ["account"], ["accounts.id"], name=op.f("fk_exclusions_account_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["match"], ["matches.id"], name=op.f("fk_exclusions_match_matches"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("match", "account", "reason", name=op.f("pk_exclusions")),
    )
