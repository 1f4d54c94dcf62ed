/* The yardstick: the same work the textbook way, for `popejoan bench --fast` to be measured against.
 *
 * Matches of eight deals between four players under HOYLE with any card led (Rules "HOYLE lead=any"):
 * Fisher-Yates, an owner array, card by card, every payment when it falls due, the stakes carried
 * over, the deal passing. Its own generator (wyrand), so the deals are others and the means alike.
 *
 *     gcc -O3 -march=native -shared -fPIC -o plain.so popejoan_plain.c
 */
#include <stdint.h>

enum { PLAYERS = 4, HAND = 11, DEALS = 8, CARDS = 52, REMOVED = 20, POPE = 21, NOBODY = -1 };
enum { ACE, KING, QUEEN, KNAVE, GAME, MATRIMONY, INTRIGUE, POPES, COMPARTMENTS };

static const int stakes[COMPARTMENTS] = {1, 1, 1, 1, 1, 2, 2, 6};
static const int honours[4] = {0, 12, 11, 10};

static uint64_t next_word(uint64_t *state) {
    *state += 0xa0761d6478bd642fULL;
    __uint128_t t = (__uint128_t)*state * (*state ^ 0xe7037ed1a0b428dbULL);
    return (uint64_t)(t >> 64) ^ (uint64_t)t;
}

static int below(uint64_t *state, int n) {
    return (int)(((next_word(state) & 0xffffffffULL) * (uint64_t)n) >> 32);
}

typedef struct {
    int board[COMPARTMENTS];
    int64_t purse[PLAYERS];
} Table;

typedef struct {
    int owner[CARDS];            /* who holds the card now, or NOBODY */
    int place[CARDS];            /* where it stands in that hand */
    int hand[PLAYERS][HAND];
    int count[PLAYERS];
    int played_by[CARDS];        /* who has played it, or NOBODY */
} Deal;

static void take(Table *table, int seat, int compartment) {
    table->purse[seat] += table->board[compartment];
    table->board[compartment] = 0;
}

static void drop(Deal *deal, int seat, int card) {
    int last = deal->hand[seat][--deal->count[seat]];
    deal->hand[seat][deal->place[card]] = last;
    deal->place[last] = deal->place[card];
    deal->owner[card] = NOBODY;
    deal->played_by[card] = seat;
}

static void earn(Table *table, Deal *deal, int seat, int card, int trump) {
    if (card == POPE) take(table, seat, POPES);
    if (card / 13 != trump) return;
    int base = trump * 13, rank = card % 13;
    for (int nth = 0; nth < 4; nth++)
        if (rank == honours[nth]) take(table, seat, nth);
    if (rank == 12 && deal->played_by[base + 11] == seat) take(table, seat, MATRIMONY);
    if (rank == 11 && deal->played_by[base + 12] == seat) take(table, seat, MATRIMONY);
    if (rank == 11 && deal->played_by[base + 10] == seat) take(table, seat, INTRIGUE);
    if (rank == 10 && deal->played_by[base + 11] == seat) take(table, seat, INTRIGUE);
}

static void play_deal(uint64_t *state, Table *table, int dealer) {
    int pack[51], n = 0;
    Deal deal;
    for (int card = 0; card < CARDS; card++) {
        if (card != REMOVED) pack[n++] = card;
        deal.owner[card] = deal.played_by[card] = NOBODY;
    }
    for (int i = 50; i > 0; i--) {
        int j = below(state, i + 1), swap = pack[i];
        pack[i] = pack[j];
        pack[j] = swap;
    }
    for (int seat = 0; seat < PLAYERS; seat++) {
        deal.count[seat] = HAND;
        for (int i = 0; i < HAND; i++) {
            int card = pack[seat * HAND + i];
            deal.hand[seat][i] = card;
            deal.place[card] = i;
            deal.owner[card] = seat;
        }
    }
    int turn_up = pack[PLAYERS * HAND], trump = turn_up / 13;
    for (int c = 0; c < COMPARTMENTS; c++) {
        table->board[c] += stakes[c];
        table->purse[dealer] -= stakes[c];
    }
    if (turn_up == POPE) {
        take(table, dealer, POPES);
        take(table, dealer, GAME);
        for (int seat = 0; seat < PLAYERS; seat++)
            if (seat != dealer) {
                table->purse[seat] -= HAND;
                table->purse[dealer] += HAND;
            }
        return;
    }
    for (int nth = 0; nth < 4; nth++)
        if (turn_up % 13 == honours[nth]) take(table, dealer, nth);
    int leader = (dealer + 1) % PLAYERS;
    for (;;) {
        int seat = leader, card = deal.hand[seat][below(state, deal.count[seat])];
        for (;;) {
            drop(&deal, seat, card);
            earn(table, &deal, seat, card, trump);
            if (deal.count[seat] == 0) {
                take(table, seat, GAME);
                for (int other = 0; other < PLAYERS; other++)
                    if (other != seat && deal.owner[POPE] != other) {
                        table->purse[other] -= deal.count[other];
                        table->purse[seat] += deal.count[other];
                    }
                return;
            }
            leader = seat;
            if (card % 13 == 12 || deal.owner[card + 1] == NOBODY) break;
            card++;
            seat = deal.owner[card];
        }
    }
}

/* Play matches first .. first + matches - 1; out holds 4 balances and 8 stakes a match. */
void plain_matches(uint64_t seed, int64_t first, int64_t matches, int64_t *out) {
    for (int64_t match = first; match < first + matches; match++) {
        uint64_t state = seed ^ (uint64_t)match * 0x9e3779b97f4a7c15ULL;
        Table table = {{0}, {0}};
        for (int deal = 0; deal < DEALS; deal++)
            play_deal(&state, &table, (int)((match + deal) % PLAYERS));
        int64_t *row = out + (match - first) * (PLAYERS + COMPARTMENTS);
        for (int seat = 0; seat < PLAYERS; seat++) row[seat] = table.purse[seat];
        for (int c = 0; c < COMPARTMENTS; c++) row[PLAYERS + c] = table.board[c];
    }
}
