import { defineConfig } from "@playwright/test";

/** Debian's Chromium, with WebGL in software, and nothing that calls home. Only the board is drawn by WebGL: the page around it costs a third as much without. */
export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/traces",
  timeout: 90_000,
  expect: { timeout: 20_000 },
  workers: 1,
  reporter: [["list"]],
  use: {
    baseURL: process.env["MARCHLAND_URL"] ?? "http://127.0.0.1:8000",
    viewport: { width: 1152, height: 720 },
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
        "--disable-gpu-compositing",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
