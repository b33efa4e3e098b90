"""The words of Colorfight, by language. A language that is listed is complete."""

from typing import Final

from marchland.games.colorfight.words.en import EN
from marchland.games.colorfight.words.ru import RU
from marchland.messages import Language, Words

WORDS: Final[dict[Language, Words]] = {"en": EN, "ru": RU}
