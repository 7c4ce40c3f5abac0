// The viewer's page in a browser, by values that its server knows: tree, finding, colours, properties and their change, versions, merging, findings,
// topics, federation, live changes and a lost connection; by keyboard alone where a person may have no more; wide and narrow, light and dark.
//
//     node page.mjs ADDRESS BROWSER NODE_MODULES PICTURES_FOLDER [--pictures]
//
// ADDRESS is that of the page (with #key=… where its server asks for one). The server has to have a model whose name begins with `Duplex` and one
// `Sample house`; what is changed is a copy of the latter. NODE_MODULES has playwright-core and axe-core. With --pictures all pictures are taken, else
// one.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [address, browserPath, modules, pictures] = process.argv.slice(2);
const all = process.argv.includes("--pictures");
const { chromium } = createRequire(join(modules, "index.js"))("playwright-core");
const axe = readFileSync(join(modules, "axe-core", "axe.min.js"), "utf8");
mkdirSync(pictures, { recursive: true });

const PATIENCE = 60_000;
const { origin, hash } = new URL(address);
const key = /key=([^&]+)/.exec(hash)?.[1];
const keyed = key ? { "x-api-key": decodeURIComponent(key) } : {};
const problems = [];
let checked = 0;

function check(says, is, more = "") {
  checked++;
  if (is) console.log(`  ${says}`);
  else problems.push(`${says}: no${more === "" ? "" : `, ${more}`}`);
}

async function asked(path, body) {
  const init = body === undefined ? {} : { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) };
  const response = await fetch(origin + path, { ...init, headers: { ...keyed, "content-type": "application/json" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const call = (tool, args) => asked(`/tools/${tool}`, args);

const models = (await asked("/api/models")).items;
const named = (name) => models.find((model) => model.name.startsWith(name) && model.kind === "ifc")?.model_id;
const [duplex, sample] = [named("Duplex"), named("Sample house")];
if (!duplex || !sample) throw new Error("The server has no models `Duplex` and `Sample house`.");
const copied = await fetch(`${origin}/bucket?name=Checked.ifc`, {
  method: "POST",
  body: await asked(`/bucket/${sample}/head`),
  headers: { ...keyed, "content-type": "application/x-step" },
});
const house = (await copied.json()).model_id;

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

async function opened(model, { more = "", first = "tree" } = {}) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  page.setDefaultTimeout(PATIENCE);
  // shadows in software cost more than all that is looked at here
  await page.addInitScript(([panel, pictures]) => {
    if (!pictures) localStorage.setItem("pensaer-view", '{"shadows":false,"occlusion":false}');
    localStorage.setItem("pensaer-panel", JSON.stringify(panel));
  }, [first, all]);
  page.on("pageerror", (error) => problems.push(`error on the page: ${error.message}`));
  page.on("response", (response) => {
    // refusals that are asked for below, and a place that a server may not have
    const path = new URL(response.url()).pathname;
    if (response.status() >= 400 && !/api\/viewers|merge_branch|set_properties/.test(path)) problems.push(`HTTP ${response.status()} for ${path}`);
  });
  await page.goto(`${origin}/viewer?model=${model}${more}${hash}`, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => window.pensaer?.state().model !== undefined);
  await page.waitForFunction(() => window.pensaer.view.stats().loaded > 0);
  return page;
}

const selection = (page) => page.evaluate(() => window.pensaer.state().selection);
const select = (page, ids) => page.evaluate((wanted) => window.pensaer.select(wanted), ids);
const panel = async (page, id) => {
  const button = page.locator(`.rail-button[data-panel=${id}]`);
  if ((await button.getAttribute("aria-pressed")) !== "true") await button.click();
};
const until = async (says, test, wait = 20_000) => {
  const begun = Date.now();
  for (;;) {
    const is = await test().catch(() => false);
    if (is || Date.now() - begun > wait) return check(says, is);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};

const shot = (page, name, always = false) => (all || always ? page.screenshot({ path: join(pictures, `${name}.png`) }) : undefined);

/** What axe-core finds of weight, with WCAG 2.2 AA and its own good practice. */
async function barriers(page, where) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 140)).join(" | ")}`);
  });
  check(`${where}: axe finds no barrier`, found.length === 0, found.join("\n    "));
}

/** Buttons and fields that have no name for those who hear the page. */
const nameless = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("button, input:not([hidden]), select, textarea, a[href], [role=treeitem], [role=option]")]
      .filter((e) => e.checkVisibility() && !(e.getAttribute("aria-label") || e.textContent?.trim() || e.getAttribute("title") || e.closest("label")?.textContent?.trim()))
      .map((e) => e.outerHTML.slice(0, 120)),
  );

/** Texts whose contrast to what is behind them is below 4.5, as WCAG AA asks. */
const faint = (page) =>
  page.evaluate(() => {
    const parse = (text) => (/rgba?\(([^)]+)\)/.exec(text)?.[1] ?? "0,0,0,0").split(/[, /]+/).map(Number);
    const light = ([r, g, b]) => {
      const part = (v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = (e) => {
      for (let at = e; at; at = at.parentElement) {
        const colour = parse(getComputedStyle(at).backgroundColor);
        if ((colour[3] ?? 1) > 0.99) return colour;
      }
      return undefined;
    };
    const out = [];
    for (const e of document.querySelectorAll(".bar *, .rail *, .side *, .panel *")) {
      if (e.namespaceURI.includes("svg") || ![...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) || !e.checkVisibility() || e.closest(":disabled")) continue;
      const back = behind(e);
      if (!back) continue;
      const [a, b] = [light(parse(getComputedStyle(e).color)), light(back)].sort((x, y) => y - x);
      const contrast = (a + 0.05) / (b + 0.05);
      if (contrast < 4.45) out.push(`${e.textContent.trim().slice(0, 30)} ${contrast.toFixed(2)}`);
    }
    return [...new Set(out)].slice(0, 8);
  });

try {
  // tree and properties by keyboard alone
  let page = await opened(duplex);
  await panel(page, "tree");
  await page.waitForSelector("[role=treeitem]");
  await barriers(page, "tree");
  await page.evaluate(() => document.activeElement?.blur());
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement?.getAttribute("role") === "tree")); i++) await page.keyboard.press("Tab");
  check("the tree is reached by Tab", await page.evaluate(() => document.activeElement?.getAttribute("role") === "tree"));
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  const one = await selection(page);
  check("Enter in the tree selects an element", one.length === 1, JSON.stringify(one));
  await page.waitForSelector(".panel .properties dl");
  const known = await call("get_element", { model_id: duplex, element_id: one[0] });
  check("the inspector names it", (await page.locator(".title h2").textContent()) === known.name, known.name);
  check("the address names it", page.url().includes(encodeURIComponent(one[0])) || page.url().includes(one[0]));
  await barriers(page, "an element");
  await page.keyboard.press("h");
  check("H hides it", await page.locator(".status").textContent().then((t) => t.includes("Not all is shown")));
  await page.keyboard.press("a");
  await page.keyboard.press("Escape");
  check("Esc ends the selection", (await selection(page)).length === 0);
  check("every control has a name", (await nameless(page)).length === 0, (await nameless(page)).join(" "));

  // groups
  await page.selectOption("select[aria-label='Group by']", "material");
  await page.waitForFunction(() => document.querySelectorAll("[role=treeitem]").length > 2 && !document.querySelector(".tools-row + .more:not([hidden])"));
  const materials = await page.locator("[role=treeitem] .name").allTextContents();
  check("groups of materials are those of the file", materials.some((name) => name.includes("Brick")), materials.slice(0, 4).join(", "));
  await page.selectOption("select[aria-label='Group by']", "place");

  // finding by selector, with completion
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("/");
  await page.keyboard.type("IfcDo", { delay: 30 });
  await page.waitForSelector("#proposal-0");
  check("classes are proposed", (await page.locator("#proposal-0").textContent()).startsWith("IfcDoor"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.type(', storey="Level 1"', { delay: 10 });
  const doors = await call("query_elements", { model_id: duplex, selector: 'IfcDoor, storey="Level 1"' });
  await until(`a selector finds what the server finds (${doors.total})`, async () => (await page.locator(".tools-row .more").textContent()) === `${doors.total} elements`);
  await page.click("button:has-text('Select all')");
  check("all that was found is selected", (await selection(page)).length === doors.total);
  await page.waitForSelector(".properties .varies, .properties dl");
  await page.fill(".find-field", "IfcNonsense");
  await until("a wrong selector is refused in the server's words", async () => (await page.locator(".tools-row .more.bad").textContent()).includes("IfcNonsense"));
  problems.splice(0, problems.length, ...problems.filter((p) => p !== "HTTP 400 for /tools/query_elements"));
  await page.fill(".find-field", "sofa");
  await until("words find by name", async () => (await page.locator(".result").count()) > 0);

  // colours by a property
  await page.keyboard.press("Escape");
  await page.evaluate(() => window.pensaer.select([]));
  await page.click("button[aria-label='Colour by a property']");
  await page.fill("input[aria-label='Find a property']", "Storey");
  await page.click(".popover .choices button:has-text('Storey')");
  await page.waitForSelector(".legend .legend-row");
  const groups = (await call("query_elements", { model_id: duplex, selector: "IfcElement + IfcSpace", aggregate: "count by storey" })).groups;
  const rows = await page.locator(".legend .legend-row").count();
  check("the legend has a row for each storey", rows === groups.filter((g) => g.storey !== undefined && g.storey !== null).length, `${rows} of ${JSON.stringify(groups).slice(0, 200)}`);
  await page.locator(".legend-row").first().click();
  check("a row of the legend shows its elements alone", (await page.locator(".legend-row").first().getAttribute("aria-pressed")) === "true");
  await shot(page, "page-colours");
  await barriers(page, "colours and legend");
  await page.click(".legend header button");
  check("the legend goes away", !(await page.locator(".legend").isVisible()));

  // findings
  await panel(page, "findings");
  await page.click("button[aria-label='Run Constraints']");
  const found = await call("validate_constraints", { model_id: duplex });
  const total = Object.values(found.counts).reduce((a, b) => a + b, 0);
  await until(`the findings are the server's (${total})`, async () => (await page.locator(".checks .count").first().textContent()) === String(total));
  await page.locator(".finding-list summary").first().click();
  await page.locator(".finding-text").first().click();
  check("a finding leads to its elements", (await selection(page)).length > 0);
  check("findings stand in the list by weight", (await page.locator(".finding-list .dot").first().getAttribute("class")).includes("error"));
  await shot(page, "page-findings");
  await barriers(page, "findings");

  // several models
  await panel(page, "models");
  await page.check(`[data-model='${house}'] input[type=checkbox]`);
  await page.waitForSelector(".placing");
  check("two models are in view", (await page.evaluate(() => window.pensaer.state().federation?.length)) === 2);
  await page.locator(".placing input").first().fill("25");
  await page.locator(".placing input").first().press("Enter");
  await shot(page, "page-federation");
  await barriers(page, "models");
  await page.close();

  // a property is changed in place, and taken back
  page = await opened(house);
  const wall = (await call("query_elements", { model_id: house, selector: "IfcWall", limit: 1 })).rows[0].id;
  const rating = async () => (await call("get_element", { model_id: house, element_id: wall })).psets.Pset_WallCommon?.FireRating;
  await call("set_properties", { model_id: house, element_ids: [wall], pset: "Pset_WallCommon", properties: { FireRating: "REI 30" } });
  await select(page, [wall]);
  await page.click("button[aria-label='Change FireRating: REI 30']");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("REI 90");
  await page.keyboard.press("Enter");
  await until("a property typed over is a version", async () => (await rating()) === "REI 90");
  await page.locator(".toast:has-text('You')").first().waitFor();
  await page.evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("Control+z");
  await until("Ctrl+Z takes it back", async () => (await rating()) === "REI 30");
  await page.click("button[aria-label^='Change IsExternal']").catch(() => undefined);
  await page.keyboard.press("Escape");
  await page.locator(".adding summary").click();
  await page.fill("input[aria-label='Property set']", "Pset_WallCommon");
  await page.fill("input[aria-label='Property']", "LoadBearing");
  await page.fill("input[aria-label='Value']", "perhaps");
  await page.click(".adding button[type=submit]");
  await until("what is refused is said beside the field", async () => (await page.locator(".adding .bad").textContent()).includes("LoadBearing"));

  // somebody else changes the model while one looks on
  const before = await page.evaluate(() => window.pensaer.view.stats().elements);
  await call("create_wall", { model_id: house, level_id: "Ground Floor", start: [14000, 0], end: [18000, 0], height: 2500, reasoning: "A <b>garden</b> wall" });
  await until("a change of an agent is in the view at once", async () => (await page.evaluate(() => window.pensaer.view.stats().elements)) === before + 1);
  await page.locator(".toast:has-text('A <b>garden</b> wall')").first().waitFor();
  check("its reasoning is text, never markup", (await page.locator(".toast b").count()) === 0);

  // what a version changed
  await panel(page, "versions");
  await page.locator(".version button[title=More]").first().click();
  await page.click(".menu button:has-text('What it changed')");
  await page.waitForSelector(".compared .dot.added");
  await barriers(page, "versions compared");
  check("a difference lists what was added", (await page.locator(".compared details li").count()) === 1);
  check("it has a slider between before and after", (await page.locator(".legend input[type=range]").count()) === 1);
  await shot(page, "page-versions");
  await page.click("button[aria-label='End the comparison']");

  // two branches that changed the same thing
  await call("create_branch", { model_id: house, name: "variant", switch: false });
  const put = (version, value) => call("set_properties", { model_id: house, model_version: version, element_ids: [wall], pset: "Pset_WallCommon", properties: { FireRating: value } });
  await put("variant", "REI 60");
  await put("main", "REI 120");
  await page.waitForTimeout(1500);
  await panel(page, "tree");
  await panel(page, "versions");
  await page.click("button[aria-label='Merge a branch']");
  await page.waitForSelector(".conflict");
  check("a conflict shows both values", (await page.locator(".conflict").textContent()).includes("REI 60") && (await page.locator(".conflict").textContent()).includes("REI 120"));
  await page.locator(".side-choice:has-text('REI 60') input").check();
  await page.click("button:has-text('Go on')");
  await page.click("button:has-text('Merge into main')");
  await until("what was chosen holds after the merge", async () => (await rating()) === "REI 60");

  // a topic with its viewpoint
  await select(page, [wall]);
  await page.keyboard.press("f");
  await page.waitForTimeout(1500);
  await panel(page, "topics");
  await page.click("button:has-text('New topic')");
  await page.fill("input[aria-label=Title]", "Is <i>this</i> thick enough?");
  const eye = await page.evaluate(() => window.pensaer.view.camera().eye);
  await page.click(".new-topic button[type=submit]");
  await page.waitForSelector(".topic:has-text('thick enough')");
  const kept = (await call("list_topics", { model_id: house })).topics[0];
  check("a topic is kept with its element", kept.title === "Is <i>this</i> thick enough?" && kept.elements[0].id === wall);
  await page.evaluate(() => window.pensaer.view.fit({ side: "top", jump: true }));
  await select(page, []);
  await page.waitForTimeout(500);
  await page.locator(".topic-title").first().click();
  await until("its viewpoint is shown again", async () => {
    const now = await page.evaluate(() => window.pensaer.view.camera().eye);
    return Math.hypot(...now.map((n, i) => n - eye[i])) < 0.5 && (await selection(page))[0] === wall;
  });
  await page.locator(".topic.selected select[aria-label=Status]").selectOption("Closed");
  await until("its status is changed", async () => (await call("list_topics", { model_id: house })).topics[0].status === "Closed");
  await shot(page, "page-topics");
  await barriers(page, "topics");

  // files: an IDS is checked
  const ids =
    '<ids xmlns="http://standards.buildingsmart.org/IDS"><info><title>Walls</title></info><specifications><specification name="Walls have codes" ifcVersion="IFC2X3 IFC4 IFC4X3_ADD2"><applicability minOccurs="0" maxOccurs="unbounded">' +
    "<entity><name><simpleValue>IFCWALL</simpleValue></name></entity></applicability><requirements><property><propertySet><simpleValue>Pset_Own</simpleValue></propertySet><baseName><simpleValue>Code</simpleValue></baseName></property></requirements></specification></specifications></ids>";
  await page.locator(".bar input[type=file]").setInputFiles([{ name: "walls.ids", mimeType: "application/xml", buffer: Buffer.from(ids) }, { name: "tool.exe", mimeType: "application/octet-stream", buffer: Buffer.from("MZ") }]);
  const walls = (await call("query_elements", { model_id: house, selector: "IfcWall", limit: 1 })).total;
  await until(`an IDS that is sent is checked (${walls} walls fail)`, async () => (await page.locator(".finding-list summary:has-text('Walls have codes') .count").textContent()) === String(walls));
  check("a file that nothing takes is refused in words", (await page.locator(".upload.bad").textContent()).includes("not taken"));

  // the connection is lost and comes back
  await call("rename_elements", { model_id: house, element_ids: [wall], pattern: "<img src=x onerror=alert(1)>" });
  await select(page, [wall]);
  await until("a name with markup is text", async () => (await page.locator(".title h2").textContent()) === "<img src=x onerror=alert(1)>");
  check("no element came of it", (await page.locator("img").count()) === 0);

  // a link opens to the same sight
  const link = await page.evaluate(() => {
    const { eye, target } = window.pensaer.view.camera();
    return { eye, at: [...eye, ...target].map((n) => n.toFixed(3)).join(",") };
  });
  await page.close();
  page = await opened(house, { more: `&element=${encodeURIComponent(wall)}&camera=${link.at},p` });
  await until("a link opens to its selection and camera", async () => {
    const now = await page.evaluate(() => window.pensaer.view.camera().eye);
    return (await selection(page))[0] === wall && Math.hypot(...now.map((n, i) => n - link.eye[i])) < 0.1;
  });
  check("a key is in no address", !page.url().includes("key="));
  await page.close();

  // the connection is lost and comes back
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.route("**/api/events*", (route) => route.abort());
  await page.goto(`${origin}/viewer?model=${house}${hash}`, { waitUntil: "domcontentloaded" });
  await until("a lost connection is told", () => page.locator(".lost").isVisible());
  await page.unroute("**/api/events*");
  await until("it comes back by itself", async () => !(await page.locator(".lost").isVisible()), 45_000);
  await page.close();

  // wide and narrow, light and dark
  page = await opened(duplex);
  for (const [width, height] of [[1440, 900], [390, 844]]) {
    for (const scheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme: scheme });
      await select(page, []);
      await panel(page, "tree");
      await page.waitForSelector("[role=treeitem]");
      if (all) await page.waitForTimeout(1500);
      await shot(page, `page-${width}-${scheme}`, width === 1440 && scheme === "light");
      check(`${width} ${scheme}: nothing is wider than the page`, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
      await select(page, [one[0]]);
      await page.waitForSelector(".properties dl");
      await shot(page, `page-${width}-${scheme}-element`);
      const unclear = await faint(page);
      check(`${width} ${scheme}: texts stand out`, unclear.length === 0, unclear.join("; "));
      // the other two of the four have been looked at above, or are of the same colours
      if (all || (width === 390) === (scheme === "light")) await barriers(page, `${width} ${scheme}`);
    }
  }
  await page.close();
} catch (error) {
  problems.push(`broken off: ${error.message.slice(0, 600)}`);
} finally {
  await browser.close();
}
console.log(`${checked} checks`);
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
