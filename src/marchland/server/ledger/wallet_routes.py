"""HTTP routes of wallets and of the external ledger."""

from marchland.messages import SourceInfo, WalletConfirmation, WalletInfo, WalletUpdate
from marchland.server.http.auth import Caller
from marchland.server.http.routing import api_router, get, put
from marchland.server.ledger.wallets import WalletService


@get("/ledger/wallet", role="player")
async def show_wallet(caller: Caller, wallets: WalletService) -> WalletInfo:
    """The caller's wallet."""
    return await wallets.find_own(caller)


@put("/ledger/wallet", role="player")
async def set_wallet(data: WalletUpdate, caller: Caller, wallets: WalletService) -> WalletInfo:
    """Name the caller's wallet at the external ledger; an admin has to confirm it."""
    return await wallets.set_own(caller, data.wallet)


@get("/ledger/wallets", role="organiser")
async def list_wallets(wallets: WalletService) -> list[WalletInfo]:
    """The wallets of all accounts, those to be confirmed first. For organisers."""
    return await wallets.list_wallets()


@put("/ledger/wallets/{account}", role="admin")
async def confirm_wallet(account: str, data: WalletConfirmation, caller: Caller, wallets: WalletService) -> WalletInfo:
    """Confirm the wallet of an account, or remove it. For admins."""
    return await wallets.confirm(caller, account, data.confirmed)


@get("/ledger/sources", role="organiser")
async def list_sources(wallets: WalletService) -> list[SourceInfo]:
    """The APIs of the external ledger, with a warning where one does not answer. For organisers."""
    return await wallets.list_sources()


router = api_router(
    "ledger",
    show_wallet,
    set_wallet,
    list_wallets,
    confirm_wallet,
    list_sources,
)
