"""A bot of your own, in twenty lines: it leads a stop that it knows, else its longest suit.

Put it into a package with this in its pyproject.toml, and it plays anywhere by its name:

    [project.entry-points."popejoan.bots"]
    mine = "my_bot:MyBot"

Then: popejoan arena --bots mine --field book --rules CASSELL, popejoan play --bots mine.
"""

from popejoan import Card, Suit, View
from popejoan.testing import check_bot


class MyBot:
    """Keeps the lead while it can."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, view: View) -> Card:
        """One of view.legal; the view holds all that the seat may know."""
        if stops := view.legal & view.stops:
            return stops[0]
        longest = max(Suit, key=lambda suit: len(view.hand.of_suit(suit)))
        return next(iter(view.legal.of_suit(longest)), view.legal[0])


if __name__ == "__main__":
    print(check_bot(MyBot))
