import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolResult } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";

const secret = "planted-outside-of-the-workspace";

interface Attacked {
  readonly workspace: string;
  readonly outside: string;
  call(tool: string, input: object): Promise<ToolResult>;
}

async function attacked(packs: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>): Promise<Attacked> {
  const outside = temporaryFolder();
  writeFileSync(join(outside, "secret.md"), secret);
  const folder = temporaryFolder();
  const workspace = join(folder, "workspace");
  for (const name of ["notes", "docs", "build"]) mkdirSync(join(workspace, name), { recursive: true });
  const rack = await openTestRack({ folder, config: { store: { memory: true }, tools: { packs } } });
  return { workspace, outside, call: (tool, input) => rack.call(tool, input, { caller: { owner: true } }).result };
}

/** What a program that may write to the workspace can do to a folder in it. */
function replaceByLink({ workspace, outside }: Attacked, name: string): void {
  rmSync(join(workspace, name), { recursive: true });
  symlinkSync(outside, join(workspace, name));
}

describe("a folder in the workspace that a pack works in", () => {
  it("SD1: is not followed out of the workspace by notes, when a link takes its place", async () => {
    const attack = await attacked({ memory: { folder: "notes" } });
    writeFileSync(join(attack.workspace, "notes/secret.md"), "mine");
    expect(await attack.call("memory_get", { note: "secret.md" })).toMatchObject({ ok: true });
    replaceByLink(attack, "notes");
    for (const [tool, input] of [
      ["memory_get", { note: "secret.md" }],
      ["memory_search", { query: "planted outside", source: "notes" }],
    ] as const) {
      const result = await attack.call(tool, input);
      expect({ tool, text: JSON.stringify(result) }).toEqual({ tool, text: expect.not.stringContaining(secret) });
    }
    expect(await attack.call("memory_get", { note: "secret.md" })).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
  });

  it("SD1: is not followed out of the workspace by file tools, when a link takes its place", async () => {
    const attack = await attacked({ files: { root: "docs" } });
    expect(await attack.call("write", { path: "a.md", content: "a" })).toMatchObject({ ok: true });
    replaceByLink(attack, "docs");
    for (const [tool, input] of [
      ["read", { path: "secret.md" }],
      ["ls", {}],
      ["write", { path: "new.md", content: "x" }],
      ["edit", { path: "secret.md", old_text: "planted", new_text: "x" }],
    ] as const)
      expect({ tool, result: await attack.call(tool, input) }).toMatchObject({
        tool,
        result: { ok: false, code: "PATH_OUTSIDE_WORKSPACE" },
      });
    const found = await attack.call("grep", { pattern: "planted" });
    expect(JSON.stringify(found)).not.toContain(secret);
    expect(readdirSync(attack.outside)).toEqual(["secret.md"]);
  });

  it("is used again when it was made anew, as a build does", async () => {
    const attack = await attacked({ files: { root: "docs" } });
    rmSync(join(attack.workspace, "docs"), { recursive: true });
    mkdirSync(join(attack.workspace, "docs"));
    expect(await attack.call("write", { path: "a.md", content: "a" })).toMatchObject({ ok: true });
  });

  it.each([false, true])("SD14: runs no programs, which could replace it while it is looked at (unconfined: %s)", async (unconfined) => {
    const attack = await attacked({ runtime: { root: "build", unconfined } });
    expect(await attack.call("exec", { argv: ["touch", "here"] })).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
    replaceByLink(attack, "build");
    expect(await attack.call("exec", { argv: ["touch", "planted"] })).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
    expect(readdirSync(attack.outside)).toEqual(["secret.md"]);
  });

  it("SD1: makes no folder elsewhere at the start, through a link in the workspace", async () => {
    const outside = temporaryFolder();
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace"));
    symlinkSync(outside, join(folder, "workspace/link"));
    await openTestRack({ folder, config: { store: { memory: true }, tools: { packs: { files: { root: "link/new" } } } } });
    expect(readdirSync(outside)).toEqual([]);
  });

  it("SD1: a workspace that became another folder is refused", async () => {
    const attack = await attacked({ files: true });
    renameSync(attack.workspace, `${attack.workspace}-moved`);
    symlinkSync(attack.outside, attack.workspace);
    expect(await attack.call("read", { path: "secret.md" })).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
  });
});
