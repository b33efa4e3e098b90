"""The noise that DatsPulse maps are drawn from, compiled (ruling 1)."""

from marchland.board.lattices import LATTICES
from marchland.board.tables import Ints, Longs
from marchland.core.dice import draw, make_dice
from marchland.kernels import kernel

_STEPS = LATTICES[6].steps
_SIDES = 1 << 40
_APART = 1 << 20  # keeps the rows of coordinates apart in a draw's index


@kernel
def noise(key0: int, key1: int, phase: int, patchy: bool, period: int, frame: Ints, out: Longs) -> None:
    """A random number for every hex by its coordinates, which repeat after ``period`` if it is not 0.

    Patchy noise is the sum over a hex and its neighbours, so that what is high lies together.
    """
    dice = make_dice(key0, key1, 0, 0)
    for cell in range(len(out)):
        out[cell] = 0
        for way in range(7 if patchy else 1):
            p = frame[2 * cell]
            r = frame[2 * cell + 1]
            if way > 0:
                p += _STEPS[way - 1][0]
                r += _STEPS[way - 1][1]
            if period > 0:
                p %= period
                r %= period
            out[cell] += draw(dice, phase, p * _APART + r, _SIDES)
