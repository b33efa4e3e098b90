"""Modules and identifiers that were replaced by standard terms do not come back.

A name is in a table only if it is unambiguous: no rule book, library or standard term uses it. `docs/glossary.md` has
the terms that replaced them.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "marchland"
WEB = ROOT / "web" / "src"
MIGRATIONS = PACKAGE / "store" / "migrations" / "versions"
"""Migrations name columns as they were at the time."""

PYTHON_MODULES = {
    "arena": "minds names",
    "bots": "blame botfile child loading mind seated",
    "cli": "complaints look page stopping",
    "client": "address aio aio_seat attempts backoff call calls heard player sockets sync",
    "core": "blocks columns hosting intake kernel matches positions rules timing",
    "games/boidvoid": "aftermath burning canvas codes daytime facts happenings host hosting httpledger ledger"
    " membership naming possessions questions roster rows scout serverledger steward tasks",
    "games/colorfight": "canvas landscape",
    "games/datspulse": "canvas errands landscape letters rounds",
    "games/enova": "canvas happenings sorting",
    "games/hive": "canvas",
    "match": "cropping house inbox journal mailbox memory recent record refusals showing spectators stage terrain",
    "messages": "hosting learning mapkit organising",
    "server": "access admin beside bodies casting changes claims connections conversation deflate description errands"
    " explained eyes following garbage holding host house_bots limits listener live loading lobby logs looking"
    " measuring opening problems registration round_changes round_routes season_game_routes season_matches seating"
    " serve site spending workshop",
    "server/wire": "posting telling",
    "server/wire/colorfight": "channel desk games hall service",
    "server/wire/datspulse": "bases chronicle desk requests table tables texts",
    "server/wire/hive": "desk service words",
    "store": "bells checkpoints errands journal places store tables upgrade wires",
    ".": "canvas",
}
"""Folder below the package: the modules or packages that were there."""

WEB_MODULES = {
    "board": "atlas canvas compass controller far look miniature motion painter pixi sprites",
    "lib": "api colours format games live router session theme types",
    "pages/docs": "library",
    "pages/home": "Card Entries Preview",
    "pages/mapEditor": "desk draft easel Ground keys sheet Thumb words",
    "pages/organise": "asking calls loaded messages moments",
    "pages/organise/fields": "Emblem Secret Sheet",
    "pages/play": "compose describe desk drafts Editor Finale Fork keys ledger maker Name NumberPick possible Queue"
    " SeatOffer shown Start Steps Table ways",
    "pages/watch": "Curtain Head Keys layout Watch words Zoom",
    "timeline": "chronicle film march playhead source stage theater",
    "viewer": "chronicle film march playhead source stage theater",
}

FILE_STEMS = """
    aftermath aio_seat asking bells beside bodies casting checkpoints chronicle cropping deflate doorkeeper easel
    errands eyes garbage happenings holding house house_bots inbox looking mailbox maker mapkit measuring miniature mind
    minds
    playhead posting roster scout seating showing spending steward stopping telling theater workshop
"""
"""Names of files, with or without ``test_``, that say nothing in any folder."""

PYTHON_NAMES = """
    Asked Attempts AvatarWish Belongings Beside BoidVoidHosting BrokenOff Canvas Cast Casting ChangedMap Checkpoints
    Complaint Conversation Deadlines Desk Doorkeeper Errand Errands Eyes ForkWish Hall HeardNews Hives Holding Host
    Hosting House HouseBots ItemChange JobWish Journal Kept Lobby Mailbox Maker MapKit MapSheet MapWish MatchChange
    MemoryJournal Minds NOBODY NewAccount NewMap NewMatch NewRole NewRoom NewRound NewSeason NewSeasonGame NewTemplate
    NewToken NoAnswer Opener Organiser Playhead Punctuality Remark Remembered RoomChange RoundChange Scout Searches
    SeasonChange SeasonGameChange SeatWish Seated Seating ServerLedger Showing Sitting Spectators Spending SqlJournal
    Stage StakeWish Steward Switchboard TakenUp Tally Telling Theater TokenTold Told TurnListener Workshop
    Also Channel Course Drawn Given Lost Moved Places Playing Recent Requests Sockets Unavailable Use

    BELL HOUSE_IDS again_if_moved base_of bell_of bot_from break_off by_hand check_origin chunk_numbers clear_away
    course_of free_all heard_ready hear_who_is_ready hope_again hosting_of house_items in_room is_awake is_kept let_go
    looks_after make_ready many_nodes no_way_in over_matches own_bot post_now posts_limit put_down rate_round
    report_of_drawing rules_opener search_seldom seats_again served_for_a_while sittings slow_down somebody
    speaks_otherwise still_so take_up taken_in template_for unfinished_line unpack_foreign wait_at_door wait_no_more
    waits_for_somebody wish wish_of wished_seat
    _arriving _at_ease _awaited _benches _deaf _get_up _hurried_before _hurry _in_own_words _let_in _made_again
    _relaid _retold _speak_for _spoken _taken_up _tell_the_game _told _turn_is_due _veiled _witnessed
    at_hand awaits body_of borrowed coming corrected cropped expecting first_compile hurry listening new_row orphans
    raster rebound recall redone room_left rung scattered start_of tell tells tend use_of
    _all_done _check_settled _entered _expect _gone _is_known _make_room _measured _mine _moment _postponed _strongest
    _tell _tried _whole

    Common Description Figures Games Listener Loader Mark Record Rooms User _alone _behind _blind _drop _reveal _swap
    _why_not blame complaint explained generated hear kept mind move_on obey redo say several spoiled stand think
    through told wreck
"""

PYTHON_DEFINITIONS = {
    ".": """
        Child Claims Counter Found HOST Moment Run Store Table _done _played _said _started _take _value accept advanced
        after again alone beside builtin cells_of changed checked depth do drawn due entered final frozen gate gathered
        given hiding is_ours known listed listen merged named nothing numbers one open opened packed part planned played
        playing question ranked ready recorded registered root said seated sit stored unique words written
    """,
    "bench/harness.py": "spread",
    "bots": "is_own",
    "client": "Player",
    "core": "advance settle",
    "core/map_adapter.py": "report",
    "games/boidvoid": "confirm",
    "maps.py": "report",
    "match": "follow keep wake",
    "match/log.py": "close",
    "server": "Buckets fits follow forget keep look look_around note remarks remember settle spread wait",
    "server/cluster": "handle hold of run send",
    "server/http/auth.py": "reading",
    "server/http/request.py": "read",
    "server/matches": "_first on_map seat_of",
    "server/matches/factory.py": "begin",
    "server/matches/loader.py": "loaded",
    "server/tasks.py": "_pause",
    "server/wire": "Tables",
    "store": "ring users",
}
"""File or folder below the package: names that are ordinary elsewhere, as variables or with another meaning; there no
function or class is called so."""

WEB_NAMES = """
    CanvasPainter Chronicle Composing Deed Deeds Desk Easel Film FramesWish LiveWish Maker MapKit MapSheet Miniature
    NOBODY Painter PixiPainter Playhead SeatWish Stage Theater farSize painterFor paintFar readFilm takenBack usualBot
    wayTo

    Canvas Card Curtain Emblem Entries Far Finale Head Look Preview SeatOffer Secret Sheet Source Start Steps Table
    Thumb Watch called compass compose desk hand layout library miniature moments sheet sprites tiny titled ways
"""

_WEB_SCRIPT = re.compile(r"<script[^>]*>(.*?)</script>", re.DOTALL)
_WEB_COMPONENT = re.compile(r"<([A-Z]\w*)")
_WEB_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?P<name>[A-Za-z_$][\w$]*)""",
    re.DOTALL,
)


def names_in_python(text: str) -> Iterator[str]:
    """Every identifier: definitions, uses, attributes, arguments and imports."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.keyword(arg=str(name)):
                yield name
            case ast.alias(name=name, asname=alias):
                yield from (*name.split("."), alias or "")
            case ast.ImportFrom(module=str(name)):
                yield from name.split(".")


def names_in_web(text: str, suffix: str) -> Iterator[str]:
    """Every identifier of a script, and the components that markup uses."""
    scripts = _WEB_SCRIPT.findall(text) if suffix == ".svelte" else [text]
    for script in scripts:
        yield from (token["name"] for token in _WEB_TOKEN.finditer(script) if token["name"])
    if suffix == ".svelte":
        yield from _WEB_COMPONENT.findall(text)


def files_in(*folders: Path, suffixes: tuple[str, ...]) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in suffixes)


def stem_of(path: Path) -> str:
    return path.name.split(".")[0].removeprefix("test_")


def test_no_retired_module_comes_back() -> None:
    back = [
        path.relative_to(ROOT).as_posix()
        for base, modules in ((PACKAGE, PYTHON_MODULES), (WEB, WEB_MODULES))
        for folder, names in modules.items()
        for name in names.split()
        for path in (base / folder).glob(f"{name}*")
        if path.name.split(".")[0] == name and path.name != "__pycache__"
    ]
    assert back == []


def test_no_file_has_a_retired_name() -> None:
    retired = set(FILE_STEMS.split())
    files = files_in(PACKAGE, ROOT / "tests", WEB, suffixes=(".py", ".ts", ".svelte"))
    assert [path.relative_to(ROOT).as_posix() for path in files if stem_of(path) in retired] == []


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_no_retired_identifier_comes_back_in_python(folder: str) -> None:
    retired = set(PYTHON_NAMES.split())
    back = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in files_in(ROOT / folder, suffixes=(".py",))
        if path.parent != MIGRATIONS
        for name in names_in_python(path.read_text(encoding="utf-8"))
        if name in retired
    }
    assert sorted(back) == []


def test_no_function_or_class_has_a_retired_name() -> None:
    back = [
        f"{path.relative_to(PACKAGE).as_posix()}:{node.lineno}: {node.name}"
        for place, names in PYTHON_DEFINITIONS.items()
        for path in ([PACKAGE / place] if place.endswith(".py") else files_in(PACKAGE / place, suffixes=(".py",)))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name in names.split()
    ]
    assert back == []


def test_no_loop_variable_is_called_one() -> None:
    loops = [
        f"{path.relative_to(PACKAGE).as_posix()}:{node.target.lineno}"
        for path in files_in(PACKAGE, suffixes=(".py",))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.For | ast.comprehension)
        and isinstance(node.target, ast.Name)
        and node.target.id == "one"
    ]
    assert loops == []


def test_no_retired_identifier_comes_back_in_the_page() -> None:
    retired = set(WEB_NAMES.split())
    back = {
        f"{path.relative_to(ROOT).as_posix()}: {name}"
        for path in files_in(WEB, suffixes=(".ts", ".svelte"))
        for name in names_in_web(path.read_text(encoding="utf-8"), path.suffix)
        if name in retired
    }
    assert sorted(back) == []


def test_identifiers_are_found_wherever_they_stand() -> None:
    python = "from a.mind import b as Desk\nclass Stage(House): pass\ndef f(wish, *, x=Told.y): g(kept=1)"
    assert {"mind", "Desk", "Stage", "House", "wish", "Told", "kept"} <= set(names_in_python(python))
    svelte = '<script lang="ts">// Film\nconst a = new Desk("Maker");</script><p>Stage</p><Theater />'
    assert {"Film", "Maker", "Stage", "Desk", "Theater"} & set(names_in_web(svelte, ".svelte")) == {"Desk", "Theater"}
