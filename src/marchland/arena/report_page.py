"""The report of a tournament as one HTML page: no script, no network, light and dark, readable on a phone."""

import html
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from marchland.arena.report import Bias, HistoryPoint, Row, TournamentFigures, make_figures, name_maps
from marchland.arena.tournament import Tournament
from marchland.errors import MarchlandError
from marchland.player_colours import player_colour
from marchland.ratings import Duel

_STYLE: Final = Path(__file__).with_name("report.css")
_MOST_LINES: Final = 8
"""Bots with a line of their own in the chart; the others are in the table only."""
_MOST_REASONS: Final = 200
_STRONGEST_TINT: Final = 62


def write_report(tournament: Tournament, path: Path) -> None:
    """Write the page."""
    try:
        path.write_text(make_page(tournament), encoding="utf-8")
    except OSError as problem:
        raise MarchlandError(f"{path} cannot be written: {problem.strerror}.") from None


def make_page(tournament: Tournament) -> str:
    """The page as text."""
    figures = make_figures(tournament)
    spec, played = tournament.spec, len(tournament.played)
    title = f"{spec.game} {spec.format}"
    facts = [
        _count(played, "match", "matches"),
        _count(len(spec.entrants), "bot", "bots"),
        f"{tournament.field.players} in a match",
        f"maps: {', '.join(name_maps(tournament))}",
        f"seed {spec.seed}",
        f"version {spec.version}",
        f"sandbox {spec.sandbox}",
    ]
    sections = [
        _section("Standings", _STANDINGS_NOTE, _standings(figures.rows)),
        _section("Head to head", _CROSS_NOTE, _cross_table(figures)) if figures.duels else "",
        _section("Rating over matches", _HISTORY_NOTE, _history(figures)) if len(figures.history) > 1 else "",
        _section("Seats", _SEATS_NOTE, _seats(figures.biases)) if figures.biases else "",
        _section("Maps", _MAPS_NOTE, _map_scores(figures)) if len(tournament.setup.maps) > 1 else "",
        _section("Against the ratings", _SURPRISE_NOTE, _surprises(figures)) if figures.surprises else "",
        _problems(tournament, figures.rows),
        _reasons(tournament),
    ]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n<style>\n{_STYLE.read_text(encoding='utf-8')}</style>\n</head>\n<body>\n"
        f'<header>\n<h1>{_text(title)}</h1>\n<p class="facts">{" · ".join(map(_text, facts))}</p>\n</header>\n'
        f"<main>\n{''.join(sections)}</main>\n<footer>Made by Marchland, tournament {_text(tournament.id)}.</footer>\n"
        "</body>\n</html>\n"
    )


_STANDINGS_NOTE: Final = (
    "The bar is the 95 % interval of the rating. 400 points are odds of ten to one. The range of ranks is what the "
    "results allow, each bound with 2.5 % beyond it."
)
_CROSS_NOTE: Final = (
    "Read along the row: how often this bot was placed above the one in the column, then equal, then below. Blue is "
    "more than half, orange less."
)
_HISTORY_NOTE: Final = (
    "Ratings after so many matches, each fitted to all matches until then, with bands of 95 %. The centre of the scale "
    "is the mean of all bots."
)
_SEATS_NOTE: Final = (
    "The share of matches that each seat (or team) won, whatever bot sat there; all bots sat everywhere equally often. "
    "The line is an equal share. A marked seat's interval excludes it."
)
_MAPS_NOTE: Final = "The mean score on each map: the share of opponents placed below, equal places as half."
_SURPRISE_NOTE: Final = "Pairs whose results differ most from what the ratings say: not every strength is transitive."


# ---------------------------------------------------------------- sections


def _standings(rows: Sequence[Row]) -> str:
    if not rows:
        return "<p>No bundle is complete yet.</p>"
    low = min(row.standing.rating - row.standing.margin for row in rows)
    high = max(row.standing.rating + row.standing.margin for row in rows)
    span = max(high - low, 1.0)
    lines = []
    for row in rows:
        standing = row.standing
        left, width = (standing.rating - standing.margin - low) / span, 2 * standing.margin / span
        middle = (standing.rating - low) / span
        extent = (
            f"{standing.rank_low}&ndash;{standing.rank_high}"
            if standing.rank_low < standing.rank_high
            else str(standing.rank)
        )
        ahead = "" if standing.ahead_of_next is None else f"{_percent(standing.ahead_of_next)}"
        label = f"{standing.rating:.0f} ± {standing.margin:.0f}"
        lines.append(
            f'<tr><td class="number">{standing.rank}</td><th scope="row">{_text(standing.version)}</th>'
            f'<td class="bar"><div class="track" role="img" aria-label="{label}">'
            f'<div class="interval" style="left:{left:.2%};width:{width:.2%}"></div>'
            f'<div class="dot" style="left:{middle:.2%}"></div></div></td>'
            f'<td class="number strong">{standing.rating:.0f}</td><td class="number muted">±{standing.margin:.0f}</td>'
            f'<td class="number wide">{extent}</td><td class="number wide">{ahead}</td>'
            f'<td class="number wide">{_record(row.duel)}</td><td class="number wide">{standing.matches:,}</td></tr>\n'
        )
    headings = (
        '<th class="number">rank</th><th>bot</th><th class="bar">'
        f'<span class="scale"><span>{low:.0f}</span><span>{high:.0f}</span></span></th>'
        '<th class="number">rating</th><th class="number">95 %</th><th class="number wide">range of ranks</th>'
        '<th class="number wide">ahead of next</th><th class="number wide">won &ndash; drawn &ndash; lost</th>'
        '<th class="number wide">matches</th>'
    )
    return _table("standings", headings, lines)


def _cross_table(figures: TournamentFigures) -> str:
    names = [row.standing.version for row in figures.rows]
    numbers = "".join(
        f'<th class="cell" title="{_text(name)}" scope="col">{number}</th>' for number, name in enumerate(names, 1)
    )
    lines = []
    for number, one in enumerate(names, 1):
        cells = "".join(_cross_cell(figures.duels.get((one, other)), one, other) for other in names)
        lines.append(f'<tr><th scope="row"><span class="muted">{number}</span> {_text(one)}</th>{cells}</tr>\n')
    return _table("cross", f"<th></th>{numbers}", lines)


def _cross_cell(duel: Duel | None, one: str, other: str) -> str:
    if one == other or duel is None:
        return '<td class="cell none">·</td>' if one == other else '<td class="cell none"></td>'
    low, high = duel.interval
    label = f"{one} against {other}: {_percent(duel.share)}, 95 % interval {_percent(low)} to {_percent(high)}"
    strength = abs(duel.share - 0.5) * 2 * _STRONGEST_TINT
    tint = "win" if duel.share >= 0.5 else "loss"
    draws = f"&ndash;{duel.draws}" if duel.draws else ""
    return (
        f'<td class="cell" title="{_text(label)}" style="--tint:var(--{tint});--part:{strength:.0f}%">'
        f"{duel.wins}{draws}&ndash;{duel.losses}</td>"
    )


def _history(figures: TournamentFigures) -> str:
    names = [row.standing.version for row in figures.rows][:_MOST_LINES]
    points = [point for moment in figures.history[1:] for name, point in moment.ratings.items() if name in names]
    low = min(rating - margin for rating, margin in points)
    high = max(rating + margin for rating, margin in points)
    last = figures.history[-1].matches
    drawn, labels = [], []
    for number, name in enumerate(names):
        found = [(moment.matches, *moment.ratings[name]) for moment in figures.history if name in moment.ratings]
        upper = [(_x(count, last), _y(rating + margin, low, high)) for count, rating, margin in found]
        lower = [(_x(count, last), _y(rating - margin, low, high)) for count, rating, margin in found]
        middle = [(_x(count, last), _y(rating, low, high)) for count, rating, _ in found]
        colour = player_colour(number)
        drawn.append(f'<polygon points="{_points([*upper, *reversed(lower)])}" fill="{colour}" class="band"/>')
        drawn.append(f'<polyline points="{_points(middle)}" stroke="{colour}" class="line"/>')
        rating = found[-1][1]
        labels.append(f'<li style="--colour:{colour}">{_text(name)} <span class="muted">{rating:.0f}</span></li>')
    steps = "".join(f'<span style="top:{_y(value, low, high):.2f}%">{value:.0f}</span>' for value in _ticks(low, high))
    grid = "".join(
        f'<line x1="0" x2="100" y1="{_y(value, low, high):.2f}" y2="{_y(value, low, high):.2f}" class="grid"/>'
        for value in _ticks(low, high)
    )
    return (
        f'<ul class="legend">{"".join(labels)}</ul>\n<div class="chart"><div class="ticks">{steps}</div>\n'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="Rating over matches">'
        f"{grid}{''.join(drawn)}</svg>\n"
        f'<div class="axis"><span>0</span><span>{last:,} matches</span></div></div>\n'
        f"{_history_table(figures.history, names)}"
    )


def _history_table(history: Sequence[HistoryPoint], names: Sequence[str]) -> str:
    """The same figures for readers who do not see the chart."""
    headings = "".join(f"<th>{_text(name)}</th>" for name in names)
    lines = []
    for moment in history:
        found = (moment.ratings.get(name) for name in names)
        cells = "".join(
            f'<td class="number">{point[0]:.0f} ± {point[1]:.0f}</td>' if point else "<td></td>" for point in found
        )
        lines.append(f'<tr><th scope="row" class="number">{moment.matches:,}</th>{cells}</tr>\n')
    return f"<details><summary>As a table</summary>{_table('plain', f'<th>matches</th>{headings}', lines)}</details>"


def _seats(biases: Sequence[Bias]) -> str:
    lines = []
    for bias in biases:
        sides = sum(other.where == bias.where for other in biases)
        mark = '<span class="mark">unequal</span>' if bias.is_suspicious else ""
        label = f"{_percent(bias.share)}, {_percent(bias.low)} to {_percent(bias.high)}"
        lines.append(
            f'<tr><th scope="row">{_text(bias.where)}</th><td class="number">{bias.side}</td>'
            f'<td class="bar"><div class="track" role="img" aria-label="{label}">'
            f'<div class="equal" style="left:{1 / sides:.2%}"></div>'
            f'<div class="interval" style="left:{bias.low:.2%};width:{bias.high - bias.low:.2%}"></div>'
            f'<div class="dot" style="left:{bias.share:.2%}"></div></div></td>'
            f'<td class="number strong">{_percent(bias.share)}</td><td class="number muted wide">'
            f"{_percent(bias.low)}&ndash;{_percent(bias.high)}</td><td>{mark}</td></tr>\n"
        )
    headings = (
        '<th>map</th><th class="number">seat</th><th class="bar"><span class="scale"><span>0</span><span>100 %</span>'
        '</span></th><th class="number">won</th><th class="number wide">95 %</th><th></th>'
    )
    return _table("seats", headings, lines)


def _map_scores(figures: TournamentFigures) -> str:
    maps = list(dict.fromkeys(score.map for score in figures.map_scores))
    scores = {(score.bot, score.map): score for score in figures.map_scores}
    lines = []
    for row in figures.rows:
        name = row.standing.version
        cells = []
        for chosen in maps:
            score = scores.get((name, chosen))
            if score is None:
                cells.append('<td class="cell none"></td>')
                continue
            strength = abs(score.score - 0.5) * 2 * _STRONGEST_TINT
            tint = "win" if score.score >= 0.5 else "loss"
            label = _count(score.matches, "match", "matches")
            cells.append(
                f'<td class="cell" title="{label}" style="--tint:var(--{tint});--part:{strength:.0f}%">'
                f"{_percent(score.score)}</td>"
            )
        lines.append(f'<tr><th scope="row">{_text(name)}</th>{"".join(cells)}</tr>\n')
    return _table("cross", "<th></th>" + "".join(f'<th class="cell">{_text(name)}</th>' for name in maps), lines)


def _surprises(figures: TournamentFigures) -> str:
    lines = []
    for surprise in figures.surprises:
        count = sum(surprise.duel)
        words = f"{surprise.one} has {surprise.duel.share * count:g} of {count} against {surprise.other}; "
        lines.append(f"<li>{_text(words)}{surprise.expected * count:.1f} were expected.</li>")
    return f"<ul>{''.join(lines)}</ul>"


def _problems(tournament: Tournament, rows: Sequence[Row]) -> str:
    lines = [
        f"<li>{_text(row.standing.version)} failed in {row.failures:,} turns, first {_text(row.first_failure)}</li>"
        for row in rows
        if row.failures
    ]
    lines += [
        f"<li>{_text(' : '.join(stuck.seating))} has no result after three tries: {_text(stuck.how)}</li>"
        for stuck in tournament.stuck
    ]
    return _section("Problems", "", f"<ul>{''.join(lines)}</ul>") if lines else ""


def _reasons(tournament: Tournament) -> str:
    """Why each pairing was made, the newest first."""
    bundles = list(reversed(tournament.bundles))[:_MOST_REASONS]
    lines = [
        f"<tr><th scope='row'>{_text(' : '.join(bundle.group))}</th><td class='number'>{bundle.seed}</td>"
        f"<td>{_text(bundle.why)}</td></tr>\n"
        for bundle in bundles
    ]
    shown = _table("plain", '<th>bots</th><th class="number">seed</th><th>reason</th>', lines)
    note = (
        f"the last {len(bundles):,} of {len(tournament.bundles):,}" if len(bundles) < len(tournament.bundles) else "all"
    )
    return f"<section><details><summary>Why who met whom, {note}</summary>{shown}</details></section>\n"


# ---------------------------------------------------------------- parts


def _section(title: str, note: str, body: str) -> str:
    said = f'<p class="note">{note}</p>\n' if note else ""
    return f"<section>\n<h2>{title}</h2>\n{said}{body}\n</section>\n"


def _table(kind: str, headings: str, lines: Iterable[str]) -> str:
    return (
        f'<div class="scroll"><table class="{kind}"><thead><tr>{headings}</tr></thead>\n'
        f"<tbody>\n{''.join(lines)}</tbody></table></div>"
    )


def _x(count: int, last: int) -> float:
    return 100 * count / max(last, 1)


def _y(value: float, low: float, high: float) -> float:
    return 100 * (high - value) / max(high - low, 1.0)


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in points)


def _ticks(low: float, high: float) -> list[float]:
    """Round values between the bounds, about five."""
    step = 10 ** math.floor(math.log10(max(high - low, 1.0) / 4))
    step *= next((factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 6), 10)
    return [step * number for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def _record(duel: Duel) -> str:
    return f"{duel.wins:,} &ndash; {duel.draws:,} &ndash; {duel.losses:,}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _count(number: int, singular: str, plural: str) -> str:
    return f"{number:,} {singular if number == 1 else plural}"


def _text(text: str) -> str:
    return html.escape(text, quote=True)
