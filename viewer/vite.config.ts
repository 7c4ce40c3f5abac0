// The page stands at /viewer and everything it needs under /viewer/: no other origin, nothing inline.
import { defineConfig, type Plugin, type ProxyOptions } from "vite";

// while developing, the page is vite's and everything else the server's
declare const process: { env: Record<string, string | undefined> };
const server = process.env["VITE_SERVER"] ?? "http://127.0.0.1:8765";
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

interface Out {
  setHeader(name: string, value: string): void;
}

const proxied: ProxyOptions = {
  target: server,
  changeOrigin: true,
  configure(proxy) {
    // the server answers its own pages alone: this one counts as such, a page of anybody else's still does not
    const requests = proxy as unknown as { on(event: "proxyReq", listener: (out: Out, from: { headers: Record<string, string> }) => void): void };
    requests.on("proxyReq", (out, { headers }) => {
      if (headers["origin"] === `http://${headers["host"]}`) out.setHeader("origin", server);
    });
  },
};

export default defineConfig({
  plugins: [bare],
  // by its single files, so that what is not used of it is left out
  resolve: { alias: [{ find: /^three$/, replacement: "three/src/Three.js" }] },
  base: "/viewer/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
  },
  worker: { format: "es" },
  server: { proxy: Object.fromEntries(["/api", "/bucket", "/tools"].map((path) => [path, proxied])) },
});
