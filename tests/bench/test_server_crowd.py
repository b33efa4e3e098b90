"""The crowd of ``marchland bench server``, reduced to four players."""

import pytest

from marchland.bench import server_crowd


def test_every_scenario_reports_the_cpu_time_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_PLAYERS": 4, "_TURNS": 1, "_BOT_TURNS": 1}.items():
        monkeypatch.setattr(server_crowd, name, value)
    people, bots = server_crowd.scenarios()
    assert people["scenario"] == "enova/4 people"
    assert people["cpu_s_joins"] >= 0 and people["cpu_s_a_turn"] >= 0
    assert bots["scenario"] == "enova/1 person and 3 greedy"
    assert bots["ms_late_other_match_beside_p99"] >= bots["ms_late_other_match_beside_p50"] > 0
