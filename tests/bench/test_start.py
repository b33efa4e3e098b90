"""The start-up benchmark, in a reduced form: a real server and real processes, once each."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from platformdirs import user_cache_path

import marchland
from marchland.bench.start import Case, RoomProgress, Sample, list_cases, measure_case, select_cases
from marchland.errors import UnknownNameError

USER_CACHE = Path(os.environ.get("MARCHLAND_CACHE") or user_cache_path("marchland"))


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary files and folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_every_game_has_a_warm_and_a_cold_case() -> None:
    names = [case.name for case in list_cases()]
    expected = {f"{kind}/{game}" for kind in ("new", "cold") for game in marchland.games()}
    assert set(names) == expected | {"help", "import", "cold/all", "warmup", "serve/cold", "serve/warm"}
    assert len(names) == len(set(names))


def test_cases_are_selected_by_name_or_group() -> None:
    selected = [case.name for case in select_cases(["import", "serve"])]
    assert selected == ["import", "serve/cold", "serve/warm"]


def test_an_unknown_case_is_refused() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'cold/hive'"):
        select_cases(["cold/hve"])


def test_median_and_worst_of_all_runs_are_reported() -> None:
    seconds = iter([3.0, 1.0, 9.0])
    case = Case("example", lambda cache: {"wall_s": next(seconds)}, warm=False, runs=3)
    figures = measure_case(case)
    assert figures == {"game": "start", "scenario": "example", "runs": 3, "wall_s_median": 3.0, "wall_s_worst": 9.0}


def test_what_is_not_supported_has_no_figures() -> None:
    figures = measure_case(Case("example", lambda cache: {"ready_s": None}, warm=False, runs=2))
    assert (figures["ready_s_median"], figures["ready_s_worst"]) == (None, None)


def test_cold_runs_have_a_cache_each_and_warm_runs_share_one_that_was_filled() -> None:
    caches: list[Path] = []

    def run(cache: Path) -> Sample:
        caches.append(cache)
        return {"wall_s": 1.0}

    measure_case(Case("cold", run, warm=False, runs=2))
    assert len(set(caches)) == 2
    caches.clear()
    measure_case(Case("warm", run, warm=True, runs=2))
    assert (len(caches), len(set(caches))) == (3, 1)


def test_a_cold_game_is_measured_and_leaves_nothing_behind(temporary: Path) -> None:
    (case,) = select_cases(["cold/enova"])
    figures = measure_case(case, runs=1)
    assert figures["wall_s_worst"] > 0
    assert figures["cpu_s_worst"] > 0
    assert list(temporary.iterdir()) == []


def test_a_server_is_measured_until_all_rooms_move(temporary: Path) -> None:
    (case,) = select_cases(["serve/warm"])
    sample = case.run(USER_CACHE)
    answer, moving, cpu = sample["answer_s"], sample["moving_s"], sample["cpu_s"]
    assert answer is not None and moving is not None and cpu is not None
    assert 0 < answer < moving
    assert cpu > 0
    assert list(temporary.iterdir()) == []


def test_a_room_has_moved_once_its_turn_is_another_than_at_first() -> None:
    rooms = RoomProgress(["a", "b"])
    rooms.note([{"room": "a", "turn": 0}, {"room": "b", "turn": 1}, {"room": None, "turn": 5}])
    rooms.note([{"room": "a", "turn": 1}, {"room": "b", "turn": 1}])
    assert not rooms.have_moved
    rooms.note([{"room": "b", "turn": 2}])
    assert rooms.have_moved


def test_the_benchmark_itself_loads_no_engine() -> None:
    script = "import sys, marchland.bench.start; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()
    assert "marchland.registry" in loaded
    assert not {"llvmlite", "numpy", "sqlalchemy", "starlette"} & set(loaded)
