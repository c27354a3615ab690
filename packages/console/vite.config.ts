import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // What the console takes from another package is bundled from its source: no build of that package is needed.
  resolve: { conditions: ["toolrack-source", ...defaultClientConditions] },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // A strict content security policy forbids what is inline: also small pictures, and the preload helper.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
  },
});
