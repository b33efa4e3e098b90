"""Who is stronger, and how sure that is: ratings from sets of results, and sequential tests.

Everything here is a pure function of NumPy arrays and knows no game.
"""

from marchland.ratings.head_to_head import Duel, Surprise, duel_of, largest_surprises
from marchland.ratings.plackett_luce import Fit, fit_results
from marchland.ratings.results import Result
from marchland.ratings.sprt import SequentialTest, Verdict
from marchland.ratings.standings import Standing, rank_versions

__all__ = [
    "Duel",
    "Fit",
    "Result",
    "SequentialTest",
    "Standing",
    "Surprise",
    "Verdict",
    "duel_of",
    "fit_results",
    "largest_surprises",
    "rank_versions",
]
