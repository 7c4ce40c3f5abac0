// Charts as SVG: axes with round numbers and units, lines, bars. Colours keep apart in light and dark.
const COLOURS = ["#2f6fb2", "#d1702b", "#3c8d5a", "#9b4f96", "#b8860b", "#5a6b7b", "#c0392b", "#1f8a8a"];
const colour = (at) => COLOURS[at % COLOURS.length];
function shape(name, attributes, parent, text) {
  const made = document.createElementNS("http" + "://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  if (parent) parent.append(made);
  return made;
}
function short(value) {
  const size = Math.abs(value);
  if (size >= 1e6 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  return String(Number(value.toPrecision(4)));
}
// Marks at round numbers that cover a range: about five of them.
function marks(low, high) {
  if (!(high > low)) { high = low + 1; }
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((times) => times * power).find((step) => step >= raw);
  const found = [];
  for (let at = Math.floor(low / step) * step; at < high + step * 0.999; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}
// A frame with a vertical axis; answers where values and places along it are drawn.
function frame(box, title, units, low, high, height = 190) {
  const width = 720, left = 58, bottom = 22, top = 18;
  const picture = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title, class: "chart" }, box);
  shape("title", {}, picture, title);
  const steps = marks(low, high), least = steps[0], most = steps[steps.length - 1];
  const y = (value) => top + (height - top - bottom) * (1 - (value - least) / (most - least || 1));
  for (const mark of steps) {
    shape("line", { x1: left, x2: width, y1: y(mark), y2: y(mark), class: "grid" }, picture);
    shape("text", { x: left - 6, y: y(mark) + 4, "text-anchor": "end" }, picture, short(mark));
  }
  shape("text", { x: 0, y: 11 }, picture, units);
  return { picture, y, x: (share) => left + (width - left - 6) * share, zero: y(Math.max(least, Math.min(0, most))), base: height - 6 };
}
function legend(box, names) {
  const line = element("p", null, box, "legend");
  names.forEach((name, at) => {
    const mark = element("span", null, line, "swatch");
    mark.style.background = colour(at);
    element("span", name, line);
  });
}
// Lines over the same places: `series` are lists of numbers or nulls, `labels` what stands below.
function lines(box, title, units, labels, series, names, bands) {
  const all = series.concat(bands || []).flat(2).filter((value) => value !== null && Number.isFinite(value));
  if (!all.length) return;
  const at = frame(box, title, units, Math.min(...all), Math.max(...all));
  const share = (index) => labels.length > 1 ? index / (labels.length - 1) : 0.5;
  (bands || []).forEach((pairs, number) => {
    const points = pairs.map(([least], index) => `${at.x(share(index))},${at.y(least)}`)
      .concat(pairs.map(([, most], index) => `${at.x(share(index))},${at.y(most)}`).reverse());
    shape("polygon", { points: points.join(" "), fill: colour(number), opacity: 0.18 }, at.picture);
  });
  series.forEach((values, number) => {
    let path = "", open = false;
    values.forEach((value, index) => {
      if (value === null || !Number.isFinite(value)) { open = false; return; }
      path += `${open ? "L" : "M"}${at.x(share(index)).toFixed(1)} ${at.y(value).toFixed(1)}`;
      open = true;
    });
    shape("path", { d: path, fill: "none", stroke: colour(number), "stroke-width": 1.6 }, at.picture);
  });
  const step = Math.max(1, Math.ceil(labels.length / 8));
  labels.forEach((label, index) => {
    if (index % step) return;
    const anchor = index === 0 ? "start" : index > labels.length - step ? "end" : "middle";
    shape("text", { x: at.x(share(index)), y: at.base, "text-anchor": anchor }, at.picture, label);
  });
  if (names.length > 1 || names[0]) legend(box, names);
}
// Level bars: rows of a name and parts, each a value with the number of its colour.
function bars(box, units, rows, names) {
  const most = Math.max(...rows.map((row) => row.parts.reduce((sum, [value]) => sum + Math.abs(value), 0)), 0);
  if (!(most > 0)) return;
  const table = element("table", null, box, "bars");
  for (const row of rows) {
    const line = element("tr", null, table);
    element("td", row.name, line);
    const cell = element("td", null, line, "bar");
    for (const [value, number] of row.parts) {
      const part = element("span", null, cell);
      part.style.width = `${(100 * Math.abs(value)) / most}%`;
      part.style.background = colour(number);
      part.title = `${names[number] ?? row.name}: ${short(value)} ${units}`;
    }
    element("td", `${short(row.parts.reduce((sum, [value]) => sum + value, 0))} ${units}`, line);
  }
  if (names.length > 1) legend(box, names);
}
