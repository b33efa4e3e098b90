"""The words of Enova Conquest in English."""

from typing import Final

from marchland.messages import EventWords, ForecastWords, Words

EN: Final = Words(
    events={
        "moved": EventWords(
            "{player} moved {units} {units:unit|units} from {from} to {to}",
            "{player} moved {units} units in {count} moves",
        ),
        "battle": EventWords("Battle at {at}[, on the border to {against}]"),
        "force": EventWords("{player} had {units} {units:unit|units}[, {support} support][, {defence} defence]"),
        "roll": EventWords("{player} rolled {die} for a score of {score}"),
        "drew_lots": EventWords("{player} won the fair draw among {among} equal parties"),
        "won": EventWords("{player} won with {units} {units:unit|units}"),
        "killed": EventWords("{player} lost {units} {units:unit|units}"),
        "captured": EventWords("{by} took {at}[ from {from}]", "{by} took {count} tiles[ from {from}]"),
        "retreated": EventWords(
            "{player} fell back to {to} with {units} {units:unit|units}",
            "{player} fell back with {units} {units:unit|units}",
        ),
        "routed": EventWords("{player} lost {units} more that could not retreat"),
        "eliminated": EventWords("{player} was eliminated"),
        "produced": EventWords("The castles produced {units} {units:unit|units}"),
    },
    results={
        "OFF_THE_BOARD": "There is no such tile on this board.",
        "NOT_YOURS": "The tile is not yours.",
        "NO_UNITS": "There are no units of yours on the tile.",
        "NO_TARGET": "There is no tile {to} on this board to move to.",
        "NOT_ADJACENT": "The tiles {from} and {to} are not neighbours.",
        "IMPASSABLE": "The tile {to} is impassable.",
        "BAD_UNITS": "A move takes at least 1 unit, not {units}.",
        "NOT_ENOUGH_UNITS": "There are fewer than {units} units on {from}.",
        "REPLACED": "A later order of yours for the same tile replaces this one.",
        "MOVED": "Moved {units} {units:unit|units} to {to}.",
        "WON": "Won at {at}: {score} ({strength} + {die} by dice) against {other_score} ({other_strength} + {other_die} by dice).",
        "LOST": "Lost at {at}: {score} ({strength} + {die} by dice) against {other_score} ({other_strength} + {other_die} by dice), fell back with {left} of {units}.",
        "ROUTED": "Lost at {at}: {score} ({strength} + {die} by dice) against {other_score} ({other_strength} + {other_die} by dice), and no unit escaped.",
        "NOT_ATTACKED": "The tile was not attacked.",
        "SUPPORTED": "Supported {battles} {battles:battle|battles}.",
        "NOTHING_TO_SUPPORT": "There was no battle of yours next to the tile.",
    },
    verbs={
        "move": "move",
        "defend": "defend",
        "support": "support",
    },
    parameters={
        "from": "from",
        "to": "where to",
        "units": "units",
        "at": "tile",
    },
    figures={
        "owner": "owner",
        "terrain": "terrain",
        "units": "units",
        "castles": "castles",
        "tiles": "tiles",
    },
    choices={
        "open": "open",
        "impassable": "impassable",
        "castle": "castle|castles",
    },
    forecasts={
        "BATTLE": ForecastWords(
            "{chance} % to win against {held} {held:unit|units}, {defended} % if they defend", "{chance} %"
        ),
        "UNDEFENDED": ForecastWords("no unit defends it", "free"),
    },
)
