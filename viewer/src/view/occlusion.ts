// Ambient occlusion, once the camera rests: corners and what lies under something are darker. From depth and directions of the opaque
// surfaces, multiplied onto the picture that is already there, so that the picture while moving needs nothing of it.

import * as THREE from "three";
import { SOLID_LAYER } from "./batches";
import type { Viewer } from "./viewer";

const VERTEX = /* glsl */ `
varying vec2 vUv;
void main() { vUv = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }
`;

const COMMON = /* glsl */ `
varying vec2 vUv;
uniform sampler2D depths;
uniform mat4 inverse;
uniform vec2 size;
vec3 placeAt(vec2 uv) {
  vec4 p = inverse * vec4(vec3(uv, texture2D(depths, uv).x) * 2.0 - 1.0, 1.0);
  return p.xyz / p.w;
}
`;

const GATHER = /* glsl */ `${COMMON}
uniform sampler2D normals;
uniform float pixel;
vec3 unfolded(vec2 e) {
  vec3 n = vec3(e, 1.0 - abs(e.x) - abs(e.y));
  float t = max(-n.z, 0.0);
  return normalize(vec3(n.xy + vec2(n.x >= 0.0 ? -t : t, n.y >= 0.0 ? -t : t), n.z));
}
uniform bool flatEye;
const int SAMPLES = 18;
const float TURNS = 7.0;
void main() {
  if (texture2D(depths, vUv).x >= 0.99999) { gl_FragColor = vec4(1.0, -60000.0, 0.0, 1.0); return; }
  vec3 p = placeAt(vUv);
  vec3 n = unfolded(texture2D(normals, vUv).xy * 2.0 - 1.0);
  float scale = flatEye ? pixel : pixel * -p.z;
  // wider where one is farther, so that it shows at any distance
  float reach = clamp(scale * 60.0, 0.35, 4.0);
  float inPixels = reach / scale;
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float sum = 0.0;
  for (int i = 0; i < SAMPLES; i++) {
    float part = (float(i) + 0.5) / float(SAMPLES);
    float angle = part * TURNS * 6.2831853 + noise * 6.2831853;
    vec2 uv = vUv + vec2(cos(angle), sin(angle)) * part * part * inPixels / size;
    vec3 v = placeAt(uv) - p;
    float square = dot(v, v);
    float f = max(reach * reach - square, 0.0) / (reach * reach);
    sum += f * f * max(dot(v, n) - 0.012 * reach - scale * 0.6, 0.0) / (square + 0.002 * reach) * reach;
  }
  float light = max(0.0, 1.0 - sum * 2.1 / float(SAMPLES));
  gl_FragColor = vec4(light, p.z, 0.0, 1.0);
}
`;

const SPREAD = /* glsl */ `
varying vec2 vUv;
uniform vec2 size;
uniform sampler2D light;
uniform float strength;
void main() {
  float here = texture2D(light, vUv).y;
  if (here < -50000.0) discard;
  float near = 1.0 / (0.02 * abs(here) + 0.02);
  float sum = 0.0;
  float all = 0.0;
  for (int x = -2; x <= 2; x++) for (int y = -2; y <= 2; y++) {
    vec2 t = texture2D(light, vUv + vec2(float(x), float(y)) / size).xy;
    float w = max(0.0, 1.0 - abs(t.y - here) * near) + 1e-4;
    sum += t.x * w;
    all += w;
  }
  float a = mix(1.0, sum / all, strength);
  // what little light comes there was thrown back by walls: warm rather than black
  gl_FragColor = vec4(mix(vec3(0.16, 0.15, 0.15), vec3(1.0), a), 1.0);
}
`;

export class Occlusion {
  private readonly solids: THREE.WebGLRenderTarget;
  private readonly light: THREE.WebGLRenderTarget;
  private readonly gather: THREE.ShaderMaterial;
  private readonly spread: THREE.ShaderMaterial;
  private readonly quad: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  private readonly flat = new THREE.OrthographicCamera();
  private readonly scene = new THREE.Scene();

  constructor(private readonly viewer: Viewer) {
    this.solids = new THREE.WebGLRenderTarget(1, 1, { depthTexture: new THREE.DepthTexture(1, 1, THREE.UnsignedIntType), magFilter: THREE.NearestFilter, minFilter: THREE.NearestFilter });
    this.light = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: false, format: THREE.RGFormat, type: THREE.HalfFloatType, magFilter: THREE.LinearFilter, minFilter: THREE.LinearFilter });
    const shared = { depths: { value: this.solids.depthTexture }, inverse: { value: new THREE.Matrix4() }, size: { value: new THREE.Vector2() } };
    const over = { depthTest: false, depthWrite: false, toneMapped: false, vertexShader: VERTEX } as const;
    this.gather = new THREE.ShaderMaterial({ ...over, fragmentShader: GATHER, uniforms: { ...shared, normals: { value: this.solids.texture }, pixel: { value: 1 }, flatEye: { value: false } } });
    this.spread = new THREE.ShaderMaterial({
      ...over, fragmentShader: SPREAD, transparent: true, blending: THREE.CustomBlending, blendSrc: THREE.ZeroFactor, blendDst: THREE.SrcColorFactor,
      blendSrcAlpha: THREE.ZeroFactor, blendDstAlpha: THREE.OneFactor, uniforms: { ...shared, light: { value: this.light.texture }, strength: { value: 0.78 } },
    });
    const full = new THREE.BufferGeometry();
    full.setAttribute("position", new THREE.Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    this.quad = new THREE.Mesh(full, this.gather);
    this.quad.frustumCulled = false;
    this.scene.add(this.quad);
  }

  /** What shaders are to be made of, and for which targets. */
  passes(): { scene: THREE.Scene; camera: THREE.Camera; target: THREE.WebGLRenderTarget | null }[] {
    const one = (material: THREE.ShaderMaterial) => new THREE.Scene().add(new THREE.Mesh(this.quad.geometry, material)) as THREE.Scene;
    return [{ scene: one(this.gather), camera: this.flat, target: this.light }, { scene: one(this.spread), camera: this.flat, target: null }];
  }

  /** The picture of surfaces: which element is where, and its direction. */
  surfaces(camera: THREE.PerspectiveCamera | THREE.OrthographicCamera) {
    const { renderer, stage, materials } = this.viewer;
    const buffer = renderer.getDrawingBufferSize(new THREE.Vector2());
    const share = 1 / Math.max(1, renderer.getPixelRatio());
    const [w, h] = [Math.max(1, Math.round(buffer.x * share)), Math.max(1, Math.round(buffer.y * share))];
    this.solids.setSize(w, h);
    materials.uniforms.surfaces.value = this.solids.texture;
    materials.uniforms.surfaceShare.value.set(w / buffer.x, h / buffer.y);
    const mask = camera.layers.mask;
    camera.layers.set(SOLID_LAYER);
    stage.scene.overrideMaterial = materials.normals;
    renderer.setRenderTarget(this.solids);
    renderer.setClearColor(0, 0);
    renderer.clear();
    renderer.render(stage.scene, camera);
    stage.scene.overrideMaterial = null;
    camera.layers.mask = mask;
    renderer.setRenderTarget(null);
  }

  /** Darkens the picture on the canvas; the picture of surfaces is there. */
  draw(camera: THREE.PerspectiveCamera | THREE.OrthographicCamera) {
    const { renderer } = this.viewer;
    const { width, height } = this.solids;
    const coarse = this.viewer.coarse;
    const [w, h] = [Math.max(1, Math.round(width / coarse)), Math.max(1, Math.round(height / coarse))];
    this.light.setSize(w, h);
    const u = this.gather.uniforms;
    (u["inverse"]!.value as THREE.Matrix4).copy(camera.projectionMatrixInverse);
    (u["size"]!.value as THREE.Vector2).set(w, h);
    u["flatEye"]!.value = camera instanceof THREE.OrthographicCamera;
    u["pixel"]!.value = this.viewer.rig.pixel(h);
    this.quad.material = this.gather;
    renderer.setRenderTarget(this.light);
    renderer.render(this.scene, this.flat);
    renderer.setRenderTarget(null);
    this.quad.material = this.spread;
    renderer.autoClear = false;
    renderer.render(this.scene, this.flat);
    renderer.autoClear = true;
  }

  dispose() {
    this.solids.dispose();
    this.light.dispose();
    this.gather.dispose();
    this.spread.dispose();
    this.quad.geometry.dispose();
  }
}
