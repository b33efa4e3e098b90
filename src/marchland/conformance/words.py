"""A game has words for everything that players read, in each of its languages."""

import random
from collections.abc import Iterator
from typing import Any

from marchland.conformance.playing import Check, GameUnderTest, pick_all_orders, pick_orders
from marchland.core.menus import list_menus
from marchland.core.reasons import CommonReason
from marchland.core.words import FIELD, FORM_COUNTS, fields_of
from marchland.messages import Cells, EventKind, Forecast, Menus, MenusRequest, Pieces, Range, Words

PARTS = (
    *("events", "results", "verbs", "parameters", "kinds", "figures", "choices", "phrases"),
    *("forecasts", "outcomes"),
)
_TURNS = 30


def check_every_word_has_an_english_name(tested: GameUnderTest) -> None:
    """Verbs, parameters, kinds, figures and choices of a legend are named."""
    legend = tested.new().legend()
    words = legend.words["en"]
    assert {verb.do for verb in legend.verbs} <= {*words.verbs}
    for verb in legend.verbs:
        for parameter in verb.params:
            assert {parameter.name, f"{verb.do}.{parameter.name}"} & {*words.parameters}, (verb.do, parameter.name)
    assert {kind.name for kind in legend.kinds} <= {*words.kinds}
    figures = [*legend.figures, *legend.team_figures, *(layer.name for layer in legend.layers)]
    figures += [number for kind in legend.kinds for number in kind.numbers]
    assert {*figures} <= {*words.figures}
    choices = [word for layer in legend.layers for word in layer.palette]
    choices += [word for event in legend.events for word in event.choices]
    choices += [word for verb in legend.verbs for parameter in verb.params for word in parameter.choices]
    choices += [word for kind in legend.kinds for codes in kind.words.values() for word in codes]
    choices += [word for codes in legend.figure_words.values() for word in codes]
    assert {*choices} - {""} <= {*words.choices}


def check_every_event_has_a_sentence_of_its_arguments(tested: GameUnderTest) -> None:
    """Each kind of event has a template that names its arguments and no others."""
    legend = tested.new().legend()
    for words in legend.words.values():
        assert {*words.events} == {event.name for event in legend.events}
        for event in legend.events:
            for template in (words.events[event.name].one, words.events[event.name].many):
                assert {*_names(template)} <= {*_arguments(event, template)}, (event.name, template)


def check_every_reason_has_a_sentence(tested: GameUnderTest) -> None:
    """An order that is refused for any reason can be explained."""
    game = tested.new()
    reasons = {reason.name for reason in (*CommonReason, *game.reasons)}
    assert reasons <= {*game.legend().words["en"].results}


def check_menus_use_the_words_of_the_game(tested: GameUnderTest) -> None:
    """Names, forecasts and reasons in menus have templates, and the values that these need; so has each resource."""
    game, chance = tested.new(), random.Random(1)
    words = game.words_in()
    for _ in range(_TURNS):
        for player in range(len(game.players)) if game.outcome is None else ():
            queued = pick_orders(game, player, chance)
            verbs: Any = game.legal(player)
            menus = list_menus(game, player, MenusRequest([{"do": verb} for verb in verbs], queued))
            assert {resource.name for resource in menus.resources} <= {*words.figures}
            assert len(menus.forecasts) in (0, len(queued))
            for reason in menus.reasons.values():
                assert {*fields_of(words.results[reason.code])} <= {*reason.arguments}, reason
            for entry in menus.following:
                for name in entry.menu.names if isinstance(entry.menu, Pieces) else ():
                    assert name is None or {*fields_of(words.phrases[name.code])} <= {*name.arguments}, name
            for forecast in (*menus.forecasts, *_forecasts(menus)):
                if forecast is not None:
                    templates = words.forecasts[forecast.code]
                    needed = {*fields_of(templates.sentence), *fields_of(templates.label)}
                    assert needed <= {*forecast.arguments}, forecast
        game.step(pick_all_orders(game, chance))


def _forecasts(menus: Menus) -> Iterator[Forecast | None]:
    for entry in menus.following:
        match entry.menu:
            case Cells() | Pieces():
                yield from entry.menu.forecasts
            case Range():
                yield from (forecast for _, forecast in entry.menu.forecasts)


def check_every_language_has_the_words_of_english(tested: GameUnderTest) -> None:
    """A language that a game lists is complete, and its sentences use the values that the English ones use."""
    legend = tested.new().legend()
    english = legend.words["en"]
    for language, words in legend.words.items():
        for part in PARTS:
            assert {*getattr(words, part)} == {*getattr(english, part)}, (language, part)
        expected = dict(_templates(english))
        for place, template in _templates(words):
            assert {*_names(template)} == {*_names(expected[place])}, (language, place)


def check_nouns_have_the_plural_forms_of_their_language(tested: GameUnderTest) -> None:
    """A noun with forms has as many as the language; one that a number may stand before has them all."""
    for language, words in tested.new().legend().words.items():
        counted = FORM_COUNTS[language]
        for part in ("verbs", "parameters", "kinds", "figures", "choices"):
            for name, noun in getattr(words, part).items():
                assert noun.count("|") + 1 in (1, counted), (language, part, name)
        for name, noun in words.kinds.items():
            assert noun.count("|") + 1 == counted, (language, name)
        for place, template in _templates(words):
            for form in _forms(template):
                assert form.count("|") + 1 == counted, (language, place, form)


def _templates(words: Words) -> Iterator[tuple[str, str]]:
    """Each template of a language, with its place."""
    for name, event in words.events.items():
        yield from ((f"events.{name}.one", event.one), (f"events.{name}.many", event.many))
    for name, forecast in words.forecasts.items():
        yield from ((f"forecasts.{name}.sentence", forecast.sentence), (f"forecasts.{name}.label", forecast.label))
    for part in ("results", "phrases", "outcomes"):
        yield from ((f"{part}.{name}", template) for name, template in getattr(words, part).items())


def _forms(template: str) -> Iterator[str]:
    """The literal nouns of a template, which a number decides about."""
    yield from (form for _, form in FIELD.findall(template) if "|" in form)


def _names(template: str) -> Iterator[str]:
    """The values that a template needs: its fields, and those whose number decides about a form."""
    for name, form in fields_of(template).items():
        yield name
        if form and "|" not in form and form not in ("a", "name"):
            yield form


def _arguments(event: EventKind, template: str) -> Iterator[str]:
    yield from event.args
    if template:
        yield "count"


CHECKS: tuple[Check, ...] = (
    check_every_word_has_an_english_name,
    check_every_event_has_a_sentence_of_its_arguments,
    check_every_reason_has_a_sentence,
    check_menus_use_the_words_of_the_game,
    check_every_language_has_the_words_of_english,
    check_nouns_have_the_plural_forms_of_their_language,
)
