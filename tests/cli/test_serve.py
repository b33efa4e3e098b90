"""The options of ``marchland serve``."""

import dataclasses
from pathlib import Path

import pytest
from click.testing import CliRunner

from marchland.cli.serve import read_secret, serve
from marchland.errors import MarchlandError
from marchland.server.run import bind
from marchland.server.settings import Settings


def test_every_option_has_the_default_of_the_settings() -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(Settings) if field.name != "db"}
    options = serve.make_context("serve", []).params
    assert options.pop("closed") is not defaults["registration"]
    assert {name: value for name, value in options.items() if name in defaults} == {
        name: value for name, value in defaults.items() if name in options
    }


def test_only_what_the_settings_do_not_have_has_a_default_of_its_own() -> None:
    fields = {field.name for field in dataclasses.fields(Settings)}
    assert {option.name for option in serve.params} - fields == {
        "admin_token",
        "admin_token_file",
        "closed",
        "host",
        "port",
    }


def test_a_token_on_the_command_line_is_warned_about() -> None:
    result = CliRunner().invoke(serve, ["--admin-token", "short"])
    assert "visible in ps" in result.output
    assert isinstance(result.exception, MarchlandError)


@pytest.mark.parametrize(
    ("options", "instead"),
    [
        (["--metrics-token", "short"], "MARCHLAND_METRICS_TOKEN"),
        (["--db", "postgresql://me:secret@there/league"], "MARCHLAND_DB or PGPASSWORD"),
    ],
)
def test_every_secret_on_the_command_line_is_warned_about(options: list[str], instead: str) -> None:
    result = CliRunner().invoke(serve, [*options, "--admin-token-file", "none"])
    assert "visible in ps" in result.output
    assert instead in result.output


def test_a_database_without_a_password_is_not_warned_about() -> None:
    options = ["--db", "postgresql://me@there/league", "--admin-token-file", "none"]
    assert "visible in ps" not in CliRunner().invoke(serve, options).output


def test_a_metrics_token_that_can_be_guessed_is_refused() -> None:
    result = CliRunner().invoke(serve, ["--metrics-token", "short"])
    assert "The token of --metrics-token is too short" in str(result.exception)


def test_a_token_from_a_file_is_not_warned_about(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("short\n")
    result = CliRunner().invoke(serve, ["--admin-token-file", str(file)])
    assert "visible in ps" not in result.output
    assert f"The token of {file} is too short; it needs 16 characters." in str(result.exception)


@pytest.mark.parametrize("variable", ["MARCHLAND_ADMIN_TOKEN", "MARCHLAND_METRICS_TOKEN"])
def test_a_token_from_the_environment_is_taken_and_not_warned_about(variable: str) -> None:
    result = CliRunner().invoke(serve, env={variable: "short"})
    assert "visible in ps" not in result.output
    assert "is too short; it needs 16 characters." in str(result.exception)


def test_a_secret_is_the_first_line_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("the-secret \nmore\n")
    assert read_secret(tmp_path / "token") == "the-secret"
    with pytest.raises(MarchlandError, match=r"none cannot be read: No such file or directory\."):
        read_secret(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with pytest.raises(MarchlandError, match="binary is no text file"):
        read_secret(tmp_path / "binary")


def test_the_option_to_change_is_named_when_an_address_cannot_be_used() -> None:
    with pytest.raises(MarchlandError, match="Choose another --host"):
        bind("300.1.1.1", 0)
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(MarchlandError, match="Choose another --port"):
            bind("127.0.0.1", taken.getsockname()[1])
