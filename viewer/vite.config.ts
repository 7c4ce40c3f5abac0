// The page stands at /viewer and everything it needs under /viewer/: no other origin, nothing inline.
import { defineConfig } from "vite";

// while developing, the page is vite's and everything else the server's
declare const process: { env: Record<string, string | undefined> };
const server = process.env["VITE_SERVER"] ?? "http://127.0.0.1:8765";

export default defineConfig({
  base: "/viewer/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  worker: { format: "es" },
  server: { proxy: { "/api": server, "/bucket": server, "/tools": server } },
});
