function rows(box, files) {
  box.replaceChildren();
  for (const file of files || []) {
    const line = element("tr", null, box);
    for (const cell of [file.name, `${file.size} B`, file.uploaded_at]) element("td", cell, line);
  }
  grown();
}
function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(text);
}
function show(answer) {
  const root = document.getElementById("root");
  root.replaceChildren();
  element("h1", "Files", root);
  const field = element("input", null, root);
  field.type = "file";
  field.multiple = true;
  const said = element("p", "Choose files or drop them here, up to 16 MB at a time.", root, "quiet");
  const box = element("table", null, element("div", null, root, "scroll"));
  rows(box, answer.files);
  const send = async (chosen) => {
    said.textContent = "Sending…";
    const files = [];
    for (const file of chosen) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      files.push({ name: file.name, type: file.type, size: bytes.length, data: base64(bytes) });
    }
    const stored = await call("store_files", { files });
    said.textContent = stored.message || `${(stored.files || []).length} files are here.`;
    rows(box, (await call("list_files", {})).files);
  };
  field.onchange = () => send(field.files);
  root.ondragover = (event) => event.preventDefault();
  root.ondrop = (event) => { event.preventDefault(); send(event.dataTransfer.files); };
}
