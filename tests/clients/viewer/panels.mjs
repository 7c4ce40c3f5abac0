// The panels of rooms and ways, schedules, drawings and energy on real models, in a browser: lists, colours, graphs, tables, drawings, runs and
// charts are compared with what the server's tools say, and what is edited is read back. Saves pictures of each.
//
//     node panels.mjs ADDRESS BROWSER NODE_MODULES PICTURES_FOLDER [--pictures]
//
// ADDRESS is that of the page (with #key=… where its server asks for one) over a server that has, by name, the models that are listed below, a weather
// file and an EnergyPlus. With --pictures all pictures are taken, else none. ONLY=rooms,energy does some parts alone.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [address, browserPath, modules, pictures] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "index.js"))("playwright-core");
const all = process.argv.includes("--pictures");
mkdirSync(pictures, { recursive: true });
const { origin, hash } = new URL(address);
const key = /key=([^&]+)/.exec(hash)?.[1];
const keyed = key ? { "x-api-key": decodeURIComponent(key) } : {};

const DUPLEX = "Duplex_A_20110907";
const FZK = "AC20-FZK-Haus";
const HOUSE = "Sample house";
const OFFICE = "SmallOffice";
const PATIENCE = 90_000;

const problems = [];
let checks = 0;
function holds(what, condition, seen) {
  checks++;
  if (condition) return;
  problems.push(`${what}${seen === undefined ? "" : `: ${JSON.stringify(seen)}`}`);
  console.log(`not so: ${problems.at(-1)}`);
}
const equal = (what, seen, wanted) => holds(`${what} should be ${JSON.stringify(wanted)}`, JSON.stringify(seen) === JSON.stringify(wanted), seen);
const near = (what, seen, wanted, by) => holds(`${what} should be ${wanted} within ${by}`, Math.abs(seen - wanted) <= by, seen);

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

async function asked(path, body) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(origin + path, { ...init, headers: { ...keyed, "content-type": "application/json" } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}
const models = (await asked("/api/models")).items;
// an energy model has the name of the building that it was made of
const idOf = (name) => {
  const so = models.filter((m) => m.name === name);
  const model = so.find((m) => m.kind === "ifc") ?? so[0];
  if (!model) throw new Error(`The server has no model ${name}.`);
  return model.model_id;
};

async function opened(name, panel) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => problems.push(`error on the page: ${error.message}`));
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400 && !pathname.startsWith("/api/viewers") && !pathname.endsWith("icon.svg")) problems.push(`HTTP ${response.status()} for ${response.url()}`);
  });
  // shadows in software cost more than all that is looked at here
  await page.addInitScript(() => {
    localStorage.setItem("pensaer-view", '{"shadows":false,"occlusion":false}');
    localStorage.setItem("pensaer-panel", "null");
  });
  page.model = idOf(name);
  await page.goto(`${origin}/viewer?model=${page.model}${hash}`, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => window.pensaer?.state().model !== undefined);
  const button = page.locator(`.rail-button[data-panel=${panel}]`);
  await button.waitFor();
  // that of an energy model opens by itself
  if ((await button.getAttribute("aria-pressed")) !== "true") await button.click();
  return page;
}
const shot = async (page, name) => all && page.screenshot({ path: join(pictures, `${name}.png`), timeout: PATIENCE });
const call = (page, tool, args = {}) => asked(`/tools/${tool}`, args.session ? args : { model_id: page.model, ...args });
const selected = (page) => page.evaluate(() => window.pensaer.selection().map(([, key]) => key.split("/")[1]));
const told = (page, words) => page.locator(".toast", { hasText: words }).first().waitFor();

/** A panel at 390 pixels and in dark: nothing may stand out of the page. */
async function looks(page, panel) {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(all ? 1500 : 300);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  holds(`${panel} at 390 pixels stands within the page`, over <= 0, over);
  await shot(page, `${panel}-narrow`);
  if (!all) return;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForTimeout(1500);
  await shot(page, `${panel}-dark`);
}
const field = (label) => `label:has(> span:text-is("${label}")) select`;
const download = async (page, press) => {
  const [file] = await Promise.all([page.waitForEvent("download"), press()]);
  return file.suggestedFilename();
};

async function rooms() {
  const page = await opened(DUPLEX, "rooms");
  await page.waitForSelector(".p-room");
  const said = await call(page, "room_analysis", { room_id: "all", include: [], limit: 100 });
  equal("rooms in the list", await page.locator(".p-room").count(), said.total);
  const foyer = said.rooms.find((r) => r.name === "A101");
  equal("the foyer's area", await page.locator(`.p-room[data-id="${foyer.id}"] .num`).first().textContent(), `${foyer.area.toFixed(1)} m²`);
  const legend = await page.locator(".p-legend-row").allTextContents();
  holds("the legend has usages", legend.some((row) => row.startsWith("Bedroom4")), legend);
  const storey = said.totals.find((t) => t.storey === "Level 1");
  holds("totals by storey are the server's", (await page.locator("table:has(caption:text-is('By storey'))").textContent()).includes(storey.area.toFixed(1)));
  // the list and the view have one selection
  await page.click(`.p-room[data-id="${foyer.id}"]`);
  equal("the room is selected in the view", await selected(page), [foyer.id]);
  await page.waitForSelector(".p-card dd");
  holds("its card has its volume", (await page.locator(".p-card").textContent()).includes(foyer.volume.toFixed(2)));
  const other = said.rooms.find((r) => r.name === "B203");
  await page.evaluate((id) => window.pensaer.select([id]), other.id);
  equal("what is selected in the view is marked", await page.locator('.p-room[aria-selected="true"]').getAttribute("data-id"), other.id);
  for (const [by, has] of [["Area", "below 5 m²"], ["Doors from outside", "1 door from outside"], ["Way to an exit", "m"], ["Volume", "m³"]]) {
    await page.selectOption(field("Colours"), { label: by });
    await page.waitForFunction((words) => document.querySelector(".p-legend")?.textContent?.includes(words), has);
  }
  await page.selectOption(field("Colours"), { label: "Usage" });
  await shot(page, "rooms");
  await page.click('button:has-text("Adjacency graph")');
  await page.waitForSelector(".graph .node");
  const pairs = await call(page, "adjacency_matrix", { kind: "door", format: "list", level_id: "Level 1", outdoors: true });
  equal("doors drawn on the storey", await page.locator(".graph .edge.door").count(), pairs.count);
  await page.locator(`.graph .node[data-room="${foyer.id}"] circle`).click();
  equal("a node selects its room", await selected(page), [foyer.id]);
  holds("its neighbours are told", (await page.locator(".graph-side").textContent()).includes("Living Room"));
  await shot(page, "rooms-graph");
  await page.keyboard.press("Escape");
  equal("Escape closes the diagram", await page.locator(".dock").count(), 0);

  await page.click('[role=tab]:text-is("Ways")');
  const bedroom = said.rooms.find((r) => r.name === "A203");
  await page.selectOption(field("From"), bedroom.id);
  const way = await call(page, "path_finding", { from_room: bedroom.id, to_room: "outside" });
  await page.waitForFunction((metres) => document.querySelector(".p-figures")?.textContent?.includes(metres), (way.distance / 1000).toFixed(2));
  equal("doors on the way", await page.locator('h4:text-is("Doors on the way") + ol li').count(), way.doors.length);
  await shot(page, "ways");
  await page.click('button:text-is("Walk it")');
  await page.click('button:text-is("Stop")');
  await page.selectOption(field("Traveller"), "wheelchair");
  await page.waitForSelector("text=What would open one");
  holds("what blocks a wheelchair is told", (await page.locator(".p-result").textContent()).includes("Widen the door to 800 mm clear"));
  await page.click('[role=tab]:text-is("Egress")');
  await page.waitForSelector('table:has(caption:text-is("Exits"))');
  const egress = await call(page, "egress_analysis", { occupancy: "auto", paths: 60, limit: 60 });
  equal("exits", await page.locator('table:has(caption:text-is("Exits")) tbody tr').count(), egress.exits.length);
  await page.locator("button[aria-pressed=false]").nth(0).click();
  await shot(page, "egress");
  await looks(page, "rooms");
  await page.context().close();
}

async function schedules() {
  const page = await opened(HOUSE, "schedules");
  await page.waitForSelector(".t-body .t-row");
  await page.selectOption(field("Table"), "door");
  await page.waitForFunction(() => document.querySelector(".dock h2")?.textContent === "Door schedule");
  const said = await call(page, "generate_schedule", { template: "door", limit: 100 });
  equal("rows of the door schedule", await page.locator(".t-body .t-row").count(), said.rows);
  await page.locator(".t-body .t-row").first().click();
  equal("a row selects its door", await selected(page), [said.schedule_data[0].at(-1)]);
  const width = said.columns.findIndex((c) => c.heading === "Width");
  await page.getByRole("searchbox", { name: "Filter Width" }).fill(">= 900");
  const wide = said.schedule_data.filter((row) => row[width] >= 900).length;
  equal("a filter by width", await page.locator(".t-body .t-row").count(), wide);
  await page.getByRole("searchbox", { name: "Filter Width" }).fill("");
  await page.selectOption(field("Group by"), { label: "Storey" });
  equal("groups by storey", await page.locator(".t-body .t-group").count(), new Set(said.schedule_data.map((row) => row[said.columns.findIndex((c) => c.heading === "Storey")])).size);
  await page.selectOption(field("Group by"), { label: "Nothing" });
  await page.click('.t-head button:has-text("Width")');
  await page.click('.t-head button:has-text("Width")');
  const widths = (await page.locator(`.t-body .t-row > :nth-child(${width + 1})`).allTextContents()).map((t) => Number(t.replaceAll(",", "")));
  equal("sorted downwards", widths, [...widths].sort((a, b) => b - a));
  await shot(page, "schedule");
  // a cell is edited by keyboard, and read back from the model
  const rating = said.columns.findIndex((c) => c.heading === "Fire rating");
  const [id] = await selected(page);
  const value = `EI ${30 + (Date.now() % 60)}`;
  await page.locator(".t-body .t-row[aria-selected=true]").locator(`:nth-child(${rating + 1})`).dblclick();
  await page.locator(".t-edit").fill(value);
  await page.keyboard.press("Enter");
  await told(page, "edited in the viewer");
  const after = await call(page, "generate_schedule", { template: "door", limit: 100 });
  equal("the fire rating is in the model", after.schedule_data.find((row) => row.at(-1) === id)?.[rating], value);
  holds("a workbook is handed over", (await download(page, () => page.click('.dock button:text-is("XLSX")'))).endsWith(".xlsx"));
  holds("and CSV", (await download(page, () => page.click('.dock button:text-is("CSV as shown")'))).endsWith(".csv"));
  await page.click('button:text-is("Show the take-off")');
  await page.waitForFunction(() => document.querySelector(".dock h2")?.textContent === "Quantity take-off" && document.querySelector(".t-body .t-row"));
  const take = await call(page, "quantity_takeoff", { categories: ["walls"], grouping: ["class", "type"], limit: 100 });
  equal("rows of the take-off", Number(await page.locator(".t-grid").getAttribute("aria-rowcount")) - 1, take.rows);
  await shot(page, "takeoff");
  await looks(page, "schedules");
  await page.context().close();
}

async function drawings() {
  const page = await opened(FZK, "drawings");
  await page.waitForFunction(() => document.querySelector('label:has(> span) select') && [...document.querySelectorAll("option")].some((o) => o.textContent === "Erdgeschoss"));
  await page.selectOption(field("Storey"), { label: "Erdgeschoss" });
  await page.click('.p-panel button:text-is("Draw")');
  await page.waitForSelector(".paper [data-id]");
  const walls = await page.locator('.paper [data-class^="IfcWall"]').count();
  holds("walls are on the plan", walls >= 9, walls);
  const target = page.locator('.paper [data-class="IfcDoor"]').first();
  const id = await target.getAttribute("data-id");
  await target.locator("path").first().dispatchEvent("click");
  equal("a door of the plan is selected in the view", await selected(page), [id]);
  await shot(page, "plan");
  const before = await page.locator(".paper svg.zoomable").getAttribute("viewBox");
  await page.click('.zoom-tools [aria-label="Zoom in"]');
  holds("it zooms", (await page.locator(".paper svg.zoomable").getAttribute("viewBox")) !== before);
  holds("a PDF is handed over", (await download(page, () => page.click('.p-panel button:text-is("PDF")'))).endsWith(".pdf"));
  await page.selectOption(field("Drawing"), "section-x");
  await page.click('.p-panel button:text-is("Draw")');
  await page.waitForFunction(() => document.querySelector(".dock h2")?.textContent?.startsWith("Section") && document.querySelector(".paper [data-id]"));
  await shot(page, "section");
  await page.click('.dock [aria-label="Close"]');
  // the plan lies over the model where the storey is
  await page.selectOption(field("Drawing"), "plan");
  await page.evaluate(() => {
    const { view } = window.pensaer;
    const usual = view.drawing.bind(view);
    view.drawing = (d) => { window.laid = d; usual(d); };
  });
  await page.check("text=Lay the storey's plan over the model");
  await page.waitForFunction(() => window.laid);
  const laid = await page.evaluate(() => ({ x: window.laid.x[0], y: window.laid.y[1], origin: window.laid.origin, extent: window.pensaer.view.extent(), svg: window.laid.svg.length }));
  near("metres of a unit at 1:100", laid.x, 0.1, 0.0005);
  near("and downwards", laid.y, -0.1, 0.0005);
  holds("the drawing begins beside the building", laid.origin[0] < laid.extent.max[0] && laid.origin[1] > laid.extent.min[1], laid);
  if (all) await page.waitForTimeout(1500);
  await shot(page, "plan-over-model");
  await looks(page, "drawings");
  await page.context().close();

  const sheets = await opened(HOUSE, "drawings");
  await sheets.click('summary:text-is("New sheet")');
  const number = (await call(sheets, "query_elements", { selector: "IfcProject", fields: ["Drawing_Sheets"] })).rows[0].Drawing_Sheets ?? {};
  await sheets.locator(".p-sub input[type=text]").fill("All plans");
  await sheets.locator(".p-sub input[type=text]").blur();
  await sheets.click('button:text-is("Make the sheet")');
  await sheets.waitForFunction(() => document.querySelectorAll(".paper [data-id]").length > 0);
  await sheets.waitForFunction((n) => document.querySelectorAll(".p-list.sheets li").length === n + 1, Object.keys(number).length);
  await shot(sheets, "sheet");
  const kept = (await call(sheets, "query_elements", { selector: "IfcProject", fields: ["Drawing_Sheets"] })).rows[0].Drawing_Sheets;
  const fresh = Object.keys(kept).find((n) => !(n in number));
  holds("the sheet is kept with the model", kept[fresh]?.includes("All plans"), Object.keys(kept));
  // and is taken out again
  const line = sheets.locator(".p-list.sheets li", { hasText: fresh });
  await line.locator('button:text-is("Remove")').click();
  await line.waitFor({ state: "detached" });
  equal("a sheet that is taken out is shown no longer", await sheets.locator(".dock").count(), 0);
  await sheets.context().close();
}

async function energy() {
  const page = await opened(OFFICE, "energy");
  await page.waitForSelector(".energy-scene canvas");
  const zones = await call(page, "get_zone_properties", {});
  equal("zones", await page.locator(".p-table tbody tr").count(), zones.zones.length);
  const surfaces = (await page.locator(".split-side .p-legend-row").allTextContents()).join(" ");
  holds("all surfaces have a boundary", /Outdoors/.test(surfaces) && /Ground/.test(surfaces) && !/Not stated/.test(surfaces), surfaces);
  if (all) await page.waitForTimeout(800);
  await shot(page, "energy-surfaces");
  await page.selectOption(field("Colour by"), "construction");
  holds("and a construction", !(await page.locator(".split-side").textContent()).includes("Not stated"));
  await page.click('.dock [aria-label="Close"]');
  await page.click('[role=tab]:text-is("Runs")');
  for (const kind of ["annual", "annual"]) {
    await page.click('[role=tab]:text-is("Runs")');
    await page.waitForFunction(() => [...document.querySelectorAll("option")].some((o) => /\.epw$/i.test(o.textContent ?? "")));
    await page.selectOption(field("Simulate"), kind);
    await page.click('button:text-is("Simulate")');
    await page.waitForSelector('button:text-is("Over time")');
  }
  // the run over a year is looked at
  await page.waitForSelector('table:has(caption:text-is("Energy by end use")) tbody tr');
  const session = await page.evaluate(() => JSON.parse(localStorage.getItem("pensaer-runs"))[0].session);
  const summary = await call(page, "get_results_summary", { session });
  const site = summary.end_uses.site_and_source.find((s) => s.name === "Total Site Energy");
  holds("the site energy is the run's", (await page.locator(".p-figures").textContent()).includes(Math.round(site.kwh).toLocaleString("en")), site.kwh);
  const heating = summary.end_uses.uses.find((u) => u.use === "Heating");
  holds("and heating by natural gas", (await page.locator(".e-bars").first().textContent()).includes(Math.round(heating.kwh).toLocaleString("en")));
  await shot(page, "energy-results");
  await page.click('button:text-is("Over time")');
  await page.waitForSelector(".u-over");
  const series = await call(page, "query_timeseries", { session, variable_name: "Zone Mean Air Temperature", limit: 1 });
  equal("times of the slider", Number(await page.locator(".times-slider").getAttribute("max")), series.parts[0].points - 1);
  await page.locator(".times-slider").fill("4718");
  equal("the time that it says", await page.locator(".times-clock").textContent(), "Sun, 16 July 2017, 15:00".replace("July", "Jul"));
  await page.click('summary:text-is("Figures as a table")');
  const core = series.parts.find((p) => p.key === "CORE_ZN");
  holds("the table has the greatest value", (await page.locator(".chart tbody tr:has(th:text-is('CORE_ZN'))").textContent()).includes(core.maximum.value.toFixed(1)), core.maximum);
  await page.click('summary:text-is("Figures as a table")');
  if (all) await page.waitForTimeout(600);
  await shot(page, "energy-times");
  await page.click(".dock .quiet[aria-label=Play]");
  await page.waitForTimeout(800);
  await page.click(".dock .quiet[aria-label=Pause]");
  holds("playing goes on", Number(await page.locator(".times-slider").inputValue()) > 4718);
  await page.click('.dock [aria-label="Close"]');
  await page.click('[role=tab]:text-is("Compare")');
  await page.waitForSelector('table:has(caption:text-is("Figures"))');
  holds("two runs of one model are alike", (await page.locator('table:has(caption:text-is("Energy by end use"))').textContent()).includes("0.0"));
  await shot(page, "energy-compare");
  await looks(page, "energy");
  await page.context().close();
}

/** The energy model of a building: made, simulated, and shown in its rooms. */
async function building() {
  const house = await opened(HOUSE, "energy");
  await house.waitForFunction(() => [...document.querySelectorAll("button")].some((b) => /^Make (an energy model|another)$/.test(b.textContent)));
  await house.click("button:text-matches('^Make (an energy model|another)$')");
  await house.waitForSelector("text=/^Made: /");
  await house.waitForSelector('[role=tab]:text-is("Runs")');
  await house.click('[role=tab]:text-is("Runs")');
  await house.selectOption(field("Simulate"), "design");
  await house.click('button:text-is("Simulate")');
  await house.waitForSelector('button:text-is("Over time")');
  await house.evaluate(() => {
    const { view } = window.pensaer;
    const usual = view.colour.bind(view);
    view.colour = (c) => { window.coloured = c; usual(c); };
  });
  await house.click('button:text-is("Over time")');
  await house.waitForSelector(".u-over");
  await house.waitForFunction(() => window.coloured?.groups.length > 0);
  const rooms = await house.evaluate(() => window.coloured.groups.flatMap((g) => g.keys).length);
  const spaces = (await call(house, "query_elements", { selector: "IfcSpace", limit: 1 })).total;
  equal("rooms in colours", rooms, spaces);
  if (all) await house.waitForTimeout(800);
  await shot(house, "energy-rooms");
  await house.click('.dock [aria-label="Close"]');
  await house.click('button:text-is("Write to the rooms")');
  await told(house, "rooms have the results");
  const set = await call(house, "query_elements", { selector: "IfcSpace", fields: ["EnergyPlus_Results.HeatingDesignLoad_W"], limit: 50, model_version: "main" });
  holds("the rooms have their design loads", set.rows.every((r) => typeof r["EnergyPlus_Results.HeatingDesignLoad_W"] === "number"), set.rows);
  await house.context().close();
}

const wanted = process.env.ONLY?.split(",");
async function run(parts) {
  for (const [name, part] of Object.entries(parts)) {
    if (wanted && !wanted.includes(name)) continue;
    const from = Date.now();
    await part();
    console.log(`${name}: ${((Date.now() - from) / 1000).toFixed(1)} s`);
  }
}
try {
  // a simulation is mostly waited for
  await Promise.all([run({ rooms, schedules, drawings }), run({ energy })]);
  await run({ building });
} catch (error) {
  problems.push(`broken off: ${error.message.slice(0, 600)}`);
} finally {
  await browser.close();
}
console.log(`${checks} checks, ${problems.length} problems`);
for (const problem of problems) console.log(`  ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);
