"""The words of Hive in English."""

from typing import Final

from marchland.messages import EventWords, Words

EN: Final = Words(
    events={
        "moved": EventWords("{by} moved {unit:a} from {from} to {to}", "{by} moved {count} bees"),
        "foraged": EventWords(
            "{by} foraged at {at} ({left} {left:flower|flowers} left)", "{by} foraged with {count} bees"
        ),
        "delivered": EventWords("{by} delivered flowers at {at}", "{by} delivered flowers with {count} bees"),
        "attacked": EventWords("{by} attacked {target:a} at {at}", "{by} attacked {count} times"),
        "stunned": EventWords("{player} had {unit:a} stunned at {at}", "{player} had {count} bees stunned"),
        "destroyed": EventWords("{player} lost {kind:a} at {at}", "{player} lost {count} {kind:count}"),
        "built": EventWords("{by} built {kind:a} at {at}", "{by} built {count} {kind:count}"),
        "spawned": EventWords("{by} spawned {kind:a} at {at}", "{by} spawned {count} {kind:count}"),
        "eliminated": EventWords("{player} was eliminated"),
    },
    results={
        "INVALID_UNIT": "{unit} is no unit of yours that can do this.",
        "UNIT_ALREADY_ACTED": "{unit} has acted this turn already; a unit acts once a turn, whether it succeeds or not.",
        "BLOCKED": "The cell {dir} of {unit} is blocked by stone or by an entity.",
        "INVALID_TARGET": "There is no target {dir} of {unit}: an attack needs an entity there, the rest a cell.",
        "CANNOT_FORAGE": "{unit} is not in a field with flowers left, nor loaded and next to a hive of yours.",
        "NOT_ENOUGH_RESOURCES": "You do not have enough flowers left.",
        "TOO_MANY_ORDERS": "At most {rules.orders_per_unit} orders are read for each bee and hive that you own at the turn's start.",
        "UNIT_STUNNED": "{unit} was stunned this turn.",
        "MOVED": "Moved to {to}.",
        "FORAGED": "Foraged at {at}: {left} {left:flower|flowers} left.",
        "DELIVERED": "Delivered the flowers.",
        "HIT": "Hit its target at {at}.",
        "DESTROYED": "Destroyed {kind:a} at {at}.",
        "STUNNED": "Stunned a bee at {at}.",
        "MISSED": "The attack on {at} had no effect: walls fall and bees are stunned by chance.",
        "BUILT": "Built {kind:a} at {at}.",
        "SPAWNED": "Spawned {kind:a} at {at}.",
    },
    verbs={
        "move": "move",
        "attack": "attack",
        "build_wall": "build wall",
        "spawn": "spawn",
        "build_hive": "build hive",
        "forage": "forage",
    },
    parameters={
        "unit": "unit",
        "dir": "direction",
    },
    kinds={
        "bee": "bee|bees",
        "hive": "hive|hives",
        "wall": "wall|walls",
    },
    figures={
        "terrain": "terrain",
        "flowers": "flowers",
        "influence": "influence",
        "hp": "health",
        "carries": "flowers carried",
        "bees": "bees",
        "hives": "hives",
        "walls": "walls",
    },
    choices={
        "empty": "empty",
        "field": "field",
        "stone": "stone",
        "hidden": "out of sight",
        "bee": "bee|bees",
        "hive": "hive|hives",
        "wall": "wall|walls",
        "E": "E",
        "SE": "SE",
        "SW": "SW",
        "W": "W",
        "NW": "NW",
        "NE": "NE",
        "gathered": "gathered",
        "delivered": "delivered",
    },
    outcomes={
        "INFLUENCE": "More than {percent} % of the cells are influenced.",
        "NO_FLOWERS": "No flowers are left.",
        "NO_GATHERING": "No flower was {gathered:name} for {turns} {turns:turn|turns}.",
        "NO_CREATION": "Nothing was created for {turns} {turns:turn|turns}.",
        "NOTHING_DONE": "No flower was {gathered:name} and nothing was created for {turns} {turns:turn|turns}.",
    },
)
