import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";

const FOLDER = new URL("../../src/marchland/web/assets/", import.meta.url);

test("scripts and styles of the whole app, with the larger of its languages, weigh at most 400 kB", () => {
  const sizes = readdirSync(FOLDER)
    .filter((name) => /\.(js|css)$/.test(name) && !/^en-/.test(name))
    .map((name) => gzipSync(readFileSync(new URL(name, FOLDER))).length);
  expect(sizes.length).toBeGreaterThan(5);
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${Math.round(whole / 1000)} kB`);
  expect(whole).toBeLessThanOrEqual(400_000);
});
