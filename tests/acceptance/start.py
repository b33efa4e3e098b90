"""Start-up times on two cores; reduced: tests/bench/test_start.py, tests/cli/test_startup.py."""

import json
from typing import Any

import pytest

from marchland.bench.start import measure_case, select_cases

LIMITS = [
    ("help", "wall_s", 0.25),
    ("import", "wall_s", 0.1),
    ("new/colorfight", "wall_s", 0.4),
    ("cold/colorfight", "cpu_s", 3.0),
    ("cold/hive", "cpu_s", 3.0),
    ("cold/enova", "cpu_s", 3.0),
    ("cold/datspulse", "cpu_s", 4.5),
    ("cold/boidvoid", "cpu_s", 9.0),
    ("cold/all", "wall_s", 15.0),
    ("serve/warm", "answer_s", 1.5),
    ("serve/warm", "moving_s", 4.0),
    ("serve/cold", "answer_s", 1.5),
]


@pytest.mark.parametrize(("name", "figure", "limit"), LIMITS, ids=[f"{name} {figure}" for name, figure, _ in LIMITS])
def test_a_start_takes_no_longer_than_promised(name: str, figure: str, limit: float) -> None:
    (case,) = select_cases([name])
    figures: dict[str, Any] = measure_case(case, runs=5)
    print(json.dumps(figures))
    assert figures[f"{figure}_median"] <= limit
