"""What a team sees (seed: "Unit's view"; ruling 16), compiled."""

from marchland.board.cells import open_tables
from marchland.board.sight import visible
from marchland.games.datspulse.rules.ants import NO_WAY, step_back
from marchland.games.datspulse.rules.state import NEST_HEXES, ants_of, nests_of, rules_of, teams_of
from marchland.kernels import kernel


@kernel
def look(state, at, board, rules, team, viewers, radii, seen, out):
    """Write the hexes that ``team`` sees to ``out``, mark them 1 in ``seen``, and return how many they are.

    The spot sees, and every listed ant from where it is and from each hex that it walked, the dead included.
    """
    board = open_tables(board)
    rules = rules_of(rules)
    ants = ants_of(state, at)
    teams = teams_of(state, at)
    slots = len(ants.id) // len(teams.ants)
    viewers[0] = nests_of(state, at).cell[team * NEST_HEXES]
    radii[0] = rules.nest_view
    eyes = 1
    for row in range(team * slots, team * slots + teams.ants[team]):
        cell = ants.cell[row]
        way = ants.walked[row]
        viewers[eyes] = cell
        radii[eyes] = rules.vision[ants.kind[row]]
        eyes += 1
        while way > NO_WAY:
            cell, way = step_back(board, cell, way)
            viewers[eyes] = cell
            radii[eyes] = rules.vision[ants.kind[row]]
            eyes += 1
    return visible(board, viewers, radii, eyes, seen, 1, out)
