/** Makes any picture that the browser reads a PNG file as small as the server takes it. */

import { words } from "../../i18n";

const MOST_BYTES = 64 * 1024;
/** The longest side, and what is tried if the file is too large. */
const SIDES = [256, 192, 144, 96, 64];

/** The picture as a PNG file in Base64, within the server's limits. */
export async function shrinkPicture(file: Blob): Promise<string> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error(words.forms.notRead);
  });
  for (const side of SIDES) {
    const data = await encode(image, Math.min(1, side / Math.max(image.width, image.height)));
    if (data.size <= MOST_BYTES) return toBase64(await data.arrayBuffer());
  }
  throw new Error(words.forms.notRead);
}

async function encode(image: ImageBitmap, scale: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(image.width * scale)), Math.max(1, Math.round(image.height * scale)));
  const context = canvas.getContext("2d");
  if (context === null) throw new Error(words.forms.notRead);
  context.imageSmoothingQuality = "high";
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/png" });
}

function toBase64(data: ArrayBuffer): string {
  return btoa(Array.from(new Uint8Array(data), (byte) => String.fromCharCode(byte)).join(""));
}
