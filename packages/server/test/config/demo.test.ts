import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { openRack } from "../../src/rack/open.ts";

describe("the configuration that npm start serves", () => {
  it("is sound, and its tools can be called", async () => {
    const file = fileURLToPath(new URL("../../../../examples/demo/toolrack.config.yaml", import.meta.url));
    const read = readConfig(readFileSync(file, "utf8"), file);
    if (!read.ok) throw new Error(read.issues.map(({ message }) => message).join("\n"));
    expect(read.warnings).toEqual([]);
    const rack = await openRack({ environment: {}, folder: temporaryFolder(), config: { ...read.config, store: { memory: true } } });
    try {
      for (const { id } of rack.settings.agents()) expect(rack.registry.view({ agent: id }).tools.length).toBeGreaterThan(0);
      const problems = rack.sources.list().flatMap((source) => source.problems);
      expect(problems).toEqual([]);
      await rack.sources.ready();
      expect((await rack.policyWarnings.list()).filter(({ kind }) => kind === "required-hidden")).toEqual([]);
    } finally {
      await rack.close({ graceMs: 0 });
    }
  });
});
