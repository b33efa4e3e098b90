"""The page's generated files are what the generators make of the Python sources."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

WEB = Path(__file__).parents[2] / "web"


def load_generator(name: str = "generate_types") -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, WEB / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_types_are_up_to_date() -> None:
    generator = load_generator()
    text = (WEB / "src" / "api" / "types.ts").read_text()
    assert text == generator.generate(), "Run `make web` and commit web/src/api/types.ts."


def test_what_the_server_leaves_out_is_optional() -> None:
    text = load_generator().generate()
    assert "  styles?: Record<string, GroundStyle>;" in text  # a default that is not sent
    assert "  preset_field: string;" in text  # a default that is sent
    assert "  legend: Legend | null;" in text  # JSON that was encoded before
    assert "export type Patch = [chunk: number, layer: number, offsets: number[], values: number[]];" in text


def test_the_generated_codes_of_refusals_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(WEB))  # it imports its neighbour
    text = (WEB / "src" / "i18n" / "refusalCodes.generated.ts").read_text()
    assert text == load_generator("generate").render_codes(), "Run `make web` and commit the file."
