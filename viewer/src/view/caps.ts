// Faces where planes cut the model: filled in the element's colour with hatching, and a strong outline, as in a drawing.

import * as THREE from "three";
import type { Resident } from "./models";
import { axesOf, cut, filled, outlines } from "./slice";
import { FLAG } from "./states";
import { LineMaterial, LineSegments2, LineSegmentsGeometry } from "./wide";
import type { Viewer } from "./viewer";

const VERTEX = /* glsl */ `
attribute vec2 along;
attribute vec3 fill;
attribute float hatch;
uniform float pixel;
varying vec2 vAlong;
varying vec3 vFill;
varying float vHatch;
varying float vSize;
#include <clipping_planes_pars_vertex>
void main() {
  vAlong = along;
  vFill = fill;
  vHatch = hatch;
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  vSize = isOrthographic ? pixel : pixel * max(-mvPosition.z, 0.01);
  gl_Position = projectionMatrix * mvPosition;
  #include <clipping_planes_vertex>
}
`;
const FRAGMENT = /* glsl */ `
uniform vec3 ink;
varying vec2 vAlong;
varying vec3 vFill;
varying float vHatch;
varying float vSize;
#include <clipping_planes_pars_fragment>
float lines(vec2 p, float gap) {
  float d = abs(fract((p.x + p.y) * 0.70711 / gap) - 0.5) * gap;
  return 1.0 - smoothstep(0.4, 1.2, d / vSize);
}
void main() {
  #include <clipping_planes_fragment>
  // the hatching is of about the same width on the screen at every distance
  float gap = 0.06 * exp2(ceil(log2(max(1.0, 9.0 * vSize / 0.06))));
  vec2 p = vHatch < 0.5 ? vAlong : vec2(-vAlong.x, vAlong.y);
  float strength = lines(p, gap);
  if (vHatch > 1.5) strength = max(strength, lines(vec2(-p.x, p.y), gap));
  vec3 c = mix(vFill, ink, strength * 0.5);
  gl_FragColor = vec4(c, 1.0);
  #include <colorspace_fragment>
}
`;

interface Cap {
  fill: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  line: LineSegments2;
}

/** What one tile adds to a cap. */
interface Sheet {
  corners: number[];
  along: number[];
  colours: number[];
  hatch: number[];
  lines: number[];
}

/** Walls, slabs and the rest are told apart by their hatching. */
const hatchOf = (name: string) => (/slab|roof|footing|covering/i.test(name) ? 1 : /beam|column|member|plate|pile/i.test(name) ? 2 : 0);

export class Caps {
  readonly group = new THREE.Group();
  private caps: Cap[] = [];
  private planes: THREE.Plane[] = [];
  private jobs: { plane: number; tile: Resident }[] = [];
  private sheets: Sheet[][] = [];
  private tints = new WeakMap<Resident, Map<number, number>>();
  /** Milliseconds that the last caps took in all. */
  took = 0;

  constructor(private readonly viewer: Viewer) {
    viewer.stage.scene.add(this.group);
  }

  /** Starts anew for these planes. While it is not done, the old caps are away. */
  set(planes: THREE.Plane[], keep = false) {
    this.planes = planes;
    if (!keep) this.clear();
    this.sheets = planes.map(() => []);
    this.jobs = [];
    this.took = 0;
    const box = new THREE.Box3();
    planes.forEach((p, plane) => {
      for (const tile of this.viewer.models.tiles()) {
        if (!tile.model.visible || tile.model.older) continue;
        if (p.intersectsBox(box.copy(this.viewer.models.entryBox(tile.model, tile.entry)))) this.jobs.push({ plane, tile });
      }
    });
    if (this.jobs.length === 0) this.finish();
    else this.later();
  }

  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Beside the pictures, a few milliseconds at a time. */
  private later() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.work(8);
      if (this.jobs.length > 0) this.later();
    }, 0);
  }

  private work(budget: number) {
    const start = performance.now();
    while (this.jobs.length > 0 && performance.now() - start < budget) {
      const { plane, tile } = this.jobs.pop()!;
      this.sheets[plane]?.push(this.slice(this.planes[plane]!, tile));
    }
    this.took += performance.now() - start;
    if (this.jobs.length === 0) this.finish();
  }

  private slice(plane: THREE.Plane, tile: Resident): Sheet {
    const { states } = this.viewer;
    const sheet: Sheet = { corners: [], along: [], colours: [], hatch: [], lines: [] };
    const axes = axesOf(plane.normal);
    const local = new THREE.Plane(plane.normal, plane.constant + plane.normal.dot(tile.at));
    const foot = plane.normal.clone().multiplyScalar(-local.constant).add(tile.at);
    const [ou, ov] = [tile.at.dot(axes[0]), tile.at.dot(axes[1])];
    const colour = new THREE.Color();
    const put = (list: number[], x: number, y: number) => {
      list.push(foot.x + axes[0].x * x + axes[1].x * y, foot.y + axes[0].y * x + axes[1].y * y, foot.z + axes[0].z * x + axes[1].z * y);
    };
    for (const part of tile.prepared.parts) {
      const bvh = tile.bvh.get(part.kind);
      if (!bvh || part.kind === "space") continue;
      const found = cut(part, bvh, local, axes, (f) => (states.flags(f) & (FLAG.hidden | FLAG.ghost)) === 0);
      for (const [feature, lines] of found) {
        for (let i = 0; i < lines.length; i += 4) {
          put(sheet.lines, lines[i]!, lines[i + 1]!);
          put(sheet.lines, lines[i + 2]!, lines[i + 3]!);
        }
        if (part.kind !== "opaque") continue;
        colour.set((states.flags(feature) & FLAG.coloured) !== 0 ? states.colour(feature) : this.tint(tile, feature));
        // a cut is lighter than the surface, so that its hatching is seen
        colour.lerp(new THREE.Color(0xffffff), 0.35);
        if ((states.flags(feature) & FLAG.selected) !== 0) colour.lerp(this.viewer.materials.uniforms.accent.value, 0.6);
        const hatch = hatchOf(tile.prepared.classes[feature - tile.base] ?? "");
        const triangles = filled(outlines(lines));
        for (let i = 0; i < triangles.length; i += 2) {
          put(sheet.corners, triangles[i]!, triangles[i + 1]!);
          sheet.along.push(triangles[i]! + ou, triangles[i + 1]! + ov);
          sheet.colours.push(colour.r, colour.g, colour.b);
          sheet.hatch.push(hatch);
        }
      }
    }
    return sheet;
  }

  /** The colour that the file gives an element. */
  private tint(tile: Resident, feature: number): number {
    let known = this.tints.get(tile);
    if (!known) {
      known = new Map();
      for (const { kind, features, colours } of tile.prepared.parts) {
        if (kind !== "opaque") continue;
        for (let i = 0; i < features.length; i++) {
          if (!known.has(features[i]!)) known.set(features[i]!, (colours[i * 4]! << 16) | (colours[i * 4 + 1]! << 8) | colours[i * 4 + 2]!);
        }
      }
      this.tints.set(tile, known);
    }
    return known.get(feature) ?? 0xb0b0b0;
  }

  private finish() {
    this.clear();
    const { uniforms } = this.viewer.materials;
    this.planes.forEach((plane, i) => {
      const sheets = this.sheets[i] ?? [];
      const joined = (pick: (s: Sheet) => number[]) => {
        const out = new Float32Array(sheets.reduce((n, s) => n + pick(s).length, 0));
        let at = 0;
        for (const s of sheets) {
          out.set(pick(s), at);
          at += pick(s).length;
        }
        return out;
      };
      // the other planes cut what this one shows
      const others = this.planes.filter((p) => p !== plane);
      const lines = joined((s) => s.lines);
      if (lines.length === 0) return;
      const geometry = new THREE.BufferGeometry();
      for (const [name, size, data] of [["position", 3, joined((s) => s.corners)], ["along", 2, joined((s) => s.along)], ["fill", 3, joined((s) => s.colours)], ["hatch", 1, joined((s) => s.hatch)]] as const) {
        geometry.setAttribute(name, new THREE.BufferAttribute(data, size));
      }
      const material = new THREE.ShaderMaterial({
        vertexShader: VERTEX, fragmentShader: FRAGMENT, side: THREE.DoubleSide, clipping: true, clippingPlanes: others, toneMapped: false,
        polygonOffset: true, polygonOffsetFactor: -0.5, polygonOffsetUnits: -1,
      });
      material.uniforms["pixel"] = uniforms.pixel;
      material.uniforms["ink"] = uniforms.ink;
      const fill = new THREE.Mesh(geometry, material);
      const wide = new LineSegmentsGeometry();
      wide.setPositions(lines);
      const ink = new LineMaterial({ color: uniforms.ink.value.getHex(), linewidth: 1.8, clippingPlanes: others, polygonOffset: true, polygonOffsetFactor: -1, polygonOffsetUnits: -3 });
      ink.resolution.set(this.viewer.width, this.viewer.height);
      const line = new LineSegments2(wide, ink);
      fill.frustumCulled = line.frustumCulled = false;
      fill.renderOrder = 1;
      line.renderOrder = 3;
      this.group.add(fill, line);
      this.caps.push({ fill, line });
    });
    this.viewer.draw();
  }

  private clear() {
    for (const { fill, line } of this.caps) {
      fill.geometry.dispose();
      fill.material.dispose();
      line.geometry.dispose();
      line.material.dispose();
    }
    this.caps = [];
    this.group.clear();
  }

  /** How much of caps is drawn: the area of all, in square metres. */
  area(): number {
    let sum = 0;
    const [a, b, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()];
    for (const { fill } of this.caps) {
      const p = fill.geometry.getAttribute("position");
      for (let i = 0; i + 2 < p.count; i += 3) sum += new THREE.Triangle(a.fromBufferAttribute(p, i), b.fromBufferAttribute(p, i + 1), c.fromBufferAttribute(p, i + 2)).getArea();
    }
    return sum;
  }

  dispose() {
    clearTimeout(this.timer);
    this.jobs = [];
    this.clear();
  }
}
