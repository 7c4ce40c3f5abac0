export * from "./view/overlay";
