"""Comments, docstrings, messages, docs and the page are in standard technical English."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.pages import DOCS, ROOT, prose_of

RETIRED = re.compile(r"\b(whoever|somebody|nobody|anew|for\s+ever|by\s+lot)\b", re.IGNORECASE)
RETIRED_IN_DOCS = re.compile(rf"{RETIRED.pattern}|\b(told|kept|he|his|him)\b", re.IGNORECASE)
RETIRED_IN_NAMES = re.compile(
    r"(^|_)(whoever|somebody|nobody|anybody|everybody|anew|for_ever|by_lot|told|kept|he|his|him)(_|$)", re.IGNORECASE
)

API_CODES = {"nobody": "error code of a Colorfight room that is started without players; clients compare it"}
"""String literals that must stay, by reason."""

PAGES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "web/README.md"))]
PAGES += sorted(DOCS.rglob("*.md"))

_WORD_TABLES = {Path(__file__), Path(__file__).with_name("test_retired_names.py")}
_PROSE_TOKENS = {"COMMENT", "STRING", "FSTRING_MIDDLE"}


def prose_in_python(text: str) -> Iterator[tuple[int, str]]:
    """Comments and strings, docstrings among them, with their line; codes of the API left out."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if tokenize.tok_name[token.type] in _PROSE_TOKENS and token.string.strip("\"'") not in API_CODES:
            yield token.start[0], token.string


def retired_in(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    prose = prose_in_python(text) if path.suffix == ".py" else [(1, text)]
    return [
        f"{path.relative_to(ROOT).as_posix()}:{line + part.count(chr(10), 0, found.start())}: {found[0]}"
        for line, part in prose
        for found in RETIRED.finditer(part)
    ]


@pytest.mark.parametrize("folder", ["src", "tests", "examples"])
def test_comments_and_strings_use_no_retired_word(folder: str) -> None:
    files = sorted(path for path in (ROOT / folder).rglob("*.py") if path not in _WORD_TABLES)
    assert [found for path in files for found in retired_in(path)] == []


@pytest.mark.parametrize("folder", ["src", "tests", "examples"])
def test_names_of_functions_and_classes_use_no_retired_word(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}: {node.name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and RETIRED_IN_NAMES.search(node.name)
    ]
    assert found == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_docs_use_no_retired_word(page: Path) -> None:
    assert [found[0] for found in RETIRED_IN_DOCS.finditer(prose_of(page.read_text(encoding="utf-8")))] == []


def test_the_page_uses_no_retired_word() -> None:
    files = sorted(path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in {".ts", ".svelte", ".css"})
    assert [found for path in files for found in retired_in(path)] == []


def test_retired_words_are_found_in_comments_strings_and_docstrings() -> None:
    code = '"""Whoever reads."""\nx = 1  # for ever\ny = f"by lot {x}"\nnobody = "a new\\nday"\n'
    found = [word[0] for _, part in prose_in_python(code) for word in RETIRED.finditer(part)]
    assert found == ["Whoever", "for ever", "by lot"]
