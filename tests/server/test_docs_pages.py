"""What the pages on running a server, its HTTP API, its WebSocket and on organising say."""

import os
import re
from typing import Any, get_args

import click
import pytest

from marchland.cli.serve import serve
from marchland.errors import Refused
from marchland.messages.games import LoadingState
from marchland.messages.live import ClientMessage, ServerMessage
from marchland.server.http.errors import status_of
from marchland.server.matches import connection
from tests.support import http_clients as http
from tests.support.pages import ROOT, code_blocks, commands_of, read_page, send_curl
from tests.support.server import Person, Served


def paths_in(document: dict[str, Any]) -> set[str]:
    """Every request of the OpenAPI document as the pages write it."""
    return {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in document["paths"].items()
        for method in methods
    }


def test_the_pages_list_every_request(served: Served) -> None:
    text = read_page("http-api.md") + read_page("organising.md")
    listed = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^\s?`]*)", text))
    assert listed == paths_in(http.get(f"{served.url}/api/v1/schema/openapi.json").json())


def test_the_http_page_lists_errors_with_their_status() -> None:
    rows = re.findall(r"^\| (\d{3}) \| ([^|]*) \|", read_page("http-api.md"), re.MULTILINE)
    listed = {code: int(status) for status, codes in rows for code in re.findall(r"`(\w+)`", codes)}
    assert len(listed) > 15
    assert listed == {code: status_of(Refused(code, "")) for code in listed}


def test_the_requests_of_the_http_page_are_answered(served: Served) -> None:
    variables: dict[str, str] = {}
    (block,) = code_blocks(read_page("http-api.md"), "sh")
    answers: list[Any] = []
    for words in commands_of(block.replace('"ann"}\'    #', f'"ann {os.urandom(4).hex()}"}}\'    #')):
        answer = send_curl(words, served.url, variables)
        assert answer.is_success, answer.text
        answers.append(answer.json())
        if words[1].endswith("/accounts"):
            variables["TOKEN"] = answers[-1]["token"]
        if words[1].endswith("/matches"):
            variables["MATCH"] = answers[-1]["id"]
    assert list(answers[0]) == ["account", "token", "recovery_code"]
    assert list(answers[-1]) == ["turn", "orders", "received"] and answers[-1]["turn"] == 1


def test_the_requests_of_the_organising_page_are_answered(served: Served, organiser: Person) -> None:
    for words in (words for block in code_blocks(read_page("organising.md"), "sh") for words in commands_of(block)):
        if words[0] == "curl":
            answer = send_curl(words, served.url, {"ORGANISER": str(organiser.token)})
            assert answer.is_success, answer.text
        else:
            assert words[:2] == ["marchland", "serve"]
            serve.make_context("serve", words[2:])


def test_the_program_of_the_websocket_page_plays_a_match(served: Served, anna: Person) -> None:
    match = anna.match("colorfight", "open", "idle", config={"max_turn": 4})
    anna.join(match)
    (program,) = code_blocks(read_page("websocket.md"), "python")
    known: dict[str, Any] = {"match_id": match, "token": anna.token}
    exec(program.replace("localhost:8000", served.url.removeprefix("http://")), known)
    assert known["message"]["outcome"]["ranking"]


@pytest.mark.parametrize(("heading", "messages"), [("server", ServerMessage), ("client", ClientMessage)])
def test_the_websocket_page_lists_every_message_with_its_fields(heading: str, messages: Any) -> None:
    section = read_page("websocket.md").split(f"## From the {heading}\n")[1].split("\n## ")[0]
    kinds = {kind.__struct_config__.tag: kind for kind in get_args(messages)}
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [
        tag for tag in ("hello", "news", "answer", "skipped", "orders", "act", "see") if tag in kinds
    ]
    for kind in kinds.values():
        assert [name for name in kind.__struct_fields__ if f"`{name}`" not in section] == []


def test_the_websocket_page_lists_every_close_code() -> None:
    listed = {int(code) for code in re.findall(r"^\| (\d{4}) \|", read_page("websocket.md"), re.MULTILINE)}
    own = {connection.GARBAGE, connection.BAD_TOKEN, connection.NOT_YOURS, connection.NO_MATCH, connection.RESTART}
    assert listed == own | {1008, 1009}  # the limits of frames and of their size


def test_the_hosting_page_lists_every_option_with_its_default() -> None:
    listed = dict(re.findall(r"^\| `(--[\w-]+)` \| ([^|]*) \|", read_page("hosting.md"), re.MULTILINE))
    options = {option.opts[0]: option for option in serve.params if isinstance(option, click.Option)}
    assert set(listed) == set(options)
    numbers = {
        name: float(option.default) for name, option in options.items() if isinstance(option.default, float | int)
    }
    shown = {name: float(default) for name, default in listed.items() if re.fullmatch(r"\d+(\.\d+)?", default)}
    assert shown == {name: default for name, default in numbers.items() if not isinstance(options[name].default, bool)}


def test_the_hosting_page_shows_commands_that_exist(served: Served) -> None:
    for block in code_blocks(read_page("hosting.md"), "sh"):
        for words in commands_of(block):
            if words[0] == "curl":
                assert send_curl(words, served.url, {}).status_code in (200, 503)
            elif words[:2] == ["marchland", "serve"]:
                serve.make_context("serve", words[2:])
            else:
                assert words[0] in ("make", "marchland", "sqlite3")


def test_the_program_of_the_hosting_page_plays_a_match(served: Served, anna: Person) -> None:
    (program,) = code_blocks(read_page("hosting.md"), "python")
    match = anna.match("colorfight", "open", "idle", config={"max_turn": 4})

    class MyBot:
        def play(self, view: Any) -> list[Any]:
            return []

    known: dict[str, Any] = {"token": anna.token, "match_id": match, "MyBot": MyBot}
    exec(program.replace("http://localhost:8000", served.url), known)
    known["client"].close()
    assert known["summary"].outcome.ranking


def test_the_states_of_a_loading_game_are_on_the_hosting_page() -> None:
    assert all(f"`{state}`" in read_page("hosting.md") for state in get_args(LoadingState))


def test_the_example_bot_of_the_hosting_page_exists() -> None:
    (path,) = re.findall(r"--bot (\S+\.py)", read_page("hosting.md"))
    assert (ROOT / path).is_file()
