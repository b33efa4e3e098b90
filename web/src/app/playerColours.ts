/** Colours of players: the same one for a player on every page, and in the terminal. */

import {
  BASE_COLOURS,
  GOLDEN_RATIO,
  HATCHED_PLAYERS,
  LIGHTNESSES,
  PLAYER_COLOURS,
  SATURATION,
} from "./playerColours.generated";

export const NO_PLAYER_COLOUR = "#9aa5b1";

/** How a player's land is filled, so that 32 players stay distinct: each base colour plain and with three hatches. */
export type Hatch = 0 | 1 | 2 | 3;

export function playerColour(player: number): string {
  if (player < 0) return NO_PLAYER_COLOUR;
  const lightness = LIGHTNESSES[player % LIGHTNESSES.length] ?? SATURATION;
  return PLAYER_COLOURS[player] ?? hsl((player * GOLDEN_RATIO) % 1, SATURATION, lightness);
}

export function playerHatch(player: number): Hatch {
  return (player < 0 || player >= HATCHED_PLAYERS ? 0 : Math.floor(player / BASE_COLOURS)) as Hatch;
}

export function toNumber(colour: string): number {
  return parseInt(colour.slice(1), 16);
}

export function toCss(colour: number): string {
  return `#${colour.toString(16).padStart(6, "0")}`;
}

/** Alpha blending: `share` of `over` on `under`. */
export function mix(under: number, over: number, share: number): number {
  const part = (shift: number): number =>
    Math.round(((under >> shift) & 255) * (1 - share) + ((over >> shift) & 255) * share) << shift;
  return part(16) | part(8) | part(0);
}

function hsl(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number): string => {
    const place = (offset + hue * 12) % 12;
    const value = lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
    return Math.round(255 * value).toString(16).padStart(2, "0");
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}
