"""A table over real sockets: what people do at it, and what it does by itself."""

from __future__ import annotations

import concurrent.futures
import json
import time
from typing import Any, ClassVar

from tests.web.servers import Client, Server, play_on

from popejoan.notation import Record


def started(server: Server, *names: str, **settings: object) -> list[Client]:
    """A table at which these sit, and the first deal is dealt."""
    settings = {"seats": max(2, len(names)), "deals": 2, **settings}
    first = server.table(names[0], **settings)
    clients = [server.client(first)]
    clients += [server.client(server.sit(first["code"], name)) for name in names[1:]]
    clients[0].does("start")
    for client in clients:
        client.until_playing()
    return clients


def close(clients: list[Client]) -> None:
    for client in clients:
        client.close()


def test_two_people_and_two_bots_play_a_match_to_the_reckoning(server: Server) -> None:
    clients = started(server, "Anna", "Ben", seats=4)
    play_on(clients, lambda: all(each.table["phase"] == "over" for each in clients))
    one, other = (client.table for client in clients)
    assert one == other
    final = one["final"]
    assert sum(final["won"]) + final["left"] == 0
    owed = [0, 0, 0, 0]
    for payer, payee, counters in final["debts"]:
        owed[payer] -= counters
        owed[payee] += counters
    assert owed == final["won"] or final["left"]
    status, record = server.http(
        f"api/tables/{clients[0].code}/record", authorization=f"Bearer {clients[0].token}"
    )
    assert status == 200
    assert list(Record.read(record).match.purses) == one["purses"]
    assert Record.read(record).names[:2] == ("Anna", "Ben")
    clients[1].does("rematch")
    clients[0].until(lambda: clients[0].table["phase"] == "lobby")
    clients[0].does("start")
    clients[1].until(lambda: clients[1].table["phase"] == "playing")
    close(clients)


def test_two_tabs_on_one_seat_show_the_same_and_a_double_play_counts_once(server: Server) -> None:
    (one,) = started(server, "Anna", seats=3)
    play_on([one], lambda: one.my_lead)
    two = Client(server, one.code, one.token)
    assert two.view == one.view
    assert two.you == one.you
    ask = {"deal": one.table["deal"], "seen": one.seen, "card": one.choice()}
    with concurrent.futures.ThreadPoolExecutor() as pool:
        answers = list(pool.map(lambda client: client.ask("lead", **ask), (one, two)))
    assert sorted(answer["kind"] for answer in answers) == ["done", "refused"]
    (said,) = [answer["says"] for answer in answers if answer["kind"] == "refused"]
    assert "happened" in said or "not your play" in said or "deal" in said
    one.drain()
    two.drain()
    assert two.view == one.view
    close([one, two])


def test_the_same_ask_sent_twice_is_done_once(server: Server) -> None:
    (one,) = started(server, "Anna", seats=2)
    one.does("say", name="hello-1", text="Good evening")
    one.does("say", name="hello-1", text="Good evening")
    one.drain()
    assert [line[1] for line in one.lines] == ["Good evening"]
    close([one])


def test_a_stale_lead_and_a_lead_out_of_turn_are_refused_with_the_reason(server: Server) -> None:
    clients = started(server, "Anna", "Ben", bots=None)
    play_on(clients, lambda: any(each.my_lead for each in clients))
    mover = next(each for each in clients if each.my_lead)
    other = next(each for each in clients if each is not mover)
    assert other.view is not None
    card = other.view["table"]["hand"][0]
    assert "not your play" in other.refused("lead", deal=1, seen=other.seen, card=card)
    assert "look again" in mover.refused("lead", deal=1, seen=2, card=mover.choice())
    assert "deal 9" in mover.refused("lead", deal=9, seen=mover.seen, card=mover.choice())
    says = mover.refused("lead", deal=1, seen=mover.seen, card=card)
    assert "not in the hand" in says
    assert "Round" not in says
    close(clients)


def test_someone_who_drops_is_seen_as_dropped_a_bot_plays_and_coming_back_takes_the_seat(
    server: Server,
) -> None:
    clients = started(server, "Anna", "Ben", "Cleo", bots=None, grace=1)
    anna, ben, cleo = clients
    play_on(clients, lambda: ben.my_lead)
    ben.close()
    anna.until(lambda: [ben.you, "dropped"] in anna.table["present"])
    anna.until(lambda: [ben.you, "away"] in anna.table["present"])
    play_on([anna, cleo], lambda: any("Ben is away" in says for says in anna.says))
    back = Client(server, ben.code, ben.token)
    assert back.you == ben.you
    anna.until(lambda: [ben.you, "here"] in anna.table["present"])
    play_on([anna, cleo, back], lambda: anna.table["deal"] == 2)
    close([anna, back, cleo])


def test_the_host_role_moves_on_when_the_host_is_away(server: Server) -> None:
    anna, ben = started(server, "Anna", "Ben", grace=1)
    assert "only the host" in ben.refused("pause", on=True)
    anna.close()
    ben.until(lambda: ben.table["host"] == ben.you)
    ben.does("pause", on=True)
    ben.does("pause", on=False)
    ben.close()


def test_a_newcomer_sits_from_the_next_deal_and_a_leaver_is_accounted_for(server: Server) -> None:
    (anna,) = started(server, "Anna", seats=3, deals=4)
    given = server.sit(anna.code, "Dora")
    dora = server.client(given)
    assert dora.view is not None
    assert dora.view["seat"] is None
    assert dora.view["table"]["hand"] == []
    play_on([anna, dora], lambda: dora.table["deal"] == 2 and dora.seated)
    assert len(dora.table["seats"]) == 3
    assert len(dora.table["purses"]) == 4
    assert sum(dora.table["purses"]) + sum(dora.table["board"].values()) == 4 * 48
    dora.does("leave")
    anna.until(lambda: anna.table["people"][given["person"]][2] == "leaving")
    play_on([anna], lambda: anna.table["deal"] == 3)
    assert given["person"] not in anna.table["seats"]
    assert len(anna.table["seats"]) == 3
    dora.does("return")
    play_on([anna, dora], lambda: anna.table["deal"] == 4)
    assert given["person"] in anna.table["seats"]
    close([anna, dora])


def test_the_host_removes_hands_over_and_changes_the_rules_for_the_next_deal(
    server: Server,
) -> None:
    anna, ben = started(server, "Anna", "Ben", deals=None)
    settings = {**anna.table["settings"], "rules": "CASSELL", "seats": 3}
    assert "ace" in anna.refused("plan", settings={**settings, "rules": "HOYLE ace=high"})
    anna.does("plan", settings=settings)
    assert anna.table["planned"]["rules"] == "CASSELL"
    assert anna.table["rules"]["text"] == "HOYLE"
    play_on([anna, ben], lambda: anna.table["deal"] == 2)
    assert anna.table["rules"]["text"] == "CASSELL"
    assert len(anna.table["seats"]) == 3
    anna.does("hand-over", person=ben.you)
    ben.until(lambda: ben.table["host"] == ben.you)
    ben.does("remove", person=anna.you)
    anna.until(lambda: anna.table["people"][0][2] == "leaving")
    ben.does("end")
    play_on([ben], lambda: ben.table["phase"] == "over")
    close([anna, ben])


def test_a_lead_that_showed_nothing_can_be_taken_back(server: Server) -> None:
    (anna,) = started(server, "Anna", seats=2, rules="HOFFMANN", deals=None)

    def king() -> str | None:
        legal = anna.view["table"]["legal"] if anna.view and anna.my_lead else []
        return next((card for card in legal if card[0] == "K" and len(legal) > 1), None)

    play_on([anna], lambda: king() is not None, patience=120)
    card = king()
    assert anna.view is not None
    before = anna.view["table"]["hand"]
    assert anna.lead(card)["kind"] == "done"
    anna.drain()
    assert anna.table["back"] == anna.you
    anna.does("take-back")
    anna.drain()
    assert anna.view is not None
    assert anna.view["table"]["hand"] == before
    assert anna.refused("take-back")
    close([anna])


def test_claims_may_be_called_and_the_switch_makes_them(server: Server) -> None:
    (anna,) = started(server, "Anna", seats=2, deals=None)
    anna.does("switch", on=False)

    def mine() -> list[dict[str, object]]:
        view = anna.view
        return [due for due in view["table"]["due"] if due["seat"] == view["seat"]] if view else []

    play_on([anna], lambda: bool(mine()), patience=120)
    due = mine()[0]
    anna.does("claim", compartment=due["compartment"])
    assert "no claim" in anna.refused("claim", compartment=due["compartment"])
    anna.does("switch", on=True)
    close([anna])


def test_a_clock_that_runs_out_lets_a_bot_lead(server: Server) -> None:
    (anna,) = started(server, "Anna", seats=2, clock=5)
    play_on([anna], lambda: anna.my_lead)
    anna.until(lambda: any("has no time left" in says for says in anna.says))
    close([anna])


def test_a_spectator_sees_the_table_and_no_hand(server: Server) -> None:
    (anna,) = started(server, "Anna", seats=3)
    watcher = Client(server, anna.code, "")
    assert watcher.you is None
    assert watcher.view is not None
    assert watcher.view["dealt"] == []
    assert watcher.view["stock"] is None
    assert "watch" in watcher.refused("ready", deal=1)
    (closed,) = started(server, "Anna", seats=3, watch=False)
    assert "nobody may watch" in Client(server, closed.code, "").bye
    close([anna, watcher, closed])


class Wordless(Client):
    hello: ClassVar[dict[str, Any]] = {"says": False}


def test_one_who_wants_no_sentences_hears_none_and_misses_nothing_else(server: Server) -> None:
    (anna,) = started(server, "Anna", seats=3, watch=True)
    wordy, wordless = Client(server, anna.code, anna.token), Wordless(server, anna.code, anna.token)
    play_on([anna], lambda: anna.table["phase"] == "between")
    wordy.until(lambda: wordy.seq == anna.seq)
    wordless.until(lambda: wordless.seq == anna.seq)
    heard = [[json.loads(text) for text in each.frames] for each in (wordy, wordless)]
    late = Wordless(server, anna.code, anna.token)
    assert wordy.says
    assert not wordless.says
    assert not late.says
    news = [[message for message in each if message["kind"] == "news"] for each in heard]
    for message in news[0]:
        message.pop("says", None)
    assert news[1]
    assert news[0][-len(news[1]) :] == news[1]
    assert (wordy.table, wordy.view) == (wordless.table, wordless.view)
    close([anna, wordy, wordless, late])


def test_with_nobody_there_the_table_stands_still(server: Server) -> None:
    (anna,) = started(server, "Anna", seats=4, grace=0)
    anna.close()
    time.sleep(0.5)
    back = Client(server, anna.code, anna.token)
    seq = back.seq
    back.close()
    time.sleep(1.0)
    again = Client(server, anna.code, anna.token)
    assert again.seq - seq <= 2
    again.close()
