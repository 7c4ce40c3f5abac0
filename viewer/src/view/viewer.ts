// The parts of the view put together, and the making of pictures when something changed.

import * as THREE from "three";
import { Batches } from "./batches";
import { Emitter } from "./emitter";
import { Loader } from "./loader";
import { Looks } from "./looks";
import { Materials } from "./materials";
import { Models } from "./models";
import { Occlusion } from "./occlusion";
import { Picker } from "./picking";
import { Pointer } from "./pointer";
import { Rig } from "./rig";
import { Shaders } from "./shaders";
import { Space, turnedBack } from "./space";
import { Stage } from "./stage";
import { FLAG, States } from "./states";
import { keyOf, type ElementKey, type Hit, type Settings, type Stats } from "./types";
import type { Place } from "./pointer";
import type { Struck } from "./picking";

/** What a tool puts into the picture, and what it wants to know of it. */
export interface Part {
  readonly name?: string;
  /** Before a picture; answers whether another is wanted. */
  before?(now: number): boolean;
  /** After the model is drawn: what lies over it. */
  after?(camera: THREE.Camera): void;
  click?(at: Place, add: boolean): boolean;
  double?(at: Place): boolean;
  hover?(at: Place | undefined): boolean;
  grab?(at: Place, e: PointerEvent): boolean;
  drag?(at: Place): void;
  release?(): void;
  dispose?(): void;
}

const REST_MS = 140;

export class Viewer {
  readonly space = new Space();
  readonly emitter = new Emitter();
  readonly states = new States();
  readonly materials = new Materials(this.states);
  readonly models = new Models(this.space, this.states);
  readonly looks = new Looks(this.models, this.states);
  readonly batches = new Batches(this.materials, this.states);
  readonly picker = new Picker(this.models, this.states);
  readonly renderer: THREE.WebGLRenderer;
  readonly stage: Stage;
  readonly rig: Rig;
  readonly loader: Loader;
  readonly occlusion: Occlusion;
  readonly shaders: Shaders;
  readonly canvas: HTMLCanvasElement;
  readonly parts: Part[] = [];
  readonly settings: Settings;
  /** What is drawn over everything, in the picture's coordinates. */
  readonly over = new THREE.Scene();
  private readonly pointer: Pointer;
  private readonly watch: ResizeObserver;
  private wanted = 0;
  private last = 0;
  private restless: ReturnType<typeof setTimeout> | undefined;
  private dragging: Part | undefined;
  private hovered: ElementKey | undefined;
  private figures = { drawCalls: 0, triangles: 0, frame: 0 };
  private content: THREE.Box3 | undefined;
  /** The camera that listeners know of. */
  private said = "";
  /** Nothing moved for a moment: the picture may take longer. */
  resting = false;
  disposed = false;

  constructor(readonly host: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: false, powerPreference: "high-performance" });
    this.canvas = this.renderer.domElement;
    Object.assign(this.canvas.style, { position: "absolute", inset: "0", display: "block", outline: "none", touchAction: "none" });
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "3D view of the model");
    if (getComputedStyle(host).position === "static") host.style.position = "relative";
    host.append(this.canvas);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    // asking whether a shader is right waits for it
    this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
    const gl = this.renderer.getContext();
    const named = gl.getExtension("WEBGL_debug_renderer_info");
    this.isSoftware = /swiftshader|llvmpipe|software/i.test(String(named ? gl.getParameter(named.UNMASKED_RENDERER_WEBGL) : ""));
    this.coarse = this.isSoftware ? 3 : 1;
    this.stage = new Stage(this.renderer, this.materials);
    this.stage.scene.add(this.batches.group);
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    this.settings = { shadows: true, occlusion: true, edges: true, ground: true, spaces: false, theme: dark ? "dark" : "light" };
    this.rig = new Rig(this.space, this.canvas, () => this.move(), () => this.draw());
    this.loader = new Loader(this);
    this.occlusion = new Occlusion(this);
    this.pointer = new Pointer(this.canvas, host, {
      click: (at, add) => void (this.parts.some((p) => p.click?.(at, add)) || this.emitter.tell("pick", this.hit(this.cast(at)), add)),
      double: (at) => void (this.parts.some((p) => p.double?.(at)) || this.doubled(at)),
      hover: (at) => void (this.parts.some((p) => p.hover?.(at)) || this.hover(at)),
      box: (from, to, add) => this.boxed(from, to, add),
      grab: (at, e) => (this.dragging = this.parts.find((p) => p.grab?.(at, e))) !== undefined,
      drag: (at) => this.dragging?.drag?.(at),
      release: () => this.dragging?.release?.(),
    }, (enabled) => (this.rig.controls.enabled = enabled && !this.steered));
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.shaders.renew();
      this.batches.renew();
      this.states.send();
      this.stage.shade();
      this.draw();
    });
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(host);
    this.resize();
    this.theme();
    this.shaders = new Shaders(this);
  }

  /** Whether something else than the hand moves the camera. */
  steered = false;

  theme() {
    const accent = getComputedStyle(this.host).getPropertyValue("--accent").trim();
    this.stage.theme(this.settings.theme, new THREE.Color(accent || (this.settings.theme === "dark" ? "#6aa9e6" : "#2f6fb0")));
    this.draw();
  }

  get width(): number {
    return this.host.clientWidth;
  }

  get height(): number {
    return this.host.clientHeight;
  }

  private resize() {
    if (this.width === 0 || this.height === 0) return;
    this.renderer.setSize(this.width, this.height);
    this.rig.resize(this.width, this.height);
    // an emptied canvas until the next frame would flicker
    this.picture(performance.now());
  }

  /** Asks for a picture. Where the camera rests it stays as good as it is. */
  draw() {
    this.ask();
  }

  /** Asks for a picture because the camera moves: it may be a cheaper one. */
  private move() {
    this.resting = false;
    clearTimeout(this.restless);
    this.ask();
  }

  private ask() {
    if (this.wanted || this.disposed) return;
    this.wanted = requestAnimationFrame((now) => {
      this.wanted = 0;
      this.picture(now);
    });
  }

  /** How many times coarser occlusion is where the machine is slow. */
  coarse = 1;
  /** Pictures are made without a graphics card. */
  readonly isSoftware: boolean;
  private slow = 0;

  /** Looks at how long pictures take while the camera moves. */
  private pace(ms: number) {
    if (ms <= 0 || ms > 400) return;
    this.slow = this.slow * 0.85 + ms * 0.15;
    if (this.slow > 55) this.coarse = Math.max(this.coarse, 2);
    else if (this.slow < 24 && !this.isSoftware) this.coarse = 1;
  }

  /** Where the machine is slow, a moving picture has fewer pixels. */
  private sharpen() {
    const full = Math.min(window.devicePixelRatio, 2);
    const ratio = this.resting || this.slow < 70 ? full : full * 0.6;
    if (Math.abs(this.renderer.getPixelRatio() - ratio) > 0.01) this.renderer.setPixelRatio(ratio);
  }

  private rests = 0;

  private lasting(ms: number) {
    // the first ones prepare shaders
    if (++this.rests > 2 && ms > 300 && this.coarse < 3) this.coarse++;
  }

  private picture(now: number) {
    const start = performance.now();
    if (!this.resting) this.pace(now - this.last);
    this.sharpen();
    const seconds = Math.min((now - this.last) / 1000, 0.1);
    this.last = now;
    const moving = this.rig.controls.update(Math.max(seconds, 0.001));
    let more = moving;
    for (const part of this.parts) more = part.before?.(now) || more;
    // what glows does so in the full picture, unless that takes too long
    if (moving || (more && (this.steered || this.coarse > 1))) this.resting = false;
    this.paint();
    this.figures.frame = performance.now() - start;
    // a picture at rest that takes long is made coarser the next time
    if (this.resting && this.settings.occlusion) this.lasting(this.figures.frame);
    if (more) this.ask();
    if (more || !this.resting) {
      clearTimeout(this.restless);
      this.restless = setTimeout(() => this.rest(), REST_MS);
    }
  }

  /** One picture of what is now, without asking for another. */
  paint() {
    const { rig, renderer } = this;
    const info = renderer.info;
    info.reset();
    const box = this.bounds();
    rig.tighten(box);
    const camera = rig.camera;
    camera.updateMatrixWorld();
    this.materials.uniforms.pixel.value = rig.pixel();
    this.batches.detail(camera.position, rig.pixel(), rig.isPerspective);
    renderer.autoClear = true;
    if (this.shaders?.ready) this.model(camera);
    else {
      renderer.setClearColor(this.materials.uniforms.horizon.value, 1);
      renderer.clear();
    }
    for (const part of this.parts) part.after?.(camera);
    if (this.over.children.length > 0) {
      renderer.autoClear = false;
      renderer.render(this.over, camera);
      renderer.autoClear = true;
    }
    this.figures.drawCalls = info.render.calls;
    this.figures.triangles = info.render.triangles;
  }

  private model(camera: THREE.PerspectiveCamera | THREE.OrthographicCamera) {
    const isFull = this.shaders.full && this.models.all.size > 0;
    const shaded = isFull && this.resting && this.settings.occlusion;
    const tested = isFull && this.settings.edges && (this.resting || (this.coarse === 1 && this.slow < 30));
    if (shaded || tested) this.occlusion.surfaces(camera);
    this.materials.uniforms.tested.value = tested;
    this.stage.render(camera);
    if (shaded) this.occlusion.draw(camera);
  }

  private rest() {
    if (this.disposed) return;
    this.resting = true;
    this.ask();
    this.loader.look();
    const camera = this.rig.get();
    const said = JSON.stringify(camera);
    if (said !== this.said) this.emitter.tell("camera", camera);
    this.said = said;
    this.emitter.tell("stats", this.stats());
  }

  /** The box of all models, from the list of their tiles. */
  bounds(): THREE.Box3 {
    if (this.content) return this.content;
    const box = new THREE.Box3();
    for (const model of this.models.all.values()) {
      if (model.visible && !model.older) for (const entry of model.entries) box.union(this.models.entryBox(model, entry));
    }
    this.content = box;
    this.stage.extent(box);
    return box;
  }

  /** For what depends on which surfaces there are. */
  contentChanged: () => void = () => undefined;

  /** Other models, or moved ones. */
  changedModels() {
    this.content = undefined;
    this.contentChanged();
    this.stage.shade();
    this.draw();
  }

  /** Elements look otherwise; `shape` where some may have come or gone. */
  changedLooks(keys?: Iterable<ElementKey>, shape = true) {
    if (keys) this.looks.some(keys);
    else this.looks.all();
    this.batches.passes();
    if (shape) {
      this.stage.shade();
      this.contentChanged();
    }
    this.draw();
  }

  ray(at: Place): THREE.Ray {
    const ray = new THREE.Raycaster();
    this.rig.camera.updateMatrixWorld();
    ray.setFromCamera(new THREE.Vector2((at.x / this.width) * 2 - 1, 1 - (at.y / this.height) * 2), this.rig.camera);
    return ray.ray;
  }

  cast(at: Place): Struck | undefined {
    return this.picker.cast(this.ray(at));
  }

  keyOf(s: Struck): ElementKey {
    // what is picked of an older version belongs to the model
    return keyOf(s.tile.model.source.model, s.tile.prepared.ids[s.index] ?? "");
  }

  hit(s: Struck | undefined): Hit | undefined {
    return s && { key: this.keyOf(s), point: this.space.from(s.point), normal: turnedBack(s.normal) };
  }

  /** Where a place is on the page; undefined behind the camera. */
  screen(p: THREE.Vector3): Place | undefined {
    const v = p.clone().project(this.rig.camera);
    return v.z > 1 || v.z < -1 ? undefined : { x: ((v.x + 1) / 2) * this.width, y: ((1 - v.y) / 2) * this.height };
  }

  private doubled(at: Place) {
    const hit = this.hit(this.cast(at));
    if (hit) this.emitter.tell("doublePick", hit);
  }

  private hover(at: Place | undefined) {
    const hit = at && this.hit(this.cast(at));
    if (hit?.key === this.hovered) return;
    const touched = [this.hovered, hit?.key].filter((k) => k !== undefined);
    this.hovered = this.looks.hover = hit?.key;
    this.looks.some(touched);
    this.canvas.style.cursor = hit ? "pointer" : "";
    this.emitter.tell("hover", hit);
    this.draw();
  }

  private boxed(from: Place, to: Place, add: boolean) {
    const unit = (p: Place) => new THREE.Vector2((p.x / this.width) * 2 - 1, 1 - (p.y / this.height) * 2);
    const [a, b] = [unit(from), unit(to)];
    const [min, max] = [a.clone().min(b), a.clone().max(b)];
    const found = this.picker.within(this.rig.camera, min, max, to.x >= from.x);
    const keys = new Set(found.map(({ tile, index }) => keyOf(tile.model.source.model, tile.prepared.ids[index] ?? "")));
    this.emitter.tell("box", [...keys], add);
  }

  /** The box of elements, or of everything that is not hidden. */
  extent(keys?: Iterable<ElementKey>): THREE.Box3 {
    const [all, one] = [new THREE.Box3(), new THREE.Box3()];
    if (keys) {
      for (const key of keys) for (const ref of this.models.find(key)) all.union(this.models.boxOf(ref, one));
      return all;
    }
    for (const tile of this.models.tiles()) {
      if (!tile.model.visible || tile.model.older) continue;
      for (let index = 0; index < tile.prepared.ids.length; index++) {
        if ((this.states.flags(tile.base + index) & FLAG.hidden) === 0) all.union(this.models.boxOf({ tile, index }, one));
      }
    }
    return all.isEmpty() || this.loader.waiting > 0 ? all.union(this.bounds()) : all;
  }

  stats(): Stats {
    let [elements, tiles, loaded] = [0, 0, 0];
    for (const model of this.models.all.values()) {
      if (model.older) continue;
      tiles += model.entries.length;
      loaded += model.tiles.size;
      for (const t of model.tiles.values()) elements += t.prepared.ids.length;
    }
    return { elements, tiles, loaded, waiting: this.loader.waiting, bytes: this.loader.bytes, ...this.figures };
  }

  dispose() {
    this.disposed = true;
    cancelAnimationFrame(this.wanted);
    clearTimeout(this.restless);
    this.watch.disconnect();
    for (const part of this.parts) part.dispose?.();
    this.pointer.dispose();
    this.loader.dispose();
    this.shaders.dispose();
    this.occlusion.dispose();
    this.batches.dispose();
    this.stage.dispose();
    this.materials.dispose();
    this.states.dispose();
    this.rig.dispose();
    this.renderer.dispose();
    this.canvas.remove();
  }
}
