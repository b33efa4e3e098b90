"""Chat, and the maps of matches in a column of their own."""

import json
from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | Sequence[str] | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Bring the tables forward."""
    op.create_table(
        "wire_chat",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=True, nullable=False),
        sa.Column("match", sa.String(length=16), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=op.f("fk_wire_chat_match_matches"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_wire_chat")),
    )
    op.create_index(op.f("ix_wire_chat_match"), "wire_chat", ["match"], unique=False)
    op.create_index(op.f("ix_runs_state_starts"), "runs", ["state", "starts"], unique=False)
    op.create_index(op.f("ix_matches_forked_from"), "matches", ["forked_from"], unique=False)
    op.add_column("matches", sa.Column("map", sa.LargeBinary(), nullable=True))
    _move_maps(op.get_bind())


def _move_maps(connection: sa.Connection) -> None:
    """Move the map out of the request of each match."""
    matches = sa.table("matches", sa.column("id"), sa.column("made_from"), sa.column("map"))
    for match, made_from in connection.execute(sa.select(matches.c.id, matches.c.made_from)).all():
        request = json.loads(made_from)
        if request.get("map") is not None:
            map_data = json.dumps(request.pop("map")).encode()
            values = {"made_from": json.dumps(request).encode(), "map": map_data}
            connection.execute(sa.update(matches).where(matches.c.id == match).values(values))
