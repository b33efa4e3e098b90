import { expect, test } from "@playwright/test";
import { reconnectDelay } from "../src/api/backoff";

test("a page is back at most a quarter later than the server, and does not ask all the time", () => {
  for (const outage of [100, 2_000, 30_000, 600_000]) {
    for (const chance of [0, 0.5, 1]) {
      let now = 0;
      let tries = 0;
      for (; now < outage; tries++) now += reconnectDelay(now, chance);
      expect(now).toBeLessThanOrEqual(1.25 * outage + 250);
      expect(tries).toBeLessThan(45 + outage / 5_000);
    }
  }
});

test("pages that lost their connection together come back at different moments", () => {
  expect(reconnectDelay(4_000, 0)).toBe(500);
  expect(reconnectDelay(4_000, 1)).toBe(1_000);
  expect(reconnectDelay(3_600_000, 1)).toBe(10_000);
});
