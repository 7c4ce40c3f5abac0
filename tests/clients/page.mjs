// A browser that nobody here wrote opens the viewer on a model: the tree lists its elements, nothing fails on the page or
// on the network, and the picture of the model is not blank. A second address shows a way over coloured rooms, in light and in dark: the
// legend names it, and it is seen. Saves the pictures.
//
//     node page.mjs ADDRESS WAY_ADDRESS PICTURE.png BROWSER NODE_MODULES
import { createRequire } from "node:module";
import { join } from "node:path";

const [address, way, picture, browserPath, modules] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "index.js"))("playwright-core");

const PATIENCE = 60_000;

/** Pixels of a PNG that are nearly of a colour, decoded by the browser itself. */
async function pixels(page, png, wanted) {
  return page.evaluate(
    async ([base64, wanted]) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context.drawImage(bitmap, 0, 0);
      const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        if ([0, 1, 2].every((k) => Math.abs(data[at + k] - wanted[k]) < 32)) count++;
      }
      return count;
    },
    [png.toString("base64"), wanted],
  );
}

/** Different colours in a PNG, each coarsened to 16 steps a channel, decoded by the browser itself. */
async function colours(page, png) {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const counts = new Map();
    for (let at = 0; at < data.length; at += 4) {
      const key = ((data[at] >> 4) << 8) | ((data[at + 1] >> 4) << 4) | (data[at + 2] >> 4);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const pixels = data.length / 4;
    // what covers less than a thousandth of the picture is text and edges
    return [...counts.values()].filter((count) => count > pixels / 1000).length;
  }, png.toString("base64"));
}

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
const problems = [];

/** Where the page says what it shows: a server may not take it. */
const isState = (address) => address.includes("/api/viewer/state");

async function opened(colorScheme) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme });
  page.on("pageerror", (error) => problems.push(`error on the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !isState(message.location().url)) problems.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400 && !isState(response.url())) problems.push(`HTTP ${response.status()} for ${response.url()}`);
  });
  return page;
}

async function go(page, address) {
  await page.goto(address, { waitUntil: "domcontentloaded", timeout: PATIENCE });
  await page.waitForSelector("[role=treeitem]", { timeout: PATIENCE });
  // a page that follows its model's events is never without a request: what is drawn is what has come
  await page.waitForFunction(() => window.pensaer.view.stats().loaded > 0 && window.pensaer.view.stats().waiting === 0, undefined, { timeout: PATIENCE });
}

try {
  const page = await opened("light");
  await go(page, address);

  const canvas = page.locator("canvas").first();
  const begun = Date.now();
  let seen = 0;
  while (seen < 4 && Date.now() - begun < PATIENCE) {
    await page.waitForTimeout(500);
    seen = await colours(page, await canvas.screenshot());
  }
  const rows = await page.locator("[role=treeitem]").count();
  await page.screenshot({ path: picture });
  if (seen < 4) problems.push(`the picture is blank: ${seen} colours`);
  console.log(`  ${address}: ${rows} rows in the tree, ${seen} colours in the picture, saved as ${picture}`);

  for (const scheme of ["light", "dark"]) {
    const page = await opened(scheme);
    await go(page, way);
    await page.waitForSelector(".legend .swatch.way", { timeout: PATIENCE });
    const canvas = page.locator("canvas").first();
    const begun = Date.now();
    let red = 0;
    while (red < 500 && Date.now() - begun < PATIENCE) {
      await page.waitForTimeout(500);
      red = await pixels(page, await canvas.screenshot(), [226, 60, 24]);
    }
    const rooms = await page.locator(".names span:visible").count();
    const classes = await page.locator(".legend li").count();
    const saved = picture.replace(/\.png$/, `-way-${scheme}.png`);
    await page.screenshot({ path: saved });
    if (red < 500) problems.push(`${scheme}: the way is not seen: ${red} pixels`);
    if (rooms < 3 || classes < 2) problems.push(`${scheme}: ${rooms} names of rooms, ${classes} rows in the legend`);
    console.log(`  a way: ${rooms} names of rooms, ${classes} rows in the legend, ${red} pixels of the way, saved as ${saved}`);
    // taken away, the plan is the building again
    await page.click(".legend button");
    if (await page.locator(".legend").isVisible()) problems.push(`${scheme}: the legend stays`);
    if (page.url().includes("overlay=")) problems.push(`${scheme}: the address keeps ${page.url()}`);
    await page.close();
  }
} finally {
  await browser.close();
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
