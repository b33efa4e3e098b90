/** Orders as they are sent: each game declares its own verbs and parameters. */

/** The verb under `do`, its parameters beside it. */
export type Order = { do: string } & Record<string, unknown>;

/** Orders with equal values have equal texts, in whatever sequence they name them. */
export function canonicalText(order: Order): string {
  return JSON.stringify(Object.entries(order).sort(([a], [b]) => (a < b ? -1 : 1)));
}
