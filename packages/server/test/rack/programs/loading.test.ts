import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const source = fileURLToPath(new URL("../../../src", import.meta.url));

/** What a file loads at once: its imports of values, and theirs. */
function loadedBy(file: string, found = new Map<string, string>()): Map<string, string> {
  const text = readFileSync(file, "utf8");
  for (const [, clause = "", from = ""] of text.matchAll(/^(?:import|export)\s+((?!type\b)[^;"']*?)\s*from\s+"([^"]+)";/gms)) {
    // `import { type A }` loads nothing that is used, but the compiler keeps it.
    if (clause === "" || found.has(from.startsWith(".") ? resolve(dirname(file), from) : from)) continue;
    if (!from.startsWith(".")) found.set(from, file);
    else {
      const path = resolve(dirname(file), from);
      found.set(path, file);
      loadedBy(path, found);
    }
  }
  return found;
}

it("nothing of the interpreter is loaded before the first program", () => {
  const loaded = loadedBy(resolve(source, "index.ts"));
  expect(loaded.has(resolve(source, "rack/programs/create-programs.ts"))).toBe(true);
  expect(loaded.get("@toolrack/code")).toBeUndefined();
  for (const file of ["program-runner.ts", "live-run.ts", "run-record.ts", "reach.ts"])
    expect(loaded.has(resolve(source, "rack/programs", file)), file).toBe(false);
  expect(loadedBy(resolve(source, "rack/programs/live-run.ts")).has("@toolrack/code")).toBe(true);
});
