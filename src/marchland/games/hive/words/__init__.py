"""The words of Hive, by language. A language that is listed is complete."""

from typing import Final

from marchland.games.hive.words.en import EN
from marchland.games.hive.words.ru import RU
from marchland.messages import Language, Words

WORDS: Final[dict[Language, Words]] = {"en": EN, "ru": RU}
