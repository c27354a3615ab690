import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AnyTool } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { serverOver } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/read.ts";
import { openRack } from "../../src/rack/open.ts";

describe("the configuration that npm start serves", () => {
  // row: H6
  it("is sound, its tools and stored programs can be called, and each tool has a history", async () => {
    const file = fileURLToPath(new URL("../../../../examples/demo/toolrack.config.yaml", import.meta.url));
    const read = readConfig(readFileSync(file, "utf8"), file);
    if (!read.ok) throw new Error(read.issues.map(({ message }) => message).join("\n"));
    expect(read.warnings).toEqual([]);
    const { default: tools } = (await import(new URL("tools.js", `file://${file}`).href)) as { default: readonly AnyTool[] };
    const rack = await openRack({ environment: {}, folder: temporaryFolder(), config: { ...read.config, store: { memory: true } }, tools });
    try {
      for (const { id } of rack.settings.agents()) expect(rack.registry.view({ agent: id }).tools.length).toBeGreaterThan(0);
      const problems = rack.sources.list().flatMap((source) => source.problems);
      expect(problems).toEqual([]);
      await rack.sources.ready();
      await rack.trust.settled();
      const { ask } = serverOver(rack);
      const names = rack.registry.entries().map(({ tool }) => tool.name);
      expect(names.length).toBeGreaterThan(20);
      const without: string[] = [];
      for (const name of names) {
        const { status, body } = await ask("GET", `/breadcrumbs/tool-def-${name}/history`);
        if (status !== 200 || body.changes.length === 0) without.push(name);
      }
      expect(without).toEqual([]);
      const program = readFileSync(new URL("../../../../examples/demo/programs/cheapest.ts", import.meta.url), "utf8");
      const input = { code: program, input: { words: ["tent", "lamp"] } };
      const ran = await rack.call("run_code", input, { caller: { agent: "local", owner: true } }).result;
      expect(ran).toMatchObject({
        ok: true,
        data: { value: [{ word: "tent", cheapest: expect.any(String) as string }, { word: "lamp" }] },
      });
      expect((await rack.policyWarnings.list()).filter(({ kind }) => kind === "required-hidden")).toEqual([]);
      const folder = new URL("records/", `file://${file}`);
      const records = readdirSync(folder).map(
        (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as { context: { name: string } },
      );
      for (const record of records) await rack.store.put(record as never);
      await until(() => records.every(({ context }) => rack.registry.has(context.name)));
      for (const { context } of records) {
        expect(await rack.definitionProblem({ title: "", context: context as never })).toBeUndefined();
        const [{ input }] = (context as unknown as { examples: [{ input: object }] }).examples;
        expect(await rack.call(context.name, input, { caller: { agent: "local", owner: true } }).result).toMatchObject({ ok: true });
      }
    } finally {
      await rack.close({ graceMs: 0 });
    }
  });
});
