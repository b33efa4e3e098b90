"""Platform and games know each other through typed public members only; `docs/game-authors.md` lists them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import marchland
from marchland import registry
from marchland.core.game import Game
from tests.support.pages import read_page

PACKAGE = Path(marchland.__file__).parent
NAMES_GAMES = ("games/", "server/wire/", "registry.py", "bench/wire_", "bench/server", "bench/hostile.py")
"""What is for one game: games, their original protocols, the registry, and benchmarks that play one match."""
NAMED_TUPLE_MEMBERS = {"_asdict", "_field_defaults", "_fields", "_make", "_mapping", "_replace"}
"""Public in spite of the underscore, in named tuples and rows of SQLAlchemy."""
FOREIGN_MODULES = {"_exit", "_lock", "_value_"}
"""Private by name in `os`, `llvmlite` and `enum`, whose documents offer nothing else."""


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def unit_of(path: str) -> str:
    """The package whose modules may use each other's private members: a game, a part of the server, a top package."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] in ("games", "server") else parts[0]


def private_definitions(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def private_uses(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case (
                ast.Attribute(value=ast.Name(id="self" | "cls")) | ast.Attribute(value=ast.Call(func=ast.Name("super")))
            ):
                pass
            case ast.Attribute(attr=name) if name.startswith("_") and not name.startswith("__"):
                yield name


def names_in(tree: ast.Module) -> Iterator[str]:
    """Functions, classes, variables, attributes and parameters."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name


def test_no_package_uses_private_members_of_another() -> None:
    trees = list(sources())
    defined: dict[str, set[str]] = {}
    for path, tree in trees:
        defined.setdefault(unit_of(path), set()).update(private_definitions(tree))
    known = NAMED_TUPLE_MEMBERS | FOREIGN_MODULES
    foreign = [
        f"{path}: {name}"
        for path, tree in trees
        for name in private_uses(tree)
        if name not in known | defined[unit_of(path)]
        and not (path.startswith("games/") and name in defined["core"])  # games subclass `Game`
    ]
    assert foreign == []


def test_no_game_is_named_outside_its_folders_and_the_registry() -> None:
    games = "|".join(registry.BUILTIN)
    named = re.compile(rf"^({games})$|^marchland\.games\.({games})\b")
    found = [
        f"{path}:{node.lineno}: {node.value}"
        for path, tree in sources()
        if not path.startswith(NAMES_GAMES)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and named.search(node.value)
    ]
    assert found == []


def test_no_identifier_outside_those_folders_contains_the_name_of_a_game() -> None:
    games = set(registry.BUILTIN)
    found = [
        f"{path}: {name}"
        for path, tree in sources()
        if not path.startswith(NAMES_GAMES)
        for name in names_in(tree)
        if games & set(name.lower().split("_"))
    ]
    assert found == []


@pytest.mark.parametrize("game", marchland.games())
def test_the_page_for_authors_names_every_member_that_a_game_overrides(game: str) -> None:
    page = read_page("game-authors.md")
    shared = {name for name in vars(Game) if not name.startswith("__")}
    overridden = shared & set(vars(marchland.find(game))) - {"_abc_impl"}
    assert [name for name in sorted(overridden) if not re.search(rf"`{name}\b", page)] == []
