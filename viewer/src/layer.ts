export * from "./view/layer";
