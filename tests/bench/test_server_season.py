"""The season of ``marchland bench server``, reduced to eight members."""

import pytest

from marchland.bench import server_season


def test_the_season_reports_the_cpu_time_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"_MEMBERS": 8, "_JOINS": 2, "_NFTS": 4, "_MINT": 2}.items():
        monkeypatch.setattr(server_season, name, value)
    (season,) = server_season.scenarios()
    assert season["scenario"] == "season/8 members, 4 NFTs"
    assert season["s_maintenance"] > 0
    assert all(value >= 0 for name, value in season.items() if name.startswith("cpu_s_"))
