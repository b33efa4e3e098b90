/** Copy a text; whether that worked. A page over plain HTTP has no clipboard: there the reader copies by hand. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
