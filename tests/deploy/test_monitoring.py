"""Alert rules and dashboard: every metric in them is one that the server exports."""

import json
import re
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from marchland.server.metrics import Metrics
from tests.support.deploy_files import PORT, read, read_yaml
from tests.support.pages import read_page

SUFFIXES = {"counter": ["_total"], "gauge": [""], "histogram": ["_bucket", "_sum", "_count"]}


def exported() -> set[str]:
    """The names of all series that a server exports."""
    families = text_string_to_metric_families(Metrics().text().decode())
    return {family.name + suffix for family in families for suffix in SUFFIXES.get(family.type, [])}


def alerts() -> list[dict[str, Any]]:
    return [rule for group in read_yaml("alerts.yml")["groups"] for rule in group["rules"]]


def panels() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(read("dashboard.json"))["panels"]
    return found


def expressions() -> list[str]:
    dashboard = json.loads(read("dashboard.json"))
    queries = [
        variable["query"]["query"] for variable in dashboard["templating"]["list"] if variable["type"] == "query"
    ]
    return [
        *queries,
        *(rule["expr"] for rule in alerts()),
        *(target["expr"] for panel in panels() for target in panel["targets"]),
    ]


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_names_only_metrics_that_exist(expression: str) -> None:
    names = set(re.findall(r"\bmarchland_\w+", expression)) | set(re.findall(r"\bup\b", expression))
    assert names
    assert names - exported() - {"up"} == set()


@pytest.mark.parametrize("expression", expressions())
def test_the_brackets_of_an_expression_match(expression: str) -> None:
    stripped = re.sub(r'"[^"]*"', "", expression)
    for opening, closing in ("()", "[]", "{}"):
        assert stripped.count(opening) == stripped.count(closing)


def test_every_metric_is_on_the_dashboard() -> None:
    shown = " ".join(target["expr"] for panel in panels() for target in panel["targets"])
    families = list(text_string_to_metric_families(Metrics().text().decode()))
    assert [
        family.name for family in families if not family.name.endswith("_created") and family.name not in shown
    ] == []


def test_panels_have_numbers_of_their_own_and_do_not_overlap() -> None:
    assert len({panel["id"] for panel in panels()}) == len(panels()) > 5
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in panels())
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


def test_every_alert_has_a_severity_and_says_what_to_do() -> None:
    assert len(alerts()) >= 5
    for rule in alerts():
        assert rule["labels"]["severity"] in ("page", "warn")
        assert rule["annotations"]["summary"] and rule["annotations"]["action"]
        assert re.fullmatch(r"\d+m", rule["for"])


def test_every_alert_is_on_the_page_about_operations() -> None:
    page = read_page("operations.md")
    assert [rule["alert"] for rule in alerts() if f"`{rule['alert']}`" not in page] == []


def test_prometheus_asks_the_port_of_the_server() -> None:
    (job,) = read_yaml("prometheus.yml")["scrape_configs"]
    assert job["static_configs"] == [{"targets": [f"127.0.0.1:{PORT}"]}]
    assert f'up{{job="{job["job_name"]}"}}' in read("alerts.yml")
