"""Battle reports reach their players: over HTTP, over the socket, in bots (rulings 14 and 24)."""

import asyncio
from pathlib import Path
from typing import Any

from marchland.arena.local import play
from marchland.bots import as_bot, stdio
from marchland.core.game import Game
from marchland.core.report import Report
from tests.games.enova.builders import defend, move, position, support
from tests.support.asgi import running_app
from tests.support.game_loading import loaded_games


def seeds_example() -> Game:
    """The rule document's battle: 10 units attack 4 that defend, with 2 in support; a third player is elsewhere."""
    land = {(0, 0): (0, 10), (1, 0): (1, 4), (2, 0): (1, 2), (4, 0): (2, 3)}
    return position("CCC.C", land=land, players=3)


def fought() -> Report:
    return seeds_example().step({0: [move((0, 0), (1, 0))], 1: [defend(1, 0), support(2, 0)], 2: [defend(4, 0)]})


def test_every_party_gets_the_report_and_no_other_player() -> None:
    reports = fought().player_reports
    assert set(reports) == {0, 1}
    assert reports[0] == reports[1]


def test_the_report_says_who_had_what_strength_and_what_became_of_it() -> None:
    (report,) = fought().player_reports[0]
    facts = report.facts
    assert (facts["at"], facts["variance"], facts["winner"]) == ([1, 0], 5, 0)
    defender, attacker = facts["parties"]
    assert [attacker[name] for name in ("player", "units", "support", "defence")] == [0, 10, 0, 0]
    assert [defender[name] for name in ("player", "units", "support", "defence")] == [1, 4, 2, 4]
    assert attacker["score"] == 10 + attacker["dice"][-1] > defender["score"]
    assert (defender["killed"], defender["retreats"]) == (2, [{"to": [2, 0], "units": 2}])


def test_the_sentence_names_both_sides_and_the_losses() -> None:
    (report,) = fought().player_reports[0]
    defender, attacker = report.facts["parties"]
    assert report.sentence == (
        f"Battle at [1, 0]: player 0 won with {attacker['score']} (10 units + {attacker['dice'][-1]} by dice); "
        f"player 1 had {defender['score']} (4 units + 2 support + 4 defence + {defender['dice'][-1]} by dice) "
        "and lost 2 of 4."
    )


def test_a_battle_on_an_edge_names_both_tiles() -> None:
    game = position("CC", land={(0, 0): (0, 30), (1, 0): (1, 1)})
    (report, *_) = game.step({0: [move((0, 0), (1, 0))], 1: [move((1, 0), (0, 0))]}).player_reports[1]
    assert report.sentence.startswith("Battle between [0, 0] and [1, 0]: player 0 won with ")


class ReportReader:
    """A bot that attacks once and records its reports."""

    def __init__(self) -> None:
        self.received: list[Any] = []

    def play(self, view: dict[str, Any]) -> list[Any]:
        return [move((0, 0), (1, 0))] if view["me"] == 0 and not self.received else []

    def reports(self, reports: list[dict[str, Any]]) -> None:
        self.received += reports


def test_bots_get_reports_in_a_local_match() -> None:
    bots = [ReportReader() for _ in range(3)]
    play(seeds_example(), [as_bot(bot) for bot in bots], turns=1)
    assert [len(bot.received) for bot in bots] == [1, 1, 0]
    assert bots[0].received[0]["sentence"].startswith("Battle at [1, 0]: ")


def test_bots_in_a_process_get_reports_with_the_next_turn() -> None:
    bot = ReportReader()
    lines = [b'{"type":"turn","turn":2,"view":{"me":1},"results":[],"reports":[{"sentence":"Battle.","facts":{}}]}\n']
    list(stdio.answers(as_bot(bot), iter(lines)))
    assert bot.received == [{"sentence": "Battle.", "facts": {}}]


def test_a_seat_gets_its_reports_over_the_socket_and_in_the_log(tmp_path: Path) -> None:
    async def scene() -> None:
        async with running_app(tmp_path, loaded_games()) as app:
            body = {"map": "01.2\n", "config": {"start_units": 9}}
            match = (await app.create_match("enova", seats=3, **body)).json()["id"]
            players = [await app.player(name) for name in ("anna", "bert", "cleo")]
            for player in players:
                await player.must("POST", f"/matches/{match}/join", {})
            live = f"/api/v1/matches/{match}/live?want=results&seat="
            async with (
                app.websocket(live + "1", players[1].token) as hit,
                app.websocket(live + "2", players[2].token) as far,
            ):
                for socket in (hit, far):
                    assert (await socket.receive_type("news"))["turn"] == 1
                orders = [[move((0, 0), (1, 0), 9)], [], []]
                for seat, (player, given) in enumerate(zip(players, orders, strict=True)):
                    await player.must("POST", f"/matches/{match}/orders", {"orders": given, "key": str(seat)})
                (report,) = (await hit.receive_type("news"))["reports"]
                assert report["sentence"].startswith("Battle at [1, 0]: ")
                assert "reports" not in await far.receive_type("news")
            for seat, count in enumerate([1, 1, 0]):
                (turn,) = await players[seat].must("GET", f"/matches/{match}/log?from=1&count=1")
                assert [entry["sentence"] for entry in turn["reports"]] == [report["sentence"]] * count

    asyncio.run(scene())
