"""Settings of a server: the one place of their defaults. ``marchland serve`` builds its options from them."""

from dataclasses import dataclass

LOOPBACK = ("127.0.0.0/8", "::1/128")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a server behaves; the defaults suit a machine that is open to the internet.

    A dataclass, because ``marchland serve --help`` reads the defaults and must not load msgspec for that.
    """

    db: str
    demo: bool = False
    root_wire: str | None = None
    """The wire that is also served at ``/``."""
    registration: bool = True
    """Whether anyone may create an account, or play without one; otherwise only admins create accounts."""
    creators_see_all: bool = False
    """Whether the creator of a game over an original protocol may watch all of it while it may have a seat."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may call this one."""
    embed_sites: tuple[str, ...] = ()
    """Other sites whose pages may show ``/embed`` in a frame."""
    trusted_proxies: tuple[str, ...] = LOOPBACK
    """Addresses and networks whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed."""
    metrics_readers: tuple[str, ...] = LOOPBACK
    """Addresses and networks that may read ``/metrics`` without a token."""
    metrics_token: str | None = None
    """With it ``/metrics`` may be read from anywhere, as a bearer token."""
    body_limit: int = 1_000_000
    orders_limit: int = 10_000
    """Orders in one post."""
    orders_per_turn: int = 50_000
    """Orders of one seat in one turn, where its posts add up."""
    posts_per_turn: int = 1_000
    """Posts of one seat in one turn, on each node."""
    cells_limit: int = 100_000
    """Cells on the board of a player's match; organisers may have more."""
    match_size: int = 3_000_000
    """Cells times seats of a player's match; organisers may have more."""
    account_size: int = 6_000_000
    """The same for all running matches of a player."""
    node_size: int = 500_000_000
    """The same for all running matches in the memory of a node."""
    matches_limit: int = 20
    """Unfinished matches of a player; organisers may have more."""
    accounts_per_hour: float = 100.0
    """New accounts from each address; admins may create more."""
    path_limit: int = 4_096
    """Steps in one order."""
    rate: float = 20.0
    """Requests a second for each token; twice as many at once."""
    rate_address: float = 200.0
    """The same for each address."""
    round_rate: float = 3.0
    """The same for matches of a round."""
    sockets_per_address: int = 512
    """Open WebSockets of each address, on each node: many players of a hackathon share one."""
    wire_turn: float | None = None
    """Seconds that a turn lasts at least over a wire whose turns end early; None: as on its public server."""
    lease: float = 10.0
    """Seconds after which another node may take over the matches of one that is silent."""
    room_matches: int = 20
    """Finished matches without people that a room keeps, unless it says otherwise."""
    days_without_people: float | None = 30.0
    """Days until a match without people is deleted, unless it is one of a room; None: never."""
    days_with_people: float | None = None
    """The same for matches in which people or their bots played."""
    round_replay_days: float | None = None
    """Days until a match of a round, season or tournament loses its replay; its result stays."""
    assets_url: str | None = None
    """The address of an AtomicAssets-style API, from which the items of confirmed wallets are read."""
    stakes_url: str | None = None
    """The address of an API of staked power."""
    ledger_interval: float = 600.0
    """Seconds between two readings of them."""
    compress: bool = False
    """Whether WebSockets are compressed: less traffic, more work for each reader."""

    @property
    def bytes_per_turn(self) -> int:
        """Bytes of one seat's posts in one turn, which are in memory until it ends: 4 kB for each that it may send."""
        return 4_096 * self.posts_per_turn
