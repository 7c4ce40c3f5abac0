function show(report) {
  const root = document.getElementById("root");
  root.replaceChildren();
  element("h1", report.energyplus_version || "Simulation", root);
  const periods = (report.environments || []).map((period) => `${period.name} (${period.kind})`).join(", ");
  element("p", `${periods}. ${report.report_count} reports, ${report.table_count} tables.`, root, "quiet");
  for (const table of report.tables || []) {
    element("h2", table.table_name, root);
    const box = element("div", null, root, "scroll");
    const grid = element("table", null, box);
    const head = element("tr", null, grid);
    element("th", "", head);
    for (const column of table.columns) element("th", column.units ? `${column.name} [${column.units}]` : column.name, head);
    for (const row of table.rows) {
      const line = element("tr", null, grid);
      element("td", row.units ? `${row.name} [${row.units}]` : row.name, line);
      for (const value of row.values) element("td", value === null ? "" : String(value), line);
    }
  }
  for (const link of report.links || []) {
    const line = element("p", null, root);
    const button = element("button", link.title, line);
    button.onclick = () => ask("ui/open-link", { url: link.href });
  }
  if (report.notice || report.message) element("p", report.notice || report.message, root);
  grown();
}
