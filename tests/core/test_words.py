"""Sentences from templates."""

from typing import Any

import msgspec
import pytest

import marchland
from marchland.conformance.words import (
    check_every_language_has_the_words_of_english,
    check_nouns_have_the_plural_forms_of_their_language,
)
from marchland.core.words import COMMON_WORDS, choose_form, fields_of, render
from marchland.messages import EventWords
from tests.support.small_matches import TESTED


@pytest.mark.parametrize(
    ("template", "values", "sentence"),
    [
        ("Took {at}.", {"at": [4, 1]}, "Took [4, 1]."),
        ("Took {at}[ from {from}].", {"at": [4, 1], "from": None}, "Took [4, 1]."),
        ("Took {at}[ from {from}].", {"at": [4, 1], "from": "ada"}, "Took [4, 1] from ada."),
        ("Moved[ for {cost} points].", {"cost": 0}, "Moved."),
        ("Hit for {damage}.", {"damage": 37.5}, "Hit for 37.5."),
        ("Hit for {damage}.", {"damage": 55.0}, "Hit for 55."),
        ("{units} {units:unit|units}", {"units": 1}, "1 unit"),
        ("{units} {units:unit|units}", {"units": 4}, "4 units"),
        ("Built {building:a}.", {"building": "gold_mine"}, "Built a gold mine."),
        ("Built {building:a}.", {"building": "ant"}, "Built an ant."),
        ("{count} {building:count}", {"building": "gold_mine", "count": 3}, "3 gold mines"),
        ("At most {rules.lock} %.", {"rules.lock": 5}, "At most 5 %."),
    ],
)
def test_a_template_is_filled_with_its_values(template: str, values: dict[str, Any], sentence: str) -> None:
    assert render(template, values, {"gold_mine": "gold mine|gold mines"}) == sentence


def test_an_initialism_that_is_spoken_with_a_vowel_gets_an() -> None:
    assert render("{kind:a}", {"kind": "npc"}, {"npc": "NPC|NPCs"}) == "an NPC"


@pytest.mark.parametrize(
    ("count", "form"), [(1, "ход"), (3, "хода"), (5, "ходов"), (11, "ходов"), (21, "ход"), (7.5, "хода")]
)
def test_russian_nouns_have_three_forms(count: float, form: str) -> None:
    assert choose_form("ход|хода|ходов", count, "ru") == form


def test_a_russian_noun_has_no_article() -> None:
    assert render("Теперь {kind:a}", {"kind": "hive"}, {"hive": "улей|улья|ульев"}, "ru") == "Теперь улей"


def test_the_words_that_all_games_share_are_complete_in_each_language() -> None:
    english = COMMON_WORDS["en"]
    for words in COMMON_WORDS.values():
        assert (words.results.keys(), words.phrases.keys()) == (english.results.keys(), english.phrases.keys())
        for name, phrase in words.phrases.items():
            assert fields_of(phrase).keys() == fields_of(english.phrases[name]).keys()


def test_a_language_that_lacks_a_word_of_english_does_not_conform(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = marchland.find("enova")
    results = {code: sentence for code, sentence in kind.words["en"].results.items() if code != "WON"}
    incomplete = msgspec.structs.replace(kind.words["en"], results=results)
    monkeypatch.setattr(kind, "legend", _with_words(kind.legend, incomplete))
    with pytest.raises(AssertionError, match="results"):
        check_every_language_has_the_words_of_english(TESTED["enova"])


def test_a_sentence_that_omits_a_value_of_the_english_one_does_not_conform(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = marchland.find("enova")
    words = kind.words_in("ru")
    shorter = msgspec.structs.replace(words, events={**words.events, "killed": EventWords("{player} теряет юниты")})
    monkeypatch.setattr(kind, "legend", _with_words(kind.legend, shorter))
    with pytest.raises(AssertionError, match="killed"):
        check_every_language_has_the_words_of_english(TESTED["enova"])


def test_a_russian_noun_with_two_forms_does_not_conform(monkeypatch: pytest.MonkeyPatch) -> None:
    kind = marchland.find("hive")
    words = kind.words_in("ru")
    english = msgspec.structs.replace(words, kinds={**words.kinds, "bee": "пчела|пчёлы"})
    monkeypatch.setattr(kind, "legend", _with_words(kind.legend, english))
    with pytest.raises(AssertionError, match="bee"):
        check_nouns_have_the_plural_forms_of_their_language(TESTED["hive"])


def _with_words(legend: Any, words: Any) -> Any:
    def changed(game: Any) -> Any:
        found = legend(game)
        return msgspec.structs.replace(found, words={**found.words, "ru": words})

    return changed
