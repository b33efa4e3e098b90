"""What a body may say where it says something else."""

from typing import Any

import msgspec
import pytest

from marchland.messages import MatchCreate, SeasonGameCreate, Team
from marchland.server.http.enum_words import with_allowed_words


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        (list[Team], [{"name": "t", "members": [{"account": "a", "role": "captain"}]}], "'leader', 'trooper', 'vice'"),
        (MatchCreate, {"game": "hive", "seats": [{"kind": "robot"}]}, "'builtin', 'empty', 'open'"),
        (SeasonGameCreate, {"name": "g", "template": {"game": "g", "seats": [{"kind": 3}]}}, None),
        (MatchCreate, {"game": "hive", "seats": []}, None),
    ],
)
def test_a_wrong_word_is_refused_with_the_allowed_ones(kind: Any, body: Any, words: str | None) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(body, kind)
    sentence = str(refused.value)
    assert with_allowed_words(sentence, kind) == (f"{sentence}; it is one of {words}" if words else sentence)
