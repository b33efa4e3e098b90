import { defineConfig } from "@playwright/test";

/** Debian's Chromium, with WebGL in software, and nothing that calls home. */
export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/traces",
  timeout: 90_000,
  expect: { timeout: 20_000 },
  workers: 1,
  reporter: [["list"]],
  use: {
    baseURL: process.env["MARCHLAND_URL"] ?? "http://127.0.0.1:8000",
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
