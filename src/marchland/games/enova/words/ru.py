"""The words of Enova Conquest in Russian."""

from typing import Final

from marchland.messages import EventWords, ForecastWords, Words

RU: Final = Words(
    events={
        "moved": EventWords(
            "{player} ведёт {units} {units:юнит|юнита|юнитов} с {from} на {to}",
            "{player} ведёт {units} {units:юнит|юнита|юнитов} ({count} {count:перемещение|перемещения|перемещений})",
        ),
        "battle": EventWords("Бой на {at}[, на границе с {against}]"),
        "force": EventWords(
            "{player} имеет {units} {units:юнит|юнита|юнитов}[, поддержка {support}][, оборона {defence}]"
        ),
        "roll": EventWords("{player} бросает кубик: {die}, итог {score}"),
        "drew_lots": EventWords("{player} выигрывает честный жребий среди равных ({among})"),
        "won": EventWords("{player} побеждает (осталось {units} {units:юнит|юнита|юнитов})"),
        "killed": EventWords("{player} теряет {units} {units:юнит|юнита|юнитов}"),
        "captured": EventWords(
            "{by} захватывает клетку {at}[ у игрока {from}]",
            "{by} захватывает {count} {count:клетку|клетки|клеток}[ у игрока {from}]",
        ),
        "retreated": EventWords(
            "{player} отступает на {to} ({units} {units:юнит|юнита|юнитов})",
            "{player} отступает ({units} {units:юнит|юнита|юнитов})",
        ),
        "routed": EventWords("{player} теряет ещё {units} (отступать было некуда)"),
        "eliminated": EventWords("{player} выбывает из игры"),
        "produced": EventWords("Замки дали {units} {units:юнит|юнита|юнитов}"),
    },
    results={
        "OFF_THE_BOARD": "На этом поле нет такой клетки.",
        "NOT_YOURS": "Клетка не ваша.",
        "NO_UNITS": "На клетке нет ваших юнитов.",
        "NO_TARGET": "На этом поле нет клетки {to}, идти некуда.",
        "NOT_ADJACENT": "Клетки {from} и {to} не соседние.",
        "IMPASSABLE": "Клетка {to} непроходима.",
        "BAD_UNITS": "Для хода нужен хотя бы 1 юнит, а не {units}.",
        "NOT_ENOUGH_UNITS": "На {from} юнитов меньше, чем {units}.",
        "REPLACED": "Ваш более поздний приказ для той же клетки заменил этот.",
        "MOVED": "Перешло на {to}: {units} {units:юнит|юнита|юнитов}.",
        "WON": "Победа на {at}: {score} ({strength} + {die} на кубике) против {other_score} ({other_strength} + {other_die} на кубике).",
        "LOST": "Поражение на {at}: {score} ({strength} + {die} на кубике) против {other_score} ({other_strength} + {other_die} на кубике), отступило {left} из {units}.",
        "ROUTED": "Поражение на {at}: {score} ({strength} + {die} на кубике) против {other_score} ({other_strength} + {other_die} на кубике), не спасся ни один юнит.",
        "NOT_ATTACKED": "Клетку никто не атаковал.",
        "SUPPORTED": "Поддержка оказана: {battles} {battles:бой|боя|боёв}.",
        "NOTHING_TO_SUPPORT": "Рядом с клеткой не было ваших боёв.",
    },
    verbs={
        "move": "идти",
        "defend": "обороняться",
        "support": "поддержать",
    },
    parameters={
        "from": "откуда",
        "to": "куда",
        "units": "юниты",
        "at": "клетка",
    },
    figures={
        "owner": "владелец",
        "terrain": "местность",
        "units": "юниты",
        "castles": "замки",
        "tiles": "клетки",
    },
    choices={
        "open": "равнина",
        "impassable": "непроходимо",
        "castle": "замок|замка|замков",
    },
    forecasts={
        "BATTLE": ForecastWords(
            "шанс {chance} % против {held} {held:юнита|юнитов|юнитов}, {defended} %, если они обороняются", "{chance} %"
        ),
        "UNDEFENDED": ForecastWords("никто не обороняет", "пусто"),
    },
)
