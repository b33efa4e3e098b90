"""The examples of docs/wires.md, sent to a real server."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import marchland
from marchland.server.wire import load_wires
from marchland.server.wire.colorfight.settings import PRESETS
from tests.support import http_clients as http
from tests.support.datspulse_arena_checks import ANT_KEYS, ENEMY_KEYS, KEYS
from tests.support.server import Served, person

PAGE = (Path(__file__).parents[2] / "docs/wires.md").read_text()
_PATIENCE = 60.0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("page"))
    yield server
    server.stop()


def code_blocks(language: str, holding: str) -> list[str]:
    """The code blocks of the page in a language that contain a text."""
    found = [code for code in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if holding in code]
    assert found, f"the page shows no {language} with {holding}"
    return found


def test_the_page_lists_the_fields_of_datspulses_arena() -> None:
    (block,) = code_blocks("json", '"lastEnemyAnt"')
    arena = json.loads(block)
    assert list(arena) == KEYS
    assert (list(arena["ants"][0]), list(arena["enemies"][0])) == (ANT_KEYS, ENEMY_KEYS)
    table = PAGE.partition(block)[2].partition("###")[0]
    listed = {name for line in table.splitlines() for name in re.findall(r"`(?:\w+\[\]\.)?(\w+)`", line)}
    assert {*KEYS, *ANT_KEYS, *ENEMY_KEYS, *arena["map"][0], *arena["food"][0]} <= listed


def run_curl(served: Served, line: str) -> httpx.Response:
    """Send the request of a curl command."""
    words = shlex.split(line.replace("localhost:8000", served.url))
    assert words[0] == "curl"
    options = dict(zip(words[2::2], words[3::2], strict=True))
    headers = dict([options["-H"].split(": ")]) if "-H" in options else {}
    method = options.get("-X") or ("POST" if "-d" in options else "GET")
    return http.request(method, words[1], headers=headers, content=options.get("-d"), timeout=_PATIENCE)


def test_every_wire_is_on_the_page() -> None:
    for name, wire in load_wires().items():
        assert re.search(rf"(--root |`){name}`", PAGE)
        assert re.search(rf"host:8000{wire.prefix}[/`]", PAGE)


def test_every_preset_of_a_room_is_on_the_page() -> None:
    for preset in PRESETS:
        assert f"`{preset}`" in PAGE


def test_the_colorfight_client_registers_and_plays(served: Served) -> None:
    (code,) = code_blocks("python", "game_channel")
    code = code.replace("localhost:8000", served.url.removeprefix("http://")).replace(
        "while True:", "for _ in range(3):"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=_PATIENCE, check=True)
    first, *rest = done.stdout.splitlines()
    assert first == re.findall(r"# (\{.*\})", code)[0]
    assert len(rest) == 3


def test_the_colorfight_messages_can_be_had_without_a_server() -> None:
    (code,) = code_blocks("python", "parse_action")
    known: dict[str, Any] = {"game": marchland.new("colorfight", 2, seed=1, rules="upstream")}
    exec(code, known)
    assert known["info"]["turn"] == 2
    assert len(known["info"]["error"][0]) == 2


def test_the_hive_commands_do_what_they_say(served: Served) -> None:
    (code,) = code_blocks("sh", "/hive/newgame")
    known = {"sage-lark-dew-17": "", "token=...": ""}
    for line in code.splitlines():
        command, _, comment = line.partition("   #")
        for shown, real in known.items():
            command = command.replace(shown, real)
        answer = run_curl(served, command)
        assert answer.status_code == 200, f"{command}: {answer.text}"
        content = answer.json()
        if "newgame" in command:
            known["sage-lark-dew-17"] = content["id"]
            assert comment.strip().startswith('{"id":"') and comment.strip().endswith('"adminToken":"..."}')
        elif "join" in command:
            known["token=..."] = f"token={content['token']}"
            assert comment.strip().startswith('{"id":0,"token":"..."}')
            assert list(content) == ["id", "token"] and content["id"] == 0
        elif "/game" in command:
            assert comment.strip().startswith('{"numPlayers":2,"turn":')
            assert list(content)[:3] == ["numPlayers", "turn", "hexes"]
        else:
            assert json.loads(comment) == content == "OK"


def test_the_datspulse_commands_do_what_they_say(served: Served) -> None:
    (code,) = code_blocks("sh", "/api/register")
    with person(served) as reds:
        answers = [
            run_curl(served, line.partition("   #")[0].replace("$TOKEN", str(reds.token))) for line in code.splitlines()
        ]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    shown = json.loads(re.findall(r"# (\{.*\})", code)[0])
    assert list(answers[0].json()) == list(shown)
    assert {type(value) for value in answers[0].json().values()} == {type(value) for value in shown.values()}
    assert answers[1].json()["turnNo"] == 0
    assert answers[2].json()["errors"] == []


def test_the_paths_of_the_tables_are_there(served: Served) -> None:
    for method, path in re.findall(r"^\| `(GET|POST) (/api/\w+)`", PAGE, re.MULTILINE):
        assert http.request(method, f"{served.url}/datspulse/test{path}").status_code == 401
    rooms = re.findall(r"`(?:GET |POST )?(/(?:get_gameroom_list|creategameroom|start|restart|deletegameroom))\b", PAGE)
    assert len(set(rooms)) == 5
    for path in set(rooms):
        method = "GET" if path == "/get_gameroom_list" else "POST"
        assert http.request(method, f"{served.url}/colorfight{path}").status_code == 200
