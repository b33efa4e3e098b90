/** What orders cost, and whether it is there. */

import { formatNumber, humanize } from "../../app/format";
import type { Resource } from "../../api/types";
import { words } from "../../i18n";

/** `gold 100, energy 20`. */
export function priceText(price: Readonly<Record<string, number>>): string {
  return Object.entries(price)
    .map(([name, amount]) => `${humanize(name)} ${formatNumber(amount)}`)
    .join(", ");
}

/** Which resource is missing for a price; empty if none is. */
export function shortageOf(price: Readonly<Record<string, number>>, resources: readonly Resource[]): string {
  const missing = Object.entries(price).find(([name, amount]) => amount > (resources.find((resource) => resource.name === name)?.left ?? amount));
  return missing === undefined ? "" : words.play.needs(missing[1], humanize(missing[0]), resources.find(({ name }) => name === missing[0])?.left ?? 0);
}
