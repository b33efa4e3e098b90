"""Error responses."""

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused: a code for programs, a message for people."""

    error: str
    sentence: str
