"""What the documents claim is run here."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

import marchland
from marchland.cli import marchland as command_line
from tests.support.pages import DOCS, ROOT, code_blocks, commands_of

HEADINGS = ["Play it", "Rules", "Orders", "Settings", "View", "Rulings", "Bots", "Speed", "History"]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
BUILT = ROOT / "src/marchland/web"


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def game_page(name: str) -> str:
    return (DOCS / "games" / f"{name}.md").read_text()


@pytest.mark.parametrize(("page", "at_least"), [("README.md", 3), ("docs/kernels.md", 10), ("docs/library.md", 40)])
def test_the_examples_of_a_page_are_true(page: str, at_least: int) -> None:
    result = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert result.attempted >= at_least
    assert result.failed == 0


@pytest.mark.parametrize("kind", [marchland.Batch, marchland.Recording, marchland.Replay, marchland.Game])
def test_the_library_page_names_every_member(kind: type[Any]) -> None:
    text = (DOCS / "library.md").read_text() + (DOCS / "game-authors.md").read_text()
    members = [name for name in vars(kind) if not name.startswith("_")]
    assert [name for name in members if not re.search(rf"`{name}\b", text)] == []


def test_the_library_page_names_everything_that_the_package_exports() -> None:
    text = (DOCS / "library.md").read_text()
    assert [name for name in marchland.__all__ if not re.search(rf"`(?:marchland\.)?{name}\b", text)] == ["__version__"]


@pytest.mark.parametrize("name", marchland.games())
def test_every_game_has_a_page_with_the_same_headings(name: str) -> None:
    assert re.findall(r"^## (.*)$", game_page(name), re.MULTILINE) == HEADINGS


@pytest.mark.parametrize("name", marchland.games())
def test_a_games_page_names_every_setting_and_every_order(name: str) -> None:
    kind = marchland.find(name)
    words = (*kind.config_type.__struct_fields__, *kind.codec.names)
    assert [word for word in words if f"`{word}" not in game_page(name)] == []


@pytest.mark.parametrize("name", marchland.games())
def test_the_python_of_a_games_page_runs(name: str) -> None:
    known: dict[str, Any] = {"marchland": marchland}
    blocks = code_blocks(game_page(name), "python")
    assert blocks
    for block in blocks:
        exec(block, known)


def numbers_in(citation: str) -> Iterator[int]:
    """The numbers of "3", "3, 4 and 7" or "6 to 8"."""
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", citation):
        yield from range(int(first), int(last or first) + 1)


def cited_rulings(folder: Path) -> dict[int, str]:
    """Every ruling that a comment or docstring under a folder cites, with one of its files."""
    citation = re.compile(r"\brulings? (\d+(?:(?:,| and| to|, and) \d+)*)", re.IGNORECASE)
    return {
        number: named(file)
        for file in folder.rglob("*.py")
        for cited in citation.findall(file.read_text())
        for number in numbers_in(cited)
    }


@pytest.mark.parametrize("name", marchland.games())
def test_the_rulings_of_a_games_page_are_numbered_without_gaps(name: str) -> None:
    section = game_page(name).split("## Rulings\n")[1].split("\n## ")[0]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("name", marchland.games())
def test_every_ruling_that_the_code_cites_is_on_the_games_page(name: str) -> None:
    section = game_page(name).split("## Rulings\n")[1].split("\n## ")[0]
    listed = {int(number) for number in re.findall(r"^(\d+)\. ", section, re.MULTILINE)}
    folders = [ROOT / "src/marchland/games" / name, ROOT / "src/marchland/server/wire" / name]
    cited = {number: file for folder in folders for number, file in cited_rulings(folder).items()}
    assert cited
    assert {number: file for number, file in cited.items() if number not in listed} == {}


def commands() -> list[Any]:
    """Each ``marchland`` command that a page shows."""
    return [
        pytest.param(words[1:], id=f"{named(page)}: {' '.join(words[1:])}")
        for page in PAGES
        for block in code_blocks(page.read_text(), "sh")
        for words in commands_of(block)
        if words[0] == "marchland"
    ]


@pytest.mark.parametrize("words", commands())
def test_a_command_on_a_page_is_understood(words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Options, arguments and files; pages that are run as a whole have tests of their own."""
    for name in ("match.march", "mine.txt", "mine.map", "mybot.py", "mybot.js"):
        (tmp_path / name).touch()
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    command: click.Command = command_line
    with click.Context(command, info_name="marchland") as context:
        while isinstance(command, click.Group) and words:
            _, found, words = command.resolve_command(context, words)
            assert found is not None
            command = found
        command.make_context(command.name, words, parent=context)


def anchors_of(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        target, _, anchor = link.partition("#")
        if "://" in target:
            continue
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), link
        assert not anchor or anchor in anchors_of(file), link


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_prose_of_a_page_has_short_lines(page: Path) -> None:
    without_code = re.sub(r"^ *```.*?^ *```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    assert [line for line in without_code.splitlines() if len(line) > 120 and not line.lstrip().startswith("|")] == []


@pytest.mark.parametrize("folder", ["src/marchland", "src/marchland/server", "web/src", "tests"])
def test_the_contributing_page_names_every_folder(folder: str) -> None:
    section = (ROOT / "CONTRIBUTING.md").read_text().split(f"### `{folder}/`\n")[1].split("\n### ")[0]
    files = [file for file in (ROOT / folder).glob("*/**/*") if file.is_file() and "__pycache__" not in file.parts]
    there = {file.relative_to(ROOT / folder).parts[0] for file in files if BUILT not in file.parents}
    assert there
    assert [name for name in sorted(there) if f"`{name}/`" not in section] == []


@pytest.mark.parametrize(("page", "at_least"), [("architecture.md", 40), ("glossary.md", 40)])
def test_every_file_that_a_developers_page_names_exists(page: str, at_least: int) -> None:
    paths = set(re.findall(r"[\w/]+(?:\.svelte)?\.(?:py|ts|svelte)\b(?!\.ts)", (DOCS / page).read_text()))
    assert len(paths) > at_least
    roots = (ROOT, ROOT / "src/marchland", ROOT / "web/src")
    assert [path for path in sorted(paths) if not any((root / path).is_file() for root in roots)] == []


def test_the_glossary_lists_each_term_once_in_alphabetical_order() -> None:
    terms = re.findall(r"^\| ([^|]+) \| [^|]+ \| `", (DOCS / "glossary.md").read_text(), re.MULTILINE)
    assert len(terms) > 60
    assert terms == sorted(set(terms))
