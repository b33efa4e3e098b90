"""The words of Enova Conquest, by language. A language that is listed is complete."""

from typing import Final

from marchland.games.enova.words.en import EN
from marchland.games.enova.words.ru import RU
from marchland.messages import Language, Words

WORDS: Final[dict[Language, Words]] = {"en": EN, "ru": RU}
