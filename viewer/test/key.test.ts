import { describe, expect, it } from "vitest";
import { taken } from "../src/key";

describe("the key in an address", () => {
  it("is taken out of the fragment, and what else stands there stays", () => {
    expect(taken("#key=psk_local_1")).toEqual({ key: "psk_local_1", rest: "" });
    expect(taken("#plan&key=a%3Db&x=1")).toEqual({ key: "a=b", rest: "#plan&x=1" });
    expect(taken("#monkey=1")).toEqual({ rest: "#monkey=1" });
    expect(taken("")).toEqual({ rest: "" });
  });
});
