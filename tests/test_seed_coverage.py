"""Every rule sentence of the five documents has a test or a ruling (`seed_coverage.toml`)."""

import pytest

from tests.support.pages import DOCS
from tests.support.seed_coverage import Document, Sentence, list_problems, load_coverage

PAGE = "docs/games/colorfight.md"
EXISTING = "tests/test_seed_coverage.py::test_every_sentence_has_a_test_or_a_ruling"


@pytest.mark.parametrize("game", sorted(load_coverage()))
def test_every_sentence_has_a_test_or_a_ruling(game: str) -> None:
    assert list_problems(load_coverage()[game]) == []


def test_every_game_has_a_document() -> None:
    pages = {game: document.page for game, document in load_coverage().items()}
    assert pages == {page.stem: f"docs/games/{page.name}" for page in (DOCS / "games").glob("*.md")}


def sentence(number: int = 1, line: int = 1, says: str = "A rule", **checked: list) -> Sentence:  # type: ignore[type-arg]
    return Sentence(number, line, says, **(checked or {"tests": [EXISTING]}))


@pytest.mark.parametrize(
    ("sentences", "problem"),
    [
        ([sentence(2)], "2: stands after 0; the numbers are 1, 2, 3 and so on"),
        ([sentence(1), sentence(3)], "3: stands after 1; the numbers are 1, 2, 3 and so on"),
        ([sentence(1), sentence(1)], "1: stands after 1; the numbers are 1, 2, 3 and so on"),
        ([sentence(1, line=9), sentence(2, line=8)], "2: line 8 stands after line 9"),
        ([sentence(says=" ")], "1: the paraphrase is empty"),
        ([sentence(tests=[])], "1: neither a test nor a ruling"),
        ([sentence(tests=[EXISTING + "_twice"])], f"1: there is no test {EXISTING}_twice"),
        ([sentence(tests=["tests/test_absent.py::test_it"])], "1: there is no test tests/test_absent.py::test_it"),
        ([sentence(tests=["tests/seed_coverage.toml"])], "1: there is no test tests/seed_coverage.toml"),
        ([sentence(rulings=[0])], f"1: {PAGE} has no ruling 0"),
    ],
)
def test_a_wrong_entry_is_a_problem(sentences: list[Sentence], problem: str) -> None:
    assert list_problems(Document("Rules", PAGE, sentences)) == [problem]


def test_an_entry_with_a_test_and_a_ruling_is_no_problem() -> None:
    assert list_problems(Document("Rules", PAGE, [sentence(tests=[EXISTING], rulings=[1])])) == []
