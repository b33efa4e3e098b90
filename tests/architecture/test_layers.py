"""Every module has a place among the import layers of ``pyproject.toml``, so that `lint-imports` checks it."""

import tomllib

from tests.support.pages import ROOT

PACKAGE = ROOT / "src" / "marchland"
IN_LAYERS_OF_THEIR_OWN = ("bench", "core")
"""Packages whose modules are listed one by one."""


def layers() -> set[str]:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(
        found for found in config["tool"]["importlinter"]["contracts"] if found["name"] == "Imports point downward only"
    )
    return {module.strip() for layer in contract["layers"] for module in layer.split("|")}


def test_every_package_and_module_has_a_layer() -> None:
    there = {path.stem for path in PACKAGE.glob("[a-z]*.py")} | {
        path.parent.name for path in PACKAGE.glob("*/__init__.py")
    }
    there -= {"__main__", *IN_LAYERS_OF_THEIR_OWN}
    assert len(there) > 15
    assert sorted(f"marchland.{name}" for name in there if f"marchland.{name}" not in layers()) == []


def test_every_module_of_core_and_bench_has_a_layer() -> None:
    there = {
        f"marchland.{name}.{path.stem}"
        for name in IN_LAYERS_OF_THEIR_OWN
        for path in (PACKAGE / name).glob("[a-z]*.py")
    }
    assert len(there) > 20
    assert sorted(there - layers()) == []
