"""Refusals have a code with values, whose English sentence is in one place."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from marchland.errors import JoinRefusedError, MarchlandError, Refused
from marchland.refusals import SENTENCES

SOURCE = Path(__file__).parents[1] / "src" / "marchland"
POSITIONS = {"Refused": 1, "JoinRefusedError": 0}
"""Where a call of each class has its code."""


def test_a_code_is_filled_with_its_values() -> None:
    refused = Refused("not_found", "no_such_room", room="blue")
    assert (refused.error, str(refused)) == ("not_found", "There is no room 'blue'.")
    assert (refused.code, refused.arguments) == ("no_such_room", {"room": "blue"})


def test_large_numbers_have_separators() -> None:
    refused = Refused("too_large", "too_many_orders", orders=12345, most=1000)
    assert str(refused) == "12,345 orders in one post; the most is 1,000."


def test_a_sentence_without_a_code_stays_as_it_is() -> None:
    problem = MarchlandError("The {board} is round.")
    assert (str(problem), problem.code) == ("The {board} is round.", "")


def test_a_refusal_because_of_another_error_has_its_code() -> None:
    refused = Refused.of("no_seat", JoinRefusedError("player_name_taken", name="ada"))
    assert (refused.error, refused.code, refused.arguments) == ("no_seat", "player_name_taken", {"name": "ada"})


def coded_calls() -> Iterator[tuple[str, ast.expr, dict[str | None, ast.expr]]]:
    """The refusals of the package outside the wires, whose texts are those of the original servers."""
    for path in sorted(SOURCE.rglob("*.py")):
        if "wire" in path.parts or (path.name == "errors.py" and path.parent == SOURCE):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
            if isinstance(node, ast.Call) and name in POSITIONS and len(node.args) > POSITIONS[name]:
                place = f"{path.relative_to(SOURCE)}:{node.lineno}"
                yield place, node.args[POSITIONS[name]], {keyword.arg: keyword.value for keyword in node.keywords}


def codes_in(expression: ast.expr) -> list[str]:
    """The texts that an expression may be."""
    if isinstance(expression, ast.IfExp):
        return [*codes_in(expression.body), *codes_in(expression.orelse)]
    return [str(expression.value)] if isinstance(expression, ast.Constant) else []


def test_every_refusal_has_a_code_with_the_values_of_its_sentence() -> None:
    wrong = []
    for place, expression, keywords in coded_calls():
        for code in codes_in(expression):
            fields = set(re.findall(r"\{(\w+)", SENTENCES.get(code, "{none}")))
            if None not in keywords and fields != set(keywords):
                wrong.append(f"{place}: {code}")
        if isinstance(expression, ast.JoinedStr):
            wrong.append(f"{place}: a sentence without a code")
    assert wrong == []


def test_every_sentence_is_used_somewhere() -> None:
    texts = [path.read_text() for path in SOURCE.rglob("*.py") if path.name != "refusals.py"]
    assert [code for code in SENTENCES if not any(f'"{code}"' in text for text in texts)] == []
