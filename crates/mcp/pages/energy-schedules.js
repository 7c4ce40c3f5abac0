const WEEK = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
function hours(steps) {
  const values = [];
  for (const [until, value] of steps) while (values.length < until) values.push(value);
  return values;
}
function shade(value, low, high) {
  const part = high > low ? (value - low) / (high - low) : 1;
  return `hsl(${220 - 180 * part} 70% ${25 + 35 * part}%)`;
}
function picture(schedule, year, box) {
  const days = [];
  for (const [count, at] of schedule.calendar) for (let day = 0; day < count; day++) days.push(schedule.profiles[at]);
  const canvas = element("canvas", null, box);
  canvas.width = days.length * 3;
  canvas.height = 24 * 6;
  const context = canvas.getContext("2d");
  days.forEach((profile, day) => {
    if (!profile) return;
    hours(profile.until_hour).forEach((value, hour) => {
      context.fillStyle = shade(value, schedule.minimum, schedule.maximum);
      context.fillRect(day * 3, hour * 6, 3, 6);
    });
  });
  const said = element("p", "Days from left to right, hours from top to bottom.", box, "quiet");
  canvas.onpointermove = (event) => {
    const at = canvas.getBoundingClientRect();
    const day = Math.floor(((event.clientX - at.left) / at.width) * days.length);
    const hour = Math.floor(((event.clientY - at.top) / at.height) * 24);
    if (!days[day]) return;
    const date = new Date(Date.UTC(year, 0, 1 + day));
    const value = hours(days[day].until_hour)[hour];
    said.textContent = `${WEEK[date.getUTCDay()]} ${date.toISOString().slice(0, 10)} ${hour}:00 – ${hour + 1}:00: ${value}`;
  };
}
function show(answer) {
  const root = document.getElementById("root");
  root.replaceChildren();
  element("h1", `${answer.total ?? 0} schedules in ${answer.year ?? ""}`, root);
  for (const schedule of answer.schedules || []) {
    const box = element("div", null, root);
    element("h2", schedule.name, box);
    const limits = schedule.type_limits ? `, ${schedule.type_limits}` : "";
    element("p", `${schedule.object_type}${limits}: ${schedule.minimum} to ${schedule.maximum}, mean ${schedule.mean}, ${schedule.profile_count} days that differ`, box, "quiet");
    if (schedule.calendar) picture(schedule, answer.year, box);
    else {
      const more = element("button", "Show the year", box);
      more.onclick = async () => {
        const whole = await call("view_schedules", { name: schedule.name, year: answer.year });
        const found = (whole.schedules || [])[0];
        more.remove();
        if (found && found.calendar) picture(found, whole.year, box);
        else element("p", whole.notice || whole.message || "It cannot be shown.", box);
        grown();
      };
    }
  }
  for (const skipped of answer.skipped || []) element("p", `${skipped.name}: ${skipped.reason}`, root, "quiet");
  if (answer.notice || answer.message) element("p", answer.notice || answer.message, root);
  grown();
}
