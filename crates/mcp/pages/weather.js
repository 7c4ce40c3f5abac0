const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
function show(answer) {
  const root = document.getElementById("root");
  root.replaceChildren();
  const place = answer.location || {};
  element("h1", [place.city || answer.name, place.country].filter(Boolean).join(", ") || "Weather", root);
  const climate = (answer.climate || []).map((of) => `${of.name} (${of.system})`).join(", ");
  const days = answer.degree_days || {};
  element("p", [climate, days.hdd18 !== undefined ? `${days.hdd18} heating degree days below 18 °C` : "", days.cdd10 !== undefined ? `${days.cdd10} cooling degree days above 10 °C` : ""].filter(Boolean).join("; "), root, "quiet");
  const months = answer.months || [];
  if (months.length) {
    const labels = months.map((of) => MONTHS[of.month - 1] || of.month);
    element("h2", "Dry bulb: mean, with the range of the month", root);
    lines(root, "Dry bulb", "°C", labels, [months.map((of) => of.dry_bulb_c.mean)], [""], [months.map((of) => [of.dry_bulb_c.minimum, of.dry_bulb_c.maximum])]);
    element("h2", "Sun on the horizontal", root);
    bars(root, "kWh/m²", months.map((of, at) => ({ name: labels[at], parts: [[of.global_kwh_m2, 4]] })), []);
  }
  if ((answer.design_days || []).length) {
    element("h2", "Design days", root);
    const grid = element("table", null, root);
    for (const day of answer.design_days) {
      const line = element("tr", null, grid);
      for (const value of [day.name, day.purpose, `${day.maximum_c} °C`, `range ${day.range_k} K`]) element("td", value, line);
    }
  }
  for (const note of answer.notes || []) element("p", note, root, "quiet");
  if (answer.message) element("p", answer.message, root);
  grown();
}
