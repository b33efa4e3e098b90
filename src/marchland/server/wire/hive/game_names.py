"""Random names of games: three words and a number, easy to say aloud."""

import secrets

_WORDS = """
amber apple april aster autumn balm barley basil beech birch blossom borage breeze briar brook buckwheat buzzing
calm cedar cherry clover cloud comb coral crocus daisy dandy dawn dew drifting dusk early ember fern field foxglove
gentle ginger glade gleam golden grove harvest hazel heather hedge honey humming iris ivy jasmine juniper kind lark
laurel lavender leaf lilac lily linden lucky lupin maple marigold meadow mellow merry mint misty moss nectar noble
oak olive orchard pansy peach pebble petal poppy prairie quick quiet rain reed river robin rose rowan sage scarlet
silver sky snow sorrel sparrow spring stream summer sun swift tansy thistle thyme tulip velvet violet warm wax wild
willow wind winter wood yarrow yellow
""".split()  # noqa: SIM905 - easier to read
_NUMBERS = 1000


def random_name() -> str:
    """A random name; collisions are rare, not excluded."""
    words = "-".join(secrets.choice(_WORDS) for _ in range(3))
    return f"{words}-{secrets.randbelow(_NUMBERS)}"
