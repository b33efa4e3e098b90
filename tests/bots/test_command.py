"""Bots by command, as people type them."""

import pytest

from marchland import UnknownNameError
from marchland.bots import ProcessBot, name_of, split_specs


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("greedy,random", ["greedy", "random"]),
        ("cmd:node bot.js , greedy", ["cmd:node bot.js", "greedy"]),
        ("cmd:./bot --at '1,2',greedy", ["cmd:./bot --at '1,2'", "greedy"]),
        ('cmd:./bot "a,\\",b",cmd:./bot c', ['cmd:./bot "a,\\",b"', "cmd:./bot c"]),
        ("cmd:./bot a\\,b,greedy", ["cmd:./bot a\\,b", "greedy"]),
        ("./it's.py,greedy", ["./it's.py", "greedy"]),
        ("cmd:./it's,greedy", ["cmd:./it's", "greedy"]),
        ("greedy,,", ["greedy", "", ""]),
        ("", [""]),
    ],
)
def test_commas_part_bots_but_not_within_quotes_of_a_command(text: str, specs: list[str]) -> None:
    assert split_specs(text) == specs


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("cmd:node bots/bot.js", "bot"),
        ("cmd:./mybot --depth 3", "mybot"),
        ("cmd:python -m marchland.bots.stdio my.py", "my"),
        ("cmd:java -jar 'my bot.jar'", "my bot"),
        ("cmd:/usr/bin/python3.11", "python3"),
        ("cmd:", "bot"),
        ("cmd:'", "bot"),
    ],
)
def test_a_bot_is_called_after_its_file_or_its_program(spec: str, name: str) -> None:
    assert name_of(spec) == name


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("cmd:", "like cmd:node bot.js"),
        ("cmd:node 'bot.js", "quotation mark"),
        ("cmd:no-such-program bot.js", "there is no program no-such-program"),
    ],
)
def test_a_command_that_cannot_work_is_refused_at_once(spec: str, said: str) -> None:
    with pytest.raises(UnknownNameError, match=said):
        ProcessBot(spec)
