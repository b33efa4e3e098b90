"""Error responses."""

from typing import Any

import msgspec


class Problem(msgspec.Struct, frozen=True):
    """Why a request was refused: the kind of refusal for programs, a sentence in English for people.

    For other languages ``code`` and ``arguments`` say the same; ``code`` is empty where there is only the sentence.
    """

    error: str
    sentence: str
    code: str = ""
    arguments: dict[str, Any] = {}
