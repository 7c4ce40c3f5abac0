// The stage: sky, ground, sun and its shadows, and the making of a picture.

import * as THREE from "three";
import type { Materials } from "./materials";
import { SOLID_LAYER } from "./batches";
import type { Settings } from "./types";

const SKY_VERTEX = /* glsl */ `
varying vec2 vAt;
void main() { vAt = position.xy; gl_Position = vec4(position.xy, 1.0, 1.0); }
`;
const SKY_FRAGMENT = /* glsl */ `
uniform mat4 unproject;
uniform vec3 zenith;
uniform vec3 horizon;
uniform vec3 nadir;
uniform bool flatSky;
varying vec2 vAt;
void main() {
  vec4 far = unproject * vec4(vAt, 1.0, 1.0);
  vec4 near = unproject * vec4(vAt, -1.0, 1.0);
  vec3 d = normalize(far.xyz / far.w - near.xyz / near.w);
  float up = flatSky ? vAt.y * 0.35 + 0.25 : d.y;
  vec3 c = up > 0.0 ? mix(horizon, zenith, pow(clamp(up * 1.25, 0.0, 1.0), 0.7)) : mix(horizon, nadir, clamp(-up * 6.0, 0.0, 1.0));
  // a little noise, so that the gradient shows no steps
  float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  gl_FragColor = vec4(c, 1.0);
  #include <colorspace_fragment>
  gl_FragColor.rgb += noise / 255.0;
}
`;

const GROUND_FRAGMENT = /* glsl */ `
#include <common>
#include <packing>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
uniform vec3 earth;
uniform vec3 horizon;
uniform vec4 box;
uniform float radius;
uniform float darkness;
uniform float contact;
varying vec3 vWorld;
void main() {
  float r = length(vWorld.xz - vec2(box.x + box.z, box.y + box.w) * 0.5) / radius;
  float fade = 1.0 - smoothstep(0.25, 1.0, r);
  // a soft shadow where the building meets the ground, wider than the sun's
  vec2 outside = max(max(box.xy - vWorld.xz, vWorld.xz - box.zw), 0.0);
  float near = exp(-dot(outside, outside) / (contact * contact));
  float light = mix(1.0, 0.62, 1.0 - getShadowMask()) * (1.0 - 0.2 * near);
  vec3 c = mix(earth * 0.94, earth, fade) * mix(1.0, light, darkness);
  gl_FragColor = vec4(c, fade);
  #include <colorspace_fragment>
}
`;
const GROUND_VERTEX = /* glsl */ `
#include <common>
#include <shadowmap_pars_vertex>
varying vec3 vWorld;
void main() {
  #include <beginnormal_vertex>
  #include <defaultnormal_vertex>
  vec4 worldPosition = modelMatrix * vec4(position, 1.0);
  vWorld = worldPosition.xyz;
  gl_Position = projectionMatrix * viewMatrix * worldPosition;
  #include <shadowmap_vertex>
}
`;

interface Theme {
  zenith: number;
  horizon: number;
  nadir: number;
  earth: number;
  ink: number;
  strength: number;
  hemisphere: [number, number, number];
  sun: [number, number];
  exposure: number;
}

const THEMES: Record<Settings["theme"], Theme> = {
  light: { zenith: 0x8fb4e0, horizon: 0xeef3f8, nadir: 0xdfe1de, earth: 0xdfe0da, ink: 0x22262c, strength: 0.62, hemisphere: [0xf3f7ff, 0xd2c9bc, 2.25], sun: [0xfff1da, 2.6], exposure: 1.08 },
  dark: { zenith: 0x141a23, horizon: 0x343c47, nadir: 0x20252c, earth: 0x31363c, ink: 0x0a0c0f, strength: 0.75, hemisphere: [0xdfe8f6, 0x8f8a84, 1.85], sun: [0xffeed8, 2.2], exposure: 0.95 },
};

export class Stage {
  readonly scene = new THREE.Scene();
  readonly sun = new THREE.DirectionalLight(0xffffff, 2);
  private readonly hemisphere = new THREE.HemisphereLight();
  private readonly sky: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly ground: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly content = new THREE.Box3();

  constructor(
    readonly renderer: THREE.WebGLRenderer,
    private readonly materials: Materials,
  ) {
    renderer.toneMapping = THREE.NeutralToneMapping;
    renderer.localClippingEnabled = true;
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = THREE.PCFShadowMap;
    renderer.shadowMap.autoUpdate = false;
    renderer.info.autoReset = false;
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 2.5;
    this.sun.shadow.bias = -0.0004;
    const u = materials.uniforms;
    const full = new THREE.BufferGeometry();
    full.setAttribute("position", new THREE.Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    this.sky = new THREE.Mesh(full, new THREE.ShaderMaterial({
      vertexShader: SKY_VERTEX, fragmentShader: SKY_FRAGMENT, depthTest: false, depthWrite: false, toneMapped: false,
      uniforms: { unproject: { value: new THREE.Matrix4() }, zenith: u.zenith, horizon: u.horizon, nadir: { value: new THREE.Color() }, flatSky: { value: false } },
    }));
    this.sky.frustumCulled = false;
    this.sky.renderOrder = -10;
    const plane = new THREE.CircleGeometry(1, 64).rotateX(-Math.PI / 2);
    this.ground = new THREE.Mesh(plane, new THREE.ShaderMaterial({
      vertexShader: GROUND_VERTEX, fragmentShader: GROUND_FRAGMENT, transparent: true, lights: true, toneMapped: false, depthWrite: false,
      uniforms: {
        ...THREE.UniformsUtils.clone(THREE.UniformsLib.lights),
        earth: { value: new THREE.Color() }, horizon: u.horizon, box: { value: new THREE.Vector4() }, radius: { value: 1 }, darkness: { value: 1 }, contact: { value: 1 },
      },
    }));
    this.ground.receiveShadow = true;
    this.ground.renderOrder = -5;
    this.scene.add(this.sky, this.ground, this.hemisphere, this.sun, this.sun.target);
  }

  theme(theme: Settings["theme"], accent: THREE.Color) {
    const t = THEMES[theme];
    const u = this.materials.uniforms;
    u.zenith.value.set(t.zenith);
    u.horizon.value.set(t.horizon);
    u.ink.value.set(t.ink);
    u.inkStrength.value = t.strength;
    u.accent.value.copy(accent);
    this.sky.material.uniforms["nadir"]!.value.set(t.nadir);
    this.ground.material.uniforms["earth"]!.value.set(t.earth);
    this.hemisphere.color.set(t.hemisphere[0]);
    this.hemisphere.groundColor.set(t.hemisphere[1]);
    this.hemisphere.intensity = t.hemisphere[2];
    this.sun.color.set(t.sun[0]);
    this.sun.intensity = t.sun[1];
    this.renderer.toneMappingExposure = t.exposure;
  }

  private wanted = { shadows: true, ground: true };
  private inPlan = false;

  settings({ shadows, ground }: Settings) {
    this.wanted = { shadows, ground };
    this.apply();
  }

  /** A plan is read by its lines: the sun throws no shadows over them. */
  plan(on: boolean) {
    this.inPlan = on;
    this.apply();
  }

  private apply() {
    const shadows = this.wanted.shadows && !this.inPlan;
    if (this.sun.castShadow !== shadows) {
      this.sun.castShadow = shadows;
      this.shade();
    }
    this.ground.visible = this.wanted.ground;
  }

  /** What is shown has this extent: the sun's map is laid over it, the ground under it. */
  extent(box: THREE.Box3) {
    if (box.isEmpty() || (box.min.equals(this.content.min) && box.max.equals(this.content.max))) return;
    this.content.copy(box);
    const sphere = box.getBoundingSphere(new THREE.Sphere());
    const direction = new THREE.Vector3(-0.52, 0.82, 0.68).normalize();
    this.sun.target.position.copy(sphere.center);
    this.sun.position.copy(sphere.center).addScaledVector(direction, sphere.radius * 2);
    this.sun.updateMatrixWorld();
    this.sun.target.updateMatrixWorld();
    const c = this.sun.shadow.camera;
    c.left = c.bottom = -sphere.radius * 1.02;
    c.right = c.top = sphere.radius * 1.02;
    c.near = sphere.radius * 0.2;
    c.far = sphere.radius * 4;
    c.updateProjectionMatrix();
    this.sun.shadow.normalBias = Math.max(0.02, (sphere.radius / 2048) * 2.5);
    const radius = sphere.radius * 6 + 30;
    this.ground.position.set(sphere.center.x, box.min.y - 0.02, sphere.center.z);
    this.ground.scale.setScalar(radius);
    this.ground.updateMatrixWorld();
    const g = this.ground.material.uniforms;
    g["box"]!.value.set(box.min.x, box.min.z, box.max.x, box.max.z);
    g["radius"]!.value = radius;
    g["contact"]!.value = Math.max(1, sphere.radius * 0.16);
    this.shade();
  }

  /** The shadows are to be made anew. */
  shade() {
    this.renderer.shadowMap.needsUpdate = true;
  }

  render(camera: THREE.PerspectiveCamera | THREE.OrthographicCamera) {
    const sky = this.sky.material.uniforms;
    camera.updateMatrixWorld();
    (sky["unproject"]!.value as THREE.Matrix4).copy(camera.matrixWorld).multiply(camera.projectionMatrixInverse);
    sky["flatSky"]!.value = camera instanceof THREE.OrthographicCamera;
    this.ground.material.uniforms["darkness"]!.value = this.sun.castShadow ? 1 : 0.4;
    camera.layers.enable(SOLID_LAYER);
    this.renderer.render(this.scene, camera);
  }

  dispose() {
    this.sky.geometry.dispose();
    this.sky.material.dispose();
    this.ground.geometry.dispose();
    this.ground.material.dispose();
    this.sun.shadow.map?.dispose();
  }
}
