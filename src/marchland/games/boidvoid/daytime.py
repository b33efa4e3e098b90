"""Automode: always, or in daily periods like ``22:00-06:00``. Compiled."""

from marchland.core.events import emit
from marchland.core.orders import LEFT_OUT
from marchland.games.boidvoid.codes import MINUTE, MOST_PERIODS, SHIPS_AT
from marchland.games.boidvoid.happenings import AUTOMODE_SET
from marchland.games.boidvoid.reasons import BoidVoidReason as Why
from marchland.games.boidvoid.state import P, U
from marchland.games.boidvoid.world import OK, head_in, periods_in, players_in, units_in
from marchland.kernels import kernel

_PERIOD = 11  # bytes of HH:MM-HH:MM
_COLON, _DASH, _COMMA, _ZERO = 58, 45, 44, 48
_DAY = 24 * 60


@kernel
def set_automode(world, pool, player, on, text):
    """``on`` without periods means always, with periods only then; off ends both (ruling 19)."""
    head = head_in(world)
    players = players_in(world)
    periods = periods_in(world)
    units = units_in(world)
    if on != 0 and on != 1:
        return Why.BAD_VALUE.value
    count = 0
    if text != LEFT_OUT:
        count = count_periods(pool, text)
        if count < 0 or on == 0:
            return Why.BAD_PERIODS.value
    first = player * MOST_PERIODS * 2
    for place in range(MOST_PERIODS):
        begin, end = -1, -1
        if place < count:
            start = text + 1 + place * (_PERIOD + 1)
            begin, end = minute_in(pool, start), minute_in(pool, start + 6)
        periods[first + 2 * place] = begin
        periods[first + 2 * place + 1] = end
    players[player, P.automode] = 1 if on and count == 0 else 0
    emit(world.events, AUTOMODE_SET, units[head[SHIPS_AT] + player, U.id], on, count)
    return OK


@kernel
def count_periods(pool, text):
    """How many periods the text names; -1 where it is not well formed."""
    if text < 0 or text >= len(pool) or pool[text] < 1 or pool[text] > len(pool) - text - 1:
        return -1
    length = pool[text]
    count = (length + 1) // (_PERIOD + 1)
    if (length + 1) % (_PERIOD + 1) or count > MOST_PERIODS:
        return -1
    for place in range(count):
        start = text + 1 + place * (_PERIOD + 1)
        well = pool[start + 5] == _DASH and (place + 1 == count or pool[start + _PERIOD] == _COMMA)
        if not well or minute_in(pool, start) < 0 or minute_in(pool, start + 6) < 0:
            return -1
    return count


@kernel
def minute_in(pool, start):
    """The minute of the day that five bytes like 22:00 say, or -1."""
    for place in range(5):
        byte = pool[start + place]
        if (place == 2) != (byte == _COLON) or (place != 2 and (byte < _ZERO or byte > _ZERO + 9)):
            return -1
    hour = (pool[start] - _ZERO) * 10 + pool[start + 1] - _ZERO
    minute = (pool[start + 3] - _ZERO) * 10 + pool[start + 4] - _ZERO
    return hour * 60 + minute if hour < 24 and minute < 60 else -1


@kernel
def is_automatic(world, player):
    """Whether the player's ship acts by itself now; a period may pass midnight."""
    head = head_in(world)
    players = players_in(world)
    periods = periods_in(world)
    if players[player, P.automode]:
        return True
    now = head[MINUTE]
    first = player * MOST_PERIODS * 2
    for place in range(MOST_PERIODS):
        begin = periods[first + 2 * place]
        end = periods[first + 2 * place + 1]
        if begin >= 0 and now >= 0 and (now - begin) % _DAY < (end - begin) % _DAY:
            return True
    return False
