// Leaves out of the build what no picture of ours needs of three and three-mesh-bvh, and shortens the texts of shaders. A module that
// is left out keeps its names, so that what imports it stands; what would call them says so.
import type { Plugin } from "vite";

/** Materials, headsets and environment maps that are not used. */
const THREE = [
  /ShaderLib\/(background|backgroundCube|cube|distance|equirect|linedashed|meshmatcap|meshphong|meshphysical|meshtoon|points|shadow|sprite)\.glsl\.js$/,
  /ShaderChunk\/(clearcoat_\w+|gradientmap_pars_fragment|iridescence_\w+|lights_(phong|physical|toon)_\w+|map_particle_\w+|metalnessmap_\w+|roughnessmap_\w+|transmission_\w+)\.glsl\.js$/,
  /extras\/PMREMGenerator\.js$/,
];
/** Ways through a tree of triangles that are not gone. */
const BVH = [/three-mesh-bvh\/src\/core\/cast\/(bvhcast|closestPoint\w+|intersectsGeometry|raycast|raycastFirst|refit)(_indirect)?(\.generated)?\.js$/];
/** A tree is built there, and none is walked through. */
const BUILDING = [...BVH, /three-mesh-bvh\/src\/(core\/cast\/shapecast|core\/BVHTraversalHelper|math\/(ExtendedTriangle|OrientedBox)|utils\/\w+RayIntersectUtilities)\.js$/, /three\/src\/core\/Object3D\.js$/];

/** Instead of three's manager of headsets: there is none. */
const NO_HEADSET = `import { EventDispatcher } from "../../core/EventDispatcher.js";
import { WebGLAnimation } from "../webgl/WebGLAnimation.js";
export class WebXRManager extends EventDispatcher {
  cameraAutoUpdate = true; enabled = false; isPresenting = false;
  hasDepthSensing() { return false; }
  getDepthSensingMesh() { return null; }
  getEnvironmentBlendMode() { return undefined; }
  setAnimationLoop() {}
  updateCamera() {}
  getCamera() { return null; }
  getSession() { return null; }
  dispose() {}
}
void WebGLAnimation;
`;

/** The names that a module exports, with nothing behind them. */
export function hollow(code: string): string {
  const names = new Set<string>();
  for (const m of code.matchAll(/export\s+(?:default\s+)?(?:class|function\*?|const|let)\s+(\w+)/g)) names.add(m[1]!);
  for (const m of code.matchAll(/export\s*\{([^}]*)\}/g)) for (const one of m[1]!.split(",")) if (one.trim()) names.add(one.trim().split(/\s+as\s+/).at(-1)!);
  const whole = /export default\s/.test(code) ? 'export default "";\n' : "";
  const parts = [...names].map((name) => {
    if (/^(vertex|fragment)$/.test(name)) return `export const ${name} = "";`;
    return /^[A-Z]/.test(name) ? `export class ${name} {}` : `export function ${name}() { throw new Error("${name} is left out"); }`;
  });
  return whole + parts.join("\n");
}

/** A shader's text without comments and spare room. */
const shorter = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/\/\/[^\n]*/g, "").replace(/[ \t]+/g, " ").replace(/ ?\n\s*/g, "\n").replace(/ ?([=+*/,;{}()<>?:&|-]) ?/g, (whole, sign: string, at: number, all: string) => {
    // a line that starts with # keeps its room
    const start = all.lastIndexOf("\n", at) + 1;
    return all[start] === "#" ? whole : sign;
  });

export function slim(where: "page" | "worker"): Plugin {
  const out = where === "worker" ? BUILDING : [...THREE, ...BVH];
  return {
    name: "slim",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      const path = id.replace(/\\/g, "/").split("?")[0]!;
      if (where === "page" && /three\/src\/renderers\/webxr\/WebXRManager\.js$/.test(path)) return { code: NO_HEADSET, map: null };
      if (out.some((pattern) => pattern.test(path))) return { code: hollow(code), map: null };
      if (/shaders\/Shader(Chunk|Lib)\/\w+\.glsl\.js$/.test(path)) {
        return { code: code.replace(/\/\* glsl \*\/\s*`([^`]*)`/g, (_, text: string) => `\`${shorter(text)}\``), map: null };
      }
      if (/\/src\/view\/\w+\.ts$/.test(path)) return { code: code.replace(/\/\* glsl \*\/\s*`([^`]*)`/g, (_, text: string) => `\`${shorter(text)}\``), map: null };
      return null;
    },
  };
}
