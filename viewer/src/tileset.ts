export * from "./view/tileset";
