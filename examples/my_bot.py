"""A bot of your own, in twenty lines: it keeps the cards that another player may lead up to.

Such a card is a way back into the lead, so it is played late; of the others stops go first.

Put it into a package with this in its pyproject.toml, and it plays anywhere by its name:

    [project.entry-points."popejoan.bots"]
    mine = "my_bot:MyBot"

Then: popejoan arena --bots mine --field book --rules CASSELL, popejoan play --bots mine.
"""

from popejoan import Card, View
from popejoan.testing import check_bot


class MyBot:
    """Keeps its ways back into the lead."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, view: View) -> Card:
        """One of view.legal; the view holds all that the seat may know."""
        led_up_to = {view.rules.order.following[card] for card in view.unseen}
        alone = [card for card in view.legal if card not in led_up_to]
        stops = [card for card in alone if card in view.stops]
        return (stops or alone or list(view.legal))[0]


if __name__ == "__main__":
    try:
        print(check_bot(MyBot))
    except KeyboardInterrupt:
        raise SystemExit("Stopped before the check was over.") from None
