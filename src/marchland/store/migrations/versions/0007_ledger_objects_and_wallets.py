"""Collections and schemas of the ledger, wallets, external sources, notes on the teams of a season's game."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0007"
down_revision: str | Sequence[str] | None = "0006"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Add the tables and the columns; existing templates belong to no schema."""
    op.create_table(
        "collections",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_collections")),
        sa.UniqueConstraint("game", "name", name=op.f("uq_collections_game_name")),
    )
    op.create_table(
        "schemas",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("collection", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["collection"], ["collections.id"], name=op.f("fk_schemas_collection_collections")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schemas")),
        sa.UniqueConstraint("collection", "name", name=op.f("uq_schemas_collection_name")),
    )
    op.add_column("templates", sa.Column("schema", sa.Integer(), nullable=True))
    op.add_column("templates", sa.Column("origin", sa.String(length=200), nullable=True))
    op.create_index(op.f("ix_templates_origin"), "templates", ["origin"], unique=True)
    op.add_column("items", sa.Column("external", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("accounts", sa.Column("wallet", sa.String(length=64), nullable=True))
    op.add_column("accounts", sa.Column("wallet_confirmed", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.create_index(op.f("ix_accounts_wallet"), "accounts", ["wallet"], unique=True)
    op.create_table(
        "ledger_sources",
        sa.Column("name", sa.String(length=16), nullable=False),
        sa.Column("tried", sa.Double(), nullable=False),
        sa.Column("read", sa.Double(), nullable=True),
        sa.Column("warning", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_ledger_sources")),
    )
    op.add_column("season_games", sa.Column("notes", sa.LargeBinary(), nullable=True))
