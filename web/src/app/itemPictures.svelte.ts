/** Pictures of the ledger's items: built-in ones by name, and files of this server. Loaded when one is first needed. */

import { organiserApi } from "../api/organiser";
import { API } from "../api/client";
import { spritePath } from "../board/render/glyphs";

const PICTURE_ID = /^[0-9a-f]{32}$/;

/** A picture: a path to be tinted, or an image, which is null while it is loaded. */
export interface ItemPicture {
  path: string | null;
  image: HTMLImageElement | null;
}

/** The address of a picture of this server; null if an item's fact names none. */
export function pictureAddress(sprite: string): string | null {
  return PICTURE_ID.test(sprite) ? `${API}/ledger/pictures/${sprite}` : null;
}

export class ItemPictures {
  /** Incremented whenever another picture can be shown. */
  version = $state(0);
  private spriteOfTemplate: Map<number, string> | null = null;
  private readonly pictures = new Map<string, ItemPicture>();

  /** The fact that says how items of a template look; empty while that is not known. */
  spriteOf(template: number): string {
    void this.version;
    if (this.spriteOfTemplate === null && template > 0) {
      this.spriteOfTemplate = new Map();
      void this.loadTemplates();
    }
    return this.spriteOfTemplate?.get(template) ?? "";
  }

  /** The picture of a template; null if it has none, or while it is loaded. */
  find(template: number): ItemPicture | null {
    const sprite = template > 0 ? this.spriteOf(template) : "";
    if (sprite === "") return null;
    const known = this.pictures.get(sprite);
    if (known !== undefined) return known.path === null && known.image === null ? null : known;
    this.pictures.set(sprite, { path: spritePath(sprite), image: null });
    const address = pictureAddress(sprite);
    if (address !== null) void this.loadImage(sprite, address);
    return this.find(template);
  }

  private async loadTemplates(): Promise<void> {
    const templates = await organiserApi.templates().catch(() => []);
    this.spriteOfTemplate = new Map(templates.flatMap(({ id, facts }) => (typeof facts["sprite"] === "string" ? [[id, facts["sprite"]] as const] : [])));
    this.version++;
  }

  private async loadImage(sprite: string, address: string): Promise<void> {
    const image = new Image();
    image.src = address;
    await image.decode().catch(() => undefined);
    if (image.naturalWidth === 0) return;
    this.pictures.set(sprite, { path: null, image });
    this.version++;
  }
}

export const itemPictures = new ItemPictures();
