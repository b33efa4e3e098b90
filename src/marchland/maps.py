"""Check, convert and generate the maps of every game; what differs between games is in each game's `MapAdapter`."""

import functools
import json
from typing import Any

import msgspec

from marchland import registry
from marchland.core.game import Game
from marchland.core.map_adapter import MapAdapter
from marchland.errors import MapError, UnknownNameError, choices, did_you_mean
from marchland.messages import Drawing, MapMark, MapObject, MapProblem, MapReport, MapSpec
from marchland.messages._prepare import prepare_types
from marchland.messages.maps import MOST_CELLS

_MAX_REPORTED = 1_000
"""Problems of one map, and cells of one problem."""


def find_adapter(game: str) -> MapAdapter:
    """The map adapter of the game called so."""
    return _load_adapter(registry.find(game))


@functools.cache
def _load_adapter(kind: type[Game]) -> MapAdapter:
    adapter = kind.map_adapter()
    prepare_types()  # structs that were imported with the adapter may be decoded in any thread from now on
    return adapter


def check_map(game: str, data: Any) -> MapReport:
    """Convert a map in the game's own form, or the text of a map file, to every form and list all its problems."""
    adapter = find_adapter(game)
    try:
        read = _read(adapter, data)
        drawing = adapter.to_drawing(read)
    except MapError as problem:
        return MapReport([MapProblem(str(problem))], False, data, _as_text(data), None, [], {})
    if too_large := _size_problem(drawing):
        return MapReport([too_large], False, read, _as_text(read), None, [], {})
    return _report(adapter, read, drawing)


def check_drawing(game: str, drawing: Drawing) -> MapReport:
    """`check_map` for a drawing."""
    adapter = find_adapter(game)
    if problems := _drawing_problems(adapter.spec, drawing):
        return MapReport(problems, False, None, "", drawing, [], {})
    right, down = _offset(adapter.spec, drawing)
    found = _report(adapter, adapter.from_drawing(_move(drawing, -right, -down)), drawing)
    there = [
        msgspec.structs.replace(problem, cells=[(column + right, row + down) for column, row in problem.cells])
        for problem in found.problems
    ]
    return msgspec.structs.replace(found, problems=there)


def generate(game: str, generator: str, settings: dict[str, int]) -> MapReport:
    """A new map of one of the game's generators; settings that are missing have their defaults."""
    adapter = find_adapter(game)
    known = {known.name: known for known in adapter.spec.generators}
    if generator not in known:
        raise UnknownNameError(f"{game} has no generator {generator!r}; {did_you_mean(generator, list(known))}")
    spans = known[generator].settings
    for name, value in settings.items():
        if name not in spans:
            raise MapError(f"A {generator} map of {game} has no {name!r}; {did_you_mean(name, list(spans))}")
        least, most, _ = spans[name]
        if not least <= value <= most:
            raise MapError(f"{name} must be a whole number from {least} to {most}, not {value}.")
    usual = {name: span[2] for name, span in spans.items()}
    return check_map(game, adapter.generate(generator, {**usual, **settings}))


def _offset(spec: MapSpec, drawing: Drawing) -> tuple[int, int]:
    """How far a drawing lies from where maps begin. Odd rows of hexes stay odd; a hexagon lies round its middle."""
    if spec.shape == "hexagon":
        return 0, 0
    left, _, top, _ = drawing.box
    return left, top - (top % 2 if spec.topology == "hex" else 0)


def _move(drawing: Drawing, right: int, down: int) -> Drawing:
    box = drawing.box[0] + right, drawing.box[1] + right, drawing.box[2] + down, drawing.box[3] + down
    marks = [msgspec.structs.replace(mark, at=(mark.at[0] + right, mark.at[1] + down)) for mark in drawing.marks]
    return Drawing(box, drawing.layers, marks)


def _report(adapter: MapAdapter, data: Any, drawing: Drawing) -> MapReport:
    problems = adapter.problems(data)
    playable = not any(problem.grave for problem in problems)
    return MapReport(
        sorted(problems, key=lambda problem: not problem.grave)[:_MAX_REPORTED],
        playable,
        data,
        adapter.text(data),
        drawing,
        adapter.players(data) if playable else [],
        adapter.settings(data) if playable else {},
    )


def _read(adapter: MapAdapter, data: Any) -> Any:
    """A map file's text as the game takes it."""
    if adapter.spec.form == "text":
        if not isinstance(data, str):
            raise MapError(f"The map must be the text of a map file, not {_type_name(data)}.")
        return data
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as problem:
            raise MapError(f"The map is no JSON: {problem}.") from None
    if not isinstance(data, dict):
        raise MapError(f"The map must be an object in JSON, not {_type_name(data)}.")
    return data


def _type_name(data: Any) -> str:
    names = {dict: "an object", list: "a list", bool: "true or false", str: "text", type(None): "nothing"}
    return names.get(type(data), "a number")


def _as_text(data: Any) -> str:
    return data if isinstance(data, str) else msgspec.json.encode(data).decode()


def _size_problem(drawing: Drawing) -> MapProblem | None:
    cells = drawing.width * drawing.height
    if cells <= MOST_CELLS:
        return None
    return MapProblem(f"The map has room for {cells:,} cells; the most that is saved or drawn here is {MOST_CELLS:,}.")


def _drawing_problems(spec: MapSpec, drawing: Drawing) -> list[MapProblem]:
    """What makes the drawing no drawing of this game."""
    if not spec.layers:
        return [MapProblem("This game has no maps that can be drawn.")]
    if drawing.width < 1 or drawing.height < 1:
        return [MapProblem("The drawing has no cells: its last column and row come before the first.")]
    if too_large := _size_problem(drawing):
        return [too_large]
    size = drawing.width * drawing.height
    if len(drawing.layers) != len(spec.layers) or any(len(layer) != size for layer in drawing.layers):
        names = ", ".join(layer.name for layer in spec.layers)
        return [MapProblem(f"The drawing must have {size} numbers for each of its layers: {names}.")]
    outside = [value < 0 for value in drawing.layers[0]]
    if any(outside) and spec.shape == "rectangle" and not spec.holes:
        return [MapProblem("The map must be a whole rectangle.", _cells_where(drawing, outside))]
    if spec.shape == "hexagon" and outside != _outside_hexagon(drawing):
        return [MapProblem("The map must be a whole hexagon round [0, 0].")]
    problems = []
    for layer, values in zip(spec.layers, drawing.layers, strict=True):
        least, most = (0, len(layer.palette) - 1) if layer.type == "code" else (layer.least, layer.most)
        wrong = [not gone and not least <= value <= most for gone, value in zip(outside, values, strict=True)]
        if any(wrong):
            problems.append(MapProblem(f"{layer.name} must be {least} to {most}.", _cells_where(drawing, wrong)))
    return problems + _mark_problems(spec, drawing)


def _outside_hexagon(drawing: Drawing) -> list[bool]:
    """Which places of the rectangle are farther from the middle than its uppermost row."""
    left, right, top, bottom = drawing.box
    return [
        max(abs(column - (row >> 1)), abs(row), abs(column - (row >> 1) + row)) > bottom
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    ]


def _mark_problems(spec: MapSpec, drawing: Drawing) -> list[MapProblem]:
    """Marks that this game does not know, or that stand where none can."""
    known = {mark.name: mark for mark in spec.marks}
    taken: dict[tuple[str, tuple[int, int]], str] = {}
    problems: list[MapProblem] = []
    for mark in drawing.marks:
        if len(problems) > _MAX_REPORTED:
            return problems
        kind = known.get(mark.kind)
        place = [mark.at]
        if kind is None:
            problems.append(MapProblem(f"There is no {mark.kind!r}; {did_you_mean(mark.kind, list(known))}", place))
            continue
        if not drawing.has(mark.at):
            problems.append(MapProblem(f"A {mark.kind} stands outside the map.", place))
        if kind.owned and not 0 <= mark.owner < spec.seats:
            problems.append(MapProblem(f"A {mark.kind} must be that of a player from 0 to {spec.seats - 1}.", place))
        if other := taken.get((kind.group, mark.at)):
            problems.append(MapProblem(f"A {mark.kind} stands where a {other} is already.", place))
        taken[kind.group, mark.at] = mark.kind
        for name, value in mark.numbers.items():
            least, most, _ = kind.numbers.get(name, (0, -1, 0))
            if name not in kind.numbers:
                problems.append(MapProblem(f"A {mark.kind} has no {name!r}.", place))
            elif not least <= value <= most:
                problems.append(MapProblem(f"The {name} of a {mark.kind} is {least} to {most}, not {value}.", place))
    return problems + [problem for kind in spec.marks if kind.once for problem in _count_problems(kind, drawing)]


def _count_problems(kind: MapMark, drawing: Drawing) -> list[MapProblem]:
    """Players with two marks of a kind that each has once, and players without one before the last who has it."""
    found: dict[int, list[MapObject]] = {}
    for mark in drawing.of(kind.name):
        found.setdefault(mark.owner, []).append(mark)
    problems = [
        MapProblem(f"Player {owner} has {len(marks)} {kind.name}s; one is enough.", [mark.at for mark in marks])
        for owner, marks in found.items()
        if len(marks) > 1
    ]
    last = max(found, default=-1)
    missing = [str(owner) for owner in range(last) if owner not in found]
    if missing:
        problems.append(
            MapProblem(f"Player {last} has a {kind.name}, but not player {choices(missing)}.", [found[last][0].at])
        )
    return problems


def _cells_where(drawing: Drawing, chosen: list[bool]) -> list[tuple[int, int]]:
    left, _, top, _ = drawing.box
    return [
        (left + place % drawing.width, top + place // drawing.width) for place, wanted in enumerate(chosen) if wanted
    ][:_MAX_REPORTED]
