import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fakeTool } from "../../src/testing/fake-call.ts";

const source = fileURLToPath(new URL("../../src/", import.meta.url));

/** Every file that is loaded with an entry, by following what it imports for more than its types. */
function loadedWith(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const text = readFileSync(entry, "utf8");
  for (const [statement, path] of text.matchAll(/^(?:import|export)\b[^;]*?from\s+"(\.[^"]+)";/gm)) {
    if (/^(?:import|export)\s+type\b/.test(statement)) continue;
    const file = resolve(dirname(entry), path!);
    expect(existsSync(file), file).toBe(true);
    loadedWith(file, seen);
  }
  return seen;
}

describe("the default registry", () => {
  it("is one for the whole process", async () => {
    const { registry } = await import("@toolrack/core/default");
    const again = await import("@toolrack/core/default");
    registry.register(fakeTool());
    expect(again.registry.has("echo")).toBe(true);
    registry.unregister("echo");
  });

  it("does not exist for those who import only the library", () => {
    const loaded = loadedWith(resolve(source, "index.ts"));
    expect(loaded).toContain(resolve(source, "registry/create.ts"));
    expect(loaded).not.toContain(resolve(source, "registry/default.ts"));
  });
});
