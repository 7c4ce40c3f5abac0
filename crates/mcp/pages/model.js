function show(answer) {
  const root = document.getElementById("root");
  // the view itself is built from viewer/; a program that was built without it still has the link
  if (typeof modelInChat !== "undefined") return void modelInChat.show(answer, root, { call, ask, grown });
  root.replaceChildren();
  element("p", answer.url ? `Open the model in a browser: ${answer.url}` : answer.message || "Nothing to show.", root);
  grown();
}
