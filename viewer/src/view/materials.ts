// What surfaces and edges are drawn with: three's own lighting, with each element's state read from the texture of states.

import * as THREE from "three";
import type { States } from "./states";

/** What all shaders share. */
export interface Uniforms {
  states: { value: THREE.Texture };
  accent: { value: THREE.Color };
  /** How strong elements glow that just changed, 0 to 1. */
  glow: { value: number };
  /** How much of the older and of the newer version of a comparison is shown. */
  balance: { value: THREE.Vector2 };
  /** The size of a pixel in metres: at a distance of one metre, or anywhere where the camera is orthographic. */
  pixel: { value: number };
  ink: { value: THREE.Color };
  inkStrength: { value: number };
  zenith: { value: THREE.Color };
  horizon: { value: THREE.Color };
  /** Which element is nearest at each pixel, for edges: the picture of surfaces, how its pixels lie to those of the canvas, and whether it is there. */
  surfaces: { value: THREE.Texture | null };
  surfaceShare: { value: THREE.Vector2 };
  tested: { value: boolean };
}

export const uniformsFor = (states: States): Uniforms => ({
  states: states.uniform,
  accent: { value: new THREE.Color(0x2f6fb0) },
  glow: { value: 0 },
  balance: { value: new THREE.Vector2(1, 1) },
  pixel: { value: 0.001 },
  ink: { value: new THREE.Color(0x23272e) },
  inkStrength: { value: 0.6 },
  zenith: { value: new THREE.Color(0x9fbfe0) },
  horizon: { value: new THREE.Color(0xf2f5f8) },
  surfaces: { value: null },
  surfaceShare: { value: new THREE.Vector2(1, 1) },
  tested: { value: false },
});

/** Which elements a pass draws. */
type Pass = "solid" | "ghost" | "marked" | "all";
const WANTED: Record<Pass, string> = {
  solid: "(vFlags & 3u) == 0u",
  ghost: "(vFlags & 3u) == 2u",
  marked: "(vFlags & 1u) == 0u && (vFlags & 8u) != 0u",
  all: "(vFlags & 1u) == 0u",
};

const VERTEX = /* glsl */ `
attribute uint feature;
uniform highp sampler2D states;
uniform float pixel;
flat varying uint vFlags;
flat varying uint vFeature;
flat varying vec3 vState;
void readState() {
  // of an edge the upper bits say more
  vFeature = feature & 0xffffffu;
  vec4 s = texelFetch(states, ivec2(int(vFeature & 1023u), int(vFeature >> 10u)), 0);
  vFlags = uint(s.a * 255.0 + 0.5);
  vState = s.rgb;
}
float sizeAt(vec4 p) { return isOrthographic ? pixel : pixel * max(-p.z, 0.01); }
// where two elements share a face, the bigger one's is a hair nearer, so that it is always the same that is seen
float leaning(float size) { return clamp(size * 0.3, 0.001, 0.012); }
vec4 nearer(vec4 p, float by) { return p + (isOrthographic ? vec4(0.0, 0.0, by, 0.0) : vec4(-normalize(p.xyz) * by, 0.0)); }
`;

/** Moves a surface's depth, not its place. */
const LEAN = /* glsl */ `
vec4 leant = projectionMatrix * nearer(mvPosition, leaning(sizeAt(mvPosition)) * lean);
if (leant.w > 0.001) gl_Position.z = leant.z / leant.w * gl_Position.w;
`;

/** Direction and element of a surface, for occlusion and edges. */
const WRITTEN = /* glsl */ `
vec3 octa = normal / (abs(normal.x) + abs(normal.y) + abs(normal.z));
vec2 folded = octa.z >= 0.0 ? octa.xy : (1.0 - abs(octa.yx)) * vec2(octa.x >= 0.0 ? 1.0 : -1.0, octa.y >= 0.0 ? 1.0 : -1.0);
uint named = vFeature % 65535u + 1u;
gl_FragColor = vec4(folded * 0.5 + 0.5, float(named & 255u) / 255.0, float(named >> 8u) / 255.0);
}
`;

const FRAGMENT = /* glsl */ `
flat varying uint vFlags;
flat varying uint vFeature;
flat varying vec3 vState;
uniform vec2 balance;
// a comparison fades by leaving out pixels, so that depth stays right
void fadeOut() {
  float share = (vFlags & 16u) != 0u ? balance.x : (vFlags & 32u) != 0u ? balance.y : 1.0;
  if (share >= 1.0) return;
  ivec2 p = ivec2(gl_FragCoord.xy) & 3;
  int m = (p.x ^ p.y) * 4 + p.x;
  int b = ((m & 1) << 3) | ((m & 2) << 1) | ((m & 4) >> 1) | ((m & 8) >> 3);
  if (share <= (float(b) + 0.5) / 16.0) discard;
}
vec3 fromScreen(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
`;

/** Where a shader begins, however it is spaced. */
const MAIN = /void main\(\)\s*\{/;

/** Makes a material of three's read the states. */
function reading<M extends THREE.Material>(material: M, uniforms: Uniforms, pass: Pass, surface = ""): M {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    const coloured = surface !== "";
    const isShadow = material instanceof THREE.MeshDepthMaterial;
    shader.vertexShader = shader.vertexShader
      .replace(MAIN, `${VERTEX}${isShadow ? "" : "attribute float lean;\n"}${coloured ? "attribute vec4 tint;\nvarying vec4 vTint;\n" : ""}void main() {\nreadState();${coloured ? "vTint = tint;" : ""}`)
      .replace("#include <project_vertex>", `#include <project_vertex>\n${isShadow ? "" : LEAN}if (!(${WANTED[pass]})) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);`);
    shader.fragmentShader = shader.fragmentShader
      .replace(MAIN, `${FRAGMENT}${coloured ? "varying vec4 vTint;\nuniform vec3 accent;\nuniform float glow;\nuniform vec3 zenith;\nuniform vec3 horizon;\n" : ""}void main() {`)
      .replace("#include <clipping_planes_fragment>", "#include <clipping_planes_fragment>\nfadeOut();")
      .replace("#include <color_fragment>", surface);
    if (material instanceof THREE.MeshNormalMaterial) shader.fragmentShader = shader.fragmentShader.replace(/\}\s*$/, WRITTEN);
    if (pass === "solid" && material.userData["glass"]) shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>", GLASS);
  };
  material.customProgramCacheKey = () => `${material.type} ${pass} ${surface.length} ${String(material.userData["glass"] ?? "")}`;
  return material;
}

const SURFACE = /* glsl */ `
diffuseColor.rgb = fromScreen((vFlags & 4u) != 0u ? vState : vTint.rgb);
// pure colours of files are hard to look at for long, and nothing built is perfectly white or black
float grey = dot(diffuseColor.rgb, vec3(0.2126, 0.7152, 0.0722));
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(grey), (vFlags & 4u) != 0u ? 0.0 : 0.14) * 0.9 + 0.012;
if ((vFlags & 8u) != 0u) diffuseColor.rgb = mix(diffuseColor.rgb, accent, 0.62);
else if ((vFlags & 128u) != 0u) diffuseColor.rgb = mix(diffuseColor.rgb, accent, 0.25);
if ((vFlags & 64u) != 0u) diffuseColor.rgb = mix(diffuseColor.rgb, vec3(1.0, 0.55, 0.1), glow * 0.85);
`;

const CLEAR = /* glsl */ `${SURFACE}
diffuseColor.a = (vFlags & 4u) != 0u ? 0.62 : clamp(vTint.a, 0.16, 0.7);
if ((vFlags & 72u) != 0u) diffuseColor.a = max(diffuseColor.a, 0.6);
`;

/** Glass shows more of the sky the flatter one looks at it. */
const GLASS = /* glsl */ `
vec3 eye = isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(vViewPosition);
float facing = clamp(abs(dot(normal, eye)), 0.0, 1.0);
float fresnel = 0.05 + 0.95 * pow(1.0 - facing, 5.0);
vec3 mirrored = inverseTransformDirection(reflect(-eye, normal), viewMatrix);
vec3 sky = mix(horizon, zenith, clamp(mirrored.y * 1.4, 0.0, 1.0)) * (mirrored.y < 0.0 ? 0.55 : 1.0);
float gleam = (vFlags & 4u) != 0u ? 0.0 : clamp(fresnel + 0.1, 0.0, 1.0);
outgoingLight = mix(outgoingLight, sky, gleam);
diffuseColor.a = clamp(max(diffuseColor.a, gleam), 0.0, 1.0);
#include <opaque_fragment>
`;

const SPACE = /* glsl */ `${SURFACE}
diffuseColor.a = (vFlags & 4u) != 0u ? 0.66 : 0.22;
if ((vFlags & 8u) != 0u) diffuseColor.a = 0.5;
`;

const GHOST = /* glsl */ `${SURFACE}
diffuseColor.rgb = mix(diffuseColor.rgb, vec3(dot(diffuseColor.rgb, vec3(0.2126, 0.7152, 0.0722))), 0.6);
diffuseColor.a = 0.1;
`;

const MARKED = /* glsl */ `
diffuseColor = vec4(accent, 0.2);
`;

const LINES_VERTEX = /* glsl */ `
${VERTEX}
uniform float inkStrength;
varying float vStrength;
flat varying uint vClear;
#include <clipping_planes_pars_vertex>
void main() {
  readState();
  vec4 mvPosition = modelViewMatrix * vec4(position, 1.0);
  // a far model would become black with the lines of all that is small on it
  float size = sizeAt(mvPosition);
  vClear = feature >> 31u;
  vStrength = inkStrength * clamp(pow(0.022 / size, 0.85), 0.05, 1.0);
  if ((vFlags & 8u) != 0u) vStrength = 1.0;
  else if ((vFlags & 2u) != 0u) vStrength *= 0.3;
  // towards the eye by half a pixel's size, so that it wins over the surface it bounds; by no more than that is thick, so that it wins over no other
  float step = min(size * 0.5, 0.012) + leaning(size) * float((feature >> 24u) & 127u) / 127.0;
  gl_Position = projectionMatrix * nearer(mvPosition, step);
  if ((vFlags & 1u) != 0u || vStrength < 0.03) gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
  #include <clipping_planes_vertex>
}
`;

const LINES_FRAGMENT = /* glsl */ `
${FRAGMENT}
uniform vec3 ink;
uniform vec3 accent;
uniform sampler2D surfaces;
uniform vec2 surfaceShare;
uniform bool tested;
varying float vStrength;
flat varying uint vClear;
#include <clipping_planes_pars_fragment>
// an edge in the face of another element bounds nothing that is seen: its own element has to be the nearest beside it
bool isSeen() {
  uint named = vFeature % 65535u + 1u;
  vec2 wanted = vec2(float(named & 255u), float(named >> 8u)) / 255.0;
  ivec2 at = ivec2(gl_FragCoord.xy * surfaceShare);
  ivec2 most = textureSize(surfaces, 0) - 1;
  for (int i = 0; i < 9; i++) {
    vec2 found = texelFetch(surfaces, clamp(at + ivec2(i % 3 - 1, i / 3 - 1), ivec2(0), most), 0).ba - wanted;
    if (abs(found.x) + abs(found.y) < 0.002) return true;
  }
  return false;
}
void main() {
  #include <clipping_planes_fragment>
  fadeOut();
  if (tested && vClear == 0u && (vFlags & 10u) == 0u && !isSeen()) discard;
  gl_FragColor = vec4((vFlags & 8u) != 0u ? accent : ink, vStrength);
  #include <colorspace_fragment>
}
`;

export class Materials {
  readonly uniforms: Uniforms;
  readonly solid: Record<"opaque" | "clear" | "space", THREE.Material>;
  readonly ghost: THREE.Material;
  readonly marked: THREE.Material;
  readonly lines: THREE.ShaderMaterial;
  readonly shadow: THREE.Material;
  /** For occlusion: directions of surfaces. */
  readonly normals: THREE.Material;

  constructor(states: States) {
    const u = (this.uniforms = uniformsFor(states));
    // surfaces step back a little from the edges that are drawn on them
    const back = { polygonOffset: true, polygonOffsetFactor: 0.25, polygonOffsetUnits: 1, side: THREE.DoubleSide } as const;
    // both sides at once: in two passes each would need two programs and two calls
    const through = { transparent: true, depthWrite: false, forceSinglePass: true } as const;
    const glass = new THREE.MeshLambertMaterial({ ...back, ...through });
    glass.userData["glass"] = true;
    this.solid = {
      opaque: reading(new THREE.MeshLambertMaterial(back), u, "solid", SURFACE),
      clear: reading(glass, u, "solid", CLEAR),
      space: reading(new THREE.MeshLambertMaterial({ ...through, side: THREE.DoubleSide }), u, "solid", SPACE),
    };
    this.ghost = reading(new THREE.MeshLambertMaterial({ ...back, ...through }), u, "ghost", GHOST);
    this.marked = reading(new THREE.MeshBasicMaterial({ ...through, side: THREE.DoubleSide, depthTest: false, toneMapped: false }), u, "marked", MARKED);
    this.shadow = reading(new THREE.MeshDepthMaterial({ side: THREE.DoubleSide }), u, "solid");
    this.normals = reading(new THREE.MeshNormalMaterial({ side: THREE.DoubleSide }), u, "solid");
    this.lines = new THREE.ShaderMaterial({ vertexShader: LINES_VERTEX, fragmentShader: LINES_FRAGMENT, ...through, clipping: true });
    Object.assign(this.lines.uniforms, u);
  }

  all(): THREE.Material[] {
    return [...Object.values(this.solid), this.ghost, this.marked, this.lines, this.shadow, this.normals];
  }

  /** Cuts everything by planes; what lies where they point to stays. */
  clip(planes: THREE.Plane[]) {
    for (const material of this.all()) {
      material.clippingPlanes = planes.length > 0 ? planes : null;
      material.clipShadows = planes.length > 0;
      material.needsUpdate = true;
    }
  }

  dispose() {
    for (const material of this.all()) material.dispose();
  }
}
