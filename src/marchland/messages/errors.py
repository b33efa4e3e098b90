"""Error responses."""

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused: a word for programs, a sentence for people."""

    error: str
    sentence: str
