"""The protocol of process bots in docs/bots.md."""

import json
import re
from pathlib import Path
from typing import Any

import marchland
from marchland.arena import as_bot, play

from .conftest import Spawn

PAGE = (Path(__file__).parents[2] / "docs/bots.md").read_text()


def lines_on_the_page(direction: str) -> list[dict[str, Any]]:
    lines = re.findall(rf"^{direction} (.*)$", PAGE, re.MULTILINE)
    return [json.loads(line.replace("{...}", "{}").replace("[...]", "[]")) for line in lines]


def test_the_lines_on_the_page_are_those_of_a_match(spawn: Spawn, tmp_path: Path) -> None:
    read = tmp_path / "read"
    answers = [json.dumps(answer) for answer in lines_on_the_page(">")]
    bot = spawn(
        f"answers = iter({answers!r})\nread = open({str(read)!r}, 'w')\n"
        'for line in sys.stdin:\n    read.write(line)\n    if \'"type":"turn"\' in line: say(next(answers))\n'
    )
    game = marchland.new("colorfight", players=["mybot", "greedy"], config={"max_turn": 3})
    play(game, [as_bot(bot), as_bot(lambda view: [])])
    was_read = [json.loads(line) for line in read.read_text().splitlines()]
    on_the_page = lines_on_the_page("<")
    assert [list(message) for message in was_read] == [list(message) for message in on_the_page]
    assert [message["type"] for message in was_read] == ["start", "turn", "turn", "end"]
    assert list(was_read[2]["results"][0]) == list(on_the_page[2]["results"][0])
    assert list(was_read[3]["outcome"]) == list(on_the_page[3]["outcome"])
