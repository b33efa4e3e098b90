"""The words of DatsPulse, by language. A language that is listed is complete."""

from typing import Final

from marchland.games.datspulse.words.en import EN
from marchland.games.datspulse.words.ru import RU
from marchland.messages import Language, Words

WORDS: Final[dict[Language, Words]] = {"en": EN, "ru": RU}
