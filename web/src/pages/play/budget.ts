/** What orders cost, and whether it is there. */

import { formatNumber } from "../../app/format";
import type { GameWords } from "../../app/sentences";
import type { Resource } from "../../api/types";
import { words } from "../../i18n";

/** `gold 100, energy 20`. */
export function priceText(price: Readonly<Record<string, number>>, names: GameWords): string {
  return Object.entries(price)
    .map(([name, amount]) => `${names.name("figures", name)} ${formatNumber(amount)}`)
    .join(", ");
}

/** Which resource is missing for a price; empty if none is. */
export function shortageOf(price: Readonly<Record<string, number>>, resources: readonly Resource[], names: GameWords): string {
  for (const [name, amount] of Object.entries(price)) {
    const left = resources.find((resource) => resource.name === name)?.left ?? amount;
    if (amount > left) return words.play.needs(formatNumber(amount), names.name("figures", name), formatNumber(left));
  }
  return "";
}
