"""The words of Hive in Russian. A noun that a value decides stands apart, in the nominative."""

from typing import Final

from marchland.messages import EventWords, Words

RU: Final = Words(
    events={
        "moved": EventWords(
            "{by} ведёт юнит ({unit:name}) с {from} на {to}", "{by} ведёт {count} {count:пчелу|пчелы|пчёл}"
        ),
        "foraged": EventWords(
            "{by} собирает цветы на {at} (осталось {left} {left:цветок|цветка|цветков})",
            "{by} собирает цветы ({count} {count:пчела|пчелы|пчёл})",
        ),
        "delivered": EventWords(
            "{by} доставляет цветы на {at}", "{by} доставляет цветы ({count} {count:пчела|пчелы|пчёл})"
        ),
        "attacked": EventWords(
            "{by} атакует цель на {at} ({target:name})", "{by} атакует {count} {count:раз|раза|раз}"
        ),
        "stunned": EventWords(
            "{player} получает оглушение на {at} ({unit:name})",
            "{player} получает оглушение ({count} {count:пчела|пчелы|пчёл})",
        ),
        "destroyed": EventWords(
            "{player} несёт потери на {at} ({kind:name})", "{player} несёт потери ({count} {kind:count})"
        ),
        "built": EventWords("{by} строит на {at} ({kind:name})", "{by} строит {count} {kind:count}"),
        "spawned": EventWords(
            "{by} получает пополнение на {at} ({kind:name})", "{by} получает пополнение ({count} {kind:count})"
        ),
        "eliminated": EventWords("{player} выбывает из игры"),
    },
    results={
        "INVALID_UNIT": "{unit}: это не ваш юнит, или он такого не умеет.",
        "UNIT_ALREADY_ACTED": "{unit}: в этом ходу юнит уже действовал; он действует раз за ход, даже неудачно.",
        "BLOCKED": "{unit}: путь ({dir:name}) закрыт камнем или кем-то занят.",
        "INVALID_TARGET": "{unit}: в этом направлении ({dir:name}) нет цели; для атаки там должен кто-то стоять, для остального нужна клетка.",
        "CANNOT_FORAGE": "{unit}: юнит не на поле с цветами и не стоит с грузом рядом с вашим ульем.",
        "NOT_ENOUGH_RESOURCES": "У вас не хватает цветов.",
        "TOO_MANY_ORDERS": "Принимается не больше {rules.orders_per_unit} приказов на каждую пчелу и каждый улей, что были у вас в начале хода.",
        "UNIT_STUNNED": "{unit}: юнит в этом ходу оглушён.",
        "MOVED": "Переход на {to}.",
        "FORAGED": "Сбор на {at}: осталось {left} {left:цветок|цветка|цветков}.",
        "DELIVERED": "Цветы доставлены.",
        "HIT": "Попадание по цели на {at}.",
        "DESTROYED": "Уничтожено на {at}: {kind:name}.",
        "STUNNED": "Пчела на {at} оглушена.",
        "MISSED": "Атака на {at} не удалась: стены рушатся, а пчёлы глохнут не каждый раз.",
        "BUILT": "Построено на {at}: {kind:name}.",
        "SPAWNED": "Пополнение на {at}: {kind:name}.",
    },
    verbs={
        "move": "идти",
        "attack": "атаковать",
        "build_wall": "построить стену",
        "spawn": "вывести пчелу",
        "build_hive": "построить улей",
        "forage": "собрать цветы",
    },
    parameters={
        "unit": "юнит",
        "dir": "направление",
    },
    kinds={
        "bee": "пчела|пчелы|пчёл",
        "hive": "улей|улья|ульев",
        "wall": "стена|стены|стен",
    },
    figures={
        "terrain": "местность",
        "flowers": "цветы",
        "influence": "влияние",
        "hp": "здоровье",
        "carries": "несёт цветов",
        "bees": "пчёлы",
        "hives": "ульи",
        "walls": "стены",
    },
    choices={
        "empty": "пусто",
        "field": "поле цветов",
        "stone": "камень",
        "hidden": "вне обзора",
        "bee": "пчела|пчелы|пчёл",
        "hive": "улей|улья|ульев",
        "wall": "стена|стены|стен",
        "E": "В",
        "SE": "ЮВ",
        "SW": "ЮЗ",
        "W": "З",
        "NW": "СЗ",
        "NE": "СВ",
        "gathered": "собран",
        "delivered": "доставлен",
    },
    outcomes={
        "INFLUENCE": "Под влиянием больше {percent} % клеток.",
        "NO_FLOWERS": "Цветов не осталось.",
        "NO_GATHERING": "Ни один цветок не {gathered:name} за {turns} {turns:ход|хода|ходов}.",
        "NO_CREATION": "Ничего не создано за {turns} {turns:ход|хода|ходов}.",
        "NOTHING_DONE": "Ни один цветок не {gathered:name} и ничего не создано за {turns} {turns:ход|хода|ходов}.",
    },
)
