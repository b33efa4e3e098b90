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


def test_the_page_on_architecture_lists_every_layer() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page[page.index("## Layers") : page.index("Inside `server`")]
    names = {layer.split(".")[1] for layer in layers()}
    assert [name for name in sorted(names) if f"`{name}`" not in table] == []


def test_every_module_of_core_and_bench_has_a_layer() -> None:
    there = {
        f"marchland.{name}.{path.stem}"
        for name in IN_LAYERS_OF_THEIR_OWN
        for path in (PACKAGE / name).glob("[a-z]*.py")
    }
    assert len(there) > 20
    assert sorted(there - layers()) == []


def test_a_feature_has_its_behaviour_in_a_service_and_its_sql_in_queries() -> None:
    features = {path.parent for path in (PACKAGE / "server").glob("*/routes.py")}
    assert len(features) == 8
    assert [feature.name for feature in sorted(features) if not (feature / "service.py").exists()] == []
    routes = [path for feature in features for path in feature.glob("*routes.py")]
    assert [path.relative_to(PACKAGE) for path in routes if "sqlalchemy" in path.read_text(encoding="utf-8")] == []
