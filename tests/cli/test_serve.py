"""The options of ``marchland serve``."""

import dataclasses

from marchland.cli.serve import serve
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
    assert {option.name for option in serve.params} - fields == {"admin_token", "closed", "host", "port"}
