const COLOURS = { wall: 40, floor: 30, roof: 10, ceiling: 50, window: 200, door: 90, shading: 280 };
let surfaces = [], colourBy = "type", turn = 0.7, lift = 0.5, zoom = 1, canvas;
function hue(surface) {
  if (colourBy === "type") return COLOURS[surface[1]] ?? 0;
  let sum = 0;
  for (const letter of surface[2]) sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return sum;
}
function draw() {
  if (!canvas || !surfaces.length) return;
  const width = (canvas.width = canvas.clientWidth * devicePixelRatio), height = (canvas.height = width * 0.6);
  const context = canvas.getContext("2d");
  const all = surfaces.filter((surface) => surface[1] !== "shading").flatMap((surface) => surface[3]);
  const points = all.length ? all : surfaces.flatMap((surface) => surface[3]);
  const low = [0, 1, 2].map((axis) => points.reduce((least, point) => Math.min(least, point[axis]), Infinity));
  const high = [0, 1, 2].map((axis) => points.reduce((most, point) => Math.max(most, point[axis]), -Infinity));
  const middle = low.map((value, axis) => (value + high[axis]) / 2);
  const size = Math.hypot(...low.map((value, axis) => high[axis] - value)) || 1;
  const scale = (height / size) * 0.95 * zoom;
  const [sinT, cosT, sinL, cosL] = [Math.sin(turn), Math.cos(turn), Math.sin(lift), Math.cos(lift)];
  const project = (point) => {
    const [x, y, z] = point.map((value, axis) => value - middle[axis]);
    const across = x * cosT + y * sinT, depth = -x * sinT + y * cosT;
    return [width / 2 + across * scale, height / 2 - (z * cosL + depth * sinL) * scale, depth * cosL - z * sinL];
  };
  const shown = surfaces.map((surface) => {
    const corners = surface[3].map(project);
    return { surface, corners, depth: corners.reduce((sum, corner) => sum + corner[2], 0) / corners.length };
  });
  // what lies farther is drawn first; a window lies a hair before its wall
  shown.sort((a, b) => b.depth - a.depth || (a.surface[1] === "window") - (b.surface[1] === "window"));
  for (const { surface, corners } of shown) {
    context.beginPath();
    corners.forEach(([x, y], at) => (at ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    const tone = hue(surface), clear = surface[1] === "window" ? 0.5 : surface[1] === "shading" ? 0.25 : 0.85;
    context.fillStyle = `hsl(${tone} 45% 60% / ${clear})`;
    context.strokeStyle = `hsl(${tone} 40% 30%)`;
    context.lineWidth = devicePixelRatio * 0.6;
    context.fill();
    context.stroke();
  }
}
async function show(answer) {
  const root = document.getElementById("root");
  root.replaceChildren();
  if (answer.surface_count === undefined) {
    element("p", answer.message || "Nothing to show.", root);
    return;
  }
  colourBy = answer.color_by || "type";
  element("h1", `${answer.surface_count} surfaces, ${(answer.zones || []).length} zones`, root);
  for (const way of ["type", "zone"]) {
    element("button", `Colour by ${way}`, root).onclick = () => { colourBy = way; draw(); };
  }
  canvas = element("canvas", null, root);
  canvas.onpointermove = (event) => {
    if (!event.buttons) return;
    turn += event.movementX / 200;
    lift = Math.max(-1.57, Math.min(1.57, lift + event.movementY / 200));
    draw();
  };
  canvas.onwheel = (event) => { event.preventDefault(); zoom *= event.deltaY > 0 ? 0.9 : 1.1; draw(); };
  const grid = element("table", null, element("div", null, root, "scroll"));
  for (const [kind, sum] of Object.entries(answer.kinds || {})) {
    const line = element("tr", null, grid);
    for (const cell of [kind, sum.surfaces, `${sum.area} m²`]) element("td", cell, line);
  }
  for (const lost of answer.unplaced || []) element("p", `${lost.object_type} ${lost.name}: ${lost.reason}`, root, "quiet");
  surfaces = answer.surfaces || [];
  draw();
  grown();
  for (let next = answer.next_surface, asked = 0; next !== undefined && asked < 200; asked++) {
    const more = await call("view_geometry", { from_surface: next });
    surfaces = surfaces.concat(more.surfaces || []);
    next = more.next_surface;
    draw();
  }
}
