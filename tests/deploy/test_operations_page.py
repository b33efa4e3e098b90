"""docs/operations.md: its commands, files and figures are those of deploy/ and of the server."""

import json
import logging
import re
import subprocess
import sys
from pathlib import Path

from marchland.server.json_log import JsonLines, LoggedRequest, logged_request
from marchland.server.settings import Settings
from marchland.store import Database
from tests.support.deploy_files import DEPLOY, container_instructions, read_unit, unit_command
from tests.support.pages import ROOT, code_blocks, commands_of, read_page, send_curl
from tests.support.server import Served

PAGE = read_page("operations.md")
COMMANDS = [words for block in code_blocks(PAGE, "sh") for words in commands_of(block)]
RUN_BY_OTHER_TESTS = {
    "pg_dump": "tests/faults/test_backup.py",
    "pg_restore": "tests/faults/test_backup.py",
    ".venv/bin/python": "tests/deploy/test_two_nodes_script.py",
}
NEEDS_A_WHOLE_MACHINE = {
    "sudo",
    "echo",
    "export",
    "make",
    "systemctl",
    "journalctl",
    "systemd-analyze",
    "createdb",
    "docker",
}
"""Programs that change the system or need an engine; their arguments are tested here."""


def test_every_command_is_run_by_a_test_or_has_its_arguments_tested() -> None:
    run_here = {"curl", "python3", "marchland"}
    programs = {words[0] for words in COMMANDS}
    assert programs - run_here - RUN_BY_OTHER_TESTS.keys() - NEEDS_A_WHOLE_MACHINE == set()
    assert [path for path in RUN_BY_OTHER_TESTS.values() if not (ROOT / path).is_file()] == []


def test_the_requests_of_the_page_are_answered(served: Served) -> None:
    requests = [words for words in COMMANDS if words[0] == "curl"]
    assert len(requests) == 3
    for words in requests:
        assert send_curl(words, served.url, {}).status_code in (200, 503), words


def test_the_backup_command_of_the_page_copies_a_database(tmp_path: Path) -> None:
    (words,) = [words for words in COMMANDS if words[0] == "python3"]
    with Database(str(tmp_path / "league.db")):
        pass
    (tmp_path / "deploy").symlink_to(DEPLOY)
    subprocess.run([sys.executable, *words[1:]], cwd=tmp_path, check=True, timeout=60)
    assert (tmp_path / words[-1]).is_file()


def test_every_file_of_deploy_is_on_the_page_and_the_other_way_round() -> None:
    named = set(re.findall(r"deploy/([\w.-]*\w)", PAGE))
    assert [name for name in sorted(named) if not (DEPLOY / name).is_file()] == []
    files = {path.name for path in DEPLOY.iterdir() if path.is_file() and path.suffix != ".dockerignore"}
    assert [name for name in sorted(files) if f"`{name}`" not in PAGE] == []


def installed_files() -> dict[str, str]:
    """Where the page installs what: target by source."""
    targets = {}
    for words in COMMANDS:
        piped = words[words.index("|") + 1 :] if "|" in words else words
        if piped[:2] == ["sudo", "install"] and "-d" not in piped:
            *sources, target = [word for word in piped[2:] if word.startswith(("/", "deploy/"))]
            targets.update(dict.fromkeys(sources, target))
    return targets


def test_the_page_installs_everything_where_the_units_expect_it() -> None:
    service, backup = read_unit("marchland.service")["Service"], unit_command("marchland-backup.service")
    targets = installed_files()
    assert targets["/dev/stdin"] == service["EnvironmentFile"]
    assert targets["deploy/backup.py"] == backup[1]
    units = {path.name for path in DEPLOY.glob("*.service")} | {path.name for path in DEPLOY.glob("*.timer")}
    assert {source for source, target in targets.items() if target == "/etc/systemd/system/"} == {
        f"deploy/{name}" for name in units
    }
    (venv,) = [words[-1] for words in COMMANDS if words[:4] == ["sudo", "python3", "-m", "venv"]]
    assert unit_command()[0] == f"{venv}/bin/marchland"
    folders = next(words for words in COMMANDS if words[:3] == ["sudo", "install", "-d"])
    assert {str(Path(service["EnvironmentFile"]).parent), str(Path(backup[3]).parent)} <= set(folders)


def test_the_page_enables_units_that_exist() -> None:
    shown = {word for words in COMMANDS if "systemctl" in words for word in words if "." in word}
    assert shown
    assert [name for name in shown if not (DEPLOY / name).is_file()] == []


def test_the_container_of_the_page_has_the_volume_and_script_of_the_image() -> None:
    words = [word for words in COMMANDS if words[0] == "docker" for word in words]
    instructions = dict(container_instructions())
    assert f"marchland:{instructions['VOLUME']}" in words
    assert f"127.0.0.1:{instructions['EXPOSE']}:{instructions['EXPOSE']}" in words
    assert any(rest.endswith("/opt/marchland/backup.py") for word, rest in container_instructions() if word == "COPY")
    assert "/opt/marchland/backup.py" in words


def test_the_log_line_of_the_page_has_the_fields_of_the_log() -> None:
    (block,) = code_blocks(PAGE, "json")
    shown = json.loads(block)
    record = logging.LogRecord("marchland", logging.ERROR, "", 0, shown["what"], (), None)
    record.__dict__.update(path=shown["path"], error=shown["error"])
    token = logged_request.set(LoggedRequest(shown["request_id"]))
    line = json.loads(JsonLines().format(record))
    logged_request.reset(token)
    assert list(line) == list(shown)
    assert {**line, "at": ""} == {**shown, "at": ""}
    assert len(line["at"]) == len(shown["at"])


def test_the_page_promises_the_limits_that_hold() -> None:
    assert f"bodies of {Settings.body_limit // 1_000_000} MB" in PAGE
