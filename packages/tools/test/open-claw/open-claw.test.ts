import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { executeTool, findTool } from "@toolrack/core/array";
import { coreToolGroups } from "@toolrack/core/policy";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createMemoryCanvases, createOpenClawCodingTools, createOpenClawTools, type OpenClawCodingToolsOptions } from "../../src/index.ts";

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "toolrack-open-claw-"));
  afterThisTest(() => rmSync(made, { recursive: true }));
  return made;
}
const namesOf = (tools: readonly { readonly name: string }[]): string[] => tools.map(({ name }) => name);
const assemble = (options: Partial<OpenClawCodingToolsOptions> = {}): ReturnType<typeof createOpenClawCodingTools> =>
  createOpenClawCodingTools({ workspace: folder(), model: "claude-x", ...options });

describe("createOpenClawTools", () => {
  it("has every tool of group:openclaw, and no other", () => {
    const messages = { channels: { ops: { type: "webhook", url: "https://ops.example/" } } } as const;
    const host = {} as never;
    const automation = { schedules: host, settings: host, nodes: host };
    const sessions = { open: () => Promise.reject(new Error("No call is made.")) };
    const canvas = { host: createMemoryCanvases() };
    expect(namesOf(createOpenClawTools({ messages, automation, sessions, canvas })).sort()).toEqual(
      [...coreToolGroups.get("group:openclaw")!].sort(),
    );
  });
});

describe("createOpenClawCodingTools", () => {
  it("assembles in seven steps: files, programs, what the model gets, own tools, channels, policy, wrappers", () => {
    const { trace } = assemble({ model: "gpt-5" });
    expect(trace.map(({ stage }) => stage)).toEqual(["base", "runtime", "model", "own", "channel", "policy", "wrappers"]);
    expect(trace.slice(0, 3).map(({ added }) => added)).toEqual([
      ["read", "write", "edit", "grep", "find", "ls"],
      ["exec", "process"],
      ["apply_patch"],
    ]);
  });

  it("gives apply_patch to models that take it, and to no others", () => {
    expect(namesOf(assemble({ model: "gpt-5" }).tools)).toContain("apply_patch");
    expect(namesOf(assemble().tools)).not.toContain("apply_patch");
    expect(namesOf(assemble({ applyPatchModels: ["claude-*"] }).tools)).toContain("apply_patch");
  });

  it("has no tool without a host, and each one whose host is there", () => {
    const hosted = ["canvas", "cron", "gateway", "nodes", "sessions_list", "message"];
    expect(namesOf(assemble().tools).filter((name) => hosted.includes(name))).toEqual([]);
    expect(namesOf(assemble({ canvas: { host: createMemoryCanvases() } }).tools)).toContain("canvas");
  });

  it("adds the tools of channels, and applies the policy to all of them", () => {
    const pin = { name: "telegram_pin", description: "Pins.", parameters: { type: "object" }, execute: () => "pinned" };
    const channels = [{ id: "telegram", agentTools: [pin] }];
    expect(namesOf(assemble({ channels }).tools)).toContain("telegram_pin");
    const denied = assemble({ channels, config: { tools: { deny: ["telegram_*", "group:runtime"] } } });
    expect(namesOf(denied.tools)).toEqual(expect.arrayContaining(["read", "write", "edit"]));
    expect(namesOf(denied.tools).filter((name) => ["telegram_pin", "exec", "process"].includes(name))).toEqual([]);
  });

  it("keeps tools for the owner from others", () => {
    const reset = { name: "reset", description: "Resets.", parameters: { type: "object" }, ownerOnly: true, execute: () => "done" };
    const channels = [{ id: "telegram", agentTools: [reset] }];
    expect(namesOf(assemble({ channels }).tools)).not.toContain("reset");
    expect(namesOf(assemble({ channels, owner: true }).tools)).toContain("reset");
  });

  it("wraps each tool: paths stay inside, hooks and the signal reach every call", async () => {
    const workspace = folder();
    writeFileSync(join(workspace, "a.txt"), "hello");
    const controller = new AbortController();
    const seen: string[] = [];
    const { tools, trace } = assemble({
      workspace,
      signal: controller.signal,
      beforeToolCall: ({ tool, input }) => (seen.push(tool), input["path"] === "secret.txt" ? { block: "Not this one." } : undefined),
    });
    expect(trace.at(-1)!.wrapped).toEqual(namesOf(tools));
    const read = findTool(tools, "read");
    expect(await executeTool(read, { path: "a.txt" })).toMatchObject({ ok: true, content: expect.stringContaining("hello") });
    expect(await executeTool(read, { path: "../a.txt" })).toMatchObject({ ok: false });
    expect(await executeTool(read, { path: "secret.txt" })).toMatchObject({ ok: false, error: expect.stringContaining("Not this one.") });
    expect(seen).toContain("read");
    controller.abort();
    expect(await executeTool(read, { path: "a.txt" })).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("replaces an image that is none by a text", async () => {
    const shot = defineTool({
      name: "shot",
      description: "Takes a picture.",
      inputSchema: { type: "object" },
      handler: () => [{ type: "image" as const, data: "AAAA", mimeType: "image/png" }],
    });
    const { tools } = assemble({ channels: [{ id: "camera", agentTools: [shot] }] });
    const result = await executeTool(findTool(tools, "shot"), {});
    expect(result.ok && result.blocks).toEqual([{ type: "text", text: expect.any(String) }]);
  });
});
