import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { measureWithPeers, placeFor } from "../lib/peers.mjs";

it("a module that needs nothing runs here, one whose package is absent does not run", () => {
  expect(placeFor([])).toEqual({ node: process.execPath, version: process.versions.node });
  expect(placeFor(["no-such-package"])).toEqual({ notRun: "no-such-package is not installed" });
});

it("peers that cannot be loaded say why, in their own rows, and the others are measured", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return pathToFileURL(join(folder, name));
  };
  const works = write("works.mjs", "export const create = (setting) => () => setting.count + 1;");
  const breaks = write("breaks.mjs", "export const create = () => { throw new Error('no engine'); };");
  const rows = await measureWithPeers({
    unit: { name: "unit", file: works },
    subjects: [
      { name: "absent", file: works, needs: ["no-such-package"] },
      { name: "broken", file: breaks },
      { name: "ours", file: works, target: 1_000 },
    ],
    setting: { count: 1 },
    rounds: 4,
    roundMs: 1,
    warmupMs: 5,
  });
  expect(rows).toEqual([
    expect.objectContaining({ name: "unit", ratio: 1 }),
    { name: "absent", notRun: "no-such-package is not installed" },
    { name: "broken", notRun: "no engine" },
    expect.objectContaining({ name: "ours", verdict: "ok" }),
  ]);
});
