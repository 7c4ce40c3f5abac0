// A picture of what is shown, of any size, for a topic or a link.

import type { Viewer } from "./viewer";

export function pictureOf(viewer: Viewer, width: number, height: number): string {
  const { renderer, rig } = viewer;
  const [w, h] = [Math.max(1, Math.min(4096, Math.round(width))), Math.max(1, Math.min(4096, Math.round(height)))];
  const ratio = renderer.getPixelRatio();
  renderer.setPixelRatio(1);
  renderer.setSize(w, h, false);
  rig.aspect(w / h);
  const resting = viewer.resting;
  viewer.resting = true;
  viewer.paint();
  // read at once: the canvas is emptied when the page is next drawn
  const data = renderer.domElement.toDataURL("image/png");
  viewer.resting = resting;
  renderer.setPixelRatio(ratio);
  renderer.setSize(viewer.width, viewer.height);
  rig.aspect(viewer.width / viewer.height);
  viewer.paint();
  return data;
}
