// The page stands at /viewer and everything it needs under /viewer/: no other origin, nothing inline.
import { defineConfig, type Plugin } from "vite";

// while developing, the page is vite's and everything else the server's
declare const process: { env: Record<string, string | undefined> };
const server = process.env["VITE_SERVER"] ?? "http://127.0.0.1:8765";
// the server answers pages of its own alone
const proxied = { target: server, changeOrigin: true, headers: { origin: server } };

// the page's own addresses have no slash at the end
const bare: Plugin = {
  name: "bare-address",
  configureServer(server) {
    server.middlewares.use((request: { url?: string }, _response, next) => {
      if (/^\/viewer(\?|$)/.test(request.url ?? "")) request.url = (request.url ?? "").replace("/viewer", "/viewer/");
      next();
    });
  },
};

export default defineConfig({
  plugins: [bare],
  base: "/viewer/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  worker: { format: "es" },
  server: { proxy: { "/api": proxied, "/bucket": proxied, "/tools": proxied } },
});
