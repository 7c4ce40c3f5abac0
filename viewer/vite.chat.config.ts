// The page that shows a model in a chat: one script without anything beside it, which the server puts into one page.
import { defineConfig } from "vite";

const here = (path: string) => new URL(path, import.meta.url).pathname;

export default defineConfig({
  publicDir: false,
  // no worker can be started there
  resolve: { alias: [{ find: /^three$/, replacement: "three/src/Three.js" }, { find: /^\.\/pool$/, replacement: here("src/chat/pool.ts") }] },
  build: {
    target: "es2022",
    outDir: "dist-chat",
    emptyOutDir: true,
    cssCodeSplit: false,
    lib: { entry: here("src/chat/main.ts"), name: "modelInChat", formats: ["iife"], fileName: () => "model.js", cssFileName: "model" },
  },
});
