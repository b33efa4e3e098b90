"""A game's words in one language: sentences of events and results, names of what it has.

A sentence is a template. ``{name}`` is a value, ``{name:name}`` a word of the game by its name, ``{name:a}`` the same
with an article in English, ``{name:number}`` in the form that goes with another value, ``{name:unit|units}`` the form
of a literal noun that goes with the value. ``[...]`` is left out if a value in it is missing or 0. `core.words` renders
templates for the library and the command line, `web/src/app/sentences.ts` for the page.
"""

from typing import Any, Literal

import msgspec

Language = Literal["en", "ru"]


class EventWords(msgspec.Struct, frozen=True, omit_defaults=True):
    """The sentences of one kind of event. A sentence begins with the value that acts, if one does."""

    one: str
    many: str = ""
    """For ``{count}`` events that agree in its values; numbers are added up. Without it they are listed one by one."""


class ForecastWords(msgspec.Struct, frozen=True):
    """What an order would do: as a sentence, and in a few letters for the board."""

    sentence: str
    label: str


class Words(msgspec.Struct, frozen=True, omit_defaults=True):
    """All words of a game in one language; nouns have their plural forms after a bar, as in ``bee|bees``."""

    events: dict[str, EventWords] = {}
    """By kind of event."""
    results: dict[str, str] = {}
    """By code: why an order was refused, or what it did."""
    verbs: dict[str, str] = {}
    parameters: dict[str, str] = {}
    kinds: dict[str, str] = {}
    """By kind of piece."""
    figures: dict[str, str] = {}
    """By figure of a player, layer of the board or number of a piece."""
    choices: dict[str, str] = {}
    """By word of a palette, and by choice of an event or a verb."""
    phrases: dict[str, str] = {}
    """What every game needs, such as the word for a player who is not known; names of pieces that are on no cell."""
    forecasts: dict[str, ForecastWords] = {}
    """By code: what an order would do."""
    outcomes: dict[str, str] = {}
    """By code: why a match is over."""


class Phrase(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that the words of a game say: the code of its template, with the values."""

    code: str
    arguments: dict[str, Any] = {}
