// The camera: perspective or orthographic, moved by hand or to a place.

import CameraControls from "camera-controls";
import * as THREE from "three";
import { onwards } from "./fit";
import type { Space } from "./space";
import type { Camera, Side } from "./types";

CameraControls.install({
  THREE: {
    Vector2: THREE.Vector2, Vector3: THREE.Vector3, Vector4: THREE.Vector4, Quaternion: THREE.Quaternion, Matrix4: THREE.Matrix4,
    Spherical: THREE.Spherical, Box3: THREE.Box3, Sphere: THREE.Sphere, Raycaster: THREE.Raycaster,
  },
});

const FIELD = 42;
/** Half the height that the orthographic camera shows at zoom 1, in metres. */
const HALF = 10;

const DIRECTIONS: Record<Side, [number, number, number]> = {
  iso: [0.72, 0.6, 1],
  top: [0, 1, 0.00001],
  bottom: [0, -1, 0.00001],
  front: [0, 0, 1],
  back: [0, 0, -1],
  left: [-1, 0, 0],
  right: [1, 0, 0],
};

export class Rig {
  readonly perspective = new THREE.PerspectiveCamera(FIELD, 1, 0.05, 5000);
  readonly orthographic = new THREE.OrthographicCamera(-HALF, HALF, HALF, -HALF, -2000, 5000);
  readonly controls: CameraControls;
  private width = 1;
  private height = 1;

  constructor(
    private readonly space: Space,
    canvas: HTMLElement,
    private readonly moved: () => void,
    rested: () => void,
  ) {
    this.controls = new CameraControls(this.perspective, canvas);
    const c = this.controls;
    c.dollyToCursor = true;
    c.smoothTime = 0.16;
    c.draggingSmoothTime = 0.06;
    c.minDistance = 0.2;
    c.minZoom = 0.002;
    c.maxZoom = 200;
    c.infinityDolly = false;
    c.restThreshold = 0.003;
    this.mouse(false);
    void c.setLookAt(20, 15, 24, 0, 0, 0, false);
    for (const event of ["control", "controlstart", "wake", "transitionstart", "update"] as const) c.addEventListener(event, moved);
    for (const event of ["rest", "sleep"] as const) c.addEventListener(event, rested);
    c.addEventListener("controlstart", () => (this.framed = undefined));
    c.addEventListener("control", () => (this.framed = undefined));
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.controls.camera as THREE.PerspectiveCamera | THREE.OrthographicCamera;
  }

  get isPerspective(): boolean {
    return this.camera === this.perspective;
  }

  /** What the mouse and fingers do: turn, or in a plan only move. */
  mouse(flat: boolean) {
    const { ACTION } = CameraControls;
    const near = this.isPerspective ? ACTION.DOLLY : ACTION.ZOOM;
    Object.assign(this.controls.mouseButtons, { left: flat ? ACTION.TRUCK : ACTION.ROTATE, middle: ACTION.TRUCK, right: ACTION.TRUCK, wheel: near });
    this.controls.touches.one = flat ? ACTION.TOUCH_TRUCK : ACTION.TOUCH_ROTATE;
    this.controls.touches.two = this.isPerspective ? ACTION.TOUCH_DOLLY_TRUCK : ACTION.TOUCH_ZOOM_TRUCK;
    this.controls.touches.three = ACTION.TOUCH_TRUCK;
    this.flat = flat;
  }
  private flat = false;

  /** What was brought into view last, until somebody steers: it stays in view when the place for it changes. */
  private framed: { box: THREE.Box3; side: Side | undefined; margin: number } | undefined;

  resize(width: number, height: number) {
    [this.width, this.height] = [width, height];
    this.aspect(width / height);
    if (this.framed) this.fit(this.framed.box, this.framed.side, true, this.framed.margin);
    this.moved();
  }

  aspect(ratio: number) {
    this.perspective.aspect = ratio;
    this.orthographic.left = -HALF * ratio;
    this.orthographic.right = HALF * ratio;
    this.perspective.updateProjectionMatrix();
    this.orthographic.updateProjectionMatrix();
  }

  /** Pixels' size in metres: at one metre's distance, or anywhere. */
  pixel(height = this.height): number {
    return this.isPerspective ? (2 * Math.tan((this.perspective.fov * Math.PI) / 360)) / height : (2 * HALF) / this.orthographic.zoom / height;
  }

  project(kind: Camera["projection"]) {
    const next = kind === "perspective" ? this.perspective : this.orthographic;
    if (next === this.camera) return;
    const [eye, target] = [this.controls.getPosition(new THREE.Vector3()), this.controls.getTarget(new THREE.Vector3())];
    const distance = eye.distanceTo(target);
    const tan = Math.tan((FIELD * Math.PI) / 360);
    const zoom = this.orthographic.zoom;
    this.controls.camera = next;
    if (next === this.orthographic) {
      void this.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
      void this.controls.zoomTo(HALF / (distance * tan), false);
    } else {
      const far = HALF / zoom / tan;
      eye.sub(target).setLength(far).add(target);
      void this.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, false);
    }
    this.mouse(this.flat);
  }

  get(): Camera {
    const [eye, target] = [this.controls.getPosition(new THREE.Vector3()), this.controls.getTarget(new THREE.Vector3())];
    const base = { eye: this.space.from(eye), target: this.space.from(target) };
    return this.isPerspective
      ? { ...base, projection: "perspective" }
      : { ...base, projection: "orthographic", height: (2 * HALF) / this.orthographic.zoom };
  }

  look(camera: Camera, jump = false) {
    this.framed = undefined;
    const [eye, target] = [this.space.to(camera.eye), this.space.to(camera.target)];
    // straight up or down the camera would not know which way is up
    if (Math.hypot(eye.x - target.x, eye.z - target.z) < 1e-6) eye.z += eye.distanceTo(target) * 1e-5;
    this.project(camera.projection);
    if (camera.projection === "orthographic" && camera.height) void this.controls.zoomTo((2 * HALF) / camera.height, !jump);
    void this.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, !jump);
    this.moved();
  }

  /** Brings a box into view, from where one looks now or from a side. */
  fit(box: THREE.Box3, side: Side | undefined, jump = false, margin = 1.08) {
    if (box.isEmpty()) return;
    this.framed = { box: box.clone(), side, margin };
    const direction = side ? new THREE.Vector3(...DIRECTIONS[side]) : this.controls.getPosition(new THREE.Vector3()).sub(this.controls.getTarget(new THREE.Vector3()));
    direction.normalize();
    const tan = Math.tan((FIELD * Math.PI) / 360);
    const aspect = this.width / this.height;
    const { target, distance, height } = onwards(box, direction, aspect, this.isPerspective ? tan : 0, margin);
    const eye = target.clone().addScaledVector(direction, Math.max(distance, 0.6));
    if (!this.isPerspective) void this.controls.zoomTo((2 * HALF) / height, !jump);
    this.controls.normalizeRotations();
    void this.controls.setLookAt(eye.x, eye.y, eye.z, target.x, target.y, target.z, !jump);
    this.moved();
  }

  /** Near and far as tight as what is shown allows, so that depth is told apart finely. */
  tighten(box: THREE.Box3) {
    const camera = this.camera;
    if (box.isEmpty()) return;
    const eye = camera.position;
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const reach = sphere.radius * 2.2 + 10;
    const away = eye.distanceTo(sphere.center);
    if (camera === this.perspective) {
      // the ground before the model is in the picture, too
      const ground = Math.abs(eye.y - box.min.y) * 0.75;
      const near = Math.max(0.05, Math.min(away - sphere.radius * 1.05, box.distanceToPoint(eye) * 0.9, ground));
      const far = away + reach * 3;
      if (Math.abs(camera.near / near - 1) > 0.05 || Math.abs(camera.far / far - 1) > 0.05) {
        camera.near = near;
        camera.far = far;
        camera.updateProjectionMatrix();
      }
    } else {
      camera.near = away - reach * 3;
      camera.far = away + reach * 3;
      camera.updateProjectionMatrix();
    }
  }

  dispose() {
    this.controls.dispose();
  }
}
