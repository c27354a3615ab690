import { openTestServer } from "@toolrack/testkit/test-server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../src/config/config.ts";

const open = (files: Readonly<Record<string, unknown>> = {}, agents: RackConfig["agents"] = {}) =>
  openTestServer({ config: { workspace: temporaryFolder(), tools: { packs: { files, runtime: { unconfined: true } } }, agents } });
type Server = Awaited<ReturnType<typeof open>>;

interface Stage {
  readonly stage: string;
  readonly added: readonly string[];
}

const stagesFor = async ({ ask }: Server, model: string): Promise<readonly Stage[]> =>
  (await ask("GET", `/assembly?runAs=${encodeURIComponent(JSON.stringify({ agent: "coder", model }))}`)).body.stages;
const namesOf = async (ask: Server["ask"]): Promise<readonly string[]> =>
  (await ask("GET", "/tools")).body.tools.map(({ name }: { readonly name: string }) => name);

describe("the assembly of coding tools", () => {
  // row: I12
  it("begins with the printed names, then exec and process, then apply_patch if the model supports it", async () => {
    await using server = await open();
    const stages = await stagesFor(server, "gpt-5");
    expect(stages[0]!.added.toSorted()).toEqual(["read", "write", "edit", "grep", "find", "ls"].toSorted());
    expect(stages[1]!.added).toEqual(["exec", "process"]);
    expect(stages[2]!.added).toEqual(["apply_patch"]);
    expect((await stagesFor(server, "claude-4"))[2]!.added).toEqual([]);
  });
});

describe("apply_patch on a server", () => {
  it.each([
    ["gpt-5", true],
    ["GPT-5-mini", true],
    ["o4-codex", true],
    ["claude-4", false],
    ["gemini-2.5-flash", false],
  ])("for an agent with the model %s is offered: %s", async (model, isOffered) => {
    await using server = await open({}, { coder: { model } } as RackConfig["agents"]);
    const coder = await server.as("coder");
    expect((await namesOf(coder)).includes("apply_patch")).toBe(isOffered);
    expect(await namesOf(coder)).toContain("edit");
    const called = await coder("POST", "/tools/apply_patch/call", {
      input: { patch: "*** Begin Patch\n*** Add File: a\n+a\n*** End Patch" },
    });
    expect(called.status).toBe(isOffered ? 200 : 403);
  });

  // row: G21
  it("is offered to the models of tools.packs.files.applyPatchModels, and with an empty list to all", async () => {
    await using claude = await open({ applyPatchModels: ["claude-*"] }, { coder: { model: "claude-4" } } as RackConfig["agents"]);
    expect(await namesOf(await claude.as("coder"))).toContain("apply_patch");
    await using all = await open({ applyPatchModels: [] });
    expect(await namesOf(await all.as("coder"))).toContain("apply_patch");
    await using none = await open();
    expect(await namesOf(await none.as("coder"))).not.toContain("apply_patch");
  });
});

describe("tools.aliases", () => {
  // row: C13
  it("call a tool by another name over HTTP, under the rules of its own name", async () => {
    await using server = await openTestServer({
      config: { tools: { aliases: { say: "echo" } }, policy: { agents: { quiet: { tools: { deny: ["echo"] } } } } },
    });
    const said = { input: { text: "hello" } };
    expect(await server.ask("POST", "/tools/Say/call", said)).toMatchObject({ status: 200, body: { meta: { tool: "echo" } } });
    expect(await (await server.as("quiet"))("POST", "/tools/say/call", said)).toMatchObject({ status: 403 });
    await expect(openTestServer({ config: { tools: { aliases: { say: "not a name" } } } })).rejects.toThrow(/aliases/);
  });
});
