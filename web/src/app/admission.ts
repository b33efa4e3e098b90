/** Who may take a seat in a match, as far as its public facts tell; the server decides. */

import type { AccountInfo, MatchInfo } from "../api/types";

/** Whether a running match refuses an account, or a visitor without one, as a late joiner. Seats of a room's match may be reserved for it. */
export function isClosedTo(info: MatchInfo, account: AccountInfo | null): boolean {
  const isCreator = account !== null && info.creator === account.id;
  return info.state === "running" && !info.late_joiners && info.room === null && !isCreator;
}
