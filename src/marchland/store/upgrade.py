"""Bring a database to the newest form of its tables."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, text

_HERE = Path(__file__).parent / "migrations"
_ONE_AT_A_TIME = 7_311_240


def upgrade(engine: Engine, form: str = "head") -> None:
    """Run every migration up to a form that the database has not seen, in one transaction."""
    config = Config()
    config.set_main_option("script_location", str(_HERE))
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":  # two nodes may start at the same moment
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_ONE_AT_A_TIME})"))
        config.attributes["connection"] = connection
        command.upgrade(config, form)
