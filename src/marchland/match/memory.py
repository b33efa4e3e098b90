"""A journal for matches that nobody needs to survive this process."""

from marchland.match.journal import Also, Entry, Post
from marchland.match.refusals import TooLate
from marchland.messages import Receipt


class MemoryJournal:
    """Keeps the posts of the open turn and nothing else."""

    def __init__(self, open_turn: int) -> None:
        self._open_turn = open_turn
        self._posts: list[Post] = []

    async def accept(self, post: Post) -> Receipt:
        """Keep a post until its turn is played."""
        if post.turn != self._open_turn:
            raise TooLate(post.turn, self._open_turn)
        self._posts.append(post)
        return post.receipt()

    async def receipt(self, seat: int, key: str, first: int, last: int) -> Receipt | None:
        """The receipt of a post of this turn."""
        return next((post.receipt() for post in self._posts if (post.seat, post.key) == (seat, key)), None)

    async def answer(self, seat: int, key: str) -> bytes | None:
        """Nobody repeats himself where no message is lost."""
        return None

    async def close(self, turn: int, closes: float | None) -> list[Post]:
        """The posts of the open turn."""
        posts, self._posts = self._posts, []
        self._open_turn = turn + 1
        return posts

    async def posts(self, turn: int, seat: int | None = None) -> list[Post]:
        """The posts of the open turn; nothing is left of closed ones."""
        return [post for post in self._posts if post.turn == turn and seat in (None, post.seat)]

    async def keep(self, entry: Entry, snapshot: bytes | None = None, also: Also | None = None) -> None:
        """Nothing to do: the game itself remembers."""
