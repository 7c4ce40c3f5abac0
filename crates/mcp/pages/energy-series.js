let asked = {};
addEventListener("message", (event) => {
  if (event.source === parent && event.data && event.data.method === "ui/notifications/tool-input") asked = (event.data.params || {}).arguments || {};
});
function choice(root, answer) {
  const line = element("p", null, root);
  for (const [by, title] of [["recorded", "as recorded"], ["day", "days"], ["month", "months"]]) {
    const button = element("button", title, line);
    button.onclick = async () => {
      const name = asked.variable_name || answer.variable_name;
      show(await call("query_timeseries", { ...asked, variable_name: name, by, limit: by === "recorded" ? 500 : 366 }).catch((error) => ({ message: error.message })));
    };
  }
}
function show(answer) {
  const root = document.getElementById("root");
  root.replaceChildren();
  element("h1", answer.variable_name || "Series", root);
  if (asked.variable_name || answer.variable_name) choice(root, answer);
  const environments = [...new Set((answer.parts || []).map((part) => part.environment))];
  for (const environment of environments) {
    const parts = answer.parts.filter((part) => part.environment === environment && part.rows && part.rows.length);
    if (!parts.length) continue;
    element("h2", environment, root);
    const labels = parts[0].rows.map((row) => row[0]);
    const bands = parts.length === 1 && parts[0].rows[0].length > 2 && !parts[0].sum ? [parts[0].rows.map((row) => [row[2], row[3]])] : [];
    lines(root, answer.variable_name, answer.units, labels, parts.map((part) => part.rows.map((row) => row[1])), parts.map((part) => part.key || answer.variable_name), bands);
  }
  for (const table of answer.tables || []) {
    element("h2", table.environment, root);
    const units = [...new Set(table.columns.map((column) => column.units))];
    for (const unit of units) {
      const places = table.columns.map((column, at) => [column, at]).filter(([column]) => column.units === unit);
      lines(root, unit, unit, table.rows.map((row) => row[0]), places.map(([, at]) => table.rows.map((row) => row[1][at] ?? null)), places.map(([column]) => `${column.key || ""} ${column.variable_name}`.trim()));
    }
  }
  const rows = (answer.parts || []).map((part) => ({ name: part.key || answer.variable_name, of: part }))
    .concat((answer.tables || []).flatMap((table) => table.columns.map((column) => ({ name: `${column.key || ""} ${column.variable_name}`.trim(), of: column }))));
  if (rows.length) {
    const box = element("div", null, root, "scroll");
    const grid = element("table", null, box);
    const head = element("tr", null, grid);
    for (const title of ["", "least", "at", "mean", "most", "at", "sum"]) element("th", title, head);
    for (const { name, of } of rows) {
      const line = element("tr", null, grid);
      const sum = of.sum_kwh !== undefined ? `${short(of.sum_kwh)} kWh` : of.sum !== undefined ? short(of.sum) : "";
      for (const value of [name, short(of.minimum.value), of.minimum.at, short(of.mean), short(of.maximum.value), of.maximum.at, sum]) element("td", value, line);
    }
  }
  if (answer.notice || answer.message) element("p", answer.notice || answer.message, root, "quiet");
  grown();
}
