// A chat that shows pages (MCP Apps), as far as it is needed here: a frame under the strictest policy, which fetches nothing and reaches
// tools through the chat alone. It asks for the model, and shows the page that the answer names: the model is drawn, an element
// is picked, and the agent's context is told which.
//
//     node chat.mjs ADDRESS BROWSER NODE_MODULES PICTURES
import { createRequire } from "node:module";
import { join } from "node:path";

const [address, browserPath, modules, pictures] = process.argv.slice(2);
const { chromium } = createRequire(join(modules, "index.js"))("playwright-core");
const PATIENCE = 90_000;
const UI = "io.modelcontextprotocol/ui";

const link = new URL(address);
const model = link.searchParams.get("model");
const key = new URLSearchParams(link.hash.slice(1)).get("key");
const problems = [];
const hold = (holds, what) => holds || problems.push(what);

/** A client of the server's MCP endpoint. */
let session;
let last = 0;
async function ask(method, params, isNote = false) {
  const id = ++last;
  const response = await fetch(new URL("/mcp", link), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(session ? { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" } : {}),
    },
    body: JSON.stringify({ jsonrpc: "2.0", ...(isNote ? {} : { id }), method, params }),
  });
  session ??= response.headers.get("mcp-session-id") ?? undefined;
  if (isNote) return undefined;
  const text = await response.text();
  const lines = text.startsWith("{") ? [text] : text.split("\n").filter((l) => l.startsWith("data:")).map((l) => l.slice(5));
  const answer = lines.map((l) => l.trim()).filter(Boolean).map((l) => JSON.parse(l)).find((m) => m.id === id);
  if (!answer) throw new Error(`no answer to ${method}: ${response.status} ${text.slice(0, 300)}`);
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

await ask("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: { extensions: { [UI]: { mimeTypes: ["text/html;profile=mcp-app"] } } },
  clientInfo: { name: "chat", version: "1" },
});
await ask("notifications/initialized", {}, true);
const { tools } = await ask("tools/list", {});
const uri = tools.find((tool) => tool.name === "view_model")?._meta?.ui?.resourceUri;
hold(uri === "ui://pensaer/model", `view_model names the page ${uri}`);
const own = tools.find((tool) => tool.name === "get_view_data");
hold(JSON.stringify(own?._meta?.ui?.visibility) === '["app"]', `get_view_data is for ${JSON.stringify(own?._meta)}`);
const html = (await ask("resources/read", { uri })).contents[0].text;
const answer = await ask("tools/call", { name: "view_model", arguments: { model_id: model } });

const browser = await chromium.launch({
  executablePath: browserPath,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
try {
  for (const scheme of ["light", "dark"]) {
    const page = await browser.newPage({ viewport: { width: 760, height: 560 }, colorScheme: scheme });
    const told = [];
    const calls = [];
    page.on("pageerror", (error) => problems.push(`error on the page: ${error.message}`));
    page.on("console", (message) => message.type() === "error" && problems.push(`console: ${message.text()}`));
    page.on("request", (request) => !/^(about:|data:|blob:)/.test(request.url()) && problems.push(`fetched ${request.url()}`));
    await page.exposeFunction("chatAnswers", async (method, params) => {
      if (method === "tools/call") {
        calls.push(params.name);
        return ask(method, params);
      }
      if (method === "ui/update-model-context") told.push(params);
      return {};
    });
    await page.setContent("<!doctype html><title>Chat</title><body></body>");
    await page.evaluate(
      ([html, answer]) => {
        document.body.style.margin = "0";
        const frame = document.createElement("iframe");
        frame.setAttribute("sandbox", "allow-scripts");
        Object.assign(frame.style, { border: "0", width: "100%", height: "480px" });
        addEventListener("message", async ({ source, data }) => {
          if (source !== frame.contentWindow || data?.jsonrpc !== "2.0") return;
          if (data.method === "ui/initialize") {
            source.postMessage({ jsonrpc: "2.0", id: data.id, result: { protocolVersion: "2026-01-26", hostInfo: { name: "chat", version: "1" }, hostCapabilities: {}, hostContext: {} } }, "*");
          } else if (data.method === "ui/notifications/initialized") {
            source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: answer }, "*");
          } else if (data.method === "ui/notifications/size-changed") {
            frame.style.height = `${data.params.height}px`;
          } else if (data.id !== undefined) {
            const result = await window.chatAnswers(data.method, data.params);
            source.postMessage({ jsonrpc: "2.0", id: data.id, result }, "*");
          }
        });
        frame.srcdoc = html;
        document.body.append(frame);
      },
      [html, answer],
    );
    const frame = page.frameLocator("iframe");
    const line = frame.locator("[role=status]");
    await line.filter({ hasText: /element/ }).waitFor({ timeout: PATIENCE });
    const said = await line.textContent();
    hold(calls.includes("get_view_data"), `the page called ${calls}`);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(pictures, `chat-${scheme}.png`) });
    // the middle of the picture is the building
    const box = await frame.locator("canvas").first().boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const begun = Date.now();
    while (told.length === 0 && Date.now() - begun < PATIENCE) await page.waitForTimeout(200);
    const [context] = told;
    hold(context?.structuredContent?.selection?.length === 1, `the agent was told ${JSON.stringify(context)}`);
    hold(/Ifc\w+/.test(context?.content?.[0]?.text ?? ""), `the agent reads ${context?.content?.[0]?.text}`);
    const picked = await line.textContent();
    console.log(`  in a chat, ${scheme}: ${said}; picked ${picked}; ${calls.filter((c) => c === "get_view_data").length} pieces`);
    await page.screenshot({ path: join(pictures, `chat-${scheme}-picked.png`) });
    await page.close();
  }
} finally {
  await browser.close();
}
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
