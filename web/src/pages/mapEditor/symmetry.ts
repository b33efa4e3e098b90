/** Images of cells under rotation and reflection, and the owner of a mark's image. */

import type { Grid, Point } from "../../board/geometry";
import type { Cell } from "../../api/types";
import { words } from "../../i18n";

export type Symmetry = "none" | "mirror" | "flip" | "quarters" | "half" | "third" | "fourth" | "sixth";

export const SYMMETRIES: Record<Symmetry, { words: string; images: number }> = {
  none: { words: words.mapEditor.noSymmetry, images: 1 },
  mirror: { words: words.mapEditor.mirrorLeftAndRight, images: 2 },
  flip: { words: words.mapEditor.mirrorTopAndBottom, images: 2 },
  quarters: { words: words.mapEditor.mirrorBothWays, images: 4 },
  half: { words: words.mapEditor.halfTurn2Alike, images: 2 },
  third: { words: words.mapEditor.thirdTurn3Alike, images: 3 },
  fourth: { words: words.mapEditor.quarterTurn4Alike, images: 4 },
  sixth: { words: words.mapEditor.sixthTurn6Alike, images: 6 },
};

const FOR_HEX: Symmetry[] = ["none", "mirror", "flip", "quarters", "half", "third", "sixth"];
const FOR_SQUARES: Symmetry[] = ["none", "mirror", "flip", "quarters", "half", "fourth"];
/** How far from a cell's middle its image may fall, in cells. */
const NEAR = 0.05;
/** A symmetry is offered if it maps at least this share of the cells onto cells. */
const MOST = 0.8;

export interface Image {
  cell: Cell;
  /** Which of the images it is; 0 is the cell itself. */
  number: number;
}

/** The cell and its images; images that fall on no cell are left out. */
export function imagesOf(grid: Grid, symmetry: Symmetry, middle: Point, cell: Cell): Image[] {
  const found: Image[] = [{ cell, number: 0 }];
  const at = grid.centre(...cell);
  for (let number = 1; number < SYMMETRIES[symmetry].images; number++) {
    const moved = transform(symmetry, at.x - middle.x, at.y - middle.y, number);
    const image = grid.at(moved.x + middle.x, moved.y + middle.y);
    const centre = grid.centre(...image);
    const off = Math.hypot(centre.x - moved.x - middle.x, centre.y - moved.y - middle.y);
    if (off < NEAR && !found.some((other) => other.cell[0] === image[0] && other.cell[1] === image[1])) found.push({ cell: image, number });
  }
  return found;
}

function transform(symmetry: Symmetry, x: number, y: number, number: number): Point {
  if (symmetry === "mirror") return { x: -x, y };
  if (symmetry === "flip") return { x, y: -y };
  if (symmetry === "quarters") return { x: number & 1 ? -x : x, y: number & 2 ? -y : y };
  const angle = (2 * Math.PI * number) / SYMMETRIES[symmetry].images;
  return { x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle) };
}

/** The owner of a mark's image: players follow each other round the map, as their seats do. */
export function ownerOf(symmetry: Symmetry, owner: number, number: number, seats: number): number {
  if (owner < 0 || number === 0) return owner;
  const { images: count } = SYMMETRIES[symmetry];
  const turned = !["mirror", "flip", "quarters"].includes(symmetry);
  if (turned && seats <= 8 && seats % count === 0) return (owner + (number * seats) / count) % seats;
  const first = owner - (owner % count);
  const moved = turned ? ((owner % count) + number) % count : (owner % count) ^ number;
  return Math.min(first + moved, seats - 1);
}

/** The symmetries that map a board's cells onto each other. */
export function listSymmetries(grid: Grid, middle: Point, cells: Cell[], has: (cell: Cell) => boolean): Symmetry[] {
  const step = Math.max(1, Math.floor(cells.length / 200));
  const some = cells.filter((_, index) => index % step === 0);
  return (grid.hex ? FOR_HEX : FOR_SQUARES).filter((symmetry) => {
    const whole = some.filter((cell) => {
      const found = imagesOf(grid, symmetry, middle, cell);
      const own = grid.centre(...cell);
      const onAxis = Math.hypot(own.x - middle.x, own.y - middle.y) < NEAR || Math.abs(own.x - middle.x) < NEAR || Math.abs(own.y - middle.y) < NEAR;
      return (onAxis || found.length === SYMMETRIES[symmetry].images) && found.every((other) => has(other.cell));
    });
    return whole.length >= some.length * MOST;
  });
}
