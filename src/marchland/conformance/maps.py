"""Maps of a game round-trip through drawings, can be played, and what is no map is refused with a message."""

from typing import Any

from marchland import maps
from marchland.conformance.playing import Check, GameUnderTest
from marchland.messages import Drawing, MapObject


def check_generated_maps_are_good(tested: GameUnderTest) -> None:
    """A map of each generator has no problems and is the same in every form."""
    for generator in maps.find_adapter(tested.name).spec.generators:
        made = maps.generate(tested.name, generator.name, {})
        assert made.playable and not made.problems
        assert made.drawing is not None
        assert maps.check_drawing(tested.name, made.drawing) == made
        assert maps.check_map(tested.name, made.text).drawing == made.drawing


def check_builtin_maps_survive_drawing(tested: GameUnderTest) -> None:
    """Each map that comes with the game is playable and comes back the same from its drawing."""
    for name, data in maps.find_adapter(tested.name).builtin_maps().items():
        found = maps.check_map(tested.name, data)
        assert found.playable and found.drawing is not None, name
        again = maps.check_map(tested.name, maps.check_drawing(tested.name, found.drawing).data)
        assert again.drawing == found.drawing, name


def check_matches_start_on_generated_maps(tested: GameUnderTest) -> None:
    """A match with the fewest and with the most players starts on a generated map, with the settings it asks for."""
    for generator in maps.find_adapter(tested.name).spec.generators[:1]:
        made = maps.generate(tested.name, generator.name, {})
        for players in (made.players[0], made.players[-1]):
            match = tested.kind.new(players, seed=1, config=made.settings, map=made.data)
            assert match.turn in (0, 1)


def check_editor_keys_are_unique(tested: GameUnderTest) -> None:
    """No two brushes of the map editor have the same key, and each word of a palette has one."""
    spec = maps.find_adapter(tested.name).spec
    keys = [key for layer in spec.layers for key in layer.keys] + [mark.key for mark in spec.marks]
    assert len(set(keys)) == len(keys)
    assert all(len(layer.keys) == max(len(layer.palette), 1) for layer in spec.layers)


def check_what_is_no_map_is_refused(tested: GameUnderTest) -> None:
    """Data that is no map is refused with a message."""
    values: list[Any] = [None, 7, [], "", "{", "?", {"a": 1}, {"map": 1}]
    for data in values:
        found = maps.check_map(tested.name, data)
        assert not found.playable
        assert found.drawing is None
        assert found.problems[0].sentence.endswith(".")


def check_marks_outside_the_map_are_found(tested: GameUnderTest) -> None:
    """A mark outside the map is a problem with its cell."""
    spec = maps.find_adapter(tested.name).spec
    for generator in spec.generators[:1]:
        drawing = maps.generate(tested.name, generator.name, {}).drawing
        assert drawing is not None
        outside = (drawing.box[1] + 5, drawing.box[3])
        marks = [*drawing.marks, MapObject(spec.marks[0].name, outside, 0)]
        found = maps.check_drawing(tested.name, Drawing(drawing.box, drawing.layers, marks))
        assert [problem.cells for problem in found.problems if "outside the map" in problem.sentence] == [[outside]]


CHECKS: tuple[Check, ...] = (
    check_generated_maps_are_good,
    check_builtin_maps_survive_drawing,
    check_matches_start_on_generated_maps,
    check_editor_keys_are_unique,
    check_what_is_no_map_is_refused,
    check_marks_outside_the_map_are_found,
)
