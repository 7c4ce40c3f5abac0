// Shaders are made beside the pictures: the card's driver takes long for each, and a picture that needs one that is not there would
// stand still for it. So everything is asked for in advance, a piece at a time, and the model is drawn once what it needs is ready.

import * as THREE from "three";
import { SOLID_LAYER } from "./batches";
import type { Viewer } from "./viewer";

const pause = (ms = 0) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class Shaders {
  /** The model can be drawn. */
  ready = false;
  /** And its shading in corners, what is faint, what is selected. */
  full = false;
  /** Settles when the model can be drawn. */
  done: Promise<void>;
  private readonly samples = new THREE.Group();
  private readonly target = new THREE.WebGLRenderTarget(1, 1);
  private readonly known = new WeakSet<object>();
  private round = 0;

  constructor(private readonly viewer: Viewer) {
    // never drawn: they stand for the meshes that are to come
    this.samples.visible = false;
    viewer.stage.scene.add(this.samples);
    this.done = this.make();
  }

  /** Anew, after the card has lost what it had. */
  renew() {
    this.ready = this.full = false;
    this.done = this.make();
  }

  private async make(): Promise<void> {
    const round = ++this.round;
    const { materials, stage, rig, occlusion } = this.viewer;
    const { solid } = materials;
    const sun = rig.perspective;
    const alone = new THREE.PerspectiveCamera();
    alone.layers.set(SOLID_LAYER);
    const isOver = () => this.viewer.disposed || round !== this.round;
    try {
      await this.compile(stage.scene, sun, stage.scene, null, isOver);
      for (const material of [solid.opaque, materials.lines, solid.clear]) await this.one(material, sun, null, isOver);
      await this.one(materials.shadow, sun, this.target, isOver);
      await this.settle(isOver);
      if (isOver()) return;
      this.ready = true;
      this.viewer.draw();
      void this.rest(isOver, alone, occlusion);
    } catch (error) {
      // then pictures make what they need
      console.warn(error);
      this.ready = this.full = true;
    }
  }

  private async rest(isOver: () => boolean, alone: THREE.Camera, occlusion: Viewer["occlusion"]) {
    const { materials, rig } = this.viewer;
    await this.one(materials.normals, alone, this.target, isOver);
    for (const { scene, camera, target } of occlusion.passes()) await this.compile(scene, camera, scene, target, isOver);
    for (const material of [materials.ghost, materials.marked, materials.solid.space]) await this.one(material, rig.perspective, null, isOver);
    await this.settle(isOver);
    if (isOver()) return;
    this.full = true;
    this.viewer.draw();
  }

  private async one(material: THREE.Material, camera: THREE.Camera, target: THREE.WebGLRenderTarget | null, isOver: () => boolean) {
    const isLines = material === this.viewer.materials.lines;
    const sample = isLines ? new THREE.LineSegments(geometry(false), material) : new THREE.Mesh(geometry(true), material);
    sample.receiveShadow = true;
    this.samples.add(sample);
    await this.compile(sample, camera, this.viewer.stage.scene, target, isOver);
    this.samples.remove(sample);
    sample.geometry.dispose();
  }

  private async compile(what: THREE.Object3D, camera: THREE.Camera, scene: THREE.Scene, target: THREE.WebGLRenderTarget | null, isOver: () => boolean) {
    if (isOver()) return;
    const { renderer } = this.viewer;
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(target);
    renderer.compile(what, camera, scene);
    renderer.setRenderTarget(before);
    await pause();
  }

  /** Waits without standing still, then asks for the places of uniforms: an answer that the driver need not be waited for any more. */
  private async settle(isOver: () => boolean) {
    type Program = { isReady(): boolean; getUniforms(): unknown; getAttributes(): unknown };
    const programs = [...(this.viewer.renderer.info.programs ?? [])] as unknown as Program[];
    const slowest = performance.now() + 20_000;
    for (const program of programs) {
      if (this.known.has(program)) continue;
      while (!isOver() && !program.isReady() && performance.now() < slowest) await pause(10);
      await this.idle(isOver, slowest);
      if (isOver()) return;
      program.getUniforms();
      program.getAttributes();
      this.known.add(program);
    }
  }

  /** Once the card has done all it was told. */
  private async idle(isOver: () => boolean, slowest: number) {
    const gl = this.viewer.renderer.getContext() as WebGL2RenderingContext;
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    do await pause(4);
    while (fence && !isOver() && performance.now() < slowest && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED);
    if (fence) gl.deleteSync(fence);
  }

  dispose() {
    this.round++;
    this.target.dispose();
  }
}

function geometry(surface: boolean): THREE.BufferGeometry {
  const g = new THREE.BufferGeometry();
  g.setAttribute("position", new THREE.BufferAttribute(new Float32Array(9), 3));
  g.setAttribute("feature", new THREE.BufferAttribute(new Uint32Array(3), 1));
  if (!surface) return g;
  const packed = new THREE.InterleavedBuffer(new Int8Array(12), 4);
  g.setAttribute("normal", new THREE.InterleavedBufferAttribute(packed, 3, 0, true));
  g.setAttribute("lean", new THREE.InterleavedBufferAttribute(packed, 1, 3, true));
  g.setAttribute("tint", new THREE.BufferAttribute(new Uint8Array(12), 4, true));
  return g;
}
