// The 3D view by itself, on the Duplex, the FZK house and the sample house: what is picked, hidden, cut, measured, walked through and
// fetched, by values; and pictures of it for a person to look at. ADDRESS is that of vite (viewer/view.html is a page for development)
// before a server that has the three models.
//
//     node view.mjs ADDRESS BROWSER NODE_MODULES PICTURES_FOLDER
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [address, browserPath, modules, pictures] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "index.js"))("playwright-core");
mkdirSync(pictures, { recursive: true });

const DUPLEX = "Duplex_A_20110907";
const FZK = "AC20-FZK-Haus";
const HOUSE = "Sample house";
const [WIDTH, HEIGHT] = [800, 600];

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const problems = [];

async function opened(models, { width = WIDTH, height = HEIGHT, scheme = "light", occlusion = false, memory } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme });
  page.setDefaultTimeout(120_000);
  page.on("pageerror", (error) => problems.push(`error on the page: ${error.message}`));
  page.on("console", (m) => {
    if (m.type() === "error" && !/404/.test(m.text())) problems.push(`console: ${m.text()}`);
  });
  const query = models.map((m) => `model=${encodeURIComponent(m)}`).join("&");
  await page.goto(`${address}/viewer/view.html?${query}${memory ? `&memory=${memory}` : ""}`);
  await page.waitForFunction(() => window.ready !== undefined);
  await page.evaluate(async (occlusion) => {
    window.view.settings({ occlusion });
    await window.ready;
    window.told = {};
    for (const event of ["pick", "box", "measured", "marked", "mode", "sections", "failed", "camera"]) {
      window.told[event] = [];
      window.view.on(event, (...args) => window.told[event].push(args));
    }
  }, occlusion);
  return page;
}

/** After the next pictures. */
const drawn = (page) => page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r, 30)))));
const last = (page, event) => page.evaluate((event) => window.told[event].at(-1), event);
const stats = (page) => page.evaluate(() => window.view.stats());
const save = async (page, name) => {
  await page.waitForTimeout(1500);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
};

/** Looks straight along an axis at right angles, so that a pixel is a known part of a metre; answers where a place is on the page. */
async function straight(page, from, target, height) {
  await page.evaluate(([eye, target, height]) => window.view.look({ eye, target, projection: "orthographic", height }, { jump: true }), [from, target, height]);
  await drawn(page);
  const scale = HEIGHT / height;
  return from[2] === target[2]
    ? (x, z) => [WIDTH / 2 + (x - target[0]) * scale, HEIGHT / 2 - (z - target[2]) * scale]
    : (x, y) => [WIDTH / 2 + (x - target[0]) * scale, HEIGHT / 2 - (y - target[1]) * scale];
}

async function clicked(page, [x, y], modifiers) {
  // two clicks at once would be a double one
  await page.waitForTimeout(400);
  if (modifiers) await page.keyboard.down(modifiers);
  await page.mouse.click(x, y);
  if (modifiers) await page.keyboard.up(modifiers);
  await drawn(page);
}

/** Elements of a model by class. */
const byClass = (page, name) =>
  page.evaluate(async (name) => {
    const { model, version } = await window.sourceOf(name);
    const tree = await (await fetch(`/api/models/${model}/versions/${version}/tree`)).json();
    const found = {};
    const walk = (n) => {
      if (Array.isArray(n)) return n.forEach(walk);
      if (!n || typeof n !== "object") return;
      if (n.class && n.id) (found[n.class] ??= []).push(`${model}/${n.id}`);
      Object.values(n).forEach(walk);
    };
    walk(tree);
    return found;
  }, name);

const CHECKS = {
  async duplex() {
    const page = await opened([DUPLEX]);
    const s = await stats(page);
    assert.equal(s.elements, 236);
    assert.equal(s.loaded, 4);
    assert.equal(s.waiting, 0);
    // tiles are put together while nobody waits
    await page.waitForFunction(() => window.view.stats().drawCalls <= 12, null, { timeout: 15_000 });
    const classes = await byClass(page, DUPLEX);

    // from straight above: the roof's slab, then what lies under it once it is hidden
    const at = await straight(page, [4.4, -8.9, 60], [4.4, -8.9, 0], 26);
    await clicked(page, at(4.4, -14));
    const [roof] = await last(page, "pick");
    assert.ok([...classes.IfcRoof, ...classes.IfcSlab].includes(roof.key), `${roof.key} is no roof`);
    assert.ok(Math.abs(roof.normal[2] - 1) < 0.01 && roof.point[2] > 5, JSON.stringify(roof));
    await page.evaluate((key) => window.view.hide([key]), roof.key);
    await clicked(page, at(4.4, -14));
    const [under] = await last(page, "pick");
    assert.notEqual(under.key, roof.key);
    assert.ok(under.point[2] < roof.point[2]);
    await page.evaluate(() => window.view.hide([]));

    // a key adds, nothing is hit beside the model
    await clicked(page, at(4.4, -14), "Control");
    assert.equal((await last(page, "pick"))[1], true);
    await clicked(page, at(-10, 3));
    assert.equal((await last(page, "pick"))[0] ?? null, null);

    // three elements alone: a box around everything finds no others
    const three = classes.IfcDoor.slice(0, 3);
    await page.evaluate((keys) => window.view.isolate(keys), three);
    const drag = async (a, b) => {
      await page.keyboard.down("Shift");
      await page.mouse.move(...a);
      await page.mouse.down();
      await page.mouse.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2);
      await page.mouse.move(...b);
      await page.mouse.up();
      await page.keyboard.up("Shift");
      await drawn(page);
    };
    await drag([10, 10], [WIDTH - 170, HEIGHT - 10]);
    assert.deepEqual([...(await last(page, "box"))[0]].sort(), [...three].sort());
    await page.evaluate(() => window.view.isolate(undefined));
    // from right to left what is touched counts, too
    const small = [at(3, -10), at(5, -8)];
    await drag(small[0], small[1]);
    const whole = (await last(page, "box"))[0].length;
    await drag(small[1], small[0]);
    const touched = (await last(page, "box"))[0].length;
    assert.ok(touched > whole, `${touched} touched, ${whole} within`);

    // cut at three metres: what is hit lies under that
    await page.evaluate(() => window.view.sections([{ point: [0, 0, 2.9], normal: [0, 0, 1] }]));
    await clicked(page, at(4.4, -14));
    assert.ok((await last(page, "pick"))[0].point[2] < 2.9);
    await page.waitForTimeout(1500);
    assert.equal(await page.locator(".view-handle").count(), 1);
    await save(page, "duplex-cut");
    // the handle is moved by keys
    await page.locator(".view-handle").focus();
    await page.keyboard.press("ArrowUp");
    assert.ok(Math.abs((await last(page, "sections"))[0][0].point[2] - 3) < 1e-6);
    await page.evaluate(() => window.view.sections([]));

    // rooms are not there until they are asked for
    const before = await page.evaluate((keys) => window.view.extent(keys), classes.IfcSpace);
    assert.ok(before);
    await page.evaluate((keys) => window.view.colour({ groups: [{ colour: "#d02090", keys }], others: "hidden" }), classes.IfcSpace);
    await clicked(page, at(2, -14));
    assert.ok(classes.IfcSpace.includes((await last(page, "pick"))[0].key));
    const pink = await page.evaluate(async () => {
      const image = await createImageBitmap(await (await fetch(window.view.picture(200, 150))).blob());
      const context = new OffscreenCanvas(200, 150).getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, 200, 150);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i] > data[i + 1] + 50 && data[i + 2] > data[i + 1] + 20) count++;
      return count;
    });
    assert.ok(pink > 800, `${pink} pixels of the colour`);
    await page.evaluate(() => window.view.colour(undefined));
    await page.evaluate((keys) => {
      window.view.ghost(keys);
      window.view.fit({ side: "iso", jump: true });
    }, [...classes.IfcWallStandardCase, ...classes.IfcRoof]);
    await save(page, "duplex-ghost");

    // a plan, and back to where one was
    await page.evaluate(() => window.view.ghost([]));
    await page.evaluate(() => window.view.plan({ elevation: 0, cut: 1.2 }));
    assert.equal((await page.evaluate(() => window.view.camera())).projection, "orthographic");
    await save(page, "duplex-plan");
    await page.evaluate(() => window.view.plan(undefined));
    await page.close();
  },

  async fzk() {
    const page = await opened([FZK]);
    assert.equal((await stats(page)).elements, 90);
    // the front is twelve metres long, corner to corner
    const at = await straight(page, [6, -40, 2], [6, 5, 2], 14);
    await page.evaluate(() => window.view.mode("measure-distance"));
    const near = ([x, y]) => [x + 3, y - 4];
    await clicked(page, near(at(0, 0)));
    await clicked(page, at(12, 0).map((v, i) => v + [-3, -4][i]));
    const [[measured]] = await last(page, "measured");
    assert.ok(Math.abs(measured.value - 12) < 0.005, `measured ${measured.value}`);
    assert.ok(measured.snaps.every((snap) => snap !== "face"), measured.snaps.join());
    assert.equal(await page.locator(".view-measure:visible").first().textContent(), "12.000 m");
    await save(page, "fzk-measured");

    // the clear height of the ground floor: from its slab to the one above
    await page.evaluate(() => {
      window.view.measurements([]);
      window.view.plan({ elevation: 0, cut: 1 });
      window.view.mode("measure-height");
    });
    await drawn(page);
    await clicked(page, [WIDTH / 2 - 60, HEIGHT / 2 + 40]);
    await page.evaluate(() => window.view.plan(undefined));
    // the ceiling was cut away, so there was nothing to measure to; without the cut there is
    assert.equal((await page.evaluate(() => window.told.measured.length)), 1);

    // two marks on walls name what they lie on
    await straight(page, [6, -40, 2], [6, 5, 2], 14);
    await page.evaluate(() => window.view.mode("mark-line"));
    await clicked(page, at(1, 0.6));
    await clicked(page, at(11, 0.6));
    await page.keyboard.press("Enter");
    const [[mark]] = await last(page, "marked");
    assert.equal(mark.kind, "line");
    assert.ok(mark.on.every((key) => typeof key === "string") && Math.abs(mark.points[0][0] - 1) < 0.1);
    await page.evaluate(() => window.view.mode("select"));

    // feet on the ground, and walls stop
    await page.evaluate(() => {
      window.view.marks([]);
      window.view.look({ eye: [6, -2.5, 1.6], target: [6, 5, 1.6], projection: "perspective" }, { jump: true });
    });
    await drawn(page);
    await page.evaluate(() => window.view.mode("walk"));
    await page.waitForTimeout(1500);
    const stood = await page.evaluate(() => window.view.camera());
    await page.keyboard.down("w");
    await page.waitForTimeout(9000);
    await page.keyboard.up("w");
    await page.waitForTimeout(1000);
    const walked = await page.evaluate(() => window.view.camera());
    assert.ok(walked.eye[1] > stood.eye[1] + 0.3, `walked from ${stood.eye} to ${walked.eye}`);
    const ground = walked.eye[2] - 1.62;
    assert.ok(ground > -1.1 && ground < 0.6, `feet at ${ground}`);
    await save(page, "fzk-walk");
    await page.evaluate(() => window.view.mode("select"));
    await page.close();
  },

  async versions() {
    const page = await opened([HOUSE]);
    const first = await page.evaluate(() => ({ fetched: window.fetched.length, drawn: window.view.stats().elements }));
    assert.equal(first.drawn, 47);
    // the corners of the front are eleven metres apart
    const at = await straight(page, [5.5, -40, 3], [5.5, 4, 3], 12);
    await page.evaluate(() => window.view.mode("measure-distance"));
    await clicked(page, at(0, 3).map((v, i) => v + [4, 3][i]));
    await clicked(page, at(11, 3).map((v, i) => v + [-4, 3][i]));
    const [[measured]] = await last(page, "measured");
    assert.ok(Math.abs(measured.value - 11) < 0.005, `measured ${measured.value}`);
    assert.deepEqual(measured.snaps, ["vertex", "vertex"]);
    await page.evaluate(() => {
      window.view.measurements([]);
      window.view.mode("select");
    });
    const call = (tool, args) =>
      page.evaluate(async ([tool, args]) => {
        const { model } = await window.sourceOf("Sample house");
        const response = await fetch(`/tools/${tool}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ model_id: model, ...args }) });
        if (!response.ok) throw new Error(await response.text());
        return response.json();
      }, [tool, args]);
    const before = await page.evaluate(async () => (await window.sourceOf("Sample house")).version);
    await call("move_elements", { element_ids: ["Partition 4"], by: [300, 0], reasoning: "for a check" });
    const again = await page.evaluate(async (before) => {
      const keys = (source) => source.tileset.root.children.map((c) => c.extras.key);
      const [old, next] = [await window.sourceOf("Sample house", before), await window.sourceOf("Sample house")];
      window.fetched.length = 0;
      await window.view.show(next);
      return { differ: keys(next).filter((k) => !keys(old).includes(k)).sort(), fetched: [...window.fetched].sort(), all: keys(next).length, elements: window.view.stats().elements };
    }, before);
    assert.deepEqual(again.fetched, again.differ);
    assert.ok(again.fetched.length > 0 && again.fetched.length < again.all, JSON.stringify(again));
    assert.equal(again.elements, 47);
    // both over each other
    const partition = (await byClass(page, HOUSE)).IfcWall;
    await page.evaluate(async ([before, keys]) => {
      const source = await window.sourceOf("Sample house", before);
      const ids = keys.map((k) => k.split("/")[1]);
      window.view.compare({ model: source.model, before: source, added: [], removed: [], changed: ids.slice(4, 6), balance: 0.5 });
      window.view.fit({ side: "iso", jump: true });
    }, [before, partition]);
    await save(page, "house-compared");
    await page.evaluate(() => window.view.compare(undefined));
    await call("move_elements", { element_ids: ["Partition 4"], by: [-300, 0], reasoning: "for a check" });

    // a tile that cannot be read leaves the others alone
    const broken = await page.evaluate(async () => {
      const source = await window.sourceOf("Sample house");
      let count = 0;
      const failed = [];
      window.view.on("failed", (...args) => failed.push(args));
      await window.view.show({ ...source, model: "broken", tile: (key, signal) => (count++ === 0 ? Promise.resolve(new ArrayBuffer(40)) : source.tile(key, signal)) });
      const { loaded } = window.view.stats();
      window.view.remove("broken");
      return { failed, loaded };
    });
    assert.equal(broken.failed.length, 1);
    assert.equal(broken.loaded, again.all + again.all - 1);
    await page.close();
  },

  async walk() {
    const page = await opened([HOUSE]);
    const doors = (await byClass(page, HOUSE)).IfcDoor;
    const boxes = await page.evaluate((keys) => keys.map((k) => window.view.extent([k])), doors);
    // a door of the ground floor in a wall that runs along x
    const door = boxes.find(({ min, max }) => min[2] < 0.5 && max[0] - min[0] > 0.6 && max[1] - min[1] < 0.4 && min[1] > 1 && max[1] < 7);
    assert.ok(door, JSON.stringify(boxes));
    const middle = [(door.min[0] + door.max[0]) / 2, (door.min[1] + door.max[1]) / 2];
    const walk = async (x, from, to) => {
      await page.evaluate(([x, from, to]) => window.view.look({ eye: [x, from, 1.62], target: [x, to, 1.62], projection: "perspective" }, { jump: true }), [x, from, to]);
      await drawn(page);
      await page.evaluate(() => window.view.mode("walk"));
      // walking is loaded when it begins
      await page.waitForSelector(".view-pad", { state: "attached" });
      await page.waitForTimeout(500);
      await page.keyboard.down("w");
      // pictures may take seconds here: only what does not move for long stands still
      let [last, still] = [NaN, 0];
      for (let i = 0; i < 90 && still < 14; i++) {
        await page.waitForTimeout(700);
        const y = await page.evaluate(() => window.view.camera().eye[1]);
        still = Math.abs(y - last) < 0.002 ? still + 1 : 0;
        last = y;
        if ((y - to) * (from - to) < 0) break;
      }
      await page.keyboard.up("w");
      const eye = await page.evaluate(() => window.view.camera().eye);
      await page.evaluate(() => window.view.mode("select"));
      return eye;
    };
    const through = await walk(middle[0], middle[1] - 1.4, middle[1] + 1.2);
    assert.ok(through[1] > middle[1] + 0.5, `a door lets one through: ${through} of ${middle}`);
    assert.ok(Math.abs(through[2] - 1.62) < 0.1, `on the floor: ${through[2]}`);
    // two metres beside the door there is only wall
    const stopped = await walk(door.min[0] - 1, middle[1] - 1.4, middle[1] + 1.2);
    assert.ok(stopped[1] < middle[1] - 0.2 && stopped[1] > middle[1] - 1.35, `a wall stops: ${stopped} of ${middle}`);
    await page.close();
  },

  async federation() {
    const page = await opened([]);
    const result = await page.evaluate(async (names) => {
      const view = window.view;
      const sources = await Promise.all(names.map((n) => window.sourceOf(n)));
      await Promise.all(Array.from({ length: 20 }, (_, i) => {
        const source = sources[i % sources.length];
        return view.show({ ...source, model: `copy ${i}`, offset: [(i % 5) * 45, Math.floor(i / 5) * 45, 0] });
      }));
      view.fit({ side: "iso", jump: true });
      // batches are put together while nobody waits
      await new Promise((r) => setTimeout(r, 6000));
      const frames = [];
      for (let k = 0; k < 12; k++) {
        const c = view.camera();
        view.look({ ...c, eye: [c.eye[0] + 0.5, c.eye[1], c.eye[2]] }, { jump: true });
        await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
        frames.push(view.stats().frame);
      }
      frames.sort((a, b) => a - b);
      return { ...view.stats(), median: frames[6], frames };
    }, [DUPLEX, FZK, HOUSE]);
    console.log("federation of 20:", JSON.stringify(result));
    assert.ok(result.drawCalls <= 300, `draw calls: ${result.drawCalls}`);
    assert.equal(result.waiting, 0);
    await save(page, "federation");
    await page.close();
  },

  async twenty() {
    // different models, side by side, as many as the server has up to twenty
    const page = await opened([]);
    const result = await page.evaluate(async () => {
      const { view } = window;
      const all = (await (await fetch("/api/models?limit=200")).json()).items.reverse();
      let [x, y, deep, count] = [0, 0, 0, 0];
      for (const { model_id } of all.filter((one) => one.kind === "ifc")) {
        const source = await window.sourceOf(model_id).catch(() => undefined);
        const box = source?.tileset.root?.boundingVolume?.box;
        // what spans a county would leave the others as dots
        if (!source?.tileset.root?.children?.length || !box || Math.max(box[3], box[7]) > 60) continue;
        const min = [box[0] - box[3], box[1] - box[7], box[2] - box[11]];
        await view.show({ ...source, offset: [x - min[0], y - min[1], -min[2]] });
        x += box[3] * 2 + 8;
        deep = Math.max(deep, box[7] * 2);
        if (++count % 5 === 0) [x, y, deep] = [0, y - deep - 8, 0];
        if (count === 20) break;
      }
      view.fit({ side: "iso", jump: true });
      await new Promise((r) => setTimeout(r, 6000));
      const [frames, c] = [[], view.camera()];
      let calls = 0;
      for (let k = 0; k < 40; k++) {
        view.look({ ...c, eye: [c.eye[0] + k * 0.5, c.eye[1], c.eye[2]] }, { jump: true });
        await new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)));
        frames.push(view.stats().frame);
        calls = Math.max(calls, view.stats().drawCalls);
      }
      frames.sort((a, b) => a - b);
      return { count, calls, median: frames[20], high: frames[37], waiting: view.stats().waiting, loaded: view.stats().loaded };
    });
    console.log("models side by side:", JSON.stringify(result));
    assert.ok(result.calls <= 300 && result.waiting === 0);
    await save(page, "twenty");
    await page.close();
  },

  async memory() {
    const page = await opened([DUPLEX, FZK], { memory: 2 });
    const full = await stats(page);
    assert.ok(full.loaded > 0 && full.loaded < full.tiles, JSON.stringify(full));
    assert.ok(full.bytes < 3e6, `${full.bytes} bytes`);
    // beside the other one: what is seen there comes, and still no more is kept than may be
    const before = await page.evaluate(() => window.fetched.length);
    await page.evaluate(() => window.view.look({ eye: [6, -14, 4], target: [6, 5, 2], projection: "perspective" }, { jump: true }));
    await page.waitForTimeout(3000);
    const after = await stats(page);
    assert.ok(after.bytes < 3e6, `${after.bytes} bytes`);
    console.log("memory:", JSON.stringify({ limit: 2e6, full: full.bytes, after: after.bytes, loaded: [full.loaded, after.loaded], fetchedMore: (await page.evaluate(() => window.fetched.length)) - before }));
    await page.close();
  },

  async lost() {
    const page = await opened([DUPLEX]);
    // the connection goes while a second model comes, and comes back by itself
    const coming = await page.evaluateHandle(async (name) => ({ source: await window.sourceOf(name) }), FZK);
    await page.context().setOffline(true);
    await page.evaluate((c) => void window.view.show(c.source), coming);
    await page.waitForTimeout(2500);
    assert.ok((await stats(page)).waiting > 0);
    await page.context().setOffline(false);
    await page.waitForFunction(() => window.view.stats().waiting === 0 && window.view.stats().loaded === 7, null, { timeout: 20_000 });
    assert.equal(await page.evaluate(() => window.told.failed.length), 0);
    // the graphics card loses everything, and the same picture is made again
    const picture = () => page.evaluate(() => window.view.picture(160, 120));
    await page.waitForTimeout(3000);
    const before = await picture();
    await page.evaluate(async () => {
      const lose = document.querySelector("canvas").getContext("webgl2").getExtension("WEBGL_lose_context");
      lose.loseContext();
      await new Promise((r) => setTimeout(r, 500));
      lose.restoreContext();
    });
    await page.waitForTimeout(9000);
    const share = await page.evaluate(async ([a, b]) => {
      const pixels = async (url) => {
        const image = await createImageBitmap(await (await fetch(url)).blob());
        const context = new OffscreenCanvas(160, 120).getContext("2d");
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, 160, 120).data;
      };
      const [p, q] = [await pixels(a), await pixels(b)];
      let differ = 0;
      for (let i = 0; i < p.length; i += 4) if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > 30) differ++;
      return differ / (160 * 120);
    }, [before, await picture()]);
    console.log("after a lost context:", (share * 100).toFixed(2), "% of the pixels differ");
    assert.ok(share < 0.02, `${share} of the pixels differ`);
    for (let i = problems.length; i--;) if (/CONTEXT_LOST|Context Lost|ERR_INTERNET_DISCONNECTED/i.test(problems[i])) problems.splice(i, 1);
    await page.close();
  },

  async pictures() {
    for (const [model, name] of [[DUPLEX, "duplex"], [FZK, "fzk"], [HOUSE, "house"]]) {
      for (const [width, height] of [[1440, 900], [390, 844]]) {
        for (const scheme of ["light", "dark"]) {
          const page = await opened([model], { width, height, scheme, occlusion: true });
          await page.waitForTimeout(4000);
          await page.screenshot({ path: join(pictures, `${name}-${width}-${scheme}.png`) });
          await page.close();
        }
      }
    }
  },
};

try {
  // pictures for a person to look at, and as many models as there are, are asked for by name
  const wanted = process.env.CHECKS?.split(",") ?? Object.keys(CHECKS).filter((name) => name !== "pictures" && name !== "twenty");
  for (const name of wanted) {
    const start = Date.now();
    await CHECKS[name]();
    console.log(`${name}: right (${((Date.now() - start) / 1000).toFixed(0)} s)`);
  }
  assert.deepEqual(problems, []);
} catch (error) {
  console.error(error);
  console.error(problems);
  process.exitCode = 1;
} finally {
  await browser.close();
}
writeFileSync(join(pictures, "done"), "");
