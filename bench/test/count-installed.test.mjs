import { expect, it } from "vitest";
import { countInstalled } from "../import/count-installed.mjs";

it("counts what an installation brings: nested, shared and optional packages once, development packages never", () => {
  const packages = {
    "packages/core": { dependencies: { a: "1", b: "1" }, devDependencies: { c: "1" } },
    "node_modules/a": { dependencies: { shared: "2" }, optionalDependencies: { d: "1", elsewhere: "1" } },
    "node_modules/a/node_modules/shared": {},
    "node_modules/b": { dependencies: { shared: "1", a: "1" } },
    "node_modules/shared": {},
    "node_modules/c": {},
    "node_modules/d": {},
  };
  expect(countInstalled(packages, "packages/core")).toBe(6);
});
