// A browser that nobody here wrote opens the viewer on a model: the tree lists its elements, nothing fails on the page or
// on the network, and the picture of the model is not blank. Saves the picture.
//
//     node page.mjs ADDRESS PICTURE.png BROWSER NODE_MODULES
import { createRequire } from "node:module";
import { join } from "node:path";

const [address, picture, browserPath, modules] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "index.js"))("playwright-core");

const PATIENCE = 60_000;

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
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on("pageerror", (error) => problems.push(`error on the page: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`HTTP ${response.status()} for ${response.url()}`);
  });
  await page.goto(address, { waitUntil: "domcontentloaded", timeout: PATIENCE });
  await page.waitForSelector("[role=treeitem]", { timeout: PATIENCE });
  await page.waitForLoadState("networkidle", { timeout: PATIENCE });

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
} finally {
  await browser.close();
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
