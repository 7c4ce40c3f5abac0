// Speaks to the chat that shows this page (MCP Apps, 2026-01-26): JSON-RPC in messages between windows. Nothing is fetched.
const waiting = new Map();
let last = 0;
function post(message) { parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); }
function ask(method, params) {
  const id = ++last;
  post({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}
function facts(result) {
  if (result.structuredContent) return result.structuredContent;
  const text = (result.content || []).find((part) => part.type === "text");
  try { return JSON.parse(text.text); } catch { return {}; }
}
async function call(name, args) {
  return facts(await ask("tools/call", { name, arguments: args }));
}
function grown() {
  post({ method: "ui/notifications/size-changed", params: { height: document.documentElement.scrollHeight } });
}
addEventListener("message", (event) => {
  if (event.source !== parent || !event.data || event.data.jsonrpc !== "2.0") return;
  const { id, method, params, result, error } = event.data;
  if (method === "ui/notifications/tool-result") show(facts(params));
  else if (method === "ui/resource-teardown" && id !== undefined) post({ id, result: {} });
  else if (id !== undefined && waiting.has(id)) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(error); else resolve(result);
  }
});
function element(name, text, parent, classes) {
  const made = document.createElement(name);
  if (text !== undefined && text !== null) made.textContent = text;
  if (classes) made.className = classes;
  if (parent) parent.append(made);
  return made;
}
ask("ui/initialize", {
  protocolVersion: "2026-01-26",
  appInfo: { name: "Pensaer", version: "1" },
  appCapabilities: {},
}).then(() => post({ method: "ui/notifications/initialized", params: {} }));
