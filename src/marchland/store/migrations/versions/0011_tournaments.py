"""Tournaments: bundles, fixtures with leases, places and tries."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0011"
down_revision: str | Sequence[str] | None = "0010"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_ID = sa.String(length=16)


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "tournaments",
        sa.Column("id", _ID, nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_table(
        "bundles",
        sa.Column("id", _ID, nullable=False),
        sa.Column("tournament", _ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("group", sa.LargeBinary(), nullable=False),
        sa.Column("seed_index", sa.Integer(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament"], ["tournaments.id"], name=op.f("fk_bundles_tournament_tournaments"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bundles")),
        sa.UniqueConstraint("tournament", "number", name=op.f("uq_bundles_tournament_number")),
    )
    op.create_table(
        "fixtures",
        sa.Column("id", _ID, nullable=False),
        sa.Column("bundle", _ID, nullable=False),
        sa.Column("tournament", _ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seating", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("failed_tries", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("lease", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=True),
        sa.Column("digest", sa.String(length=32), nullable=True),
        sa.Column("level", sa.String(length=16), nullable=True),
        sa.ForeignKeyConstraint(
            ["bundle"], ["bundles.id"], name=op.f("fk_fixtures_bundle_bundles"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fixtures")),
    )
    op.create_index(op.f("ix_fixtures_bundle"), "fixtures", ["bundle"], unique=False)
    op.create_index(op.f("ix_fixtures_tournament_state"), "fixtures", ["tournament", "state"], unique=False)
    op.create_table(
        "places",
        sa.Column("fixture", _ID, nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.String(length=80), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["fixture"], ["fixtures.id"], name=op.f("fk_places_fixture_fixtures"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("fixture", "side", name=op.f("pk_places")),
    )
    op.create_table(
        "tries",
        sa.Column("fixture", _ID, nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("worker", sa.String(length=64), nullable=False),
        sa.Column("began", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=True),
        sa.Column("how", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["fixture"], ["fixtures.id"], name=op.f("fk_tries_fixture_fixtures"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("fixture", "epoch", name=op.f("pk_tries")),
    )
