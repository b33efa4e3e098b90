"""Sentences from the templates of a game's words, and the words that every game shares."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from marchland.messages import Language, Words

FIELD: Final = re.compile(r"\{([\w.]+)(?::([^{}]*))?\}")
_AN: Final = re.compile(r"[aeiouAEIOU]|[FHLMNRSX][A-Z]")
"""Vowels, and letters that are spoken with one, as in "an NPC"."""
_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")

COMMON_WORDS: Final[dict[Language, Words]] = {
    "en": Words(
        results={
            "OK": "Done.",
            "MALFORMED": "The order was not understood.",
            "NO_SUCH_PLAYER": "There is no such player in this match.",
            "GAME_OVER": "The match is over.",
            "NOT_IMMEDIATE": "This game has no immediate actions; orders wait for the turn.",
            "DEAD": "You are out of the game.",
        },
        phrases={
            "player": "another player",
            "piece": "a unit",
            "team": "Team {number}",
            "owned_piece": "{player}'s {kind}",
            "team_piece": "the {kind} of {team}",
            "named_piece": "{kind:name} {name}",
            "and": "and",
        },
        outcomes={
            "TURN_LIMIT": "Turn {turn} is the last.",
            "LAST_PLAYER": "Only {player} is left.",
            "NO_PLAYER": "No player is left.",
        },
    ),
    "ru": Words(
        results={
            "OK": "Выполнено.",
            "MALFORMED": "Приказ не понят.",
            "NO_SUCH_PLAYER": "В этом матче нет такого игрока.",
            "GAME_OVER": "Матч окончен.",
            "NOT_IMMEDIATE": "В этой игре нет немедленных действий: приказы ждут конца хода.",
            "DEAD": "Вы выбыли из игры.",
        },
        phrases={
            "player": "другой игрок",
            "piece": "юнит",
            "team": "Команда {number}",
            "owned_piece": "{kind} игрока {player}",
            "team_piece": "{kind} ({team})",
            "named_piece": "{kind:name} {name}",
            "and": "и",
        },
        outcomes={
            "TURN_LIMIT": "Ход {turn} был последним.",
            "LAST_PLAYER": "Остался только игрок {player}.",
            "NO_PLAYER": "Игроков не осталось.",
        },
    ),
}
"""The reasons of `CommonReason`; words for unknown players and pieces, teams and owners; common ends of matches."""


def _english_form(count: float) -> int:
    return 0 if count == 1 else 1


def _russian_form(count: float) -> int:
    if count % 1:
        return 1  # a fraction
    last, teen = count % 10, 11 <= count % 100 <= 14
    if last == 1 and not teen:
        return 0
    return 1 if 2 <= last <= 4 and not teen else 2


_FORMS: Final[dict[Language, Callable[[float], int]]] = {"en": _english_form, "ru": _russian_form}
FORM_COUNTS: Final[dict[Language, int]] = {"en": 2, "ru": 3}
"""How many forms a noun has: one and many in English, one, few and many in Russian."""


def fields_of(template: str) -> dict[str, str]:
    """The values that a template names, each with its form."""
    return dict(FIELD.findall(template))


def choose_form(forms: str, count: Any, language: Language) -> str:
    """The plural form of a noun that goes with a number."""
    found = forms.split("|")
    return found[min(_FORMS[language](count or 0), len(found) - 1)]


def with_article(noun: str, language: Language) -> str:
    """A noun with its indefinite article, where the language has one."""
    return f"{'an' if _AN.match(noun) else 'a'} {noun}" if language == "en" else noun


def render(
    template: str, values: Mapping[str, Any], nouns: Mapping[str, str] | None = None, language: Language = "en"
) -> str:
    """A sentence: the template with its values. ``nouns`` are the words that its values may be."""

    def noun(value: Any) -> str:
        return (nouns or {}).get(str(value), str(value))

    def fill(field: re.Match[str]) -> str:
        name, form = field.groups()
        value = values.get(name)
        if not form:
            return f"{value:g}" if isinstance(value, float) else str(value)
        if "|" in form:
            return choose_form(form, value, language)
        if form in ("a", "name"):
            text = choose_form(noun(value), 1, language)
            return with_article(text, language) if form == "a" else text
        return choose_form(noun(value), values.get(form), language)

    def keep(part: re.Match[str]) -> str:
        return "" if any(values.get(name) in (None, 0) for name in fields_of(part[1])) else part[1]

    return FIELD.sub(fill, _OPTIONAL.sub(keep, template))


def refusal_arguments(template: str, order: Mapping[str, Any] | None, rules: Any) -> dict[str, Any]:
    """The values of a refusal's sentence: ``{at}`` is a field of the order, ``{rules.max_turn}`` a setting."""
    given = order or {}
    return {
        name: getattr(rules, name.removeprefix("rules.")) if name.startswith("rules.") else given.get(name)
        for name in fields_of(template)
    }


def with_common_words(words: Words, language: Language) -> Words:
    """A game's words together with those that every game shares."""
    common = COMMON_WORDS[language]
    parts = ("results", "phrases", "outcomes")
    merged = {part: {**getattr(common, part), **getattr(words, part)} for part in parts}
    return msgspec.structs.replace(words, **merged)
