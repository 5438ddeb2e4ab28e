// Fixed names and two files: the server knows each asset, and what is kept in the repository changes little.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    outDir: "../assets",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    rollupOptions: {
      output: {
        entryFileNames: "assets/page.js",
        assetFileNames: "assets/page[extname]",
        inlineDynamicImports: true,
      },
    },
  },
});
