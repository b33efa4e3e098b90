"""Check that `seed_coverage.toml` names existing tests, transcripts and rulings, and numbers each document in full."""

import ast
import re
from functools import cache
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
COVERAGE = ROOT / "tests" / "seed_coverage.toml"

_RULING = re.compile(r"^([0-9]+)\. ", re.MULTILINE)


class Sentence(msgspec.Struct, forbid_unknown_fields=True):
    """A rule sentence of a document: where it is, what it says, and what checks or replaces it."""

    number: int
    line: int
    says: str
    tests: list[str] = []
    rulings: list[int] = []


class Document(msgspec.Struct, forbid_unknown_fields=True):
    """A rule document, and the page with the rulings on it."""

    title: str
    page: str
    sentences: list[Sentence]


def load_coverage() -> dict[str, Document]:
    """The documents by game."""
    return msgspec.toml.decode(COVERAGE.read_bytes(), type=dict[str, Document])


def list_problems(document: Document) -> list[str]:
    """What is wrong with the entries of one document, each with the number of its sentence."""
    found = []
    rulings = read_rulings(document.page)
    before = Sentence(0, 0, "")
    for sentence in document.sentences:
        if sentence.number != before.number + 1:
            found.append(f"{sentence.number}: stands after {before.number}; the numbers are 1, 2, 3 and so on")
        if sentence.line < before.line:
            found.append(f"{sentence.number}: line {sentence.line} stands after line {before.line}")
        before = sentence
        if not sentence.says.strip():
            found.append(f"{sentence.number}: the paraphrase is empty")
        if not sentence.tests and not sentence.rulings:
            found.append(f"{sentence.number}: neither a test nor a ruling")
        missing = [name for name in sentence.tests if not names_a_test(name)]
        found += [f"{sentence.number}: there is no test {name}" for name in missing]
        unknown = [ruling for ruling in sentence.rulings if ruling not in rulings]
        found += [f"{sentence.number}: {document.page} has no ruling {ruling}" for ruling in unknown]
    return found


def names_a_test(name: str) -> bool:
    """Whether the node id names a test function, or the path a transcript that a test plays."""
    path, separator, function = name.partition("::")
    if separator:
        return function in _list_tests(path)
    return path.endswith(".txt") and Path(path).parent.name == "transcripts" and (ROOT / path).is_file()


@cache
def _list_tests(path: str) -> frozenset[str]:
    """The test functions of a file, read without importing it."""
    file = ROOT / path
    if not file.is_file() or not file.name.startswith("test_"):
        return frozenset()
    body = ast.parse(file.read_text("utf-8")).body
    functions = [node.name for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return frozenset(name for name in functions if name.startswith("test_"))


@cache
def read_rulings(page: str) -> frozenset[int]:
    """The numbers of the rulings on a game's page."""
    section = re.search(r"^## Rulings\n(.*?)(?=^## |\Z)", (ROOT / page).read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return frozenset(int(number) for number in _RULING.findall(section[1] if section else ""))
