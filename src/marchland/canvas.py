"""Maps of all games alike: each game's ``canvas`` says what its maps hold, and reads and writes them as drawings."""

import importlib
import json
from typing import Any, Protocol

import msgspec

from marchland import registry
from marchland.errors import MapError, UnknownNameError, choices, did_you_mean
from marchland.messages import Drawing, MapKit, MapMark, MapProblem, MapReport, Mark
from marchland.messages.maps import MOST_CELLS

_MOST_TOLD = 1_000
"""Problems of one map, and cells of one problem."""


class Canvas(Protocol):
    """What a game's ``canvas`` holds."""

    KIT: MapKit

    def drawn(self, data: Any) -> Drawing:
        """The map as a drawing; `MapError` where it cannot be read."""

    def written(self, drawing: Drawing) -> Any:
        """The drawing in the game's own form, playable or not."""

    def text(self, data: Any) -> str:
        """The map as a file."""

    def problems(self, data: Any) -> list[MapProblem]:
        """Everything wrong with a map that could be read."""

    def players(self, data: Any) -> list[int]:
        """How many can play on a map without grave problems."""

    def settings(self, data: Any) -> dict[str, Any]:
        """What a match on it must be set to."""

    def builtin(self) -> dict[str, Any]:
        """The maps that come with the game, by name."""

    def generated(self, generator: str, settings: dict[str, int]) -> Any:
        """A map drawn by lot."""


def find(game: str) -> Canvas:
    """The canvas of the game called so."""
    registry.find(game)
    found: Canvas = importlib.import_module(f"marchland.games.{game}.canvas")
    return found


def report(game: str, data: Any) -> MapReport:
    """A map in the game's own form, or the text of a map file, in every form and with everything wrong about it."""
    canvas = find(game)
    try:
        read = _read(canvas, data)
        drawing = canvas.drawn(read)
    except MapError as problem:
        return MapReport([MapProblem(str(problem))], False, data, _shown(data), None, [], {})
    if too_large := _too_large(drawing):
        return MapReport([too_large], False, read, _shown(read), None, [], {})
    return _report(canvas, read, drawing)


def report_of_drawing(game: str, drawing: Drawing) -> MapReport:
    """The same for a drawing."""
    canvas = find(game)
    if problems := _misdrawn(canvas.KIT, drawing):
        return MapReport(problems, False, None, "", drawing, [], {})
    right, down = _from_origin(canvas.KIT, drawing)
    found = _report(canvas, canvas.written(_moved(drawing, -right, -down)), drawing)
    there = [
        msgspec.structs.replace(one, cells=[(column + right, row + down) for column, row in one.cells])
        for one in found.problems
    ]
    return msgspec.structs.replace(found, problems=there)


def generated(game: str, generator: str, settings: dict[str, int]) -> MapReport:
    """A map drawn by lot."""
    canvas = find(game)
    known = {one.name: one for one in canvas.KIT.generators}
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
    return report(game, canvas.generated(generator, {**usual, **settings}))


def _from_origin(kit: MapKit, drawing: Drawing) -> tuple[int, int]:
    """How far a drawing lies from where maps begin. Odd rows of hexes stay odd; a hexagon lies round its middle."""
    if kit.shape == "hexagon":
        return 0, 0
    left, _, top, _ = drawing.box
    return left, top - (top % 2 if kit.topology == "hex" else 0)


def _moved(drawing: Drawing, right: int, down: int) -> Drawing:
    box = drawing.box[0] + right, drawing.box[1] + right, drawing.box[2] + down, drawing.box[3] + down
    marks = [msgspec.structs.replace(one, at=(one.at[0] + right, one.at[1] + down)) for one in drawing.marks]
    return Drawing(box, drawing.layers, marks)


def _report(canvas: Canvas, data: Any, drawing: Drawing) -> MapReport:
    problems = canvas.problems(data)
    playable = not any(problem.grave for problem in problems)
    return MapReport(
        sorted(problems, key=lambda one: not one.grave)[:_MOST_TOLD],
        playable,
        data,
        canvas.text(data),
        drawing,
        canvas.players(data) if playable else [],
        canvas.settings(data) if playable else {},
    )


def _read(canvas: Canvas, data: Any) -> Any:
    """A map file's text as the game takes it."""
    if canvas.KIT.form == "text":
        if not isinstance(data, str):
            raise MapError(f"The map must be the text of a map file, not {_kind(data)}.")
        return data
    if isinstance(data, str):
        try:
            data = json.loads(data)
        except (ValueError, RecursionError) as problem:
            raise MapError(f"The map is no JSON: {problem}.") from None
    if not isinstance(data, dict):
        raise MapError(f"The map must be an object in JSON, not {_kind(data)}.")
    return data


def _kind(data: Any) -> str:
    names = {dict: "an object", list: "a list", bool: "true or false", str: "text", type(None): "nothing"}
    return names.get(type(data), "a number")


def _shown(data: Any) -> str:
    return data if isinstance(data, str) else msgspec.json.encode(data).decode()


def _too_large(drawing: Drawing) -> MapProblem | None:
    cells = drawing.width * drawing.height
    if cells <= MOST_CELLS:
        return None
    return MapProblem(f"The map has room for {cells:,} cells; the most that is kept or drawn here is {MOST_CELLS:,}.")


def _misdrawn(kit: MapKit, drawing: Drawing) -> list[MapProblem]:
    """What makes the drawing no drawing of this game."""
    if drawing.width < 1 or drawing.height < 1:
        return [MapProblem("The drawing has no cells: its last column and row come before the first.")]
    if too_large := _too_large(drawing):
        return [too_large]
    size = drawing.width * drawing.height
    if len(drawing.layers) != len(kit.layers) or any(len(layer) != size for layer in drawing.layers):
        names = ", ".join(layer.name for layer in kit.layers)
        return [MapProblem(f"The drawing must have {size} numbers for each of its layers: {names}.")]
    outside = [value < 0 for value in drawing.layers[0]]
    if any(outside) and kit.shape == "rectangle" and not kit.holes:
        return [MapProblem("The map must be a whole rectangle.", _spots(drawing, outside))]
    if kit.shape == "hexagon" and outside != _outside_hexagon(drawing):
        return [MapProblem("The map must be a whole hexagon round [0, 0].")]
    problems = []
    for layer, values in zip(kit.layers, drawing.layers, strict=True):
        least, most = (0, len(layer.palette) - 1) if layer.type == "code" else (layer.least, layer.most)
        wrong = [not gone and not least <= value <= most for gone, value in zip(outside, values, strict=True)]
        if any(wrong):
            problems.append(MapProblem(f"{layer.name} must be {least} to {most}.", _spots(drawing, wrong)))
    return problems + _misplaced(kit, drawing)


def _outside_hexagon(drawing: Drawing) -> list[bool]:
    """Which places of the rectangle are farther from the middle than its uppermost row."""
    left, right, top, bottom = drawing.box
    return [
        max(abs(column - (row >> 1)), abs(row), abs(column - (row >> 1) + row)) > bottom
        for row in range(top, bottom + 1)
        for column in range(left, right + 1)
    ]


def _misplaced(kit: MapKit, drawing: Drawing) -> list[MapProblem]:
    """Marks that this game does not know, or that stand where none can."""
    known = {mark.name: mark for mark in kit.marks}
    taken: dict[tuple[str, tuple[int, int]], str] = {}
    problems: list[MapProblem] = []
    for mark in drawing.marks:
        if len(problems) > _MOST_TOLD:
            return problems
        kind = known.get(mark.kind)
        place = [mark.at]
        if kind is None:
            problems.append(MapProblem(f"There is no {mark.kind!r}; {did_you_mean(mark.kind, list(known))}", place))
            continue
        if not drawing.has(mark.at):
            problems.append(MapProblem(f"A {mark.kind} stands outside the map.", place))
        if kind.owned and not 0 <= mark.owner < kit.seats:
            problems.append(MapProblem(f"A {mark.kind} must be that of a player from 0 to {kit.seats - 1}.", place))
        if other := taken.get((kind.group, mark.at)):
            problems.append(MapProblem(f"A {mark.kind} stands where a {other} is already.", place))
        taken[kind.group, mark.at] = mark.kind
        for name, value in mark.numbers.items():
            least, most, _ = kind.numbers.get(name, (0, -1, 0))
            if name not in kind.numbers:
                problems.append(MapProblem(f"A {mark.kind} has no {name!r}.", place))
            elif not least <= value <= most:
                problems.append(MapProblem(f"The {name} of a {mark.kind} is {least} to {most}, not {value}.", place))
    return problems + [problem for kind in kit.marks if kind.once for problem in _miscounted(kind, drawing)]


def _miscounted(kind: MapMark, drawing: Drawing) -> list[MapProblem]:
    """Players who have two of what one has once, and players who have none though later ones have."""
    found: dict[int, list[Mark]] = {}
    for mark in drawing.of(kind.name):
        found.setdefault(mark.owner, []).append(mark)
    told = [
        MapProblem(f"Player {owner} has {len(marks)} {kind.name}s; one is enough.", [mark.at for mark in marks])
        for owner, marks in found.items()
        if len(marks) > 1
    ]
    last = max(found, default=-1)
    missing = [str(owner) for owner in range(last) if owner not in found]
    if missing:
        told.append(
            MapProblem(f"Player {last} has a {kind.name}, but not player {choices(missing)}.", [found[last][0].at])
        )
    return told


def _spots(drawing: Drawing, chosen: list[bool]) -> list[tuple[int, int]]:
    left, _, top, _ = drawing.box
    return [
        (left + place % drawing.width, top + place // drawing.width) for place, wanted in enumerate(chosen) if wanted
    ][:_MOST_TOLD]
