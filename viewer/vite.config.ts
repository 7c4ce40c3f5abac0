// The page stands at /viewer and everything it needs under /viewer/: no other origin, nothing inline.
import { defineConfig } from "vite";

declare const process: { env: Record<string, string | undefined> };

const target = process.env["VITE_SERVER"] ?? "http://127.0.0.1:8765";

export default defineConfig({
  base: "/viewer/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { "/api": target, "/bucket": target, "/tools": target } },
});
