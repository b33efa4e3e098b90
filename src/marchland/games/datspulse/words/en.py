"""The words of DatsPulse in English."""

from typing import Final

from marchland.messages import EventWords, Words

EN: Final = Words(
    events={
        "fired": EventWords(
            "{by} shot {ant:a} of {team} at {at} from the nest (health {health} left)",
            "{by} shot {count} ants of {team} from the nest",
        ),
        "attacked": EventWords(
            "{team} attacked {target:a} with {ant:a} at {at} for {damage} damage[ ({bonus})]",
            "{team} attacked {count} times for {damage} damage",
        ),
        "hurt": EventWords(
            "{team} had {ant:a} wounded at {at} (health {health} left)", "{team} had {count} ants wounded"
        ),
        "killed": EventWords("{team} lost {ant:a} at {at} to {by}", "{team} lost {count} ants to {by}"),
        "dropped": EventWords("{team} dropped {amount} {food:amount} at {at}", "{team} dropped {amount} {food:amount}"),
        "lost": EventWords(
            "{team} lost {amount} {food:amount} with a killed ant at {at}",
            "{team} lost {amount} {food:amount} with killed ants",
        ),
        "burnt": EventWords(
            "{team} had {ant:a} burnt by acid at {at} (health {health} left)", "{team} had {count} ants burnt by acid"
        ),
        "blocked": EventWords("{team} had {ant:a} stopped at {at} by {by}", "{team} had {count} ants stopped by {by}"),
        "moved": EventWords("{team} moved {ant:a} from {from} to {to}", "{team} moved {count} ants"),
        "raided": EventWords(
            "{team} raided {amount} nectar from {from} at {at}", "{team} raided {amount} nectar from {from}"
        ),
        "collected": EventWords(
            "{team} collected {amount} {food:amount} at {at}", "{team} collected {amount} {food:amount}"
        ),
        "delivered": EventWords("{team} delivered {amount} {food:amount} ({calories} calories)"),
        "spawned": EventWords("{team} hatched {kind:a} at {at}", "{team} hatched {count} {kind:count}"),
        "not_spawned": EventWords("{team} could not hatch {kind:a} at {at} ({why})"),
        "grew": EventWords("{amount} {food:amount} grew at {at}", "{amount} {food:amount} grew"),
    },
    results={
        "NOT_FOUND": "Ant {ant} not found: you have no such ant.",
        "DEAD_ANT": "Ant {ant} is dead.",
        "TOO_FAR": "Ant {ant} cannot move more tiles than its speed.",
        "NO_TILE": "Ant {ant} cannot move there: a tile of the path was not found on the map.",
        "NOT_ADJACENT": "Ant {ant} cannot move there: two tiles of the path are not adjacent.",
        "REPLACED": "A later order for ant {ant} took this one's place.",
        "WALKED": "Walked {steps} {steps:step|steps} to {to}.",
        "STAYS": "The ant stays where it is.",
        "STOPPED_BY_ROCK": "Stopped after {steps} of {planned} {planned:step|steps}: there is a rock at {at}.",
        "STOPPED_BY_NEST": "Stopped after {steps} of {planned} {planned:step|steps}: another team's nest is at {at}.",
        "STOPPED_BY_ENEMY": "Stopped after {steps} of {planned} {planned:step|steps}: an enemy {kind:name} stood at {at}.",
        "STOPPED_BY_OWN": "Stopped after {steps} of {planned} {planned:step|steps}: your {kind:name} stood at {at}.",
        "STOPPED_BY_EXHAUSTION": "Stopped after {steps} of {planned} {planned:step|steps}: it was too exhausted for the dirt at {at}.",
        "KILLED": "Killed by {by:name} after {steps} of {planned} {planned:step|steps}.",
    },
    verbs={
        "move": "move",
    },
    parameters={
        "ant": "ant",
        "path": "path",
    },
    kinds={
        "worker": "worker|workers",
        "soldier": "soldier|soldiers",
        "scout": "scout|scouts",
    },
    figures={
        "nest": "nest",
        "terrain": "terrain",
        "food": "food",
        "amount": "amount",
        "health": "health",
        "score": "score",
        "ants": "ants",
        "lost": "lost",
        "walked": "walked",
    },
    choices={
        "nothing": "",
        "apple": "apple|apples",
        "bread": "bread|bread",
        "nectar": "nectar|nectar",
        "empty": "empty",
        "anthill": "anthill",
        "dirt": "dirt",
        "acid": "acid",
        "rock": "rock",
        "hidden": "out of sight",
        "none": "",
        "spot": "nest bonus",
        "ally": "ally bonus",
        "spot and ally": "nest and ally bonus",
        "nest": "a nest",
        "ant": "an ant",
        "foreign nest": "another team's nest",
        "enemy ant": "an enemy ant",
        "own ant": "an ant of its own",
        "exhaustion": "exhaustion",
        "no room": "there is no room",
        "limit": "the limit of ants is reached",
    },
    phrases={
        "player": "enemies",
        "piece": "an ant",
    },
)
