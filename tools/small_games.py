"""How far from an equilibrium the bots play, in games small enough to work out.

A small game is the end of a real deal: by a fixed beginning, the same in every world, all cards but
a few low ones have been played or shown to be dead. Those few are dealt at random; what is left of
them is unseen. So a bot is asked by a real view, and nothing of it is changed. CFR+ finds an
equilibrium of the small game (with two players; with three it comes without a promise), and for
each bot it is worked out what the best answer to it wins: *NashConv*, summed over the seats, in
counters a deal; 0 for an equilibrium.

    python tools/small_games.py            # both games, all bots; some minutes
    python tools/small_games.py --game 2 --bots counter,sharp --iterations 200
"""

import argparse
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from popejoan import Card, CardSet, Deal, Round, Rules, View
from popejoan.advice import master
from popejoan.bots import LADDER, bot
from popejoan.rules import Lead, Peek

RULES = Rules(lead=Lead.ANY, peek=Peek.NOBODY)

# For each number of players: the cards dealt at random, how many to a hand, what else lies in the
# stock, what each seat has played, and the leads that played it. 2D is turned up.
GAMES = {
    2: (
        "AC 2C 3C 4C AH 2H 3H 4H AS 2S 3S 4S",
        3,
        "KC KH",
        (
            "KS QD JD TD 9D 7D 6D 5D 4D 3D AD JS TS 9S 8S 7S 6S 5S",
            "KD QC JC TC 9C 8C 7C 6C 5C QH JH TH 9H 8H 7H 6H 5H QS",
        ),
        "KD QC JC TC 9C 8C 7C 6C 5C QH JH TH 9H 8H 7H 6H 5H QS "
        "QD JD TD 9D 7D 6D 5D 4D 3D AD JS TS 9S 8S 7S 6S 5S",
    ),
    3: (
        "AC 2C 3C 4C AH 2H 3H AS 2S 3S",
        3,
        "KC JC 9C KH JH 9H 7H",
        (
            "KD JD TD 9D 7D 6D 5D 4D 3D AD 4S",
            "QC TC 8C 7C 6C 5C QH TH 8H 6H QS",
            "KS 5H 4H JS TS 9S 8S 7S 6S 5S QD",
        ),
        "QC TC 8C 7C 6C 5C QH TH 8H 6H QS 5H 4H JS TS 9S 8S 7S 6S 5S QD JD TD 9D 7D 6D 5D 4D 3D AD 4S",
    ),
}


class Game:
    """A small game as one forest, a tree a deal; nodes lie level by level, a lead a level."""

    def __init__(self, players):
        pool, size, dead, played, leads = GAMES[players]
        self.players, self.size = players, size
        self.pool = CardSet.parse(pool)
        self.dead = CardSet.parse(dead)
        self.played = [CardSet.parse(cards) for cards in played]
        self.leads = [Card.parse(lead) for lead in leads.split()]
        self.sets = {}  # (seat, hand, history) -> number
        self.options = []  # of each set the cards that may be led
        self.examples = []  # of each set one deal and its leads
        self.levels = []
        level = [
            (None, 0, hands, (0,) * players, 0, ())
            for hands in self._deals(int(self.pool.mask), players)
        ]
        self.deals = len(level)
        while level:
            level = self._grow(level)
        self.widest = max(map(len, self.options))

    def _deals(self, left, seats):
        if not seats:
            yield ()
            return
        cards = [1 << n for n in range(52) if left >> n & 1]
        for some in combinations(cards, self.size):
            hand = sum(some)
            for rest in self._deals(left & ~hand, seats - 1):
                yield (hand, *rest)

    def _grow(self, level):
        """Number the nodes of a level, and give those of the next."""
        sets, parents, moves, ends, wins, following = [], [], [], [], [], []
        for at, (parent, move, hands, gone, seat, told) in enumerate(level):
            parents.append(-1 if parent is None else parent)
            moves.append(move)
            held = [hand & ~out for hand, out in zip(hands, gone)]
            if 0 in held:
                winner = held.index(0)
                won = [-hand.bit_count() for hand in held]
                won[winner] = 1 - sum(won)
                sets.append(-1)
                wins.append(won)
                ends.append(at)
                continue
            key = seat, hands[seat], told
            options = [1 << n for n in range(52) if held[seat] >> n & 1]
            if key not in self.sets:
                self.sets[key] = len(self.options)
                self.options.append(options)
                self.examples.append((hands, [card for card, *_ in told]))
            sets.append(self.sets[key])
            for nth, lead in enumerate(options):
                run, bit, leader = 0, lead, seat
                while any(hand & bit for hand in held):
                    leader = next(n for n, hand in enumerate(held) if hand & bit)
                    run |= bit
                    if not held[leader] & ~run:
                        break
                    bit <<= 1
                out = tuple(one | hand & run for one, hand in zip(gone, hands))
                following.append((at, nth, hands, out, leader, (*told, (lead, *out))))
        seats = np.array([-1 if 0 in [h & ~o for h, o in zip(n[2], n[3])] else n[4] for n in level])
        values = np.zeros((len(level), self.players))
        if ends:
            values[ends] = wins
        self.levels.append((np.array(parents), np.array(moves), np.array(sets), seats, values))
        return following

    def uniform(self):
        """The strategy that leads any card: a row a set."""
        found = np.zeros((len(self.options), self.widest))
        for row, options in zip(found, self.options):
            row[: len(options)] = 1 / len(options)
        return found

    def reaches(self, strategy):
        """For each level how likely each seat plays so that each node is reached."""
        found = [np.ones((len(self.levels[0][0]), self.players))]
        for (_, _, sets, seats, _), (parents, moves, *_) in zip(self.levels, self.levels[1:]):
            reach = found[-1][parents]
            reach[np.arange(len(parents)), seats[parents]] *= strategy[sets[parents], moves]
            found.append(reach)
        return found

    def sweep(self, strategy, seat=None, best=False):
        """The value of the game by seat, and for each set what its leads are worth to its leader.

        With ``best`` the seat answers as well as it can to what the others play.
        """
        reaches = self.reaches(strategy)
        worths = np.zeros((len(self.options), self.widest))
        below = None
        for depth in reversed(range(len(self.levels))):
            _, _, sets, seats, ends = self.levels[depth]
            values = ends.copy()
            if below is not None:
                parents, moves = self.levels[depth + 1][:2]
                leaders = seats[parents]
                others = reaches[depth][parents].copy()
                others[np.arange(len(parents)), leaders] = 1
                weight = others.prod(axis=1)
                np.add.at(
                    worths,
                    (sets[parents], moves),
                    weight * below[np.arange(len(parents)), leaders],
                )
                share = strategy[sets[parents], moves]
                if best:
                    masked = np.where(self.mask, worths, -np.inf)
                    first = masked.argmax(axis=1)
                    mine = leaders == seat
                    share = np.where(mine, moves == first[sets[parents]], share)
                np.add.at(values, parents, below * share[:, None])
            below = values
        return below.mean(axis=0), worths / self.deals

    @property
    def mask(self):
        """Which leads a set has."""
        counts = np.array([len(options) for options in self.options])
        return np.arange(self.widest)[None, :] < counts[:, None]

    def nash_conv(self, strategy):
        """What the seats could win by their best answers, summed; counters a deal."""
        usual, _ = self.sweep(strategy)
        return sum(
            self.sweep(strategy, seat, best=True)[0][seat] - usual[seat]
            for seat in range(self.players)
        )

    def equilibrium(self, iterations):
        """The average strategy of CFR+."""
        leader = np.zeros(len(self.options), dtype=int)
        for (seat, *_), number in self.sets.items():
            leader[number] = seat
        regrets = np.zeros((len(self.options), self.widest))
        total = np.zeros_like(regrets)
        mask = self.mask
        strategy = self.uniform()
        for turn in range(1, iterations + 1):
            for seat in range(self.players):
                _, worths = self.sweep(strategy)
                mean = (worths * strategy).sum(axis=1, keepdims=True)
                rows = (leader == seat)[:, None] & mask
                regrets = np.where(rows, np.maximum(regrets + worths - mean, 0), regrets)
                whole = regrets.sum(axis=1, keepdims=True)
                new = np.where(whole > 0, regrets / np.where(whole > 0, whole, 1), self.uniform())
                strategy = np.where(rows, new, strategy)
            reach = self.own_reach(strategy)
            total += turn * reach[:, None] * strategy
        whole = total.sum(axis=1, keepdims=True)
        return np.where(whole > 0, total / np.where(whole > 0, whole, 1), self.uniform())

    def own_reach(self, strategy):
        """How likely the leader of each set plays so that it is reached."""
        found = np.zeros(len(self.options))
        for reach, (_, _, sets, seats, _) in zip(self.reaches(strategy), self.levels):
            live = sets >= 0
            found[sets[live]] = reach[live, seats[live]]
        return found

    def asked(self, player):
        """The strategy of a bot, asked by a real view at every choice."""
        found = self.uniform()
        for row, options, (hands, told) in zip(found, self.options, self.examples):
            if len(options) == 1:
                continue
            card = player.choose(self.view(hands, told))
            row[:] = 0
            row[options.index(card.bit)] = 1
        return found

    def view(self, hands, told):
        """What the seat to lead sees after these leads of the small game."""
        whole = [CardSet(hand) | played for hand, played in zip(hands, self.played)]
        stock = (self.pool - CardSet(sum(hands))) | self.dead
        deal = Deal.of(whole, Card.parse("2D"), stock)
        leads = [*self.leads, *(CardSet(lead)[0] for lead in told)]
        round_ = Round.replay(RULES, deal, leads)
        return View.of(round_, round_.to_act)


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    asked.add_argument("--game", type=int, choices=tuple(GAMES), action="append")
    asked.add_argument("--bots", default=",".join(LADDER))
    asked.add_argument("--iterations", type=int, default=300)
    given = asked.parse_args()
    print("| players | deals | choices | strategy | NashConv |\n|---|---|---|---|---|")
    for players in given.game or GAMES:
        began = time.time()
        game = Game(players)
        choices = sum(len(options) > 1 for options in game.options)
        print(f"{time.time() - began:.0f} s to lay out", file=sys.stderr)
        begin = f"| {players} | {game.deals:,} | {choices:,} |"
        found = game.equilibrium(given.iterations)
        print(f"{begin} CFR+, {given.iterations} iterations | {game.nash_conv(found):.4f} |")
        print(f"{time.time() - began:.0f} s", file=sys.stderr)
        for name in given.bots.split(","):
            if name == "newcomer":
                player = game.uniform()
            else:
                player = game.asked(master() if name == "master" else bot(name))
            print(f"{begin} {name} | {game.nash_conv(player):.3f} |", flush=True)
            print(f"{time.time() - began:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
