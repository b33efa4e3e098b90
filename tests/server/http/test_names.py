# ruff: noqa: RUF001 - letters that look alike are the point
"""Names that others see: in every request that contains one, over HTTP and over the original protocols."""

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import inspect

from marchland.games.colorfight.wire.actions import BadActionError, parse_action
from marchland.messages.names import BadNameError, clean_name, skeleton
from marchland.messages.text import NAME
from marchland.server.app import create_app
from marchland.server.http.binding import read_signature
from marchland.server.settings import Settings
from marchland.store import Database
from tests.support.game_loading import loaded_games
from tests.support.server import Person, Served, problem

INVISIBLE = {
    "right-to-left override": "eve\u202e",
    "isolate": "\u2066eve",
    "zero-width space": "e\u200bve",
    "zero-width joiner": "e\u200dve",
    "soft hyphen": "e\u00adve",
    "byte order mark": "\ufeffeve",
    "Hangul filler": "eve\u3164",
    "variation selector": "eve\ufe0f",
    "tag": "eve\U000e0041",
    "combining grapheme joiner": "e\u034fve",
    "blank Braille pattern": "\u2800",
    "only spaces": " \u00a0 ",
}
TEMPLATE = {"game": "colorfight", "seats": [{"kind": "builtin", "bot": "idle"}] * 2}


def some_name() -> str:
    return f"name {os.urandom(4).hex()}"


@pytest.mark.parametrize("name", INVISIBLE.values(), ids=INVISIBLE)
def test_a_name_with_invisible_characters_is_refused(name: str) -> None:
    with pytest.raises(BadNameError, match="seen"):
        clean_name(name)


@pytest.mark.parametrize("name", ["Bоb", "аdmin", "Αlice", "team Рavel", "cat-Кot", "ᎪNN", "տom"])
def test_a_word_in_two_alphabets_is_refused(name: str) -> None:
    with pytest.raises(BadNameError, match="mixes letters of"):
        clean_name(name)


@pytest.mark.parametrize(
    "name", ["Анна", "Команда Ёжик-2", "Ωμέγα", "Team Альфа", "Zoë", "王小明", "نورا", "Nguyễn", "bot_7", "🦊"]
)
def test_a_name_in_one_alphabet_is_accepted(name: str) -> None:
    assert clean_name(name) == name


@pytest.mark.parametrize("name", ["e" + "\u0301" * 5, "\u0301eve", "eve \u20dd"])
def test_a_name_that_covers_other_lines_or_begins_with_a_mark_is_refused(name: str) -> None:
    with pytest.raises(BadNameError, match="at most 3 marks"):
        clean_name(name)


@pytest.mark.parametrize("name", ["ที่ปรึกษา", "हिन्दी", "И́ван", "Việt", "עִבְרִית"])
def test_the_marks_of_a_language_are_accepted(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


def test_names_are_stored_in_normal_form() -> None:
    assert clean_name("  Zoe\u0308 \u00a0 K ") == "Zoë K"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Сора", "copa"),
        ("ANNA", "anna"),
        ("Ёж", "ёж"),
        ("ΑΒΕ", "abe"),
        ("ｅｖｅ", "eve"),
        ("ﬁn", "fin"),
        ("ɑᴅmın", "admin"),
    ],
)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("Анна", "Инна"), ("eve", "éve"), ("bot 1", "bot 2"), ("Юля", "Оля")])
def test_names_that_differ_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


REQUESTS: dict[str, tuple[str, str, Any]] = {
    "account": ("POST", "/accounts", lambda name: {"name": name}),
    "room": ("POST", "/rooms", lambda name: {"name": name, "template": TEMPLATE}),
    "match of a room": ("POST", "/rooms", lambda name: {"name": some_name(), "template": {**TEMPLATE, "name": name}}),
    "round": ("POST", "/rounds", lambda name: {"name": name, "template": TEMPLATE, "starts": 4e9}),
    "season": ("POST", "/seasons", lambda name: {"name": name, "start": "2090-01-01", "end": "2090-02-01"}),
    "map": ("POST", "/maps", lambda name: {"game": "hive", "name": name, "data": {}}),
    "match": ("POST", "/matches", lambda name: {**TEMPLATE, "name": name}),
    "seat": ("POST", "/matches", lambda name: {"game": "colorfight", "seats": [{"name": name}, {}]}),
    "join": ("POST", "/matches/{match}/join", lambda name: {"name": name}),
    "change of a round": ("PATCH", "/rounds/any", lambda name: {"name": name}),
    "registration": ("POST", "/rounds/any/register", lambda name: {"name": name}),
    "fork": ("POST", "/matches/any/fork", lambda name: {"turn": 1, "name": name}),
    "game of a season": (
        "POST",
        "/seasons/any/games",
        lambda name: {"name": name, "template": {"game": "boidvoid"}, "teams": []},
    ),
    "team": ("PUT", "/season-games/any/teams", lambda name: [{"name": name, "members": [{"account": "a"}]}]),
    "collection": ("POST", "/ledger/collections", lambda name: {"game": "boidvoid", "name": name}),
    "schema": ("POST", "/ledger/schemas", lambda name: {"collection": 1, "name": name, "kind": "boost"}),
    "kind of a schema": ("POST", "/ledger/schemas", lambda name: {"collection": 1, "name": "fuel", "kind": name}),
    "template": ("POST", "/ledger/templates", lambda name: {"game": "boidvoid", "name": name, "kind": "boost"}),
    "label of a token": ("POST", "/tokens", lambda name: {"label": name}),
}


@pytest.mark.parametrize("name", [INVISIBLE["right-to-left override"], "Bоb"], ids=["invisible", "mixed"])
@pytest.mark.parametrize("request_of", REQUESTS.values(), ids=REQUESTS)
def test_every_request_with_a_bad_name_is_refused(
    admin_person: Person, request_of: tuple[str, str, Any], name: str
) -> None:
    method, path, body = request_of
    answer = admin_person.request(method, path.format(match="any"), json=body(name))
    error = problem(answer, 400)
    assert "can be seen" in error.sentence or "mixes letters" in error.sentence


def test_every_name_in_a_request_is_of_a_type_that_is_cleaned(tmp_path: Path) -> None:
    """But the name of a job, which is one of a list, and that of an account to be recovered, which must exist."""
    settings = Settings(db=str(tmp_path / "server.db"))
    with Database(settings.db) as store:
        endpoints = list(create_app(settings, store, loaded_games()).endpoints())
    bodies = {
        path: read_signature(endpoint, path).body
        for path, endpoint in endpoints
        if endpoint.method in ("POST", "PUT", "PATCH")
    }
    found = {path: set(texts_of(inspect.type_info(body))) for path, body in bodies.items() if body is not None}
    assert sum(map(len, found.values())) > 50
    unclean = {path for path, texts in found.items() if {("name", False), ("label", False)} & texts}
    assert unclean == {"/api/v1/jobs", "/api/v1/accounts/recover"}


def texts_of(kind: inspect.Type, field: str = "") -> Iterator[tuple[str, bool]]:
    """The fields with text in a type, and whether each is cleaned as a name."""
    match kind:
        case inspect.Metadata(type=inspect.StrType()):
            yield field, kind.extra == NAME
        case inspect.StrType():
            yield field, False
        case inspect.Metadata():
            yield from texts_of(kind.type, field)
        case inspect.StructType():
            for inner in kind.fields:
                yield from texts_of(inner.type, inner.name)
        case inspect.ListType() | inspect.VarTupleType():
            yield from texts_of(kind.item_type, field)
        case inspect.UnionType():
            for member in kind.types:
                yield from texts_of(member, field)


@pytest.mark.parametrize("imitate", [str.upper, lambda name: name.replace("a", "а").replace("p", "р")])
def test_an_account_cannot_imitate_another(served: Served, imitate: Any) -> None:
    digits = str(int.from_bytes(os.urandom(4)))
    with Person(served) as stranger:
        stranger.must("POST", "/accounts", json={"name": f"papa {digits}"})
        answer = stranger.post("/accounts", json={"name": imitate(f"papa {digits}")})
    assert problem(answer, 409).error == "name_taken"


def test_a_room_cannot_imitate_another(organiser: Person) -> None:
    name = some_name()
    organiser.must("POST", "/rooms", json={"name": name, "template": TEMPLATE})
    answer = organiser.post("/rooms", json={"name": name.upper(), "template": TEMPLATE})
    organiser.must("DELETE", f"/rooms/{name}")
    assert problem(answer, 409).error == "name_taken"


def test_players_of_a_match_cannot_look_alike(anna: Person, bert: Person) -> None:
    match = anna.match("colorfight", "open", "open")
    anna.must("POST", f"/matches/{match}/join", json={"name": "copa"})
    assert bert.must("POST", f"/matches/{match}/join", json={"name": "Сора"})["name"] == "Сора 2"


def test_a_colorfight_client_cannot_register_an_invisible_name() -> None:
    with pytest.raises(BadActionError, match="cannot be shown"):
        parse_action(None, '{"action": "register", "username": "e\\u200bve", "password": "x"}')


def test_a_colorfight_room_cannot_imitate_another(admin_person: Person) -> None:
    room = {"gameroom_id": "publiс", "admin_password": "x"}
    answer = admin_person.post(f"{admin_person.served.url}/colorfight/creategameroom", json=room).json()
    assert answer == {"success": False, "err_msg": "The gameroom_id has to be 1 to 24 letters, digits, _ or -"}


def test_a_hive_client_cannot_join_with_an_invisible_name(served: Served) -> None:
    game = httpx.get(f"{served.url}/hive/newgame", params={"map": "tiny", "players": 2}, timeout=30).json()
    game_id = game["id"] if isinstance(game, dict) else game
    answer = httpx.get(f"{served.url}/hive/join", params={"id": game_id, "name": "e\u200bve"}, timeout=30)
    assert "Invalid name" in answer.text
