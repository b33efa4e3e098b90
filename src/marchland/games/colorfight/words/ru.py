"""The words of Colorfight in Russian. Its buildings have the same nominative and accusative."""

from typing import Final

from marchland.messages import EventWords, ForecastWords, Words

RU: Final = Words(
    events={
        "captured": EventWords(
            "{by} захватывает клетку {at}[ у игрока {from}][ ({building:name})]",
            "{by} захватывает {count} {count:клетку|клетки|клеток}[ у игрока {from}]",
        ),
        "shielded": EventWords(
            "{by} усиливает силовое поле клетки {at} до {force_field}",
            "{by} усиливает силовое поле {count} {count:клетки|клеток|клеток}",
        ),
        "repelled": EventWords(
            "{by} терпит неудачу при атаке клетки {at} ({energy} из {needed} нужных)",
            "{by} терпит неудачу при атаке {count} {count:клетки|клеток|клеток}",
        ),
        "built": EventWords("{by} строит {building:name} на {at}", "{by} строит {count} {building:count}"),
        "upgraded": EventWords(
            "{by} улучшает здание на {at} до уровня {level}",
            "{by} улучшает {count} {count:здание|здания|зданий}",
        ),
        "home_lost": EventWords("{player} теряет дом на {at} и {gold} золота (победитель — {to})"),
        "ruined": EventWords(
            "{player} теряет {building:name} на {at} (нет дома)",
            "{player} теряет {count} {building:count} (нет дома)",
        ),
        "died": EventWords("{player} выбывает из игры"),
    },
    results={
        "OFF_THE_MAP": "На этой карте нет клетки {at}.",
        "NOT_YOURS": "Клетка {at} не ваша.",
        "NO_ADJACENT_CELL": "Ни одна из четырёх соседних с {at} клеток вам не принадлежит.",
        "BAD_ENERGY": "На атаку нужна хотя бы 1 энергия, а не {energy}.",
        "NOT_ENOUGH_ENERGY": "У вас не хватает энергии.",
        "NOT_ENOUGH_GOLD": "У вас не хватает золота.",
        "OCCUPIED": "На клетке {at} уже есть здание.",
        "ONE_HOME": "У вас уже есть дом; второго быть не может.",
        "HOME_FIRST": "Чтобы строить что-то ещё, нужен дом, который стоял уже в начале хода.",
        "NOTHING_TO_UPGRADE": "На клетке {at} нечего улучшать.",
        "TOP_LEVEL": "У здания на {at} уже высший уровень.",
        "UPGRADE_HOME_FIRST": "Здание не может обогнать ваш дом: улучшите сначала дом, а это здание — следующим ходом.",
        "NO_SUCH_BUILDING": "Такого здания нет.",
        "CAPTURED": "Захвачена клетка {at}[ у игрока {from}].",
        "SHIELDED": "Силовое поле клетки {at}: {force_field}.",
        "REPELLED": "Атака отбита: {energy} из {needed} нужных.",
        "REPELLED_AMONG_OTHERS": "Атака отбита: из ваших {energy} после всех других атак на клетку осталось {counted}, а нужно {needed}.",
        "OUTDONE": "Клетку {at} атаковали сильнее, чем ваши {energy}: {by}.",
        "BUILT": "На {at} теперь {building:name}.",
        "UPGRADED": "У здания на {at} теперь уровень {level}.",
    },
    verbs={
        "attack": "атаковать",
        "build": "построить",
        "upgrade": "улучшить",
    },
    parameters={
        "at": "цель",
        "energy": "энергия",
        "building": "здание",
    },
    figures={
        "owner": "владелец",
        "building": "здание",
        "level": "уровень",
        "force_field": "силовое поле",
        "natural_cost": "природная цена",
        "natural_gold": "природное золото",
        "natural_energy": "природная энергия",
        "gold": "золото",
        "energy": "энергия",
        "cells": "клетки",
        "gold_source": "доход золота",
        "energy_source": "доход энергии",
        "tech_level": "уровень технологий",
    },
    choices={
        "empty": "",
        "home": "дом|дома|домов",
        "energy_well": "энергоколодец|энергоколодца|энергоколодцев",
        "gold_mine": "золотой рудник|золотых рудника|золотых рудников",
        "fortress": "крепость|крепости|крепостей",
    },
    forecasts={
        "ATTACK": ForecastWords("{energy} из {needed} нужных", ""),
    },
)
