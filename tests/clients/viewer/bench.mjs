// The viewer beside web-ifc and That Open's fragments, in the same browser on the same model: bytes over the wire, time to the first
// storey and to all, main-thread time of a frame, draw calls, pick, recolouring of a tenth of the elements, memory. Three runs each, each
// in a browser of its own; medians as a table. ADDRESS is that of a server with the viewer as it is built (or of `vite preview` before
// one); LIBRARIES is the node_modules of a folder with `web-ifc`, `@thatopen/fragments` and the `three` that it asks for.
//
//     node bench.mjs ADDRESS BROWSER NODE_MODULES IFC LIBRARIES
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { basename, join, normalize } from "node:path";

const [address, browserPath, modules, ifc, libraries] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "index.js"))("playwright-core");
const RUNS = Number(process.env.RUNS ?? 3);
const [WIDTH, HEIGHT, FRAMES] = [1280, 800, Number(process.env.FRAMES ?? 24)];
const ONLY = process.env.ONLY?.split(",") ?? ["Pensaer", "web-ifc", "fragments"];
const size = statSync(ifc).size;

/** Runs in the page: what is measured of a picture, the same for all three. */
const tools = () => {
  window.median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
  window.high = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length * 0.95)];
  window.next = () => new Promise((r) => requestAnimationFrame(() => r()));
  window.longest = 0;
  new PerformanceObserver((l) => { for (const e of l.getEntries()) window.longest = Math.max(window.longest, e.duration); }).observe({ type: "longtask", buffered: true });
};

/** The page of the two libraries: a scene as their own examples make it. */
const PAGE = `<!doctype html><meta charset="utf-8"><style>body{margin:0}canvas{display:block}</style>
<script type="importmap">{"imports":{"three":"/lib/three/build/three.module.js","three/examples/":"/lib/three/examples/","web-ifc":"/lib/web-ifc/web-ifc-api.js","@thatopen/fragments":"/lib/@thatopen/fragments/dist/index.mjs","pako":"/lib/pako/dist/pako.esm.mjs","flatbuffers":"/lib/flatbuffers/mjs/flatbuffers.js","earcut":"/lib/earcut/src/earcut.js"}}</script>
<script type="module" src="/bench.js"></script>`;

const SCENE = `
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = new THREE.Color(0xeef3f8);
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(3, 8, 5);
scene.add(sun, new THREE.AmbientLight(0xffffff, 1.5));
const camera = new THREE.PerspectiveCamera(42, innerWidth / innerHeight, 0.5, 2000);
const draw = () => renderer.render(scene, camera);
function fit(box) {
  const s = box.getBoundingSphere(new THREE.Sphere());
  camera.position.copy(s.center).addScaledVector(new THREE.Vector3(0.72, 0.6, 1).normalize(), s.radius * 2.8);
  camera.lookAt(s.center);
  camera.updateMatrixWorld();
}
async function frames(count, before = () => {}) {
  const ms = [];
  for (let i = 0; i < count; i++) {
    await next();
    camera.position.x += 0.4;
    camera.updateMatrixWorld();
    const t = performance.now();
    before();
    draw();
    ms.push(performance.now() - t);
  }
  // back to where the model is in the middle, for what is picked there
  camera.position.x -= 0.4 * count;
  camera.updateMatrixWorld();
  return { frame: median(ms), frameHigh: high(ms), calls: renderer.info.render.calls };
}
const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

window.webIfc = async () => {
  const { IfcAPI } = await import("web-ifc");
  const start = performance.now();
  const data = await bytes("/model.ifc");
  const api = new IfcAPI();
  api.SetWasmPath("/lib/web-ifc/", true);
  await api.Init(undefined, true);
  const model = api.OpenModel(data, { COORDINATE_TO_ORIGIN: true });
  const kinds = { opaque: [], clear: [] };
  const elements = [];
  api.StreamAllMeshes(model, (mesh) => {
    elements.push(mesh.expressID);
    for (let i = 0; i < mesh.geometries.size(); i++) {
      const placed = mesh.geometries.get(i);
      const part = api.GetGeometry(model, placed.geometryExpressID);
      const corners = api.GetVertexArray(part.GetVertexData(), part.GetVertexDataSize());
      const index = api.GetIndexArray(part.GetIndexData(), part.GetIndexDataSize());
      const n = corners.length / 6;
      const [p, q, c, e] = [new Float32Array(n * 3), new Float32Array(n * 3), new Float32Array(n * 3), new Uint32Array(n).fill(mesh.expressID)];
      for (let k = 0; k < n; k++) {
        p.set(corners.subarray(k * 6, k * 6 + 3), k * 3);
        q.set(corners.subarray(k * 6 + 3, k * 6 + 6), k * 3);
        c.set([placed.color.x, placed.color.y, placed.color.z], k * 3);
      }
      const g = new THREE.BufferGeometry();
      g.setAttribute("position", new THREE.BufferAttribute(p, 3));
      g.setAttribute("normal", new THREE.BufferAttribute(q, 3));
      g.setAttribute("color", new THREE.BufferAttribute(c, 3));
      g.setAttribute("element", new THREE.BufferAttribute(e, 1));
      g.setIndex(new THREE.BufferAttribute(new Uint32Array(index), 1));
      g.applyMatrix4(new THREE.Matrix4().fromArray(placed.flatTransformation));
      (placed.color.w < 1 ? kinds.clear : kinds.opaque).push(g);
      part.delete();
    }
  });
  const meshes = [];
  for (const [kind, list] of Object.entries(kinds)) {
    if (list.length === 0) continue;
    meshes.push(new THREE.Mesh(mergeGeometries(list), new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide, ...(kind === "clear" ? { transparent: true, opacity: 0.5 } : {}) })));
  }
  scene.add(...meshes);
  fit(new THREE.Box3().setFromObject(scene));
  draw();
  const all = performance.now() - start;
  const moving = await frames(${FRAMES});
  const pick = [];
  for (let i = 0; i < 9; i++) {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(i * 0.04 - 0.16, 0), camera);
    const t = performance.now();
    ray.intersectObjects(meshes);
    pick.push(performance.now() - t);
  }
  const tenth = new Set(elements.filter((_, i) => i % 10 === 0));
  await next();
  const t = performance.now();
  for (const { geometry } of meshes) {
    const [c, e] = [geometry.getAttribute("color"), geometry.getAttribute("element")];
    for (let k = 0; k < e.count; k++) if (tenth.has(e.array[k])) c.setXYZ(k, 0.8, 0.1, 0.5);
    c.needsUpdate = true;
  }
  draw();
  return { first: all, all, ...moving, pick: median(pick), recolour: performance.now() - t, elements: elements.length };
};

window.makeFragments = async () => {
  const { IfcImporter } = await import("@thatopen/fragments");
  const start = performance.now();
  const importer = new IfcImporter();
  importer.wasm = { path: "/lib/web-ifc/", absolute: true };
  const made = await importer.process({ bytes: await bytes("/model.ifc") });
  await fetch("/model.frag", { method: "PUT", body: made });
  return { made: performance.now() - start, bytes: made.byteLength };
};

window.fragments = async () => {
  const { FragmentsModels } = await import("@thatopen/fragments");
  const start = performance.now();
  const fragments = new FragmentsModels("/lib/@thatopen/fragments/dist/Worker/worker.mjs");
  const model = await fragments.load((await bytes("/model.frag")).buffer, { modelId: "bench", camera });
  scene.add(model.object);
  fit(model.box);
  let [first, all, seen, still] = [0, 0, -1, performance.now()];
  // tiles come by and by: all is there once nothing was added for a second
  while (performance.now() - still < 1000 && performance.now() - start < 120000) {
    await fragments.update(true);
    draw();
    const { triangles } = renderer.info.render;
    if (triangles !== seen && triangles > 0) {
      if (!first) first = performance.now() - start;
      all = performance.now() - start;
      still = performance.now();
    }
    if (triangles === 0) still = performance.now();
    seen = triangles;
    await next();
  }
  const moving = await frames(${FRAMES}, () => void fragments.update());
  const pick = [];
  for (let i = 0; i < 9; i++) {
    const t = performance.now();
    await model.raycast({ camera, mouse: new THREE.Vector2(innerWidth / 2 + i * 20 - 80, innerHeight / 2), dom: renderer.domElement });
    pick.push(performance.now() - t);
  }
  const ids = await model.getItemsIdsWithGeometry();
  await next();
  const t = performance.now();
  await model.highlight(ids.filter((_, i) => i % 10 === 0), { color: new THREE.Color(0.8, 0.1, 0.5), opacity: 1, transparent: false, renderedFaces: 0 });
  await fragments.update(true);
  draw();
  return { first, all, ...moving, pick: median(pick), recolour: performance.now() - t, elements: ids.length };
};
window.there = true;
`;

const TYPES = { js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm", html: "text/html" };
let fragments = Buffer.alloc(0);
const server = createServer((request, response) => {
  const path = decodeURIComponent(request.url.split("?")[0]);
  const send = (type, body) => response.writeHead(200, { "content-type": type }).end(body);
  if (path === "/model.frag" && request.method === "PUT") {
    const parts = [];
    request.on("data", (d) => parts.push(d)).on("end", () => {
      fragments = Buffer.concat(parts);
      send("text/plain", "");
    });
  } else if (path === "/model.frag") send("application/octet-stream", fragments);
  else if (path === "/model.ifc") send("application/octet-stream", readFileSync(ifc));
  else if (path === "/bench.js") send(TYPES.js, SCENE);
  else if (path === "/") send(TYPES.html, PAGE);
  else if (path.startsWith("/lib/")) {
    try {
      send(TYPES[path.split(".").at(-1)] ?? "application/octet-stream", readFileSync(join(libraries, normalize(path.slice(4)))));
    } catch {
      response.writeHead(404).end();
    }
  } else response.writeHead(404).end();
});
await new Promise((r) => server.listen(0, "127.0.0.1", r));
const own = `http://127.0.0.1:${server.address().port}/`;

/** Memory of the page's process, MB, where the system tells it. */
async function memory(browser, page) {
  const heap = await page.evaluate(() => performance.memory.usedJSHeapSize / 1e6);
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  let most = 0;
  for (const { type, id } of processInfo) {
    if (type !== "renderer") continue;
    const status = readFileSync(`/proc/${id}/status`, "utf8");
    most = Math.max(most, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
  }
  return { heap, process: most };
}

async function inBrowser(work) {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist", "--enable-precise-memory-info"] });
  try {
    const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    page.setDefaultTimeout(300_000);
    page.on("pageerror", (e) => console.error(`error on the page: ${e.message}`));
    await page.addInitScript(tools);
    const result = await work(page);
    return { ...result, longest: await page.evaluate(() => window.longest), ...(await memory(browser, page)) };
  } finally {
    await browser.close();
  }
}

const library = (name) =>
  inBrowser(async (page) => {
    await page.goto(own);
    await page.waitForFunction(() => window.there);
    return page.evaluate((name) => window[name](), name);
  });

/** The model on the server, uploaded where it is not there. */
async function uploaded() {
  const name = basename(ifc, ".ifc");
  const find = async () => (await (await fetch(`${address}/api/models?limit=200`)).json()).items.find((m) => m.name === name);
  if (!(await find())) {
    const answer = await fetch(`${address}/bucket?name=${encodeURIComponent(basename(ifc))}`, { method: "POST", body: readFileSync(ifc), headers: { "content-type": "application/x-step" } });
    assert.ok(answer.ok, await answer.text());
  }
  const model = await find();
  assert.ok(model, `${name} is not among the models`);
  // its shapes are made once, as fragments are; that is no part of what is measured
  const start = Date.now();
  const tileset = await (await fetch(`${address}/api/models/${model.model_id}/versions/${model.head}/tileset.json`)).json();
  for (const one of tileset.root.children) await (await fetch(`${address}/api/models/${model.model_id}/versions/${model.head}/${one.content.uri}`)).arrayBuffer();
  return { id: model.model_id, made: Date.now() - start };
}

const ours = (id) =>
  inBrowser(async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    const urls = new Map();
    let [bytes, code] = [0, 0];
    session.on("Network.responseReceived", (e) => urls.set(e.requestId, e.response.url));
    session.on("Network.loadingFinished", (e) => {
      const url = urls.get(e.requestId) ?? "";
      if (/\/api\/models\/[^?]*\/(tileset\.json|tiles\/|tree)/.test(url)) bytes += e.encodedDataLength;
      else if (/\.js/.test(url)) code += e.encodedDataLength;
    });
    await page.goto(`${address}/viewer/`, { waitUntil: "domcontentloaded" });
    await page.goto("about:blank");
    await page.goto(`${address}/viewer/?model=${id}`, { waitUntil: "commit" });
    await page.waitForFunction(() => {
      const s = window.pensaer?.view.stats();
      if (!s || s.loaded === 0 || s.drawCalls < 2) return false;
      window.first ??= performance.now();
      return s.waiting === 0 && s.loaded === s.tiles;
    }, null, { polling: "raf" });
    const result = await page.evaluate(async (FRAMES) => {
      const { view } = window.pensaer;
      const all = performance.now();
      // tiles are put together while nobody waits; what is measured is a moving picture, which has no shading in corners
      await new Promise((r) => setTimeout(r, 3000));
      view.settings({ occlusion: false });
      const [ms, c] = [[], view.camera()];
      let calls = 0;
      for (let i = 0; i < FRAMES; i++) {
        view.look({ ...c, eye: [c.eye[0] + i * 0.4, c.eye[1], c.eye[2]] }, { jump: true });
        await next();
        await next();
        ms.push(view.stats().frame);
        calls = Math.max(calls, view.stats().drawCalls);
      }
      view.look(c, { jump: true });
      await new Promise((r) => setTimeout(r, 1500));
      const canvas = document.querySelector("canvas");
      const box = canvas.getBoundingClientRect();
      const pick = [];
      const end = view.on("pick", () => undefined);
      for (let i = 0; i < 9; i++) {
        const at = { clientX: box.left + box.width / 2 + i * 20 - 80, clientY: box.top + box.height / 2, bubbles: true, pointerId: 1, pointerType: "mouse" };
        const t = performance.now();
        canvas.dispatchEvent(new PointerEvent("pointermove", at));
        pick.push(performance.now() - t);
        await next();
      }
      end();
      return { first: window.first, all, frame: median(ms), frameHigh: high(ms), calls, pick: median(pick), elements: view.stats().elements };
    }, FRAMES);
    const tenth = await page.evaluate(async (id) => {
      const record = (await (await fetch("/api/models?limit=200")).json()).items.find((m) => m.model_id === id);
      const text = await (await fetch(`/api/models/${id}/versions/${record.head}/tree`)).text();
      const keys = [...new Set([...text.matchAll(/"([0-9A-Za-z_$]{22})"/g)].map((m) => `${id}/${m[1]}`))].filter((_, i) => i % 10 === 0);
      const { view } = window.pensaer;
      await next();
      const t = performance.now();
      view.colour({ groups: [{ colour: "#cc1a80", keys }], others: "usual" });
      const called = performance.now() - t;
      await next();
      await next();
      return called + view.stats().frame;
    }, id);
    return { ...result, recolour: tenth, bytes, code };
  });

const ROWS = [
  ["bytes over the wire", (r) => `${(r.bytes / 1e6).toFixed(2)} MB (${((r.bytes / size) * 100).toFixed(0)} % of the IFC)`],
  ["first storey", (r) => `${(r.first / 1000).toFixed(2)} s`],
  ["all", (r) => `${(r.all / 1000).toFixed(2)} s`],
  ["made beforehand", (r) => (r.made === undefined ? "none" : `${(r.made / 1000).toFixed(1)} s`)],
  ["main thread a frame, median / 95 %", (r) => `${r.frame.toFixed(1)} / ${r.frameHigh.toFixed(1)} ms`],
  ["draw calls", (r) => String(r.calls)],
  ["pick", (r) => `${r.pick.toFixed(1)} ms`],
  ["recolour 10 %", (r) => `${r.recolour.toFixed(1)} ms`],
  ["longest task", (r) => `${r.longest.toFixed(0)} ms`],
  ["script memory", (r) => `${r.heap.toFixed(0)} MB`],
  ["memory of the page's process", (r) => `${r.process.toFixed(0)} MB`],
];

const middle = (runs) => Object.fromEntries(Object.keys(runs[0]).map((k) => [k, runs.map((r) => r[k]).sort((a, b) => a - b)[Math.floor(runs.length / 2)]]));
async function three(name, run, more = {}) {
  const all = [];
  for (let i = 0; i < RUNS; i++) {
    all.push({ ...(await run()), ...more });
    if (more.bytes !== undefined) all.at(-1).bytes = more.bytes;
    console.error(name, JSON.stringify(all.at(-1)));
  }
  return middle(all);
}

try {
  const columns = {};
  if (ONLY.includes("Pensaer")) {
    const model = await uploaded();
    columns.Pensaer = await three("Pensaer", () => ours(model.id), { made: model.made });
  }
  if (ONLY.includes("web-ifc")) columns["web-ifc"] = await three("web-ifc", () => library("webIfc"), { bytes: size });
  if (ONLY.includes("fragments")) {
    const made = await library("makeFragments");
    columns.fragments = await three("fragments", () => library("fragments"), { bytes: made.bytes, made: made.made });
  }
  console.log(`${basename(ifc)}, ${(size / 1e6).toFixed(1)} MB\n`);
  console.log(`| | ${Object.keys(columns).join(" | ")} |\n|---|${"---|".repeat(Object.keys(columns).length)}`);
  for (const [name, text] of ROWS) console.log(`| ${name} | ${Object.values(columns).map(text).join(" | ")} |`);
} finally {
  server.close();
}
