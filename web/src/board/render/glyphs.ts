/** Vector glyphs on a grid of 24, by the names that legends use. */

const SHAPES: Record<string, string> = {
  triangle: "M12 2.500 21.500 20h-19z",
  hexagon: "M12 2 20.700 7v10L12 22l-8.700-5V7z",
  diamond: "M12 1.500 22.500 12 12 22.500 1.500 12z",
  square: "M4 4h16v16H4z",
  circle: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  cross: "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z",
  pentagon: "M12 2 22 9.600 18.200 21H5.800L2 9.600z",
  shield: "M12 2 20.500 5v7c0 5-3.600 8.200-8.500 10.200C7.100 20.200 3.500 17 3.500 12V5z",
  arrow: "M12 1.500 20.500 21.500 12 17 3.500 21.500z",
  pack: "M7 3.500h10l4 5V19l-2 2H5l-2-2V8.500z",
  bee: "M12 8c3 0 4.800 3 4.800 6.800S15 22 12 22s-4.800-3.400-4.800-7.200S9 8 12 8zM11 8.500C8.500 1.500 1.500 2 2 6.500s6 5 9 2zm2 0c2.500-7 9.500-6.500 9-2s-6 5-9 2z",
  hive: "M12 2.500c5 0 9 4.200 9 10V21h-6.500v-3.500a2.500 2.500 0 0 0-5 0V21H3v-8.500c0-5.800 4-10 9-10z",
  wall: "M2.500 5h8.700v6.200H2.500zm10.300 0h8.700v6.200h-8.700zM2.500 12.800h4.200V19H2.500zm5.800 0h7.400V19H8.300zm9 0h4.200V19h-4.200z",
  house: "M12 2.500 22 12h-3v9h-5v-6h-4v6H5v-9H2z",
  tower: "M4 3h4v3h2V3h4v3h2V3h4v6l-2 2v10h-4v-5h-4v5H6V11L4 9z",
  bolt: "M13.500 1.500 4 14h6.200L9 22.500 19 10h-6.500z",
  coin: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 5.200a3.800 3.800 0 1 1 0 7.600 3.800 3.800 0 0 1 0-7.600z",
  apple: "M12 7.500c2-2 8.500-2 8.500 4.500 0 5-3.200 9.500-6 9.500-1.100 0-1.500-.6-2.500-.6s-1.400.6-2.500.6c-2.800 0-6-4.500-6-9.500 0-6.500 6.500-6.500 8.500-4.500zM12 6c0-2.200 1.400-4 4.400-4 0 2.200-1.400 4-4.400 4z",
  loaf: "M4.500 11C1.500 8 4 4 12 4s10.500 4 7.500 7v9h-15z",
  drop: "M12 1.500c4 6 7 9 7 13.200a7 7 0 0 1-14 0c0-4.200 3-7.200 7-13.200z",
  mound: "M9.500 5h5c1 5 4 10 7.500 15H2c3.500-5 6.500-10 7.500-15zm2.500 9a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  planet: "M12 5.500a6.500 6.500 0 0 1 6.300 5c2.300.3 4 1 4 2.100 0 1.700-4.500 3.200-10.300 3.200S1.700 14.300 1.700 12.600c0-1.100 1.700-1.800 4-2.100A6.500 6.500 0 0 1 12 5.500zm-6.300 9.200a6.500 6.500 0 0 0 12.600 0c-3.800 1.300-8.800 1.300-12.600 0z",
  star: "m12 1.800 3 7 7.500.7-5.700 5 1.700 7.400L12 18l-6.500 3.900 1.700-7.400-5.700-5L9 8.800z",
  flower: "M12 8.500c-2-9 6-7 3.800-1.200 6.700-2.400 6.700 5.800 0 4.700 3.900 5.400-2.700 9-3.800 2.500-1.100 6.500-7.700 2.900-3.800-2.500-6.700 1.100-6.700-7.100 0-4.700C6 1.500 14 -.5 12 8.500z",
};

const SPARE = ["circle", "diamond", "square", "triangle", "pentagon", "hexagon", "cross"] as const;

/** The path of a glyph; an unknown name gets a shape by its number. */
export function glyphPath(name: string, number: number): string {
  return SHAPES[name] ?? SHAPES[SPARE[number % SPARE.length] ?? "circle"] ?? "";
}

/** The path of a glyph by its name; null if there is none. */
export function knownGlyphPath(name: string | undefined): string | null {
  return name === undefined ? null : (SHAPES[name] ?? null);
}
