// The page stands at /viewer and everything it needs under /viewer/: no other origin, nothing inline.
import { defineConfig } from "vite";

export default defineConfig({
  base: "/viewer/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8765", "/bucket": "http://127.0.0.1:8765" } },
});
