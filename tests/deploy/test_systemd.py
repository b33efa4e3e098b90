"""The units of systemd."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.deploy_files import DEPLOY, PORT, parse_command, read, read_unit, unit_command

UNITS = sorted(path.name for kind in ("service", "timer") for path in DEPLOY.glob(f"*.{kind}"))
MOST_EXPOSED = 2.5
"""What ``systemd-analyze security`` calls OK is below 5; a unit without any protection has 9.6."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd is not installed here; its structure is tested anyway"
)


def test_the_service_starts_a_server_with_options_that_exist() -> None:
    program, *words = unit_command()
    assert Path(program).name == "marchland"
    options = parse_command(words)
    assert (options["host"], options["port"]) == ("127.0.0.1", PORT)


def test_the_service_writes_only_into_its_own_directories() -> None:
    service = read_unit("marchland.service")["Service"]
    options = parse_command(unit_command()[1:])
    assert options["db"].startswith(f"%S/{service['StateDirectory']}/")
    assert f"MARCHLAND_CACHE=%C/{service['CacheDirectory']}" in read("marchland.service")
    assert service["StateDirectoryMode"] == service["CacheDirectoryMode"] == "0700"
    assert "ReadWritePaths" not in service


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("DynamicUser", "yes"),
        ("NoNewPrivileges", "yes"),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"),
        ("CapabilityBoundingSet", ""),
        ("SystemCallFilter", "@system-service"),
        ("Restart", "always"),
    ],
)
def test_the_service_is_hardened_and_comes_back(key: str, value: str) -> None:
    assert read_unit("marchland.service")["Service"][key] == value


def test_the_service_may_compile_kernels_and_says_why() -> None:
    assert "MemoryDenyWriteExecute" not in read_unit("marchland.service")["Service"]
    assert "# MemoryDenyWriteExecute must stay unset" in read("marchland.service")


def test_no_unit_has_a_secret_on_its_command_line() -> None:
    assert not {"--admin-token", "--password"} & set(unit_command())
    assert read_unit("marchland.service")["Service"]["EnvironmentFile"] == "/etc/marchland/secrets"


def test_the_backup_reads_the_database_of_the_service() -> None:
    service = read_unit("marchland.service")["Service"]
    state = f"/var/lib/private/{service['StateDirectory']}"  # where systemd puts it for a dynamic user
    _, script, source, copy = unit_command("marchland-backup.service")
    assert Path(script).name == "backup.py"
    assert source == parse_command(unit_command()[1:])["db"].replace("%S/marchland", state)
    assert str(Path(copy).parent) in read_unit("marchland-backup.service")["Service"]["ReadWritePaths"].split()


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units with programs that exist on this machine."""
    for name in UNITS:
        text = read(name).replace("/opt/marchland/bin/marchland", sys.executable)
        (tmp_path / name).write_text(text)
    return tmp_path


@needs_systemd
@pytest.mark.parametrize("name", UNITS)
def test_systemd_accepts_the_unit(installed: Path, name: str) -> None:
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", installed / name], capture_output=True, text=True)
    assert (done.returncode, [line for line in done.stderr.splitlines() if name in line]) == (0, []), done.stderr


@needs_systemd
def test_systemd_finds_the_service_hardly_exposed(installed: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED * 10:.0f}"]
    done = subprocess.run([*command, installed / "marchland.service"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
