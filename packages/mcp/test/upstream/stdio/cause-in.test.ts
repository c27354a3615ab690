import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { causeIn } from "../../../src/upstream/stdio/cause-in.ts";

it("takes the line that says why a program ended out of what it wrote, and no stack", () => {
  const { stderr } = spawnSync(process.execPath, ["./not-there.mjs"], { encoding: "utf8", cwd: "/" });
  expect(causeIn(stderr)).toBe("Error: Cannot find module '/not-there.mjs'");
  const thrown = spawnSync(process.execPath, ["-e", "throw new TypeError('no key')"], { encoding: "utf8" });
  expect(causeIn(thrown.stderr)).toBe("TypeError: no key");
  const python =
    "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    import y\nModuleNotFoundError: No module named 'y'\n";
  expect(causeIn(python)).toBe("ModuleNotFoundError: No module named 'y'");
  expect(causeIn("npm error code E404\nnpm error 404 Not Found\n")).toBe("npm error 404 Not Found");
  expect(causeIn("Starting …\nThe port is taken.\n")).toBe("The port is taken.");
  expect(causeIn("    at a\n")).toBe("at a");
});
