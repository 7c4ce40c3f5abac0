function unmet(root, hours) {
  if (!hours || !hours.facility) return;
  element("h2", "Hours outside set points", root);
  const of = hours.facility;
  element("p", `heating ${short(of.heating)} h (${short(of.occupied_heating)} h while occupied), cooling ${short(of.cooling)} h (${short(of.occupied_cooling)} h while occupied)`, root);
  bars(root, "h", (hours.zones || []).slice(0, 8).map((zone) => ({ name: zone.zone, parts: [[zone.cooling, 0], [zone.heating, 1]] })), ["cooling", "heating"]);
}
function peaks(root, loads) {
  for (const [number, side] of ["cooling", "heating"].entries()) {
    const of = loads[side];
    if (!of || !of.sized_w) continue;
    element("h2", `Design load, ${side}: ${short(of.sized_w / 1000)} kW${of.sized_w_per_m2 ? `, ${short(of.sized_w_per_m2)} W/m²` : ""}`, root);
    bars(root, "W", of.zones.slice(0, 8).map((zone) => ({ name: zone.zone, parts: [[zone.sized_w || 0, number]] })), []);
    const first = of.zones.find((zone) => zone.design);
    if (!first) continue;
    element("p", `Made of, in ${first.zone} (${first.design.at}):`, root, "quiet");
    bars(root, "W", first.design.components.map(([name, watts]) => ({ name, parts: [[watts, watts > 0 ? 1 : 0]] })), []);
  }
}
function messages(root, told) {
  if (!told.groups || !told.groups.length) return;
  element("h2", "Warnings and errors", root);
  for (const group of told.groups) {
    const box = element("details", null, root);
    const title = element("summary", null, box);
    element("strong", `${group.level}${group.count > 1 ? ` ×${group.count}` : ""}: `, title, group.level);
    element("span", group.meaning || group.text, title);
    element("p", group.text, box, "quiet");
    if (group.remedy) element("p", group.remedy, box);
    if (group.objects) element("p", group.objects.map((of) => `${of.object_type}: ${of.name}`).join("; "), box, "quiet");
  }
  if (told.mendable) {
    const button = element("button", `Mend ${told.mendable} of them`, root);
    button.onclick = async () => {
      button.disabled = true;
      const done = await call("mend_messages", {}).catch((error) => ({ message: error.message }));
      button.replaceWith(element("p", done.message || `${done.mended_count} mended, ${done.left_count} left. Run the simulation again.`));
      grown();
    };
  }
}
async function show(answer) {
  const root = document.getElementById("root");
  root.replaceChildren();
  element("h1", answer.success ? "Simulation" : "Simulation that failed", root);
  const errors = answer.errors || {};
  const periods = (answer.environments || []).map((period) => period.name).join(", ");
  element("p", `${periods}. ${errors.warnings ?? 0} warnings, ${errors.severe ?? 0} severe.`, root, "quiet");
  const site = ((answer.end_uses || {}).site_and_source || []).find((row) => row.name === "Total Site Energy");
  if (site && site.kwh > 0) element("p", `${short(site.kwh)} kWh on site${site.kwh_per_m2 ? `, ${short(site.kwh_per_m2)} kWh/m²` : ""}`, root, "large");
  const uses = ((answer.end_uses || {}).uses || []).filter((use) => use.kwh > 0.5);
  if (uses.length) {
    const sources = [...new Set(uses.map((use) => use.source))];
    const names = [...new Set(uses.map((use) => use.use))];
    element("h2", "Energy by end use", root);
    bars(root, "kWh", names.map((name) => ({ name, parts: uses.filter((use) => use.use === name).map((use) => [use.kwh, sources.indexOf(use.source)]) })), sources);
  }
  unmet(root, answer.unmet_hours);
  if (answer.comfort) element("p", `Not comfortable by ASHRAE 55 (simple): ${short(answer.comfort.not_comfortable_hours)} h`, root);
  for (const cost of answer.costs || []) element("p", `Cost, ${cost.source}: ${short(cost.cost)}${cost.per_m2 ? ` (${short(cost.per_m2)} per m²)` : ""}`, root);
  for (const note of (answer.notes || []).concat((answer.end_uses || {}).notes || [])) element("p", note, root, "quiet");
  if (answer.message) element("p", answer.message, root);
  grown();
  const job = answer.results_of && answer.results_of.job_id ? { job_id: answer.results_of.job_id } : {};
  for (const [name, draw] of [["analyze_peak_loads", peaks], ["explain_messages", messages]]) {
    const told = await call(name, job).catch(() => null);
    if (told && !told.code) { draw(root, told); grown(); }
  }
}
