// The 3D view: tiles as they come, one camera, picking, selection. It draws only when something changed.

import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Lookup, type Kind, type Tile } from "./glb";
import { Layer } from "./layer";
import type { Overlay } from "./overlay";
import { extent, identity, type TileEntry } from "./tileset";

interface Shown {
  entry: TileEntry;
  tile: Tile;
  lookup: Lookup;
  group: THREE.Group;
  meshes: Map<Kind, THREE.Mesh>;
  /** Where the building is cut, its inside: seen from above it fills what is cut. */
  inside: THREE.Mesh | undefined;
}

/** The angle of view in degrees: a plan is seen from so far that its walls do not lean. */
const FIELD = 40;
const FIELD_OF_PLAN = 12;

/** IFC's z up to three's y up. */
const up = (p: readonly number[]) => new THREE.Vector3(p[0] ?? 0, p[2] ?? 0, -(p[1] ?? 0));

/** The files' colours a little nearer to grey: pure green and red are hard to look at for long. */
function calm(colours: Uint8Array): Uint8Array {
  const out = new Uint8Array(colours);
  for (let i = 0; i + 3 < out.length; i += 4) {
    const [r, g, b] = [out[i] ?? 0, out[i + 1] ?? 0, out[i + 2] ?? 0];
    const grey = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    [r, g, b].forEach((v, k) => (out[i + k] = Math.round(v + (grey - v) * 0.3 + (130 - v) * 0.06)));
  }
  return out;
}

/** From which side one looks. */
export type Side = "iso" | "top" | "front";

export class Scene {
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.PerspectiveCamera(FIELD, 1, 0.05, 5000);
  private readonly controls: OrbitControls;
  private readonly content = new THREE.Group();
  private readonly selection = new THREE.Group();
  private readonly shown = new Map<string, Shown>();
  private readonly materials: Record<Kind, THREE.Material>;
  private readonly lines = new THREE.LineBasicMaterial({ transparent: true });
  private readonly highlight = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.5, depthTest: true });
  private readonly ghost = new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.16, depthTest: false });
  private readonly cut = new THREE.MeshBasicMaterial({
    side: THREE.BackSide,
    // the foot of a wall lies in the plane of the floor it stands on, and is to win
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -4,
  });
  private readonly layer: Layer;
  private overlay: Overlay | undefined;
  private highlighted = new Set<string>();
  private readonly hiddenStoreys = new Set<string>();
  private spaces = false;
  private origin: THREE.Vector3 | undefined;
  private selected: string | undefined;
  private wanted = false;
  private turned: { from: THREE.Vector3; to: THREE.Vector3; target: [THREE.Vector3, THREE.Vector3]; start: number } | undefined;

  constructor(
    private readonly host: HTMLElement,
    onPick: (id: string | undefined) => void,
  ) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.localClippingEnabled = true;
    host.append(this.renderer.domElement);
    this.layer = new Layer(host);
    const shared = { vertexColors: true, side: THREE.DoubleSide } as const;
    const offset = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 } as const;
    this.materials = {
      opaque: new THREE.MeshLambertMaterial({ ...shared, ...offset }),
      clear: new THREE.MeshLambertMaterial({ ...shared, ...offset, transparent: true, depthWrite: false }),
      space: new THREE.MeshLambertMaterial({ ...shared, transparent: true, depthWrite: false }),
    };
    this.highlight.polygonOffset = true;
    this.highlight.polygonOffsetFactor = -1;
    this.highlight.polygonOffsetUnits = -1;
    this.highlight.side = this.ghost.side = THREE.DoubleSide;
    const sun = new THREE.DirectionalLight(0xffffff, 1.7);
    sun.position.set(0.55, 1, 0.8);
    const back = new THREE.DirectionalLight(0xffffff, 0.55);
    back.position.set(-0.8, 0.35, -0.6);
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xb9bcc2, 1.65), sun, back, this.content, this.selection, this.layer.group);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.screenSpacePanning = true;
    this.controls.maxPolarAngle = Math.PI * 0.98;
    this.controls.addEventListener("change", () => this.draw());
    this.camera.position.set(20, 16, 24);
    this.theme();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme());
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.listen(onPick);
  }

  private theme() {
    const css = getComputedStyle(document.documentElement);
    const accent = new THREE.Color(css.getPropertyValue("--accent").trim() || "#2f6fb0");
    this.highlight.color = this.ghost.color = accent;
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.lines.color.set(dark ? 0x0b0d10 : 0x2a2e35);
    this.lines.opacity = (dark ? 0.55 : 0.38) * (this.overlay && this.overlay.cut === undefined ? 0.5 : 1);
    this.cut.color.set(dark ? 0x4d5560 : 0x3a404a);
    this.draw();
  }

  private resize() {
    const { clientWidth: w, clientHeight: h } = this.host;
    if (w === 0 || h === 0) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  /** Asks for a picture. */
  draw() {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => {
      this.wanted = false;
      if (this.turned) this.turn();
      const moved = this.controls.update();
      this.renderer.render(this.scene, this.camera);
      this.layer.place(this.camera, this.host.clientWidth, this.host.clientHeight);
      if (moved || this.turned) this.draw();
    });
  }

  private turn() {
    const t = this.turned;
    if (!t) return;
    const x = Math.min((performance.now() - t.start) / 320, 1);
    const ease = 1 - (1 - x) ** 3;
    this.camera.position.lerpVectors(t.from, t.to, ease);
    this.controls.target.lerpVectors(t.target[0], t.target[1], ease);
    if (x >= 1) this.turned = undefined;
  }

  /** The identities of the tiles in view. */
  tiles(): string[] {
    return [...this.shown.keys()];
  }

  /** Shows a tile. The first one decides what the picture's coordinates are relative to. */
  add(entry: TileEntry, tile: Tile) {
    this.origin ??= up(entry.origin);
    const group = new THREE.Group();
    group.position.copy(up(entry.origin)).sub(this.origin);
    const meshes = new Map<Kind, THREE.Mesh>();
    let inside: THREE.Mesh | undefined;
    for (const p of tile.primitives) {
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.BufferAttribute(p.positions, 3));
      const normals = new THREE.InterleavedBuffer(p.normals.array, p.normals.stride);
      geometry.setAttribute("normal", new THREE.InterleavedBufferAttribute(normals, 3, 0, true));
      geometry.setAttribute("color", new THREE.BufferAttribute(calm(p.colours), 4, true));
      geometry.setIndex(new THREE.BufferAttribute(p.indices, 1));
      const mesh = new THREE.Mesh(geometry, this.materials[p.kind]);
      mesh.renderOrder = p.kind === "opaque" ? 0 : p.kind === "clear" ? 2 : 3;
      meshes.set(p.kind, mesh);
      group.add(mesh);
      if (p.kind === "opaque") {
        inside = new THREE.Mesh(geometry, this.cut);
        group.add(inside);
      }
      if (p.kind !== "space" && p.indices.length < 900_000) {
        const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 28), this.lines);
        edges.renderOrder = 1;
        group.add(edges);
      }
    }
    this.content.add(group);
    const shown = { entry, tile, lookup: new Lookup(tile.elements), group, meshes, inside };
    this.shown.set(identity(entry), shown);
    this.reveal(shown);
    this.paint();
  }

  /** Takes a tile away. */
  drop(id: string) {
    const shown = this.shown.get(id);
    if (!shown) return;
    this.content.remove(shown.group);
    shown.group.traverse((o) => {
      if (o instanceof THREE.Mesh || o instanceof THREE.LineSegments) o.geometry.dispose();
    });
    this.shown.delete(id);
    this.paint();
  }

  /** Takes everything away. */
  clear() {
    this.tiles().forEach((id) => this.drop(id));
    this.origin = undefined;
  }

  private reveal(shown: Shown) {
    shown.group.visible = !this.hiddenStoreys.has(shown.entry.storey ?? "");
    const spaces = shown.meshes.get("space");
    if (spaces) spaces.visible = this.spaces;
    if (shown.inside) shown.inside.visible = this.overlay?.cut !== undefined;
  }

  /** Lays something over the model, in the plan of a storey or over the whole building, faintly; or takes it away. */
  lay(overlay: Overlay | undefined) {
    this.overlay = overlay;
    this.highlighted = new Set(overlay?.elements);
    const origin = this.origin ?? new THREE.Vector3();
    this.layer.show(overlay, origin);
    const cut = overlay?.cut;
    const planes = cut === undefined ? null : [new THREE.Plane(new THREE.Vector3(0, -1, 0), cut - origin.y)];
    for (const material of [...Object.values(this.materials), this.lines, this.highlight, this.ghost, this.cut]) {
      material.clippingPlanes = planes;
      material.needsUpdate = true;
    }
    const faint = overlay !== undefined && cut === undefined && overlay.rooms.length + overlay.path.length > 0;
    const opaque = this.materials.opaque;
    opaque.side = cut === undefined ? THREE.DoubleSide : THREE.FrontSide;
    opaque.transparent = faint;
    opaque.opacity = faint ? 0.14 : 1;
    opaque.depthWrite = !faint;
    this.shown.forEach((s) => this.reveal(s));
    this.theme();
    this.paint();
    this.camera.fov = cut === undefined ? FIELD : FIELD_OF_PLAN;
    this.camera.updateProjectionMatrix();
    if (overlay) this.fit({ side: cut === undefined ? "iso" : "top", overlay: true, jump: true });
  }

  /** Shows or hides what belongs to a storey. */
  showStorey(id: string, visible: boolean) {
    if (visible) this.hiddenStoreys.delete(id);
    else this.hiddenStoreys.add(id);
    this.shown.forEach((s) => this.reveal(s));
    this.paint();
  }

  /** Shows or hides rooms. */
  showSpaces(visible: boolean) {
    this.spaces = visible;
    this.shown.forEach((s) => this.reveal(s));
    this.draw();
  }

  /** Highlights an element; answers whether it has a shape in view. */
  select(id: string | undefined): boolean {
    this.selected = id;
    return this.paint();
  }

  /** Lays the highlight over the selected element. */
  private paint(): boolean {
    this.selection.children.forEach((c) => (c as THREE.Mesh).geometry.dispose());
    this.selection.clear();
    const ids = new Set(this.highlighted);
    if (this.selected !== undefined) ids.add(this.selected);
    let seen = false;
    for (const { tile, group, meshes } of ids.size === 0 ? [] : this.shown.values()) {
      const elements = group.visible ? tile.elements.filter((e) => ids.has(e.id)) : [];
      seen ||= elements.some((e) => e.id === this.selected && e.ranges.length > 0);
      for (const { kind, first, count } of elements.flatMap((e) => e.ranges)) {
        const source = meshes.get(kind)?.geometry;
        if (!source) continue;
        const part = new THREE.BufferGeometry();
        part.setAttribute("position", source.getAttribute("position"));
        part.setIndex(source.getIndex());
        part.setDrawRange(first * 3, count * 3);
        for (const material of [this.ghost, this.highlight]) {
          const mesh = new THREE.Mesh(part, material);
          mesh.position.copy(group.position);
          mesh.renderOrder = 5;
          mesh.frustumCulled = false;
          this.selection.add(mesh);
        }
      }
    }
    this.draw();
    return seen;
  }

  /** The box of an element in the picture's coordinates. */
  private boxOf(id: string): THREE.Box3 | undefined {
    const box = new THREE.Box3();
    const p = new THREE.Vector3();
    for (const { tile, group, meshes } of this.shown.values()) {
      for (const { kind, first, count } of tile.elements.find((e) => e.id === id)?.ranges ?? []) {
        const geometry = meshes.get(kind)?.geometry;
        const position = geometry?.getAttribute("position");
        const indices = geometry?.getIndex();
        if (!position || !indices) continue;
        for (let i = first * 3; i < (first + count) * 3; i++) {
          p.fromBufferAttribute(position as THREE.BufferAttribute, indices.getX(i)).add(group.position);
          box.expandByPoint(p);
        }
      }
    }
    return box.isEmpty() ? undefined : box;
  }

  /** The parts of the width and height of the page that its lower left corner takes, with what lies there over the model. */
  covered = { left: 0, bottom: 0 };

  /** Moves the camera so that everything, or one element with some of its surroundings, is in view. */
  fit(options: { side?: Side; element?: string; overlay?: boolean; jump?: boolean } = {}) {
    let box: THREE.Box3 | undefined;
    if (options.element) {
      box = this.boxOf(options.element);
      box?.expandByScalar(Math.max(1.5, box.getSize(new THREE.Vector3()).length() * 0.35));
    }
    if (options.overlay && this.overlay && this.origin) {
      const { min, max, cut } = this.overlay;
      const corners = [up(min), up(max)];
      box = new THREE.Box3().setFromPoints(corners).translate(this.origin.clone().negate()).expandByScalar(1);
      // what is cut away need not be in view
      if (cut !== undefined) box.max.y = Math.max(box.min.y, Math.min(box.max.y, cut - this.origin.y));
    }
    if (!box) {
      const entries = [...this.shown.values()].filter((s) => s.group.visible).map((s) => s.entry);
      const all = extent(entries);
      if (!all || !this.origin) return;
      box = new THREE.Box3().setFromPoints([up(all.min), up(all.max)]).translate(this.origin.clone().negate());
    }
    const target = box.getCenter(new THREE.Vector3());
    const direction = this.camera.position.clone().sub(this.controls.target);
    if (options.side === "iso") direction.set(0.75, 0.72, 1);
    if (options.side === "top") direction.set(0, 1, 0.0001);
    if (options.side === "front") direction.set(0, 0.08, 1);
    direction.normalize();
    // the farthest corner, seen in this direction, has to fit both ways
    const right = new THREE.Vector3().crossVectors(new THREE.Vector3(0, 1, 0), direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const tan = Math.tan((this.camera.fov * Math.PI) / 360);
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
      (i) => new THREE.Vector3(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z),
    );
    /** The place to look at and the distance from it, where this much of the page's width or height is covered. */
    const from = (left: number, bottom: number) => {
      const at = target.clone();
      let distance = 0.5;
      // near corners look larger: aim at the middle of what is seen, not of the box
      for (let round = 0; round < 4; round++) {
        distance = 0.5;
        for (const corner of corners.map((c) => c.clone().sub(at))) {
          const [x, y] = [Math.abs(corner.dot(right)) / this.camera.aspect / (1 - left), Math.abs(corner.dot(above)) / (1 - bottom)];
          distance = Math.max(distance, corner.dot(direction) + (Math.max(x, y) / tan) * 1.1);
        }
        const [x, y] = [right, above].map((axis) => {
          const seen = corners.map((c) => c.clone().sub(at)).map((c) => c.dot(axis) / (distance - c.dot(direction)));
          return ((Math.min(...seen) + Math.max(...seen)) / 2) * distance;
        });
        at.addScaledVector(right, x ?? 0).addScaledVector(above, y ?? 0);
      }
      const half = tan * distance;
      return { at: at.addScaledVector(right, -left * half * this.camera.aspect).addScaledVector(above, -bottom * half), distance };
    };
    // beside or above what covers a corner of the page, whichever leaves more room
    const ways = [from(this.covered.left, 0), from(0, this.covered.bottom)];
    const { at, distance } = ways[0]!.distance <= ways[1]!.distance ? ways[0]! : ways[1]!;
    target.copy(at);
    const size = box.getSize(new THREE.Vector3()).length();
    this.camera.near = Math.max(distance / 500, 0.02);
    this.camera.far = distance * 20 + size * 20;
    this.camera.updateProjectionMatrix();
    const to = target.clone().addScaledVector(direction, distance);
    if (options.jump) {
      this.camera.position.copy(to);
      this.controls.target.copy(target);
    } else {
      this.turned = { from: this.camera.position.clone(), to, target: [this.controls.target.clone(), target], start: performance.now() };
    }
    this.draw();
  }

  private listen(onPick: (id: string | undefined) => void) {
    const canvas = this.renderer.domElement;
    let down: [number, number] | undefined;
    canvas.addEventListener("pointerdown", (e) => {
      this.turned = undefined;
      down = e.button === 0 ? [e.clientX, e.clientY] : undefined;
    });
    canvas.addEventListener("pointerup", (e) => {
      if (!down || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      const hit = this.pick(e.clientX, e.clientY);
      onPick(hit);
    });
    canvas.addEventListener("dblclick", (e) => {
      const hit = this.pick(e.clientX, e.clientY);
      if (hit) this.fit({ element: hit });
    });
  }

  private pick(x: number, y: number): string | undefined {
    const r = this.renderer.domElement.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((x - r.left) / r.width) * 2 - 1, 1 - ((y - r.top) / r.height) * 2), this.camera);
    let best: { distance: number; id: string } | undefined;
    for (const { tile, lookup, group, meshes } of this.shown.values()) {
      if (!group.visible) continue;
      for (const [kind, mesh] of meshes) {
        if (!mesh.visible) continue;
        for (const hit of ray.intersectObject(mesh, false)) {
          // rooms give way to what stands in them
          const distance = hit.distance + (kind === "space" ? 1e6 : 0);
          const element = lookup.at(kind, hit.faceIndex ?? -1);
          const id = element === undefined ? undefined : tile.elements[element]?.id;
          if (id && (!best || distance < best.distance)) best = { distance, id };
        }
      }
    }
    return best?.id;
  }
}
