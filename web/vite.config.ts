import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { gameTitles } from "./titles.ts";

/** The app, as `marchland serve` shows it. */
export default defineConfig({
  plugins: [svelte()],
  define: { GAME_TITLES: gameTitles() },
  build: {
    outDir: "../src/marchland/web",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 900,
  },
  server: {
    proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } },
  },
});
