"""The words of DatsPulse in Russian, mostly those of its rule document."""

from typing import Final

from marchland.messages import EventWords, Words

RU: Final = Words(
    events={
        "fired": EventWords(
            "{by} бьёт из муравейника по гексу {at} ({ant:name}, хозяин — {team}, осталось здоровья {health})",
            "{by} бьёт из муравейника {count} {count:раз|раза|раз} (хозяин целей — {team})",
        ),
        "attacked": EventWords(
            "{team} атакует на {at} ({ant:name} → {target:name}, урон {damage}[, {bonus}])",
            "{team} атакует {count} {count:раз|раза|раз} (урон {damage})",
        ),
        "hurt": EventWords(
            "{team} получает урон на {at} ({ant:name}, осталось здоровья {health})",
            "{team} получает урон ({count} {count:муравей|муравья|муравьёв})",
        ),
        "killed": EventWords(
            "{team} теряет юнит на {at} ({ant:name}, причина — {by})",
            "{team} теряет {count} {count:муравья|муравья|муравьёв} (причина — {by})",
        ),
        "dropped": EventWords("{team} роняет {amount} {food:amount} на {at}", "{team} роняет {amount} {food:amount}"),
        "lost": EventWords(
            "{team} теряет {amount} {food:amount} вместе с убитым муравьём на {at}",
            "{team} теряет {amount} {food:amount} вместе с убитыми муравьями",
        ),
        "burnt": EventWords(
            "{team} получает ожог от кислоты на {at} ({ant:name}, осталось здоровья {health})",
            "{team} получает ожоги от кислоты ({count} {count:муравей|муравья|муравьёв})",
        ),
        "blocked": EventWords(
            "{team} не может пройти на {at} ({ant:name}, мешает {by})",
            "{team} не может пройти ({count} {count:муравей|муравья|муравьёв}, мешает {by})",
        ),
        "moved": EventWords(
            "{team} ведёт юнит ({ant:name}) с {from} на {to}",
            "{team} ведёт {count} {count:муравья|муравья|муравьёв}",
        ),
        "raided": EventWords(
            "{team} похищает {amount} нектара на {at} (хозяин — {from})",
            "{team} похищает {amount} нектара (хозяин — {from})",
        ),
        "collected": EventWords(
            "{team} собирает {amount} {food:amount} на {at}", "{team} собирает {amount} {food:amount}"
        ),
        "delivered": EventWords(
            "{team} доставляет {amount} {food:amount} ({calories} {calories:калория|калории|калорий})"
        ),
        "spawned": EventWords(
            "{team} получает пополнение на {at} ({kind:name})", "{team} получает пополнение ({count} {kind:count})"
        ),
        "not_spawned": EventWords("{team} остаётся без пополнения на {at} ({kind:name}, {why})"),
        "grew": EventWords("На {at} выросло: {amount} {food:amount}", "Выросло: {amount} {food:amount}"),
    },
    results={
        "NOT_FOUND": "Муравей {ant} не найден: у вас такого нет.",
        "DEAD_ANT": "Муравей {ant} погиб.",
        "TOO_FAR": "Муравей {ant} не может пройти больше гексов, чем его скорость.",
        "NO_TILE": "Муравей {ant} не может туда пройти: одного из гексов пути нет на карте.",
        "NOT_ADJACENT": "Муравей {ant} не может туда пройти: два гекса пути не примыкают друг к другу.",
        "REPLACED": "Более поздний приказ для муравья {ant} заменил этот.",
        "WALKED": "Пройдено {steps} {steps:гекс|гекса|гексов} до {to}.",
        "STAYS": "Муравей остаётся на месте.",
        "STOPPED_BY_ROCK": "Остановка после {steps} из {planned} {planned:гекса|гексов|гексов}: на {at} камень.",
        "STOPPED_BY_NEST": "Остановка после {steps} из {planned} {planned:гекса|гексов|гексов}: на {at} чужой муравейник.",
        "STOPPED_BY_ENEMY": "Остановка после {steps} из {planned} {planned:гекса|гексов|гексов}: на {at} стоял вражеский {kind:name}.",
        "STOPPED_BY_OWN": "Остановка после {steps} из {planned} {planned:гекса|гексов|гексов}: на {at} стоял ваш {kind:name}.",
        "STOPPED_BY_EXHAUSTION": "Остановка после {steps} из {planned} {planned:гекса|гексов|гексов}: на грязь на {at} не хватило очков передвижения.",
        "KILLED": "Муравей погиб после {steps} из {planned} {planned:гекса|гексов|гексов}, причина — {by:name}.",
    },
    verbs={
        "move": "идти",
    },
    parameters={
        "ant": "муравей",
        "path": "путь",
    },
    kinds={
        "worker": "рабочий|рабочих|рабочих",
        "soldier": "боец|бойца|бойцов",
        "scout": "разведчик|разведчика|разведчиков",
    },
    figures={
        "nest": "муравейник",
        "terrain": "тип гекса",
        "food": "ресурс",
        "amount": "количество",
        "health": "здоровье",
        "score": "счёт",
        "ants": "муравьи",
        "lost": "потери",
        "walked": "пройдено",
    },
    choices={
        "nothing": "",
        "apple": "яблоко|яблока|яблок",
        "bread": "хлеб|хлеба|хлеба",
        "nectar": "нектар|нектара|нектара",
        "empty": "пустой гекс",
        "anthill": "муравейник",
        "dirt": "грязь",
        "acid": "кислота",
        "rock": "камень",
        "hidden": "вне обзора",
        "none": "",
        "spot": "бонус муравейника",
        "ally": "бонус поддержки",
        "spot and ally": "бонусы муравейника и поддержки",
        "nest": "муравейник",
        "ant": "муравей",
        "foreign nest": "чужой муравейник",
        "enemy ant": "чужой муравей",
        "own ant": "свой муравей",
        "exhaustion": "нехватка очков передвижения",
        "no room": "нет места",
        "limit": "достигнут лимит юнитов",
    },
    phrases={
        "player": "противник",
        "piece": "муравей",
    },
)
