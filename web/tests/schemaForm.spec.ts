import { expect, test } from "@playwright/test";
import { loadLanguage } from "../src/i18n";
import { bounds, parseField, groupsOf, namedField, defaultOf, withValue, type Schema } from "../src/ui/form/schema";

const ROOT: Schema = {
  $ref: "#/$defs/Config",
  $defs: {
    Config: {
      type: "object",
      properties: {
        lock: { type: "integer", minimum: 0, maximum: 100, default: 5, "x-group": "Turns" },
        delay: { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }], default: null },
        sheet: { $ref: "#/$defs/Sheet", "x-group": "Units", description: "What a ship has" },
        mode: { enum: ["strong", "weak"], default: "weak", "x-group": "Turns" },
        pair: { type: "array", prefixItems: [{ type: "integer", default: 1 }, { type: "number", minimum: 2 }], items: false },
        times: { type: "array", items: { type: "string" } },
      },
    },
    Sheet: { type: "object", properties: { attack: { type: "integer", default: 3 } }, description: "overridden" },
  },
};
const all = groupsOf(ROOT, ROOT).flatMap((group) => group.fields);
const fieldOf = (name: string) => all.find((found) => found.name === name) ?? parseField(name, {}, ROOT);

test.beforeAll(() => loadLanguage("en"));

test("a schema becomes fields under their headings, in the order in which they were written", () => {
  expect(groupsOf(ROOT, ROOT, ["mode"]).map((group) => [group.name, group.fields.map((found) => found.name)])).toEqual([
    ["Turns", ["lock"]],
    ["", ["delay", "pair", "times"]],
    ["Units", ["sheet"]],
  ]);
  expect(Object.fromEntries(all.map((found) => [found.name, found.kind]))).toEqual({ lock: "integer", delay: "integer", sheet: "object", mode: "choice", pair: "tuple", times: "list" });
});

test("references are followed, what stands beside them wins, and null is no type of its own", () => {
  expect(fieldOf("sheet").schema.description).toBe("What a ship has");
  expect(fieldOf("delay").nullable).toBe(true);
  expect(fieldOf("lock").nullable).toBe(false);
});

test("an unset field has the default, else the least value that fits", () => {
  expect(all.map((found) => defaultOf(found, ROOT))).toEqual([5, "weak", null, [1, 2], [], {}]);
});

test("only what differs is sent", () => {
  expect(withValue({}, "lock", 7, 5)).toEqual({ lock: 7 });
  expect(withValue({ lock: 7, mode: "strong" }, "lock", 5, 5)).toEqual({ mode: "strong" });
  expect(withValue({ pair: [1, 3] }, "pair", [1, 2], [1, 2])).toEqual({});
  expect(withValue({ lock: 7 }, "lock", undefined, 5)).toEqual({});
});

test("a sentence of the server finds the field that it is about", () => {
  const names = all.map((found) => found.name);
  expect(namedField("game's settings: Expected `int` <= 100 - at `lock`.", names)).toBe("lock");
  expect(namedField("game's setting pair needs two numbers.", names)).toBe("pair");
  expect(namedField("There is a room 'den' already.", names)).toBeNull();
});

test("bounds are written in few characters", () => {
  expect([bounds({ minimum: 0, maximum: 1000 }), bounds({ minimum: 1 }), bounds({ maximum: 9 }), bounds({})]).toEqual(["0 – 1,000", "from 1", "to 9", ""]);
});
