import { describe, expect, it } from "vitest";
import { bundles, measureBundle } from "../import/bundle-sizes.mjs";

describe("a bundle of the core", () => {
  it.each(bundles.filter(({ maxBytes }) => maxBytes))("$what is no larger than its target", async ({ imports, platform, maxBytes }) => {
    const { bytes } = await measureBundle(imports, platform);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  });

  it("holds nothing of vendors, grammars, prompts, search, lint and the reading of policies for a registry", async () => {
    const { modules } = await measureBundle({ index: ["defineTool", "createRegistry"] });
    expect(modules).toContain("packages/core/src/registry/create.ts");
    const unused = /core\/src\/(providers|grammar|prompt|search|lint|fit-tools|policy\/config|policy\/conditions)\b/;
    expect(modules.filter((file) => unused.test(file))).toEqual([]);
  });

  it("counts what is loaded later apart", async () => {
    const { later } = await measureBundle({ index: ["createRegistry"], "exports/policy": ["readPolicyConfig"] });
    expect([...later.keys()]).toEqual(expect.arrayContaining(["re2js", "semver", "@marcbachmann/cel-js"]));
    for (const size of later.values()) expect(size).toBeGreaterThan(500);
  });
});
