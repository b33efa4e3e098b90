"""The authorisation matrix as data: for each request the response to each kind of caller.

The columns after the request: no token, an account without a seat, the account of another seat, the account of seat 0,
an organiser, an organiser with a seat, an admin, a revoked token. A cell is a status, with the letter of an error code
of `CODES` unless it is the usual one of that status. A 400 or 404 says that the caller was let through, to a body that
makes no sense or to a thing that does not exist.
"""

CODES = {
    "s": "not_your_seat",
    "n": "no_seat",
    "h": "hidden",
    "t": "no_such_turn",
    "o": "not_over",
    "w": "wrong_password",
    "T": "True",
    "F": "False",
}
"""T and F are what Colorfight's protocol answers with status 200."""

REQUESTS = """
# accounts and tokens
POST   /accounts                      {"name": "{name}"}     201 201 201 201 201 201 201 401
GET    /accounts                      -                      401 403 403 403 200 200 200 401
GET    /accounts/{own}                -                      401 403 403 403 200 200 200 401
PATCH  /accounts/{own}                {"role": "player"}     401 403 403 403 403 403 200 401
POST   /accounts/recover              {"name": "own", "code": "none"} 403w 403w 403w 403w 403w 403w 403w 401
POST   /me/recovery-code              -                      401 201 201 201 201 201 201 401
GET    /me                            -                      401 200 200 200 200 200 200 401
GET    /tokens                        -                      401 200 200 200 200 200 200 401
POST   /tokens                        {}                     401 201 201 201 201 201 201 401
DELETE /tokens/{own_token}            -                      401 404 404 204 404 404 404 401
GET    /accounts/{own}/tokens         -                      401 403 403 403 403 403 200 401
POST   /accounts/{own}/tokens         {}                     401 403 403 403 403 403 201 401
DELETE /accounts/{own}/tokens/{own_token} -                  401 403 403 403 403 403 204 401
GET    /admin/audit                   -                      401 403 403 403 403 403 200 401

# games and maps
GET    /games                         -                      200 200 200 200 200 200 200 401
GET    /games/colorfight              -                      200 200 200 200 200 200 200 401
GET    /loading                       -                      200 200 200 200 200 200 200 401
GET    /maps                          -                      200 200 200 200 200 200 200 401
GET    /maps/none                     -                      404 404 404 404 404 404 404 401
POST   /maps                          {}                     401 403 403 403 400 400 400 401
PUT    /maps/none                     {}                     401 403 403 403 400 400 400 401
DELETE /maps/none                     -                      401 403 403 403 404 404 404 401
POST   /maps/check                    {}                     401 400 400 400 400 400 400 401
POST   /maps/draw                     {}                     401 400 400 400 400 400 400 401

# matches: creating, joining, managing
GET    /matches                       -                      200 200 200 200 200 200 200 401
GET    /matches/{running}             -                      200 200 200 200 200 200 200 401
POST   /matches                       {match}                401 201 201 201 201 201 201 401
POST   /matches                       {seeded_match}         401 403 403 403 201 201 201 401
PATCH  /matches/{running}             {"listed": true}       401 403 403 403 200 200 200 401
PATCH  /matches/{running}             {"clock": {"kind": "ready"}} 401 403 403 403 200 200 200 401
DELETE /matches/{lobby}               -                      401 403 403 403 204 204 204 401
POST   /matches/{lobby}/join          {}                     401 200 200 200 200 200 200 401
POST   /matches/{lobby}/leave         -                      401 409n 204 204 409n 204 409n 401
DELETE /matches/{lobby}/seats/0       -                      401 403 403 403 204 204 204 401
POST   /matches/{lobby}/start         -                      401 403 403 403 200 200 200 401
POST   /matches/{running}/end-turn    -                      401 403 403 403 202 202 202 401
POST   /matches/{round}/join          {}                     401 403 200 200 403 200 403 401

# matches: playing
GET    /matches/{running}/orders      -                      401 409n 200 200 409n 200 409n 401
GET    /matches/{running}/orders?seat=0 -                    401 403s 403s 200 403s 403s 403s 401
POST   /matches/{running}/orders      {orders}               401 403s 403s 200 403s 403s 403s 401
POST   /matches/{running}/act         {act}                  401 403s 403s 200 403s 403s 403s 401
POST   /matches/{running}/legal?seat=0 {}                    401 403s 403s 200 403s 403s 403s 401
POST   /matches/{running}/menus?seat=0 {}                    401 403s 403s 200 403s 403s 403s 401
GET    /matches/{running}/log?seat=0  -                      401 403s 403s 200 403s 403s 403s 401
POST   /matches/{running}/fork        {"turn": 1000}         401 409t 409t 409t 409t 409t 409t 401
POST   /matches/{running}/again       -                      401 409o 409o 409o 409o 409o 409o 401

# matches: reading
GET    /matches/{running}/view        -                      200 200 200 200 200 200 200 401
GET    /matches/{running}/view?seat=0 -                      200 200 200 200 200 200 200 401
GET    /matches/{running}/legend      -                      200 200 200 200 200 200 200 401
GET    /matches/{running}/frames      -                      200 200 200 200 200 200 200 401
GET    /matches/{running}/readable-log -                     404 404 404 404 404 404 404 401
GET    /matches/{running}/replay      -                      403h 403h 403h 403h 200 403h 200 401

# rooms, rounds, seasons
GET    /rooms                         -                      200 200 200 200 200 200 200 401
GET    /rooms/none                    -                      404 404 404 404 404 404 404 401
POST   /rooms                         {}                     401 403 403 403 400 400 400 401
PATCH  /rooms/none                    {}                     401 403 403 403 404 404 404 401
DELETE /rooms/none                    -                      401 403 403 403 404 404 404 401
GET    /rounds                        -                      200 200 200 200 200 200 200 401
GET    /rounds/none                   -                      404 404 404 404 404 404 404 401
GET    /rounds/none/runs              -                      404 404 404 404 404 404 404 401
GET    /rounds/none/standings         -                      404 404 404 404 404 404 404 401
GET    /standings?game=colorfight     -                      200 200 200 200 200 200 200 401
POST   /rounds                        {}                     401 403 403 403 400 400 400 401
PATCH  /rounds/none                   {}                     401 403 403 403 404 404 404 401
DELETE /rounds/none                   -                      401 403 403 403 404 404 404 401
POST   /rounds/none/register          {}                     401 404 404 404 404 404 404 401
GET    /seasons                       -                      200 200 200 200 200 200 200 401
GET    /seasons/none                  -                      404 404 404 404 404 404 404 401
GET    /seasons/none/games            -                      404 404 404 404 404 404 404 401
GET    /season-games/none             -                      404 404 404 404 404 404 404 401
GET    /teams                         -                      401 200 200 200 200 200 200 401
POST   /seasons                       {}                     401 403 403 403 400 400 400 401
PATCH  /seasons/none                  {}                     401 403 403 403 404 404 404 401
DELETE /seasons/none                  -                      401 403 403 403 404 404 404 401
POST   /seasons/none/games            {}                     401 403 403 403 400 400 400 401
PATCH  /season-games/none             {}                     401 403 403 403 404 404 404 401
DELETE /season-games/none             -                      401 403 403 403 404 404 404 401
PUT    /season-games/none/teams       []                     401 403 403 403 404 404 404 401
GET    /jobs                          -                      401 403 403 403 200 200 200 401
POST   /jobs                          {"match": "none", "name": "turn_end"} 401 403 403 403 404 404 404 401

# ledger
GET    /ledger/templates              -                      200 200 200 200 200 200 200 401
GET    /ledger/collections            -                      200 200 200 200 200 200 200 401
GET    /ledger/schemas                -                      200 200 200 200 200 200 200 401
POST   /ledger/collections            {}                     401 403 403 403 403 403 400 401
POST   /ledger/schemas                {}                     401 403 403 403 403 403 400 401
POST   /ledger/items/1/gift           {"owner": "none"}      401 404 404 404 404 404 404 401
GET    /ledger/wallet                 -                      401 200 200 200 200 200 200 401
PUT    /ledger/wallet                 {"wallet": null}       401 200 200 200 200 200 200 401
GET    /ledger/wallets                -                      401 403 403 403 200 200 200 401
PUT    /ledger/wallets/none           {"confirmed": true}    401 403 403 403 403 403 404 401
GET    /ledger/sources                -                      401 403 403 403 200 200 200 401
GET    /ledger/items/1                -                      404 404 404 404 404 404 404 401
GET    /ledger/albums/{own}           -                      200 200 200 200 200 200 200 401
GET    /ledger/holders                -                      401 403 403 403 200 200 200 401
POST   /ledger/pictures               {}                     401 403 403 403 403 403 400 401
GET    /ledger/pictures/none          -                      404 404 404 404 404 404 404 401
POST   /ledger/templates              {}                     401 403 403 403 403 403 400 401
POST   /ledger/mint                   {}                     401 403 403 403 403 403 400 401
PATCH  /ledger/items/1                {"owner": "none"}      401 403 403 403 403 403 404 401
PUT    /ledger/stakes/{own}           {"stake": 1}           401 403 403 403 403 403 200 401
PUT    /ledger/avatar                 {"avatar": null}       401 200 200 200 200 200 200 401
"""

OTHER_REQUESTS = """
# operators and pages: tokens of accounts mean nothing there
GET    /healthz                       -                      200 200 200 200 200 200 200 200
GET    /readyz                        -                      200 200 200 200 200 200 200 200
GET    /metrics                       -                      200 200 200 200 200 200 200 200
GET    /api/v1/schema/openapi.json    -                      200 200 200 200 200 200 200 401

# original protocols; Hive's own tokens and Colorfight's passwords are not those of accounts
GET    /hive/newgame?map=none         -                      400 400 400 400 400 400 400 401
GET    /hive/join?id=none&name=a      -                      400 400 400 400 400 400 400 401
GET    /hive/game?id=none             -                      400 400 400 400 400 400 400 401
POST   /hive/orders?id=none           []                     400 400 400 400 400 400 400 401
GET    /hive/status                   -                      200 200 200 200 200 200 200 401
GET    /hive/history                  -                      200 200 200 200 200 200 200 401
GET    /hive/history/none.json        -                      400 400 400 400 400 400 400 401
GET    /colorfight/get_gameroom_list  -                      200 200 200 200 200 200 200 401
POST   /colorfight/creategameroom     {room}                 200F 200T 200T 200T 200T 200T 200T 401
POST   /colorfight/start              {"gameroom_id": "public"} 200F 200F 200F 200F 200F 200F 200F 401
POST   /colorfight/restart            {"gameroom_id": "public"} 200F 200F 200F 200F 200T 200T 200T 401
POST   /colorfight/deletegameroom     {"gameroom_id": "public"} 200F 200F 200F 200F 200F 200F 200F 401
GET    /datspulse/test/api/rounds     -                      401 200 200 200 200 200 200 401
GET    /datspulse/test/api/arena      -                      401 400 400 400 400 400 400 401
POST   /datspulse/test/api/move       {}                     401 400 400 400 400 400 400 401
GET    /datspulse/test/api/logs       -                      401 400 400 400 400 400 400 401
POST   /datspulse/test/api/register   {}                     401 400 400 400 400 400 400 401
GET    /datspulse/final/api/rounds    -                      401 200 200 200 200 200 200 401
GET    /datspulse/final/api/arena     -                      401 400 400 400 400 400 400 401
POST   /datspulse/final/api/move      {}                     401 400 400 400 400 400 400 401
GET    /datspulse/final/api/logs      -                      401 400 400 400 400 400 400 401
POST   /datspulse/final/api/register  {}                     401 400 400 400 400 400 400 401
"""

MESSAGES = """
# the WebSocket of a match: the address, the message; ok, the code of the close frame, or the answer's error
# (seat is not_your_seat); T and F as above
/api/v1/matches/{running}/live           -                   ok ok ok ok ok ok ok 4401
/api/v1/matches/{running}/live?seat=0    -                   ok ok ok ok ok ok ok 4401
/api/v1/matches/{running}/live?seat=99   -                   4403 4403 4403 4403 4403 4403 4403 4401
/api/v1/matches/{running}/live           {see}               ok ok ok ok ok ok ok 4401
/api/v1/matches/{running}/live           {live_orders}       seat seat seat seat seat seat seat 4401
/api/v1/matches/{running}/live?seat=0    {live_orders}       seat seat seat ok seat seat seat 4401
/api/v1/matches/{running}/live?seat=0    {live_act}          seat seat seat ok seat seat seat 4401

# the original protocols: the game's own tokens and passwords decide, but no unknown token of an account is accepted
/colorfight/gameroom/public/game_channel -                   ok ok ok ok ok ok ok 401
/colorfight/gameroom/none/game_channel   -                   1000 1000 1000 1000 1000 1000 1000 401
/colorfight/gameroom/public/action_channel {room_register}   T T T T T T T 401
/colorfight/gameroom/public/action_channel {room_command}    F F F F F F F 401
/colorfight/gameroom/public/action_channel {room_chat}       F F F F F F F 401
/colorfight/gameroom/none/action_channel {room_register}     1000 1000 1000 1000 1000 1000 1000 401
/hive/ws?id={hive}                       -                   ok ok ok ok ok ok ok 401
/hive/ws?id=none                         -                   400 400 400 400 400 400 400 401
"""

READERS = """
# bodies that depend on the caller: those with the same letter read the same; of all other requests every body is equal
GET    /me                            -                      - a b c d e f -
GET    /tokens                        -                      - a b c d e f -
GET    /ledger/wallet                 -                      - a b c d e f -
GET    /matches                       -                      a a a a b b b -
GET    /matches/{running}/view?seat=0 -                      a a a b a a a -
"""
