import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { publicServer } from "@toolrack/testkit/public-servers";
import { describe, expect, it } from "vitest";
import { sourceOf } from "./upstreams.ts";

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-mcp-")));
  afterThisTest(() => rmSync(path, { recursive: true }));
  return path;
}

describe("public MCP servers from npm", () => {
  it("the filesystem server reads under our policy, and does not write", async () => {
    const root = folder();
    writeFileSync(join(root, "notes.txt"), "remember the milk");
    const registry = createRegistry({
      policy: readPolicyConfig({ tools: { allow: ["files__*"], deny: ["files__write_file", "files__edit_file", "files__move_file"] } }),
    });
    const status = await registry.addSource(
      sourceOf({ name: "files", command: process.execPath, args: [publicServer("server-filesystem"), root] }),
    );
    expect(status).toMatchObject({ state: "ready", problems: [] });
    const visible = registry.view({}).tools.map(({ name }) => name);
    expect(visible).toContain("files__read_text_file");
    expect(visible).not.toContain("files__write_file");
    expect(await registry.invoke("files__read_text_file", { path: join(root, "notes.txt") })).toMatchObject({
      ok: true,
      content: "remember the milk",
    });
    expect(await registry.invoke("files__write_file", { path: join(root, "x"), content: "x" })).toMatchObject({
      ok: false,
      code: "TOOL_NOT_ALLOWED",
    });
    expect(await registry.invoke("files__read_text_file", { path: "/etc/passwd" })).toMatchObject({ ok: false, code: "TOOL_FAILED" });
    expect(await registry.invoke("files__read_text_file", { file: "notes.txt" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(registry.get("files__read_text_file")).toMatchObject({
      inputSchema: { required: ["path"] },
      metadata: { annotations: { readOnly: true } },
    });
  });

  it("the memory server remembers, and a person approves what it forgets", async () => {
    const asked: string[] = [];
    const registry = createRegistry({
      policy: readPolicyConfig({ tools: { ask: ["memory__delete_*"] } }),
      approver: {
        async ask({ tool }) {
          asked.push(tool);
          return { action: "decline" };
        },
      },
    });
    await registry.addSource(
      sourceOf({
        name: "memory",
        command: process.execPath,
        args: [publicServer("server-memory")],
        env: { MEMORY_FILE_PATH: join(folder(), "memory.jsonl") },
      }),
    );
    const entities = [{ name: "Ada", entityType: "person", observations: ["wrote programs"] }];
    expect(await registry.invoke("memory__create_entities", { entities })).toMatchObject({ ok: true });
    expect(await registry.invoke("memory__delete_entities", { entityNames: ["Ada"] })).toMatchObject({
      ok: false,
      code: "APPROVAL_DENIED",
    });
    expect(asked).toEqual(["memory__delete_entities"]);
    expect(await registry.invoke("memory__search_nodes", { query: "programs" })).toMatchObject({ ok: true, data: { entities } });
  });
});
