"""A host of seasons in one process: it carries out what `season.due` names, on the games themselves.

It has no clock and no storage. Whoever triggers it says what time it is and stores its books and games, before or after
any job: one that was carried out but not stored is carried out again, with the same result.
"""

from collections.abc import Mapping
from datetime import datetime

from marchland.core.intake import Orders
from marchland.core.orders import HOST
from marchland.core.report import Report
from marchland.games.boidvoid.burning import give_back, possession_orders
from marchland.games.boidvoid.game import BoidVoid
from marchland.games.boidvoid.ledger import Ledger
from marchland.games.boidvoid.log import Log
from marchland.games.boidvoid.season import Books, Job, concerned, due, orders_of, settled


class Steward:
    """The games of all seasons by their names, with their logs."""

    def __init__(self, books: Books, games: Mapping[str, BoidVoid], ledger: Ledger) -> None:
        self.books, self.games, self.ledger = books, dict(games), ledger
        self.logs = {name: Log(game) for name, game in self.games.items()}

    def tick(self, now: datetime, queued: Mapping[str, Orders] | None = None) -> list[Job]:
        """Carry out all that is due, with the actions that were queued for each game; returns the jobs."""
        jobs = due(self.books, now)
        for job in jobs:
            self.run(job, now, queued)
        return jobs

    def run(self, job: Job, now: datetime, queued: Mapping[str, Orders] | None = None) -> None:
        """One job, due or by an admin's hand."""
        names = concerned(self.books, job)
        for name in names:
            carry_out(job, self.games[name], name, self.ledger, now, (queued or {}).get(name), self.logs[name])
        over = any(self.games[name].outcome is not None for name in names)
        self.books = settled(self.books, job, now, over=over)


def carry_out(
    job: Job, game: BoidVoid, match: str, ledger: Ledger, now: datetime, queued: Orders = None, log: Log | None = None
) -> list[Report]:
    """One job on one game. Each of its orders may be given twice; a turn is ended only if the game still is at it."""
    if job.name == "turn_end" and job.when != str(game.turn):
        return []
    daily = job.name == "daily_maintenance"
    stakes = {name: ledger.stake(name) for name in game.players} if daily else {}
    orders = orders_of(job, game.players, stakes, now) + (possession_orders(game, ledger) if daily else [])
    reports = [game.act(HOST, order) for order in orders]
    if job.name == "turn_end":
        reports.append(game.step(queued))
    give_back(game, ledger, match)
    if log:
        for report in reports:
            log.note(game, report)
    return reports
