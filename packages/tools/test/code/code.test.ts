import { execFileSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type ToolDefinition } from "@toolrack/core";
import { codeAgentBundle } from "@toolrack/core/compat";
import { lintTools } from "@toolrack/core/lint";
import { createCapabilities } from "@toolrack/core/node";
import { assertTool, hasPart } from "@toolrack/core/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createCodeTools } from "../../src/code/code.ts";
import type { CodeToolsOptions } from "../../src/code/options.ts";
import { createFilesTools } from "../../src/files/files.ts";
import { createProcessOperations } from "../../src/operations/node-processes.ts";
import type { ProcessOperations } from "../../src/operations/processes.ts";
import { createRuntimeTools } from "../../src/runtime/runtime.ts";
import { serveGit } from "../_servers/git.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "../temporary-workspace.ts";

const mainGo =
  'package main\n\nimport (\n\t"fmt"\n\tstr "strings"\n)\n\ntype Shop struct{}\n\nfunc (s *Shop) Open() {}\n\nfunc main() {\n\tfmt.Println(str.ToUpper("hi"))\n}\n';
let workspace: TemporaryWorkspace;
let processes: ProcessOperations;

const gitIn = (root: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });

/** A repository with one commit, and a name to commit under. */
function makeRepository(): void {
  gitIn(workspace.root, "init", "-q", "-b", "main");
  gitIn(workspace.root, "config", "user.name", "Ann");
  gitIn(workspace.root, "config", "user.email", "ann@example.com");
  gitIn(workspace.root, "add", ".");
  gitIn(workspace.root, "commit", "-qm", "first");
}

beforeEach(() => {
  workspace = createTemporaryWorkspace({
    "main.go": mainGo,
    "package.json": '{"name":"x","scripts":{"test":"echo fine","bad":"exit 2"}}\n',
  });
  processes = createProcessOperations({ root: workspace.root, graceMs: 300 });
});
afterEach(async () => {
  await processes.close();
  workspace.remove();
});

function toolsOf(options: Partial<CodeToolsOptions> = {}): ToolDefinition[] {
  return createCodeTools({ root: workspace.root, processes, ...options });
}

function invoker(options: Partial<CodeToolsOptions> = {}): Invoke {
  return invokerOf(toolsOf(options));
}

async function dataOf(result: ReturnType<Invoke>): Promise<Record<string, unknown>> {
  const settled = await result;
  if (!settled.ok) throw new Error(settled.error);
  return settled.data as Record<string, unknown>;
}

async function errorOf(result: ReturnType<Invoke>): Promise<string> {
  const settled = await result;
  return settled.ok ? "" : settled.error;
}

describe("the pack", () => {
  it("its tools pass the test kit, their examples included, and lint", async () => {
    makeRepository();
    const tools = toolsOf({ bash: true });
    for (const tool of tools) await assertTool(tool, { timeoutMs: 20_000 });
    expect(lintTools(tools).filter(({ severity }) => severity !== "info")).toEqual([]);
  });

  it("has what the bundle of a code agent needs, beside the other packs", () => {
    const registry = createRegistry();
    for (const tool of [
      ...toolsOf({ bash: true }),
      ...createFilesTools({ root: workspace.root }),
      ...createRuntimeTools({ root: workspace.root }),
    ]) {
      registry.register(tool);
    }
    const { tools, missing } = registry.applyBundle(codeAgentBundle);
    expect(missing).toEqual([]);
    expect(tools.map((tool) => tool.name)).toEqual(["file", "code_edit", "search", "navigate", "git", "bash", "test"]);
    expect(tools.map((tool) => tool.metadata?.category)).toEqual(["code", "code", "code", "code", "vcs", "build", "build"]);
    expect(registry.view({}).tools).toHaveLength(16);
  });

  it.each([
    ["no action", "file", { path: "main.go" }, 'action is required ("read", "write"'],
    ["another word for the action", "file", { type: "red", path: "main.go" }, 'Did you mean "read"?'],
    [
      "a parameter of another action",
      "file",
      { action: "read", path: "main.go", content: "x" },
      "content is not a parameter here. Use action or path",
    ],
    ["a missing companion", "file", { action: "write", path: "x" }, "content is required"],
    ["a wrong companion", "search", { action: "find_definition", pattern: "main" }, "name is required"],
    ["a misspelt parameter", "search", { action: "grep", patern: "x" }, 'Did you mean "pattern"?'],
    ["the parameter of another type of project", "test", { type: "npm", run: "x" }, "run is not a parameter here"],
  ])("%s: says what was meant", async (_, name, input, sentence) => {
    expect(await errorOf(invoker()(name, input))).toContain(sentence);
  });
});

describe("file", () => {
  // row: J8
  it("the published example works as printed", async () => {
    const tool = toolsOf().find(({ name }) => name === "file")!;
    expect(tool.inputSchema).toMatchObject({
      type: "object",
      properties: {
        action: { type: "string", enum: expect.arrayContaining(["read", "write", "list"]), description: "The file operation to perform" },
        path: { type: "string", description: "Absolute or relative file path" },
        content: { type: "string", description: expect.stringContaining("Content to write (for write action)") },
      },
      required: ["action", "path"],
    });
    expect(tool.metadata).toMatchObject({
      category: "code",
      optionality: "required",
      usageHint: "Use for reading, writing, and listing files. Always read before modifying.",
      examples: expect.arrayContaining([
        expect.objectContaining({ description: "Read a Go source file", input: { action: "read", path: "main.go" } }),
      ]),
    });
    expect(await invoker()("file", { action: "read", path: "main.go" })).toMatchObject({ ok: true, content: mainGo });
  });

  // row: J8
  it("does each of its actions", async () => {
    const call = invoker();
    expect(await call("file", { action: "write", path: "a/n.txt", content: "one\n" })).toMatchObject({
      ok: true,
      data: { created: true },
      effects: [{ kind: "file", action: "create", target: "a/n.txt" }],
    });
    await dataOf(call("file", { action: "append", path: "a/n.txt", content: "two\n" }));
    await dataOf(call("file", { action: "replace", path: "a/n.txt", old: "one", new: "1" }));
    expect(workspace.read("a/n.txt")).toBe("1\ntwo\n");
    expect(await dataOf(call("file", { action: "list", path: "a" }))).toMatchObject({ entries: [{ name: "n.txt", kind: "file" }] });
    expect(await dataOf(call("file", { action: "read", path: join(workspace.root, "a/n.txt") }))).toMatchObject({ content: "1\ntwo\n" });
    expect(await call("file", { action: "delete", path: "a/n.txt" })).toMatchObject({ ok: true, effects: [{ action: "delete" }] });
    expect(await errorOf(call("file", { action: "read", path: "a/n.txt" }))).toContain("does not exist");
    expect(await errorOf(call("file", { action: "delete", path: "a" }))).toContain("is a folder");
    expect(await errorOf(call("file", { action: "replace", path: "main.go", old: "Shoop struct", new: "x" }))).toContain(
      "8: type Shop struct{}",
    );
  });

  it("replaces binary data as a whole, and does not add to it", async () => {
    workspace.write("b.bin", Buffer.from([0, 1]));
    expect(await errorOf(invoker()("file", { action: "append", path: "b.bin", content: "x" }))).toContain("no text file");
    await dataOf(invoker()("file", { action: "write", path: "b.bin", content: "x" }));
    expect(workspace.read("b.bin")).toBe("x");
  });
});

describe("code_edit", () => {
  // row: J8
  it("does each of its actions, and keeps other lines byte for byte", async () => {
    const call = invoker();
    workspace.write("w.txt", "a\r\nb\nc");
    const edit = (input: object): Promise<Record<string, unknown>> => dataOf(call("code_edit", { path: "w.txt", ...input }));
    expect(await edit({ action: "get_lines", start_line: 2, end_line: 3 })).toMatchObject({ lines: ["b", "c"], total_lines: 3 });
    await edit({ action: "edit_lines", start_line: 2, new_content: "B1\nB2" });
    expect(workspace.read("w.txt")).toBe("a\r\nB1\nB2\nc");
    await edit({ action: "insert_at_line", line_number: 5, content: "d" });
    expect(workspace.read("w.txt")).toBe("a\r\nB1\nB2\nc\nd\n");
    expect(await edit({ action: "delete_lines", start_line: 2, end_line: 3 })).toMatchObject({ total_lines: 3 });
    expect(workspace.read("w.txt")).toBe("a\r\nc\nd\n");
    for (const [input, sentence] of [
      [{ action: "get_lines", start_line: 9 }, "has 3 lines"],
      [{ action: "delete_lines", start_line: 3, end_line: 2 }, "is before start_line"],
      [{ action: "insert_at_line", line_number: 9, content: "x" }, "behind its end"],
    ] as const) {
      expect(await errorOf(call("code_edit", { path: "w.txt", ...input }))).toContain(sentence);
    }
  });
});

describe("search and navigate", () => {
  beforeEach(() => {
    workspace.write(
      "lib/shop.ts",
      'import { open } from "./door.ts";\nimport "./side.ts";\nexport class Shop {\n  async sell(item: string): Promise<void> {\n    if (item) {\n      open();\n    }\n  }\n}\nexport const limit = 3;\nconst lazy = await import("./lazy.ts");\n',
    );
    workspace.write("lib/tool.py", "import os\nfrom a.b import c\n\nclass Shop:\n    def open(self):\n        return os\n");
    workspace.write(".hidden/x.ts", "export class Shop {}\n");
  });

  // row: J8
  it("search does each of its actions", async () => {
    const call = invoker();
    const places = async (input: object): Promise<string[]> =>
      ((await dataOf(call("search", input)))["matches"] as { path: string; line: number }[]).map(({ path, line }) => `${path}:${line}`);
    expect(await places({ action: "grep", pattern: "class shop", case_insensitive: true, file_pattern: "*.ts" })).toEqual([
      ".hidden/x.ts:1",
      "lib/shop.ts:3",
    ]);
    expect(await places({ action: "find_in_file", path: "lib/tool.py", pattern: "Shop|os$" })).toEqual([
      "lib/tool.py:1",
      "lib/tool.py:4",
      "lib/tool.py:6",
    ]);
    expect(await places({ action: "find_definition", name: "Shop", directory: "." })).toEqual([
      ".hidden/x.ts:1",
      "lib/shop.ts:3",
      "lib/tool.py:4",
      "main.go:8",
    ]);
    expect(await places({ action: "find_definition", name: "open", language: "py" })).toEqual(["lib/tool.py:5"]);
    expect(await places({ action: "find_definition", name: "sell" })).toEqual(["lib/shop.ts:4"]);
    expect(await dataOf(call("search", { action: "find_files", pattern: "*.ts", directory: "lib" }))).toMatchObject({
      paths: ["lib/shop.ts"],
    });
    expect(await errorOf(call("search", { action: "find_definition", name: "x", language: "klingon" }))).toContain(
      "Use one of go, typescript",
    );
    expect(await dataOf(call("search", { action: "grep", pattern: "Shop", max_results: 1 }))).toMatchObject({ truncated: true });
  });

  // row: J8
  it("navigate does each of its actions", async () => {
    const call = invoker();
    const text = async (input: object): Promise<string> => {
      const result = await call("navigate", input);
      return result.ok ? result.content : result.error;
    };
    expect(await text({ action: "list_directory" })).toBe("lib/\nmain.go\npackage.json");
    expect(await text({ action: "get_tree", extension: "ts", show_hidden: true })).toBe(".hidden/\n  x.ts\nlib/\n  shop.ts");
    expect(await text({ action: "get_tree", max_depth: 1, directory: "lib" })).toBe("shop.ts\ntool.py");
    expect(await dataOf(call("navigate", { action: "get_file_outline", path: "lib/shop.ts" }))).toMatchObject({
      outline: [
        { line: 3, kind: "class", name: "Shop" },
        { line: 4, kind: "method", name: "sell" },
        { line: 10, kind: "variable", name: "limit" },
        { line: 11, kind: "variable", name: "lazy" },
      ],
    });
    const imports = async (path: string): Promise<string> => text({ action: "find_imports", path });
    expect(await imports("main.go")).toBe("4: fmt\n5: strings");
    expect(await imports("lib/shop.ts")).toBe("1: ./door.ts\n2: ./side.ts\n11: ./lazy.ts");
    expect(await imports("lib/tool.py")).toBe("1: os\n2: a.b");
    expect(await imports("package.json")).toContain("no language");
  });
});

describe("git", () => {
  beforeEach(makeRepository);

  // row: J8
  it("does each of its actions, down to a push", async () => {
    const remote = join(workspace.outside, "remote.git");
    gitIn(workspace.outside, "init", "-q", "--bare", remote);
    await using daemon = await serveGit(workspace.outside);
    gitIn(workspace.root, "remote", "add", "origin", `${daemon.url}/remote.git`);
    const call = invoker({ processes: createProcessOperations({ root: workspace.root, network: true }) });
    expect(await dataOf(call("git", { action: "create_branch", branch: "feature/one" }))).toMatchObject({ branch: "feature/one" });
    workspace.write("main.go", `${mainGo}// end\n`);
    workspace.write("neu ü.txt", "x\n");
    expect(await dataOf(call("git", { action: "status" }))).toMatchObject({
      branch: "feature/one",
      files: [
        { path: "main.go", status: " M" },
        { path: "neu ü.txt", status: "??" },
      ],
    });
    expect((await dataOf(call("git", { action: "diff", base: "main" })))["output"]).toContain("+// end");
    expect(await call("git", { action: "add", files: ["main.go", "neu ü.txt"] })).toMatchObject({
      ok: true,
      effects: [{ target: "main.go" }, { target: "neu ü.txt" }],
    });
    const committed = await call("git", { action: "commit", message: "--amend is no option here; $(touch pwned)" });
    expect(committed).toMatchObject({ ok: true, data: { commit: gitIn(workspace.root, "rev-parse", "HEAD").trim() } });
    expect(gitIn(workspace.root, "log", "--format=%s").trim().split("\n")).toEqual(["--amend is no option here; $(touch pwned)", "first"]);
    await dataOf(call("git", { action: "push", branch: "feature/one" }));
    expect(gitIn(remote, "branch", "--list", "--format=%(refname:short)").trim()).toBe("feature/one");
    expect(await dataOf(call("git", { action: "checkout", branch: "main" }))).toMatchObject({ branch: "main" });
    expect(workspace.read("main.go")).toBe(mainGo);
  });

  it("says what git said where it fails", async () => {
    const call = invoker();
    expect(await errorOf(call("git", { action: "commit", message: "nothing" }))).toMatch(
      /git commit failed with exit code 1: .*nothing to commit/s,
    );
    expect(await errorOf(call("git", { action: "checkout", branch: "nowhere" }))).toContain("nowhere");
    expect(await errorOf(call("git", { action: "push" }))).toContain('no remote "origin"');
  });

  it("a repository above the workspace is out of reach", async () => {
    workspace.write("inner/x.txt", "x");
    const call = invokerOf(
      createCodeTools({ root: join(workspace.root, "inner"), processes: createProcessOperations({ root: join(workspace.root, "inner") }) }),
    );
    expect(await errorOf(call("git", { action: "status" }))).toContain("not a git repository");
  });

  it.each([
    ["an option as branch", { action: "checkout", branch: "--orphan=x" }],
    ["an option as base", { action: "diff", base: "--output=pwned" }],
    ["an option as remote", { action: "push", remote: "--receive-pack=touch" }],
    ["an address as remote", { action: "push", remote: "ext::sh -c touch" }],
    ["a line as branch", { action: "create_branch", branch: "a;touch pwned" }],
    ["a path beside the workspace", { action: "add", files: ["../work-outside/secret.txt"] }],
    ["an option as file", { action: "add", files: ["--force"] }],
    ["magic in a path", { action: "add", files: [":(top)*"] }],
  ])("%s has no effect", async (_, input) => {
    const before = [workspace.snapshot(), workspace.snapshotOutside()];
    expect(await invoker()("git", input)).toMatchObject({ ok: false });
    expect([workspace.snapshot(), workspace.snapshotOutside()]).toEqual(before);
  });
});

describe("bash", () => {
  it("SD14: is there only where the options switch it on, whatever is saved for it", async () => {
    const config = { get: () => ({ enabled: true }) };
    for (const bash of [undefined, false]) {
      const registry = createRegistry({ config });
      for (const tool of toolsOf(bash === undefined ? {} : { bash })) registry.register(tool);
      expect(registry.has("bash")).toBe(false);
      expect(await registry.invoke("bash", { command: "echo set" })).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    }
  });

  // row: J8
  it("runs a line, and gives its output and exit code", async () => {
    expect(await dataOf(invoker({ bash: true })("bash", { command: "echo hi | tr a-z A-Z; exit 3" }))).toEqual({
      exitCode: 3,
      stdout: "HI\n",
      stderr: "",
    });
  });

  it("holds a line against its rules as a whole", async () => {
    const call = invoker({ bash: { allow: ["git status", "npm test && echo rm"], forbid: ["rm"] } });
    expect(await errorOf(call("bash", { command: "git status; echo more" }))).toContain("is not allowed");
    expect(await errorOf(call("bash", { command: "npm test && echo rm" }))).toContain('must not contain "rm"');
    expect(await call("bash", { command: "git status" })).toMatchObject({ ok: true });
  });

  it("ends a line that takes too long", async () => {
    expect(await invoker({ bash: true })("bash", { command: "echo begun; sleep 1000", timeout_ms: 1_500 })).toMatchObject({
      ok: false,
      code: "TIMEOUT",
      error: expect.stringContaining("begun"),
    });
  });
});

describe("test", () => {
  const fakes = { folder: "" };
  beforeAll(() => {
    // go is rarely installed where this is tested: a program of its name shows what it would have been told.
    const bin = createTemporaryWorkspace({ go: '#!/bin/sh\necho "go $*"\n' });
    chmodSync(join(bin.root, "go"), 0o755);
    fakes.folder = bin.root;
  });
  afterAll(() => execFileSync("rm", ["-rf", join(fakes.folder, "..")]));

  // row: J8
  it("runs an npm script and says whether it passed", async () => {
    expect(await dataOf(invoker()("test", { type: "npm" }))).toMatchObject({ passed: true, exitCode: 0, output: "fine\n" });
    expect(await dataOf(invoker()("test", { type: "npm", script: "bad" }))).toMatchObject({ passed: false, exitCode: 2 });
  });

  it.skipIf(!hasPart("python3", createCapabilities().has("python3")))(
    "runs the tests of a python project, where python is installed",
    async () => {
      workspace.write(
        "test_sum.py",
        "import unittest\nclass T(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(1 + 1, 2)\n    def test_bad(self):\n        self.fail()\n",
      );
      expect(await dataOf(invoker()("test", { type: "python", module: "unittest", run: "test_adds" }))).toMatchObject({ passed: true });
      expect(await dataOf(invoker()("test", { type: "python", module: "unittest", verbose: true }))).toMatchObject({
        passed: false,
        output: expect.stringContaining("test_bad"),
      });
    },
  );

  it("hands go its options", async () => {
    const processes = createProcessOperations({ root: workspace.root, readable: [fakes.folder] });
    const call = invoker({ processes, environment: { set: { PATH: `${fakes.folder}:${process.env["PATH"]}` } } });
    expect(await dataOf(call("test", { type: "go", package: "./shop", run: "TestOpen", count: 2, verbose: true }))).toMatchObject({
      passed: true,
      output: "go test -v -run=TestOpen -count=2 ./shop\n",
    });
    expect(await dataOf(call("test", { type: "go" }))).toMatchObject({ output: "go test ./...\n" });
    for (const input of [{ package: "-exec=touch" }, { package: "../work-outside" }, { run: "-exec" }]) {
      expect(await call("test", { type: "go", ...input })).toMatchObject({ ok: false });
    }
  });
});
