"""Every table. Times are seconds since 1970; bodies are JSON or msgpack, as bytes."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    true,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_Id = String(16)

accounts = Table(
    "accounts",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("skeleton", Text),  # of `marchland.messages.names`; NULL if an older account's name looks the same
    Column("role", String(16), nullable=False),
    Column("created", Double, nullable=False),
    Column("recovery", LargeBinary(32)),  # hash of the recovery code; NULL for an account without one
    Column("wallet", String(64)),  # the name at the external ledger
    Column("wallet_confirmed", Boolean, nullable=False, server_default=false()),  # by an admin
    Index(None, "skeleton", unique=True),
    Index(None, "wallet", unique=True),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", LargeBinary(32), primary_key=True),
    Column("id", _Id, nullable=False, unique=True),
    Column("account", _Id, ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("label", String(80), nullable=False),
    Column("created", Double, nullable=False),
    Column("expires", Double),  # NULL for a token that does not expire
)

matches = Table(
    "matches",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("game", String(40), nullable=False),
    Column("name", String(80), nullable=False),
    Column("state", String(16), nullable=False),
    Column("made_from", LargeBinary, nullable=False),  # the request that it was created from, without its map
    Column("map", LargeBinary),  # in its own column, since it may be large and lists do not need it
    Column("config", LargeBinary, nullable=False),
    Column("creator", _Id, ForeignKey("accounts.id", ondelete="SET NULL")),
    Column("room", String(40), index=True),
    Column("forked_from", _Id, index=True),
    Column("password", LargeBinary),  # salted hash
    Column("created", Double, nullable=False),
    Column("started", Double),
    Column("ended", Double),
    Column("open_turn", Integer, nullable=False, default=0),
    Column("closes", Double),
    Column("entries", Integer, nullable=False, default=0),  # number of log entries
    Column("outcome", LargeBinary),
    Column("owner", String(64)),
    Column("epoch", Integer, nullable=False, default=0),
    Column("lease", Double, nullable=False, default=0.0),
    Column("storage", String(8), nullable=False, default="log", server_default="log"),  # see store/archives.py
    Column("listed", Boolean, nullable=False, server_default=true()),
    Column("late_joiners", Boolean, nullable=False, server_default=true()),
    Index("ix_matches_state_created", "state", "created"),
    Index("ix_matches_state_game_created", "state", "game", "created"),
    Index("ix_matches_storage_state_ended", "storage", "state", "ended"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", _Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("name", String(80), nullable=False),
    Column("account", _Id, ForeignKey("accounts.id", ondelete="SET NULL"), index=True),
    Column("bot", String(40), nullable=False),
    Column("missed", Integer, nullable=False, default=0),
)

exclusions = Table(
    "exclusions",
    metadata,
    Column("match", _Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("account", _Id, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("reason", String(16), primary_key=True),  # why the account cannot take a seat: removed, or secrets
)

# Posts and entries may number millions: no foreign keys there, a match is only ever deleted as a whole.
# Posts are rows of some hundred bytes, so SQLite appends them to a table beside the index: within the index, each would
# write twice as many pages.
posts = Table(
    "posts",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("turn", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("number", BigInteger, nullable=False),  # ascending in order of arrival
    Column("orders", LargeBinary, nullable=False),
    Column("size", Integer, nullable=False),  # number of orders
    Column("ready", Boolean, nullable=False),
    Column("received", Double, nullable=False),
)

entries = Table(
    "entries",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("turn", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("key", String(64), nullable=False),  # of an immediate action
    Column("body", LargeBinary, nullable=False),  # the whole entry
    sqlite_with_rowid=False,
)
Index(
    "ix_entries_match_key",
    entries.c.match,
    entries.c.key,
    sqlite_where=entries.c.key != "",
    postgresql_where=entries.c.key != "",
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("number", Integer, primary_key=True),  # number of entries before it
    Column("piece", Integer, primary_key=True),
    Column("pieces", Integer, nullable=False),  # it is complete with so many rows
    Column("turn", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

# The archive of a finished match, which replaces its posts, entries and snapshots.
post_blocks = Table(
    "post_blocks",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("first_turn", Integer, primary_key=True),
    Column("last_turn", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),  # the posts of these turns, compressed
)
archives = Table(
    "archives",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("part", String(8), primary_key=True),  # replay or log
    Column("piece", Integer, primary_key=True),
    Column("attempt", _Id, nullable=False),  # pieces of one attempt belong together
    Column("data", LargeBinary, nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String(80), nullable=False),
    Column("account", _Id, index=True),
    Column("place", Integer, nullable=False),
    Column("figures", Text, nullable=False),
)

# ---------------------------------------------------------------- rooms, rounds, seasons, ledger

leases = Table(
    "leases",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("until", Double, nullable=False),
)

# Calls to the owner of a match. A row lives as long as its caller waits.
owner_calls = Table(
    "owner_calls",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("match", _Id, nullable=False),
    Column("what", String(16), nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("answer", LargeBinary),
    Column("at", Double, nullable=False),
)

audit = Table(
    "audit",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("at", Double, nullable=False),
    Column("account", _Id),  # no foreign key: an entry outlives the account
    Column("name", String(40), nullable=False),
    Column("token", _Id),
    Column("what", String(40), nullable=False),
    Column("about", String(80), nullable=False),
    Column("details", LargeBinary, nullable=False),
)

rooms = Table(
    "rooms",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("template", LargeBinary, nullable=False),
    Column("pause", Double, nullable=False),  # seconds between two matches
    Column("open", Boolean, nullable=False),
    Column("match", _Id),
    Column("created", Double, nullable=False),
    Column("keep", Integer),  # finished matches that stay; the server's setting if there is none
)

maps = Table(
    "maps",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("game", String(40), nullable=False),
    Column("name", String(40), nullable=False),
    Column("author", _Id, ForeignKey("accounts.id", ondelete="SET NULL")),
    Column("data", LargeBinary, nullable=False),  # in the game's own form
    Column("created", Double, nullable=False),
    Column("changed", Double, nullable=False),
    UniqueConstraint("game", "name"),
)

rounds = Table(
    "rounds",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("kind", String(8), nullable=False),
    Column("body", LargeBinary, nullable=False),  # the request that it was created from
    Column("open", Boolean, nullable=False),
    Column("created", Double, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("round", _Id, ForeignKey("rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("starts", Double, nullable=False),
    Column("state", String(8), nullable=False),
    Column("match", _Id, index=True),
    Index(None, "state", "starts"),
)

registrations = Table(
    "registrations",
    metadata,
    Column("round", _Id, ForeignKey("rounds.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("account", _Id, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("at", Double, nullable=False),
)

seasons = Table(
    "seasons",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("name", String(40), nullable=False, unique=True),
    Column("first", String(10), nullable=False),  # days, as in 2030-03-01
    Column("last", String(10), nullable=False),
)

season_games = Table(
    "season_games",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("season", _Id, ForeignKey("seasons.id"), nullable=False, index=True),
    Column("name", String(40), nullable=False),
    Column("template", LargeBinary, nullable=False),
    Column("match", _Id, index=True),
    Column("teams_version", Integer, nullable=False, default=0),  # raised with every change of the teams
    Column("notes", LargeBinary),  # what the running match could not take over of the teams, as JSON
    UniqueConstraint("season", "name"),
)

teams = Table(
    "teams",
    metadata,
    Column("game", _Id, ForeignKey("season_games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("name", String(40), nullable=False),
)

members = Table(
    "members",
    metadata,
    Column("game", _Id, ForeignKey("season_games.id", ondelete="CASCADE"), primary_key=True),
    Column("account", _Id, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("team", Integer, nullable=False),
    Column("role", String(8), nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("key", String(120), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("at", Double, nullable=False, index=True),
    Column("node", String(64), nullable=False),
    Column("done", Integer, nullable=False),  # number of its orders that were accepted
)

collections = Table(
    "collections",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", String(40), nullable=False),
    Column("name", String(80), nullable=False),
    UniqueConstraint("game", "name"),
)

schemas = Table(
    "schemas",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("collection", Integer, ForeignKey("collections.id"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("facts", LargeBinary, nullable=False),
    UniqueConstraint("collection", "name"),
)

templates = Table(
    "templates",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", String(40), nullable=False),
    Column("name", String(80), nullable=False),
    Column("kind", String(40), nullable=False),
    Column("facts", LargeBinary, nullable=False),
    Column("minted", Integer, nullable=False),  # number of items ever minted
    Column("schema", Integer),  # whose facts are part of this template's; NULL for a template without one
    Column("origin", String(200)),  # what the external ledger calls it; NULL for a template of this server
    Index(None, "origin", unique=True),
)

items = Table(
    "items",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("template", Integer, ForeignKey("templates.id"), nullable=False),
    Column("mint", Integer, nullable=False),
    Column("owner", _Id, ForeignKey("accounts.id"), nullable=False, index=True),
    Column("state", String(8), nullable=False),  # free, held by a match, or spent
    Column("at", Double, nullable=False),
    Column("external", Boolean, nullable=False, server_default=false()),  # whether an external ledger decides its owner
    UniqueConstraint("template", "mint"),
)

holds = Table(
    "holds",
    metadata,
    Column("match", _Id, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("item", BigInteger, ForeignKey("items.id"), nullable=False, index=True),
    Column("state", String(8), nullable=False),  # held or spent
)

holders = Table(
    "holders",
    metadata,
    Column("account", _Id, ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True),
    Column("stake", BigInteger, nullable=False),
    Column("avatar", BigInteger, ForeignKey("items.id")),
)

pictures = Table(
    "pictures",
    metadata,
    Column("id", String(32), primary_key=True),  # a hash of the data
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),  # a PNG file that this server has written
    Column("created", Double, nullable=False),
)

ledger_sources = Table(
    "ledger_sources",
    metadata,
    Column("name", String(16), primary_key=True),  # assets or stakes
    Column("tried", Double, nullable=False),
    Column("read", Double),  # when it last answered for every wallet
    Column("warning", Text, nullable=False),
)

# ---------------------------------------------------------------- tournaments

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", _Id, primary_key=True),  # a hash of everything that decides its results
    Column("game", String(40), nullable=False),
    Column("body", LargeBinary, nullable=False),  # game, rules, maps, entrants and format
    Column("created", Double, nullable=False),
)

bundles = Table(
    "bundles",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("tournament", _Id, ForeignKey("tournaments.id", ondelete="CASCADE"), nullable=False),
    Column("number", Integer, nullable=False),  # in the order of planning
    Column("round", Integer, nullable=False),
    Column("group", LargeBinary, nullable=False),  # names of the entrants
    Column("seed_index", Integer, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("why", Text, nullable=False),
    UniqueConstraint("tournament", "number"),
)

# A fixture that is done has a match of the same id, whose archive is its replay.
fixtures = Table(
    "fixtures",
    metadata,
    Column("id", _Id, primary_key=True),
    Column("bundle", _Id, ForeignKey("bundles.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("tournament", _Id, nullable=False),
    Column("number", Integer, nullable=False),  # within the bundle
    Column("seating", LargeBinary, nullable=False),  # the entrant of each side
    Column("state", String(8), nullable=False),  # planned, leased, done, stuck
    Column("failed_tries", Integer, nullable=False),
    Column("owner", String(64)),
    Column("epoch", Integer, nullable=False),
    Column("lease", Double, nullable=False),
    Column("ended", Double),
    Column("turns", Integer),
    Column("digest", String(32)),
    Column("level", String(16)),  # how far its bots were isolated: open, jailed, contained
    Index(None, "tournament", "state"),
)

places = Table(
    "places",
    metadata,
    Column("fixture", _Id, ForeignKey("fixtures.id", ondelete="CASCADE"), primary_key=True),
    Column("side", Integer, primary_key=True),  # a seat, or a team where the game has teams
    Column("entrant", String(80), nullable=False),
    Column("place", Integer, nullable=False),
    Column("failures", Integer, nullable=False),  # turns in which its bot failed
    Column("note", Text, nullable=False),  # its first failure
)

tries = Table(
    "tries",
    metadata,
    Column("fixture", _Id, ForeignKey("fixtures.id", ondelete="CASCADE"), primary_key=True),
    Column("epoch", Integer, primary_key=True),
    Column("worker", String(64), nullable=False),
    Column("began", Double, nullable=False),
    Column("ended", Double),
    Column("how", Text, nullable=False),  # why it did not count; empty while it runs, and if it did
)

# ---------------------------------------------------------------- the games' original protocols

wire_rooms = Table(
    "wire_rooms",
    metadata,
    Column("wire", String(16), primary_key=True),
    Column("name", String(40), primary_key=True),
    Column("body", LargeBinary, nullable=False),  # its settings
    Column("admin", LargeBinary, nullable=False),  # salted hash
    Column("join_key", LargeBinary),  # salted hash
    Column("creator", _Id, ForeignKey("accounts.id", ondelete="SET NULL"), index=True),
    Column("match", _Id, index=True),
    Column("created", Double, nullable=False),
)

wire_games = Table(
    "wire_games",
    metadata,
    Column("match", _Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("wire", String(16), nullable=False),
    Column("name", String(60), nullable=False),
    Column("secret", LargeBinary, nullable=False),  # of the client that sees everything
    UniqueConstraint("wire", "name"),
)

wire_players = Table(
    "wire_players",
    metadata,
    Column("match", _Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("number", Integer, nullable=False),  # identifies the player on the wire, also if the seat changes
    Column("secret", LargeBinary),  # hash of a password or token; none for players who joined over the API
)

wire_chat = Table(
    "wire_chat",
    metadata,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("match", _Id, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("body", LargeBinary, nullable=False),  # sender and text
)
