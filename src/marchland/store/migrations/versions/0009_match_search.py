"""An index for searches of matches by game."""

from collections.abc import Sequence

from alembic import op

revision: str = "0009"
down_revision: str | Sequence[str] | None = "0008"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    """Add the index."""
    op.create_index("ix_matches_state_game_created", "matches", ["state", "game", "created"], unique=False)
