"""The report of a tournament: figures by hand, and a page that needs nothing else."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from marchland.arena import Tournament
from marchland.arena.report import as_json, find_biases, make_figures
from marchland.arena.report_page import make_page, write_report
from marchland.errors import MarchlandError
from tests.support.tournaments import play_all, small_tournament, write_bot


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    marked = write_bot(tmp_path_factory.mktemp("bots"), "<b>bold", "raise ValueError('<script>')")
    return play_all(small_tournament("enova", ["greedy", "idle", marked], matches=12, maps=["lattice", "torus"]))


def test_rows_count_wins_draws_losses_and_failures(tournament: Tournament) -> None:
    rows = {row.standing.version: row for row in make_figures(tournament).rows}
    assert {name: sum(row.duel) for name, row in rows.items()} == {"greedy": 8, "idle": 8, "<b>bold": 8}
    assert rows["greedy"].failures == 0 < rows["<b>bold"].failures
    assert "<script>" in rows["<b>bold"].first_failure
    assert sum(row.duel.wins for row in rows.values()) == sum(row.duel.losses for row in rows.values())


def test_seats_are_counted_on_all_maps_and_on_each(tournament: Tournament) -> None:
    biases = find_biases(tournament)
    assert [(bias.where, bias.side, bias.matches) for bias in biases] == [
        ("all maps", 0, 12),
        ("all maps", 1, 12),
        ("lattice", 0, 6),
        ("lattice", 1, 6),
        ("torus", 0, 6),
        ("torus", 1, 6),
    ]
    assert sum(bias.wins for bias in biases[:2]) == pytest.approx(12)
    assert all(bias.low <= bias.share <= bias.high for bias in biases)


def test_the_history_ends_with_the_standings(tournament: Tournament) -> None:
    history = make_figures(tournament).history
    counts = [moment.matches for moment in history]
    assert counts == sorted(set(counts)) and counts[-1] == 12
    assert history[-1].ratings == {row.version: (row.rating, row.margin) for row in tournament.standings()}


def test_the_json_names_every_bot_with_its_interval(tournament: Tournament) -> None:
    found = as_json(tournament)
    assert (found["matches"], found["maps"]) == (12, ["lattice", "torus"])
    assert {"bot", "spec", "rating", "margin", "rank", "rank_low", "rank_high", "wins"} <= set(found["standings"][0])
    assert len(found["head_to_head"]) == 6


class Tags(HTMLParser):
    """The tags of a page, and whether each that is opened is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag != "meta":
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.stack.pop() == tag


def test_the_page_is_whole_and_needs_no_script_and_no_network(tournament: Tournament) -> None:
    page = make_page(tournament)
    tags = Tags()
    tags.feed(page)
    assert tags.stack == []
    assert not {"script", "link", "img", "iframe", "b"} & set(tags.seen)
    assert not re.search(r"https?:|url\(|@import", page)
    assert "&lt;b&gt;bold" in page and "<script>" not in page
    for heading in ("Standings", "Head to head", "Rating over matches", "Seats", "Maps", "Problems"):
        assert f"<h2>{heading}</h2>" in page
    assert all(bundle.why in page for bundle in tournament.bundles)


def test_a_tournament_without_results_has_a_page_too() -> None:
    assert "No bundle is complete yet." in make_page(small_tournament("enova", ["greedy", "idle"]))


def test_a_page_that_cannot_be_written_is_one_sentence(tournament: Tournament, tmp_path: Path) -> None:
    with pytest.raises(MarchlandError, match="cannot be written"):
        write_report(tournament, tmp_path / "no" / "folder.html")
