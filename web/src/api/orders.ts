/** Orders as they are sent: each game declares its own verbs and parameters. */

/** The verb under `do`, its parameters beside it. */
export type Order = { do: string } & Record<string, unknown>;
