import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The page is built into the package: `espalier dashboard` serves it from there and from nowhere else. */
export default defineConfig({
  plugins: [react()],
  root: import.meta.dirname,
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
