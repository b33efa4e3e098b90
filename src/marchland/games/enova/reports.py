"""Battle reports (ruling 14), put together from the events of a turn."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from marchland.messages import TurnReport

if TYPE_CHECKING:
    from marchland.core.report import Report


def battle_reports(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A report for each battle in ``report.events``, in the order in which they are numbered.

    ``at`` is the tile; in a battle on an edge ``at`` and ``against`` are the two tiles that the forces came from. Each
    party has its strength split into units, support and defence, its dice in the order drawn, how many of its units
    were killed and routed, and where the rest retreated to. ``lots`` is the number of parties that drew lots
    because strength and dice were equal; mostly 0.
    """
    reports: dict[int, dict[str, Any]] = {}
    for event in events:
        kind = event["event"]
        if kind == "battle":
            reports[event["battle"]] = {
                **{name: event[name] for name in ("battle", "at", "against", "variance")},
                "lots": 0,
                "winner": None,
                "parties": {},
            }
        elif "battle" in event:
            _note(reports[event["battle"]], kind, event)
    return list(reports.values())


def _note(report: dict[str, Any], kind: str, event: Mapping[str, Any]) -> None:
    if kind == "force":
        strength = {name: event[name] for name in ("units", "support", "defence")}
        report["parties"][event["player"]] = {
            **strength,
            "strength": sum(strength.values()),
            "dice": [],
            "score": 0,
            "killed": 0,
            "routed": 0,
            "retreats": [],
        }
        return
    party = report["parties"][event["player"]]
    if kind == "roll":
        party["dice"].append(event["die"])
        party["score"] = event["score"]
    elif kind == "drew_lots":
        report["lots"] = event["among"]
    elif kind == "won":
        report["winner"] = event["player"]
    elif kind == "retreated":
        party["retreats"].append({"to": event["to"], "units": event["units"]})
    else:
        party[kind] += event["units"]


def reports_by_player(report: "Report") -> dict[int, list[TurnReport]]:
    """For each player the reports of its battles (ruling 24); parties are a list, since keys in JSON are texts."""
    found: dict[int, list[TurnReport]] = {}
    for battle in battle_reports(report.events):
        parties = [{"player": player, **party} for player, party in battle["parties"].items()]
        turn_report = TurnReport(_sentence(battle, parties, report.names), {**battle, "parties": parties})
        for party in parties:
            found.setdefault(party["player"], []).append(turn_report)
    return found


def _sentence(battle: Mapping[str, Any], parties: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    place = f"at {list(battle['at'])}"
    if battle["against"] is not None:
        place = f"between {list(battle['at'])} and {list(battle['against'])}"
    won = next(party for party in parties if party["player"] == battle["winner"])
    lots = " by a fair draw" if battle["lots"] else ""
    losers = "; ".join(_loser(party, names) for party in parties if party is not won)
    return f"Battle {place}: {names[won['player']]} won{lots} with {_score(won)}; {losers}."


def _loser(party: Mapping[str, Any], names: Sequence[str]) -> str:
    lost = party["killed"] + party["routed"]
    return f"{names[party['player']]} had {_score(party)} and lost {lost} of {party['units']}"


def _score(party: Mapping[str, Any]) -> str:
    bonuses = [
        f" + {party[name]} {word}" for name, word in (("support", "support"), ("defence", "defence")) if party[name]
    ]
    units = f"{party['units']} {'unit' if party['units'] == 1 else 'units'}"
    return f"{party['score']} ({units}{''.join(bonuses)} + {party['dice'][-1]} by dice)"
