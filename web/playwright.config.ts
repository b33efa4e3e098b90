import { defineConfig } from "@playwright/test";

/** What Playwright itself switches off on Linux. Chromium reads only the last list, so the one below repeats it. */
const OFF_BY_DEFAULT = [
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];
/** The address bar loads two pages of its own into every new window, and a process stands by for the next site: a second of processor time for each test. */
const OFF_HERE = ["SpareRendererForSitePerProcess", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxPopup"];

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
        `--disable-features=${[...OFF_BY_DEFAULT, ...OFF_HERE].join()}`,
      ],
    },
  },
});
