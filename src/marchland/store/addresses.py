"""Addresses of databases: for SQLAlchemy, and for people."""

from pathlib import Path

from sqlalchemy import URL


def database_url(address: str) -> str:
    """The SQLAlchemy URL for a URL or the path of a SQLite file."""
    if address.startswith(("postgres://", "postgresql://")):
        return "postgresql+psycopg://" + address.split("://", 1)[1]
    return address if "://" in address else f"sqlite:///{Path(address).expanduser().resolve()}"


def display_address(url: URL) -> str:
    """The file of a SQLite database, or the URL of another one, without driver and password."""
    if url.get_backend_name() == "sqlite":
        return url.database or ""
    return url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def describe_cause(problem: Exception) -> str:
    """What a driver says about a failure, as one clause without a full stop."""
    cause = getattr(problem, "orig", None) or problem.__cause__ or problem
    text = " ".join(str(cause).split())
    return text.partition(" Is the server running")[0].rstrip(".?")
