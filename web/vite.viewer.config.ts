import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { gameTitles } from "./titles.ts";

/** Put script and style into the page itself, so that one file is all there is. */
function inlined(): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
      const page = bundle["viewer.html"];
      if (page?.type !== "asset") return;
      let text = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        const content = file.type === "chunk" ? file.code : String(file.source);
        const tag = new RegExp(`<(script|link)[^>]*${name.replaceAll(".", "\\.")}[^>]*>(</script>)?`);
        if (name.endsWith(".js"))
          text = text.replace(tag, () => "").replace("</body>", () => `<script type="module">${content.replaceAll("</script", "<\\/script")}</script></body>`);
        else if (name.endsWith(".css")) text = text.replace(tag, () => `<style>${content}</style>`);
        delete bundle[name];
      }
      page.source = text;
      },
    },
  };
}

/** A page that holds one replay: `marchland replay html` puts the .march file where the page says FILM. */
export default defineConfig({
  plugins: [svelte(), inlined()],
  define: { GAME_TITLES: gameTitles() },
  publicDir: false,
  build: {
    outDir: "../src/marchland/web",
    emptyOutDir: false,
    target: "es2022",
    assetsInlineLimit: 1_000_000,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { input: "viewer.html", output: { codeSplitting: false } },
  },
});
