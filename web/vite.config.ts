import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Has the browser fetch the page together with what asks for the state: it is needed at once, and only found in there. */
function preloadPage(): Plugin {
  return {
    name: "preload-page",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const page = Object.values(bundle).find(file => file.type === "chunk" && file.name === "page");
        // What a chunk needs is told by name; what that needs in turn follows it in the list.
        const wanted = new Set(page === undefined ? [] : [page.fileName]);
        for (const name of wanted) {
          const chunk = bundle[name];
          if (chunk?.type === "chunk") for (const next of chunk.imports) wanted.add(next);
        }
        return [...wanted]
          .filter(name => bundle[name]?.type === "chunk" && !bundle[name].isEntry)
          .map(name => ({
            tag: "link",
            attrs: { rel: "modulepreload", crossorigin: true, href: `/${name}` },
            injectTo: "head" as const,
          }));
      },
    },
  };
}

/** The page is built into the package: `espalier dashboard` serves it from there and from nowhere else. */
export default defineConfig({
  plugins: [react(), preloadPage()],
  root: import.meta.dirname,
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
