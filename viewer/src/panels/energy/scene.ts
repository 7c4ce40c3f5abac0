// The surfaces of an energy model in a small 3D view of their own, for the model has no tiles: flat colours, edges, glass clear; orbit, pick.

import CameraControls from "camera-controls";
import * as THREE from "three";
import type { Surface } from "./surfaces";
import { normalOf } from "./surfaces";

let installed = false;

export interface Scene {
  element: HTMLElement;
  /** A colour for each surface by its name; what has none is faint. */
  colour(colours: Map<string, string>): void;
  choose(names: Set<string>): void;
  fit(): void;
  picked: (surface: Surface | undefined) => void;
  close(): void;
}

const OPENINGS = new Set(["window", "glassdoor", "door"]);

/** Triangles of a polygon in space, as indices of its corners. */
export function triangles(corners: readonly [number, number, number][]): [number, number, number][] {
  const { normal } = normalOf(corners);
  // drawn on the plane that the polygon faces most
  const drop = normal.map(Math.abs).indexOf(Math.max(...normal.map(Math.abs)));
  const flat = corners.map((p) => new THREE.Vector2(...(p.filter((_, i) => i !== drop) as [number, number])));
  return THREE.ShapeUtils.triangulateShape(flat, []) as [number, number, number][];
}

export function scene(surfaces: Surface[]): Scene {
  // the whole of three would be kept for what is named whole
  if (!installed) {
    CameraControls.install({
      THREE: {
        Vector2: THREE.Vector2, Vector3: THREE.Vector3, Vector4: THREE.Vector4, Quaternion: THREE.Quaternion, Matrix4: THREE.Matrix4,
        Spherical: THREE.Spherical, Box3: THREE.Box3, Sphere: THREE.Sphere, Raycaster: THREE.Raycaster,
      },
    });
  }
  installed = true;
  const element = document.createElement("div");
  element.className = "energy-scene";
  element.tabIndex = 0;
  element.setAttribute("role", "application");
  element.setAttribute("aria-label", "Surfaces of the energy model in 3D. Arrows turn, plus and minus zoom.");
  const renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setClearColor(0, 0);
  element.append(renderer.domElement);
  const world = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(36, 1, 0.1, 2000);
  camera.up.set(0, 0, 1);
  world.add(new THREE.HemisphereLight(0xffffff, 0xb9b2a4, 2.1));
  const sun = new THREE.DirectionalLight(0xffffff, 1.3);
  sun.position.set(-0.5, -1, 1.4);
  world.add(sun);

  const places: number[] = [];
  const normals: number[] = [];
  const lines: number[] = [];
  const ofTriangle: Surface[] = [];
  const spans = new Map<string, [number, number]>();
  const glass: number[] = [];
  for (const surface of surfaces) {
    const { normal } = normalOf(surface.corners);
    const lift = OPENINGS.has(surface.kind) ? 0.02 : 0;
    const corners = surface.corners.map((p) => p.map((v, k) => v + (normal[k] ?? 0) * lift));
    const from = places.length / 3;
    for (const triangle of triangles(surface.corners)) {
      for (const i of triangle) {
        places.push(...(corners[i] ?? [0, 0, 0]));
        normals.push(...normal);
        glass.push(surface.kind === "window" || surface.kind === "glassdoor" ? 1 : 0);
      }
      ofTriangle.push(surface);
    }
    spans.set(surface.name, [from, places.length / 3]);
    corners.forEach((p, i) => lines.push(...p, ...(corners[(i + 1) % corners.length] ?? p)));
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  const colours = new THREE.Float32BufferAttribute(new Float32Array((places.length / 3) * 4).fill(1), 4);
  geometry.setAttribute("color", colours);
  const material = new THREE.MeshLambertMaterial({ vertexColors: true, transparent: true, side: THREE.DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  const mesh = new THREE.Mesh(geometry, material);
  const edges = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(lines, 3)), new THREE.LineBasicMaterial({ color: 0x2b3138, transparent: true, opacity: 0.55 }));
  world.add(mesh, edges);

  const controls = new CameraControls(camera, element);
  controls.smoothTime = 0.12;
  const clock = new THREE.Timer();
  let wanted = 0;
  const draw = (time: number) => {
    wanted = 0;
    clock.update(time);
    const moving = controls.update(clock.getDelta());
    renderer.render(world, camera);
    if (moving) ask();
  };
  const ask = () => {
    if (!wanted) wanted = requestAnimationFrame(draw);
  };
  for (const event of ["control", "controlstart", "transitionstart", "update", "wake"] as const) controls.addEventListener(event, ask);

  let chosen = new Set<string>();
  let given = new Map<string, string>();
  const shade = new THREE.Color();
  const accent = new THREE.Color("#ff9d2e");
  function paint(): void {
    for (const surface of surfaces) {
      const [from, to] = spans.get(surface.name) ?? [0, 0];
      const colour = given.get(surface.name);
      shade.set(colour ?? "#aab0b8");
      if (chosen.has(surface.name)) shade.lerp(accent, 0.75);
      for (let i = from; i < to; i++) colours.setXYZW(i, shade.r, shade.g, shade.b, colour ? (glass[i] ? 0.72 : 1) : 0.18);
    }
    colours.needsUpdate = true;
    ask();
  }

  const box = new THREE.Box3().setFromBufferAttribute(geometry.getAttribute("position") as THREE.BufferAttribute);
  function fit(): void {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const from = new THREE.Vector3(-0.62, -1, 0.72).normalize().multiplyScalar(sphere.radius * 3.1).add(sphere.center);
    void controls.setLookAt(from.x, from.y, from.z, sphere.center.x, sphere.center.y, sphere.center.z, false);
    camera.far = sphere.radius * 40;
    camera.near = sphere.radius / 100;
    camera.updateProjectionMatrix();
    void controls.fitToSphere(sphere, false);
    ask();
  }

  const result: Scene = {
    element,
    colour(next) {
      given = next;
      paint();
    },
    choose(names) {
      chosen = names;
      paint();
    },
    fit,
    picked: () => {},
    close() {
      cancelAnimationFrame(wanted);
      watch.disconnect();
      controls.dispose();
      for (const part of [geometry, material, edges.geometry, edges.material as THREE.Material]) part.dispose();
      renderer.dispose();
      renderer.forceContextLoss();
      element.remove();
    },
  };

  let first = true;
  const watch = new ResizeObserver(() => {
    const { clientWidth: w, clientHeight: tall } = element;
    if (w === 0 || tall === 0) return;
    renderer.setSize(w, tall, false);
    camera.aspect = w / tall;
    camera.updateProjectionMatrix();
    if (first) fit();
    first = false;
    ask();
  });
  watch.observe(element);

  let down: [number, number] = [0, 0];
  element.addEventListener("pointerdown", (e) => (down = [e.clientX, e.clientY]));
  element.addEventListener("pointerup", (e) => {
    if (Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
    const r = element.getBoundingClientRect();
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(((e.clientX - r.left) / r.width) * 2 - 1, 1 - ((e.clientY - r.top) / r.height) * 2), camera);
    const hits = caster.intersectObject(mesh, false);
    // what is faint is looked through
    const hit = hits.find((x) => given.has(ofTriangle[x.faceIndex ?? -1]?.name ?? "")) ?? hits[0];
    result.picked(hit ? ofTriangle[hit.faceIndex ?? -1] : undefined);
  });
  element.addEventListener("keydown", (e) => {
    const step = 0.12;
    if (e.key === "ArrowLeft") void controls.rotate(-step, 0, true);
    else if (e.key === "ArrowRight") void controls.rotate(step, 0, true);
    else if (e.key === "ArrowUp") void controls.rotate(0, -step, true);
    else if (e.key === "ArrowDown") void controls.rotate(0, step, true);
    else if (e.key === "+" || e.key === "=") void controls.dolly(camera.position.distanceTo(box.getCenter(new THREE.Vector3())) * 0.15, true);
    else if (e.key === "-") void controls.dolly(-camera.position.distanceTo(box.getCenter(new THREE.Vector3())) * 0.15, true);
    else if (e.key === "0") fit();
    else return;
    e.preventDefault();
    ask();
  });
  paint();
  return result;
}
