"""The words of Colorfight in English."""

from typing import Final

from marchland.messages import EventWords, ForecastWords, Words

EN: Final = Words(
    events={
        "captured": EventWords(
            "{by} took {at}[ from {from}][ with {building:a}]", "{by} took {count} cells[ from {from}]"
        ),
        "shielded": EventWords(
            "{by} raised the force field at {at} to {force_field}", "{by} raised the force field of {count} cells"
        ),
        "repelled": EventWords(
            "{by} was repelled at {at} ({energy} against {needed} needed)",
            "{by} was repelled at {count} cells",
        ),
        "built": EventWords("{by} built {building:a} at {at}", "{by} built {count} {building:count}"),
        "upgraded": EventWords(
            "{by} upgraded the building at {at} to level {level}", "{by} upgraded {count} buildings"
        ),
        "home_lost": EventWords("{player} lost the home at {at} and {gold} gold to {to}"),
        "ruined": EventWords(
            "{player} lost {building:a} at {at} for want of a home",
            "{player} lost {count} {building:count} for want of a home",
        ),
        "died": EventWords("{player} is out of the game"),
    },
    results={
        "OFF_THE_MAP": "There is no cell {at} on this map.",
        "NOT_YOURS": "The cell {at} is not yours.",
        "NO_ADJACENT_CELL": "None of the four neighbours of {at} is yours.",
        "BAD_ENERGY": "An attack takes at least 1 energy, not {energy}.",
        "NOT_ENOUGH_ENERGY": "You do not have enough energy left.",
        "NOT_ENOUGH_GOLD": "You do not have enough gold left.",
        "OCCUPIED": "There is a building on {at} already.",
        "ONE_HOME": "You have a home already; a player may have only one.",
        "HOME_FIRST": "You need a home that stood when the turn began before you build anything else.",
        "NOTHING_TO_UPGRADE": "There is no building on {at} to upgrade.",
        "TOP_LEVEL": "The building on {at} has the highest level already.",
        "UPGRADE_HOME_FIRST": "A building cannot outgrow your home: upgrade your home first, and this one next turn.",
        "NO_SUCH_BUILDING": "There is no such building.",
        "CAPTURED": "Took {at}[ from {from}].",
        "SHIELDED": "The force field of {at} is {force_field}.",
        "REPELLED": "Repelled: {energy} against {needed} needed.",
        "REPELLED_AMONG_OTHERS": "Repelled: of your {energy}, {counted} counted after all other attacks on the cell, against {needed} needed.",
        "OUTDONE": "{by} attacked {at} with more energy than your {energy}.",
        "BUILT": "Built {building:a} at {at}.",
        "UPGRADED": "The building at {at} has level {level}.",
    },
    verbs={
        "attack": "attack",
        "build": "build",
        "upgrade": "upgrade",
    },
    parameters={
        "at": "target",
        "energy": "energy",
        "building": "building",
    },
    figures={
        "owner": "owner",
        "building": "building",
        "level": "level",
        "force_field": "force field",
        "natural_cost": "natural cost",
        "natural_gold": "natural gold",
        "natural_energy": "natural energy",
        "gold": "gold",
        "energy": "energy",
        "cells": "cells",
        "gold_source": "gold income",
        "energy_source": "energy income",
        "tech_level": "tech level",
    },
    choices={
        "empty": "",
        "home": "home|homes",
        "energy_well": "energy well|energy wells",
        "gold_mine": "gold mine|gold mines",
        "fortress": "fortress|fortresses",
    },
    forecasts={
        "ATTACK": ForecastWords("{energy} against {needed} needed", ""),
    },
)
