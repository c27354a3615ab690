import { chmodSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type ToolDefinition } from "@toolrack/core";
import { type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import { lintTools } from "@toolrack/core/lint";
import { assertTool } from "@toolrack/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFilesTools } from "../../src/files/files.ts";
import { createFileOperations } from "../../src/operations/node-files.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "../temporary-workspace.ts";

const main = 'const port = 80;\nconst host = "localhost";\n\nfunction start() {\n  return [host, port];\n}\n';
let workspace: TemporaryWorkspace;
let tools: ToolDefinition[];
let call: Invoke;

beforeEach(() => {
  workspace = createTemporaryWorkspace({ "README.md": "Hello\n\nSay Hello to everyone.\n", "src/main.ts": main });
  tools = createFilesTools({ root: workspace.root });
  call = invokerOf(tools);
});
afterEach(() => workspace.remove());

describe("the pack", () => {
  // row: J2
  it.each(["read", "write", "edit", "apply_patch", "grep", "find", "ls"])("%s passes the test kit, its examples included", async (name) => {
    const fresh = (): void => {
      workspace.remove();
      workspace = createTemporaryWorkspace({ "README.md": "Hello\n", "src/main.ts": main });
    };
    fresh();
    // The kit runs the first example several times, and an edit that was made cannot be made again: this disk forgets changes.
    const disk = createFileOperations({ root: workspace.root });
    const forget = async (): Promise<void> => {};
    const forgetful = { ...disk, stage: async () => ({ commit: forget, discard: forget }), remove: forget };
    const tool = createFilesTools({ root: workspace.root, files: forgetful }).find((one) => one.name === name)!;
    await assertTool(tool);
    for (const example of tool.metadata!.examples!) {
      fresh();
      const result = await invokerOf(createFilesTools({ root: workspace.root }))(name, example.input);
      expect(result).toMatchObject({ ok: true });
    }
  });

  it("lint finds nothing to say about its tools", () => {
    expect(lintTools(tools)).toEqual([]);
  });

  it("grep, find and ls join group:fs and the coding profile by their metadata", () => {
    const names = (policy: PolicyConfig): string[] => {
      const registry = createRegistry({ policy: readPolicyConfig(policy) });
      for (const tool of tools) registry.register(tool);
      return registry.view({}).tools.map((tool) => tool.name);
    };
    expect(names({ tools: { profile: "coding" } })).toEqual(["read", "write", "edit", "apply_patch", "grep", "find", "ls"]);
    expect(names({ tools: { deny: ["group:fs"] } })).toEqual([]);
  });
});

describe("read", () => {
  it("gives the text of a file and what it is", async () => {
    const result = await call("read", { path: "README.md" });
    expect(result).toMatchObject({
      ok: true,
      content: "Hello\n\nSay Hello to everyone.",
      data: { kind: "text", totalLines: 3, firstLine: 1, lastLine: 3, encoding: "utf-8", lineEnding: "\n" },
    });
  });

  it("gives a range of lines and says how to go on", async () => {
    const result = await call("read", { file_path: "src/main.ts", offset: 2, limit: 2 });
    expect(result).toMatchObject({ ok: true, data: { text: 'const host = "localhost";\n', firstLine: 2, lastLine: 3, nextOffset: 4 } });
    expect(result.ok && result.content).toContain("Go on with offset 4");
  });

  it("gives an image as an image", async () => {
    const png = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
    workspace.write("dot.png", png);
    const result = await call("read", { path: "dot.png" });
    expect(result).toMatchObject({ ok: true, data: { kind: "image", mimeType: "image/png" } });
    expect(result.ok && result.blocks?.[1]).toEqual({ type: "image", data: png.toString("base64"), mimeType: "image/png" });
  });

  it("names the nearest file where there is none", async () => {
    expect(await call("read", { path: "src/mian.ts" })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: '"src/mian.ts" does not exist. Did you mean "main.ts"?',
    });
  });

  it.each([
    ["a folder", "src", /is a folder/],
    ["binary data", "data.bin", /3 bytes of other data/],
    ["an offset behind the end", "README.md", /has 3 lines/],
  ])("refuses %s in a sentence", async (_, path, sentence) => {
    workspace.write("data.bin", Buffer.from([1, 0, 2]));
    const result = await call("read", { path, ...(path === "README.md" && { offset: 9 }) });
    expect(result).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringMatching(sentence) });
  });

  it("cuts what is too long and never loses its place", async () => {
    workspace.write("long.txt", `${"x".repeat(20_000)}\n${"line\n".repeat(5_000)}`);
    const first = await call("read", { path: "long.txt" });
    expect(first).toMatchObject({ ok: true, data: { totalLines: 5_001, lastLine: 2_000, nextOffset: 2_001 } });
    expect(first.ok && first.content.length).toBeLessThan(20_000);
  });
});

describe("write", () => {
  // row: B5
  it("creates a file with its folders and reports it", async () => {
    const result = await call("write", { path: "a/b/new.md", content: "text\n" });
    expect(result).toMatchObject({
      ok: true,
      data: { created: true, bytes: 5 },
      effects: [{ kind: "file", action: "create", target: "a/b/new.md" }],
    });
    expect(workspace.read("a/b/new.md")).toBe("text\n");
  });

  it("keeps permissions, byte order mark and line endings of the file it replaces", async () => {
    workspace.write("run.sh", "\uFEFFecho 1\r\necho 2\r\n");
    chmodSync(join(workspace.root, "run.sh"), 0o754);
    const result = await call("write", { path: "run.sh", content: "echo 3\necho 4\n" });
    expect(result).toMatchObject({ ok: true, data: { created: false, encoding: "utf-8-bom" }, effects: [{ action: "write" }] });
    expect(workspace.read("run.sh")).toBe("\uFEFFecho 3\r\necho 4\r\n");
    expect(statSync(join(workspace.root, "run.sh")).mode & 0o777).toBe(0o754);
  });

  it("writes in another encoding when asked, and says when that cannot be", async () => {
    await call("write", { path: "wide.txt", content: "Grüße", encoding: "utf-16be" });
    expect(workspace.bytes("wide.txt").subarray(0, 4)).toEqual(Buffer.from([0xfe, 0xff, 0, 0x47]));
    expect(await call("write", { path: "old.txt", content: "5 €", encoding: "latin1" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("€"),
    });
  });

  it("writes through a link that stays inside, and leaves the link", async () => {
    symlinkSync("README.md", join(workspace.root, "link.md"));
    await call("write", { path: "link.md", content: "changed" });
    expect(workspace.snapshot()).toMatchObject({ "README.md": "changed", "link.md": "→ README.md" });
  });

  it("does not write through a link that leads to nothing, which can be removed", async () => {
    symlinkSync("nowhere.md", join(workspace.root, "link.md"));
    expect(await call("write", { path: "link.md", content: "x" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("a link that leads to"),
    });
    expect(await call("apply_patch", { patch: "*** Begin Patch\n*** Delete File: link.md\n*** End Patch" })).toMatchObject({ ok: true });
    expect(Object.keys(workspace.snapshot())).toEqual(["README.md", "src/", "src/main.ts"]);
  });

  it("refuses a folder, a file that nobody may write, and what is protected", async () => {
    workspace.write("locked.txt", "x");
    chmodSync(join(workspace.root, "locked.txt"), 0o444);
    const before = workspace.snapshot();
    for (const path of ["src", "src/", ".", "locked.txt", ".git/config", "src/.GIT/hooks/pre-commit", "README.md/x"]) {
      expect({ path, ok: (await call("write", { path, content: "y" })).ok }).toEqual({ path, ok: false });
    }
    expect(workspace.snapshot()).toEqual(before);
  });
});

describe("edit", () => {
  // row: D10
  it("replaces one text, under its other names too", async () => {
    const result = await call("edit", { file_path: "src/main.ts", old_string: "port = 80", new_string: "port = 8080" });
    expect(result).toMatchObject({
      ok: true,
      data: { replacements: 1, firstLine: 1 },
      effects: [{ action: "write", target: "src/main.ts" }],
    });
    expect(workspace.read("src/main.ts")).toBe(main.replace("= 80", "= 8080"));
    expect(await call("edit", { path: "src/main.ts", oldText: "8080", newText: "9090" })).toMatchObject({ ok: true });
  });

  it("makes several edits at once, each found in the file as it was", async () => {
    const edits = [
      { old_text: "80", new_text: "localhost" },
      { old_text: '"localhost"', new_text: "80" },
    ];
    await call("edit", { path: "src/main.ts", edits });
    expect(workspace.read("src/main.ts")).toContain("const port = localhost;\nconst host = 80;\n");
  });

  it("makes none of several edits where one is wrong", async () => {
    const edits = [
      { old_text: "80", new_text: "81" },
      { old_text: "prot", new_text: "port" },
    ];
    expect(await call("edit", { path: "src/main.ts", edits })).toMatchObject({ ok: false, error: expect.stringContaining("edit 2") });
    expect(workspace.read("src/main.ts")).toBe(main);
  });

  it("refuses a text that is there twice, and names the lines", async () => {
    const result = await call("edit", { path: "README.md", old_text: "Hello", new_text: "Bye" });
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining("2 times, in lines 1, 3") });
    await call("edit", { path: "README.md", old_text: "Hello", new_text: "Bye", replace_all: true });
    expect(workspace.read("README.md")).toBe("Bye\n\nSay Bye to everyone.\n");
  });

  it("shows the nearest where the text is not there", async () => {
    const result = await call("edit", { path: "src/main.ts", old_text: "function start() {\nreturn [host, port];\n}", new_text: "" });
    expect(result).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(!result.ok && result.error).toBe(
      "src/main.ts: the text to replace was not found. The nearest differs only in its indentation:\n4: function start() {\n5:   return [host, port];\n6: }",
    );
    const typo = await call("edit", { path: "src/main.ts", old_text: "const hots = 'localhost';", new_text: "" });
    expect(!typo.ok && typo.error).toContain('The nearest is this:\n2: const host = "localhost";');
    const part = await call("edit", { path: "src/main.ts", old_text: "[host,  port]", new_text: "" });
    expect(!part.ok && part.error).toContain("differs only in its spaces and tabs:\n5:   return [host, port];");
    const none = await call("edit", { path: "src/main.ts", old_text: "zzzz qqqq", new_text: "" });
    expect(!none.ok && none.error).toContain("Nothing in the file is like it");
  });

  it("says which parameters are missing", async () => {
    expect(await call("edit", { path: "README.md", old_text: "x" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("new_text is required"),
    });
  });

  it.each([
    ["utf-8 with a mark and CRLF", Buffer.from("\uFEFFeins\r\nzwei ü\r\ndrei\r\n")],
    ["utf-16le", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("eins\nzwei ü\ndrei\n", "utf16le")])],
    ["utf-16be with CRLF", Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from("eins\r\nzwei ü\r\ndrei", "utf16le").swap16()])],
    ["latin1", Buffer.from("eins\nzwei ü\ndrei\n", "latin1")],
    ["mixed line endings", Buffer.from("eins\r\nzwei ü\ndrei\r\n")],
  ])("keeps every other byte of %s", async (_, bytes) => {
    workspace.write("f.txt", bytes);
    const there = await call("edit", { path: "f.txt", old_text: "eins\nzwei ü", new_text: "1\n2 ö" });
    expect(there).toMatchObject({ ok: true });
    expect(workspace.bytes("f.txt").equals(bytes)).toBe(false);
    await call("edit", { path: "f.txt", old_text: "1\n2 ö", new_text: "eins\nzwei ü" });
    expect(workspace.bytes("f.txt").equals(bytes)).toBe(true);
  });

  it("loses no edit of several that are made at once", async () => {
    workspace.write("n.txt", Array.from({ length: 20 }, (_, n) => `line ${n}.\n`).join(""));
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => call("edit", { path: "n.txt", old_text: `line ${n}.`, new_text: `row ${n}.` })),
    );
    expect(results.every((result) => result.ok)).toBe(true);
    expect(workspace.read("n.txt")).toBe(Array.from({ length: 20 }, (_, n) => `row ${n}.\n`).join(""));
  });
});

describe("grep, find and ls", () => {
  beforeEach(() => {
    workspace.write(".gitignore", "*.log\n/build/\n!keep.log\n");
    workspace.write("build/out.ts", "const port = 1;\n");
    workspace.write("src/debug.log", "const port\n");
    workspace.write("src/keep.log", "const port\n");
    workspace.write("node_modules/x/index.ts", "const port\n");
    workspace.write("src/deep/b.test.ts", "const PORT = 2;\r\n");
    workspace.write("data.bin", Buffer.from("const port\0"));
    symlinkSync("../work-outside", join(workspace.root, "escape"));
  });

  it("grep finds lines, in order, without what is ignored, binary or linked", async () => {
    const result = await call("grep", { pattern: "^const \\w+" });
    expect(result).toMatchObject({ ok: true, data: { truncated: false } });
    expect(result.ok && result.content.split("\n")).toEqual([
      "src/deep/b.test.ts:1: const PORT = 2;",
      "src/keep.log:1: const port",
      "src/main.ts:1: const port = 80;",
      'src/main.ts:2: const host = "localhost";',
    ]);
  });

  it("grep narrows by path and name, ignores case, shows context and stops at its limit", async () => {
    const found = async (input: object): Promise<string> => {
      const result = await call("grep", { pattern: "port", ...input });
      return result.ok ? result.content : result.error;
    };
    expect(await found({ glob: "*.test.ts", ignore_case: true })).toBe("src/deep/b.test.ts:1: const PORT = 2;");
    expect(await found({ path: "src/main.ts", context: 1, limit: 1 })).toContain('src/main.ts-2- const host = "localhost";');
    expect(await found({ path: "src/main.ts", limit: 1 })).toContain("more than 1");
    expect(await found({ path: "build", include_ignored: true })).toBe("build/out.ts:1: const port = 1;");
    expect(await found({ pattern: "[host, port]", literal: true })).toBe("src/main.ts:5:   return [host, port];");
    expect(await found({ pattern: "a(b" })).toContain("regular expression");
    expect(await found({ pattern: "nowhere" })).toMatch(/^Nothing was found in \d+ files\.$/);
  });

  it("find finds by name and by path", async () => {
    const found = async (input: object): Promise<unknown> => {
      const result = await call("find", input);
      return result.ok ? (result.data as { paths: string[] }).paths : result.error;
    };
    expect(await found({ pattern: "*.ts" })).toEqual(["src/deep/b.test.ts", "src/main.ts"]);
    expect(await found({ pattern: "src/**/*.{ts,log}" })).toEqual(["src/deep/b.test.ts", "src/keep.log", "src/main.ts"]);
    expect(await found({ pattern: "d*", kind: "folder" })).toEqual(["src/deep"]);
    expect(await found({ pattern: "*.ts", path: "src/deep" })).toEqual(["src/deep/b.test.ts"]);
    expect(await found({ pattern: "*.ts", path: "nowhere" })).toContain("does not exist");
  });

  it("ls lists a folder by name and marks folders and links", async () => {
    const result = await call("ls", {});
    expect(result.ok && result.content.split("\n")).toEqual([
      ".gitignore",
      "README.md",
      "build/",
      "data.bin",
      "escape@",
      "node_modules/",
      "src/",
    ]);
    expect(await call("ls", { path: "README.md" })).toMatchObject({ ok: false, error: expect.stringContaining("is not a folder") });
  });
});
