// A topic with its viewpoint as a BCF 2.1 file: the camera, what is selected, what is cut away, and a picture.

import type { Camera, Point, SectionPlane } from "../view/types";
import { zip } from "./zip";

export interface NewTopic {
  guid: string;
  title: string;
  description?: string;
  type: string;
  status: string;
  assigned_to?: string;
  author: string;
  date: string;
  comment?: string;
  viewpoint: { camera: Camera; selection: string[]; planes: SectionPlane[]; picture?: string };
}

const escape = (text: string): string =>
  text
    // what XML 1.0 has no place for
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const tag = (name: string, text: string | undefined): string => (text ? `<${name}>${escape(text)}</${name}>` : "");
const vector = (name: string, p: Point): string => `<${name}><X>${p[0]}</X><Y>${p[1]}</Y><Z>${p[2]}</Z></${name}>`;
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Direction and up of a camera, as BCF wants them. */
export function directions(camera: Camera): { direction: Point; up: Point } {
  const d = ([0, 1, 2] as const).map((i) => camera.target[i] - camera.eye[i]) as Point;
  const length = Math.hypot(...d) || 1;
  const direction = d.map((n) => n / length) as Point;
  const flat = Math.hypot(direction[0], direction[1]);
  // straight down or up there is no z in the picture: north is
  const up: Point = flat < 1e-6 ? [0, 1, 0] : [(-direction[0] * direction[2]) / flat, (-direction[1] * direction[2]) / flat, flat];
  return { direction, up };
}

export function viewpointXml(guid: string, v: NewTopic["viewpoint"]): string {
  const { camera } = v;
  const { direction, up } = directions(camera);
  const common = vector("CameraViewPoint", camera.eye) + vector("CameraDirection", direction) + vector("CameraUpVector", up);
  const seen =
    camera.projection === "orthographic"
      ? `<OrthogonalCamera>${common}<ViewToWorldScale>${camera.height ?? 10}</ViewToWorldScale></OrthogonalCamera>`
      : `<PerspectiveCamera>${common}<FieldOfView>45</FieldOfView></PerspectiveCamera>`;
  const selection = v.selection.length > 0 ? `<Selection>${v.selection.map((id) => `<Component IfcGuid="${escape(id)}"/>`).join("")}</Selection>` : "";
  const planes = v.planes.map((p) => `<ClippingPlane>${vector("Location", p.point)}${vector("Direction", p.normal)}</ClippingPlane>`).join("");
  return (
    `${HEAD}<VisualizationInfo Guid="${guid}"><Components>${selection}<Visibility DefaultVisibility="true"/></Components>${seen}` +
    `${planes ? `<ClippingPlanes>${planes}</ClippingPlanes>` : ""}</VisualizationInfo>`
  );
}

/** The bytes of a picture that is a data address. */
export function pictureBytes(address: string): Uint8Array | undefined {
  const base64 = /^data:image\/png;base64,(.+)$/.exec(address)?.[1];
  return base64 === undefined ? undefined : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/** The file of one topic. */
export function bcfOf(topic: NewTopic, guids: { viewpoint: string; comment: string }): Uint8Array<ArrayBuffer> {
  const picture = topic.viewpoint.picture === undefined ? undefined : pictureBytes(topic.viewpoint.picture);
  const comment = topic.comment
    ? `<Comment Guid="${guids.comment}">${tag("Date", topic.date)}${tag("Author", topic.author)}${tag("Comment", topic.comment)}<Viewpoint Guid="${guids.viewpoint}"/></Comment>`
    : "";
  const markup =
    `${HEAD}<Markup><Topic Guid="${topic.guid}" TopicType="${escape(topic.type)}" TopicStatus="${escape(topic.status)}">${tag("Title", topic.title)}` +
    `${tag("CreationDate", topic.date)}${tag("CreationAuthor", topic.author)}${tag("AssignedTo", topic.assigned_to)}${tag("Description", topic.description)}</Topic>${comment}` +
    `<Viewpoints Guid="${guids.viewpoint}"><Viewpoint>viewpoint.bcfv</Viewpoint>${picture ? "<Snapshot>snapshot.png</Snapshot>" : ""}</Viewpoints></Markup>`;
  return zip([
    { name: "bcf.version", data: `${HEAD}<Version VersionId="2.1"><DetailedVersion>2.1</DetailedVersion></Version>` },
    { name: `${topic.guid}/markup.bcf`, data: markup },
    { name: `${topic.guid}/viewpoint.bcfv`, data: viewpointXml(guids.viewpoint, topic.viewpoint) },
    ...(picture ? [{ name: `${topic.guid}/snapshot.png`, data: picture }] : []),
  ]);
}

/** What a viewpoint shows. */
export interface Viewpoint {
  camera?: Camera;
  selection: string[];
  planes: SectionPlane[];
}

const child = (e: Element | undefined, name: string): Element | undefined => [...(e?.children ?? [])].find((c) => c.localName === name);

function point(e: Element | undefined): Point | undefined {
  const numbers = ["X", "Y", "Z"].map((name) => Number(child(e, name)?.textContent ?? NaN));
  return numbers.every(Number.isFinite) ? (numbers as Point) : undefined;
}

/** Reads a viewpoint of any version of BCF; what is not there is left out. */
export function readViewpoint(xml: string): Viewpoint {
  const root = new DOMParser().parseFromString(xml, "application/xml").documentElement;
  const out: Viewpoint = { selection: [], planes: [] };
  const parallel = child(root, "OrthogonalCamera");
  const seen = parallel ?? child(root, "PerspectiveCamera");
  const [eye, direction] = [point(child(seen, "CameraViewPoint")), point(child(seen, "CameraDirection"))];
  if (eye && direction) {
    const height = Number(child(parallel, "ViewToWorldScale")?.textContent ?? NaN);
    const length = Math.hypot(...direction) || 1;
    const reach = Number.isFinite(height) ? Math.max(2, height) : 10;
    const target = eye.map((n, i) => n + ((direction[i] ?? 0) / length) * reach) as Point;
    out.camera = parallel ? { eye, target, projection: "orthographic", height: Number.isFinite(height) ? height : 10 } : { eye, target, projection: "perspective" };
  }
  for (const one of child(child(root, "Components"), "Selection")?.children ?? []) {
    const id = one.getAttribute("IfcGuid");
    if (id) out.selection.push(id);
  }
  for (const one of child(root, "ClippingPlanes")?.children ?? []) {
    const [at, normal] = [point(child(one, "Location")), point(child(one, "Direction"))];
    if (at && normal) out.planes.push({ point: at, normal });
  }
  return out;
}
