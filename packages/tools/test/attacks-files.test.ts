import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ToolDefinition, ToolResult } from "@toolrack/core";
import { sized } from "@toolrack/testkit/sized";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCodeTools } from "../src/code/code.ts";
import { createFilesTools } from "../src/files/files.ts";
import { createProcessOperations } from "../src/operations/node-processes.ts";
import type { ProcessOperations } from "../src/operations/processes.ts";
import { createRuntimeTools } from "../src/runtime/runtime.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, outsideSecret, type TemporaryWorkspace } from "./temporary-workspace.ts";

let workspace: TemporaryWorkspace;
let processes: ProcessOperations;
let tools: ToolDefinition[];
let call: Invoke;
beforeEach(() => {
  workspace = createTemporaryWorkspace({ "a.txt": "inside\n", "sub/b.txt": "inside\n" });
  processes = createProcessOperations({ root: workspace.root });
  const { root } = workspace;
  tools = [
    ...createFilesTools({ root, processes }),
    ...createRuntimeTools({ root, processes }),
    ...createCodeTools({ root, processes, bash: true }),
  ];
  call = invokerOf(tools);
  symlinkSync("../work-outside", join(root, "folder-link"));
  symlinkSync("../work-outside/secret.txt", join(root, "file-link"));
  symlinkSync("../work-outside/not-there.txt", join(root, "dangling-link"));
  symlinkSync("../folder-link", join(root, "sub/link-to-link"));
  symlinkSync("/", join(root, "root-link"));
});
afterEach(async () => {
  await processes.close();
  workspace.remove();
});

/** Ways out, each in another notation. */
function waysOut(): string[] {
  const { outside } = workspace;
  return [
    "../work-outside/secret.txt",
    "sub/../../work-outside/secret.txt",
    `${outside}/secret.txt`,
    "/etc/passwd",
    "..",
    "../",
    "..%2fwork-outside%2fsecret.txt",
    "%2e%2e/work-outside/secret.txt",
    "%252e%252e%252fwork-outside%252fsecret.txt",
    "..%c0%afwork-outside/secret.txt",
    "..\\work-outside\\secret.txt",
    "sub\\..\\..\\work-outside\\secret.txt",
    "a.txt\0.png",
    "../work-outside/secret.txt\0",
    " ../work-outside/secret.txt",
    "~/secret.txt",
    "~",
    `file://${outside}/secret.txt`,
    "C:\\Windows\\win.ini",
    "a.txt::$DATA",
    "a.txt:stream",
    "folder-link/secret.txt",
    "folder-link",
    "file-link",
    "dangling-link",
    "sub/link-to-link/secret.txt",
    "root-link/etc/passwd",
    "sub/../folder-link/secret.txt",
    `${"a/".repeat(3_000)}b`,
  ];
}

/** Every call of a tool that takes a path, with the path in each place where it takes one. */
const callsWith = (path: string): readonly (readonly [name: string, input: object])[] => [
  ["read", { path }],
  ["write", { path, content: "pwned" }],
  ["edit", { path, old_text: "the-secret", new_text: "pwned" }],
  ["grep", { pattern: "secret", path }],
  ["find", { pattern: "*", path }],
  ["ls", { path }],
  ["exec", { argv: ["cat", "secret.txt"], cwd: path }],
  ["file", { action: "read", path }],
  ["file", { action: "write", path, content: "pwned" }],
  ["file", { action: "list", path }],
  ["file", { action: "replace", path, old: "the-secret", new: "pwned" }],
  ["file", { action: "append", path, content: "pwned" }],
  ["file", { action: "delete", path }],
  ["code_edit", { action: "get_lines", path, start_line: 1 }],
  ["code_edit", { action: "edit_lines", path, start_line: 1, new_content: "pwned" }],
  ["search", { action: "grep", pattern: "secret", directory: path }],
  ["search", { action: "find_in_file", pattern: "secret", path }],
  ["search", { action: "find_files", pattern: "*", directory: path }],
  ["search", { action: "find_definition", name: "secret", directory: path }],
  ["navigate", { action: "get_tree", directory: path }],
  ["navigate", { action: "list_directory", directory: path }],
  ["navigate", { action: "get_file_outline", path }],
  ["git", { action: "add", files: ["a.txt", path] }],
  ["test", { type: "python", module: "unittest", package: path }],
];

/** Those that name their files inside of a text. */
const patchesWith = (path: string): readonly string[] => [
  `*** Begin Patch\n*** Add File: ${path}\n+pwned\n*** End Patch`,
  `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`,
  `*** Begin Patch\n*** Update File: ${path}\n@@\n-${outsideSecret}\n+pwned\n*** End Patch`,
  `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${path}\n@@\n-inside\n+pwned\n*** End Patch`,
];

function textOf(result: ToolResult): string {
  return JSON.stringify(result);
}

describe("ways out of the workspace", () => {
  // row: F8, J2
  it("S22: are refused by every tool and parameter that takes a path", async () => {
    const before = [workspace.snapshot(), workspace.snapshotOutside()];
    for (const path of waysOut()) {
      for (const [name, input] of callsWith(path)) {
        const result = await call(name, input);
        expect({ name, input, ok: result.ok }).toEqual({ name, input, ok: false });
        expect(textOf(result)).not.toContain(outsideSecret);
      }
    }
    expect([workspace.snapshot(), workspace.snapshotOutside()]).toEqual(before);
  });

  it("S22: are refused inside of a patch", async () => {
    const before = [workspace.snapshot(), workspace.snapshotOutside()];
    for (const path of waysOut().filter((one) => one === one.trim() && one !== "dangling-link")) {
      for (const patch of patchesWith(path)) {
        const result = await call("apply_patch", { patch });
        expect({ patch, ok: result.ok }).toEqual({ patch, ok: false });
        expect(textOf(result)).not.toContain(outsideSecret);
      }
    }
    expect([workspace.snapshot(), workspace.snapshotOutside()]).toEqual(before);
  });

  it("S22: are not taken by a walk through the workspace", async () => {
    for (const [name, input] of [
      ["grep", { pattern: "secret", include_ignored: true }],
      ["find", { pattern: "secret*", kind: "any" }],
      ["search", { action: "grep", pattern: "secret" }],
      ["navigate", { action: "get_tree", max_depth: 20, show_hidden: true }],
    ] as const) {
      expect(textOf(await call(name, input))).not.toMatch(/secret\.txt|beside-the-workspace/);
    }
  });

  it("names that only look like a way out are fine", async () => {
    for (const path of [
      "..a/x.txt",
      "sub/a..b.txt",
      "10:30.md",
      "100%.txt",
      "-rf",
      "a b.txt",
      "ünïcode-名前.txt",
      "__proto__",
      "constructor",
    ]) {
      expect({ path, ok: (await call("write", { path, content: "x" })).ok }).toEqual({ path, ok: true });
      expect(await call("read", { path })).toMatchObject({ ok: true, content: "x" });
    }
  });
});

describe("someone who swaps a folder for a link meanwhile", () => {
  /** Swaps "swap" between a folder and a link to the outside, as fast as it can. */
  function startSwapping(root: string): ChildProcess {
    const script = `
      const fs = require("fs"), path = require("path");
      process.chdir(${JSON.stringify(root)});
      fs.symlinkSync("../work-outside", "swap-link");
      process.stdout.write("ready");
      for (;;) { try { fs.renameSync("swap", "swap-folder"); fs.renameSync("swap-link", "swap"); fs.renameSync("swap", "swap-link"); fs.renameSync("swap-folder", "swap"); } catch {} }`;
    return spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "ignore"] });
  }

  it("S22: gets nothing read, written or listed outside", async () => {
    const { root } = workspace;
    mkdirSync(join(root, "swap"));
    writeFileSync(join(root, "swap/secret.txt"), "inside\n");
    const before = workspace.snapshotOutside();
    const swapper = startSwapping(root);
    const isOver = once(swapper, "close");
    try {
      await new Promise((resolve) => swapper.stdout!.once("data", resolve));
      for (let round = 0; round < sized(12, 25); round++) {
        const results = await Promise.all([
          call("read", { path: "swap/secret.txt" }),
          call("write", { path: `swap/new-${round}.txt`, content: "x" }),
          call("write", { path: `swap/deep-${round}/new.txt`, content: "x" }),
          call("edit", { path: "swap/secret.txt", old_text: "s", new_text: "S" }),
          call("ls", { path: "swap" }),
          call("grep", { pattern: "secret", path: "swap" }),
          call("file", { action: "delete", path: "swap/secret.txt" }),
        ]);
        for (const result of results) expect(textOf(result)).not.toContain(outsideSecret);
      }
      for (let round = 0; round < sized(4, 10); round++) {
        expect(textOf(await call("exec", { argv: ["cat", "secret.txt"], cwd: "swap" }))).not.toContain(outsideSecret);
      }
    } finally {
      swapper.kill("SIGKILL");
    }
    await isOver;
    expect(workspace.snapshotOutside()).toEqual(before);
    // Not everything is refused: once nobody swaps it, the folder can be used.
    for (const name of ["swap", "swap-folder", "swap-link"]) rmSync(join(root, name), { recursive: true, force: true });
    mkdirSync(join(root, "swap"));
    expect(await call("write", { path: "swap/new.txt", content: "mine" })).toMatchObject({ ok: true });
    expect(await call("read", { path: "swap/new.txt" })).toMatchObject({ ok: true, content: "mine" });
  });
});

describe("special files", () => {
  it("a pipe is refused, and nobody waits for its other end", async () => {
    await processes
      .start({ program: "mkfifo", args: ["pipe"], env: { PATH: process.env["PATH"] ?? "" }, onOutput() {} })
      .then((started) => started.ended);
    for (const [name, input] of [
      ["read", { path: "pipe" }],
      ["write", { path: "pipe", content: "x" }],
      ["edit", { path: "pipe", old_text: "a", new_text: "b" }],
      ["file", { action: "append", path: "pipe", content: "x" }],
      ["code_edit", { action: "get_lines", path: "pipe", start_line: 1 }],
      ["grep", { pattern: "x", path: "pipe" }],
    ] as const) {
      expect({ name, ok: (await call(name, input)).ok }).toEqual({ name, ok: false });
    }
    expect(workspace.snapshot()["pipe"]).toBe("special");
  });
});

describe("text that is meant for a shell", () => {
  it("S20: has no effect in any parameter that reaches a program", async () => {
    // Absolute, so that it is seen wherever a shell would run.
    const mark = join(workspace.root, "pwned");
    const nasty = [
      `$(touch ${mark})`,
      `\`touch ${mark}\``,
      `; touch ${mark}`,
      `| touch ${mark}`,
      `&& touch ${mark}`,
      `\ntouch ${mark}\n`,
      `' ; touch ${mark} ; '`,
      "*",
    ];
    for (const text of nasty) {
      await call("exec", { argv: ["echo", text] });
      await call("exec", { argv: [text] });
      await call("grep", { pattern: text, glob: text, literal: true });
      await call("git", { action: "add", files: [text] });
      await call("git", { action: "commit", message: text });
      await call("git", { action: "checkout", branch: text });
      await call("test", { type: "npm", script: text });
      await call("search", { action: "grep", pattern: text, file_pattern: text });
    }
    expect(Object.keys(workspace.snapshot()).filter((path) => path.includes("pwned"))).toEqual([]);
  });
});
