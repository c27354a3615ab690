import type { ToolResult } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCodeTools } from "../../src/code/code.ts";
import type { CodeToolsOptions } from "../../src/code/options.ts";
import { createFake, type FakeProgram } from "../fake-programs.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "../temporary-workspace.ts";

let workspace: TemporaryWorkspace;
beforeAll(() => {
  workspace = createTemporaryWorkspace({
    "main.go": "package main\n\nfunc main() {}\n\nfunc helper() {}\n",
    "lib/main.py": "def main():\n    pass\n",
    "lib/notes.txt": "main\nMAIN\nmain\n",
  });
});
afterAll(() => workspace.remove());

const capabilities = createCapabilities({ overrides: { bash: true, git: true } });

function open(onStart: (program: FakeProgram) => void, options: Partial<CodeToolsOptions> = {}): { call: Invoke; programs: FakeProgram[] } {
  const { processes, programs } = createFake(onStart);
  const tools = createCodeTools({ root: workspace.root, processes, bash: true, environment: { inherit: [], set: { A: "1" } }, ...options });
  return { call: invokerOf(tools, { capabilities }), programs };
}

const ending =
  (exitCode: number, stdout = "", stderr = "") =>
  (program: FakeProgram): void => {
    if (stdout !== "") program.say(stdout);
    if (stderr !== "") program.say(stderr, "stderr");
    program.end({ exitCode });
  };
const errorOf = (result: ToolResult): string => (result.ok ? expect.fail("It succeeded.") : result.error);

describe("bash", () => {
  it("runs a line without the files of a login, and shows its exit code and both outputs", async () => {
    const { call, programs } = open(ending(2, "out", "err"));
    expect(await call("bash", { command: "make it" })).toMatchObject({
      ok: true,
      content: "[exit code 2]\nout\nerr",
      data: { exitCode: 2, stdout: "out", stderr: "err" },
      effects: [{ kind: "process", action: "run", target: "make it" }],
    });
    expect(programs[0]!.command).toMatchObject({ program: "bash", args: ["--noprofile", "--norc", "-c", "make it"], env: { A: "1" } });
    expect(await open(ending(0, "fine")).call("bash", { command: "x" })).toMatchObject({ content: "fine" });
    const long = await open(ending(0)).call("bash", { command: "y".repeat(600) });
    expect(long).toMatchObject({ effects: [{ target: "y".repeat(500) }] });
  });

  it("runs only the lines that are allowed, and none with a forbidden text", async () => {
    const allowed = open(ending(0), { bash: { allow: ["make test"] } });
    expect(await allowed.call("bash", { command: "make test" })).toMatchObject({ ok: true });
    expect(errorOf(await allowed.call("bash", { command: "make test; rm" }))).toBe(
      'This command line is not allowed. Allowed lines: "make test".',
    );
    const forbidden = open(ending(0), { bash: { forbid: ["rm"] } });
    expect(errorOf(await forbidden.call("bash", { command: "ls; rm x" }))).toBe('A command line must not contain "rm".');
    expect(await forbidden.call("bash", { command: "ls" })).toMatchObject({ ok: true });
    expect(forbidden.programs).toHaveLength(1);
  });

  it("fails where it takes too long or is ended, with its last words", async () => {
    const slow = open((program) => program.say("so far"));
    const late = await slow.call("bash", { command: "sleep", timeout_ms: 1 });
    expect(late).toMatchObject({ ok: false, code: "TIMEOUT", error: "bash was ended after 1 ms, before it was done.\nso far" });
    const killed = open((program) => program.end({ exitCode: null, signal: "SIGKILL" } as never));
    expect(errorOf(await killed.call("bash", { command: "x" }))).toBe("bash was ended by SIGKILL.");
  });
});

describe("test", () => {
  it.each([
    [{ type: "go" }, ["go", "test", "./..."]],
    [{ type: "go", verbose: true, run: "TestA", count: 2, package: "lib" }, ["go", "test", "-v", "-run=TestA", "-count=2", "lib"]],
    [{ type: "npm" }, ["npm", "run", "--silent", "test"]],
    [{ type: "npm", script: "unit", verbose: true }, ["npm", "run", "unit"]],
    [{ type: "python" }, ["python3", "-m", "pytest"]],
    [
      { type: "python", module: "unittest", verbose: true, run: "a", package: "lib" },
      ["python3", "-m", "unittest", "-v", "-k", "a", "lib"],
    ],
  ])("with %j runs %j", async (input, argv) => {
    const { call, programs } = open(ending(0, "ok"));
    const result = await call("test", input);
    const command = argv.join(" ");
    expect(result).toMatchObject({
      ok: true,
      content: `Passed: ${command}\nok`,
      data: { passed: true, exitCode: 0, command: argv, output: "ok" },
      effects: [{ kind: "process", action: "run", target: command }],
    });
    expect([programs[0]!.command.program, ...programs[0]!.command.args]).toEqual(argv);
  });

  it("tells a failure by its exit code", async () => {
    const result = await open(ending(1, "", "bad")).call("test", { type: "npm" });
    expect(result).toMatchObject({ content: "Failed, with exit code 1: npm run --silent test\nbad", data: { passed: false, exitCode: 1 } });
  });

  it("takes only the parameters of its kind", async () => {
    const { call } = open(ending(0));
    for (const input of [
      { type: "npm", run: "x" },
      { type: "go", script: "x" },
      { type: "python", count: 1 },
    ])
      expect(await call("test", input), JSON.stringify(input)).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });
});

describe("search", () => {
  const search = async (input: object): Promise<any> => {
    const result = await open(ending(1)).call("search", input);
    return result.ok ? { content: result.content, ...(result.data as object) } : result.error;
  };

  it("finds lines, files and definitions, as many as are asked for", async () => {
    expect(await search({ action: "grep", pattern: "main", directory: "lib", max_results: 2 })).toMatchObject({
      matches: [
        { path: "lib/main.py", line: 1 },
        { path: "lib/notes.txt", line: 1 },
      ],
      truncated: true,
      content: expect.stringMatching(
        /^lib\/main\.py:1: def main\(\):\n.*\n\[There are more\. Narrow the search, or raise max_results\.\]$/,
      ),
    });
    expect((await search({ action: "find_in_file", pattern: "MAIN", path: "lib/notes.txt", case_insensitive: true })).matches).toHaveLength(
      3,
    );
    expect((await search({ action: "grep", pattern: "MAIN" })).matches).toHaveLength(1);
    expect(await search({ action: "find_files", pattern: "main.*" })).toMatchObject({
      paths: ["lib/main.py", "main.go"],
      truncated: false,
    });
    expect(await search({ action: "find_files", pattern: "main.*", max_results: 1 })).toMatchObject({ truncated: true });
    expect(await search({ action: "grep", pattern: "zebra" })).toMatchObject({ content: "Nothing was found.", matches: [] });
  });

  it("finds definitions of a name in one language or in all", async () => {
    const places = async (input: object): Promise<unknown> =>
      (await search({ action: "find_definition", name: "main", ...input })).matches.map(
        ({ path, line }: { path: string; line: number }) => [path, line],
      );
    expect(await places({})).toEqual([
      ["lib/main.py", 1],
      ["main.go", 3],
    ]);
    expect(await places({ language: "go" })).toEqual([["main.go", 3]]);
    expect(await places({ directory: "lib" })).toEqual([["lib/main.py", 1]]);
    expect(await places({ max_results: 1 })).toEqual([["lib/main.py", 1]]);
    expect(await search({ action: "find_definition", name: "main", language: "klingon" })).toMatch(
      /^The language "klingon" is unknown\. Use one of /,
    );
  });
});

describe("code_edit", () => {
  const edit = async (input: object): Promise<any> => {
    const result = await open(ending(0)).call("code_edit", { path: "edit.txt", ...input });
    return result.ok ? { content: result.content, ...(result.data as object) } : result.error;
  };
  const after = async (before: string, input: object): Promise<string> => {
    workspace.write("edit.txt", before);
    const answer = await edit(input);
    return typeof answer === "string" ? answer : workspace.read("edit.txt");
  };
  const three = "a\nb\nc\n";

  it("shows lines with their numbers", async () => {
    workspace.write("edit.txt", three);
    expect(await edit({ action: "get_lines", start_line: 2, end_line: 3 })).toEqual({
      content: "2: b\n3: c",
      path: "edit.txt",
      lines: ["b", "c"],
      start_line: 2,
      total_lines: 3,
    });
    expect(await edit({ action: "get_lines", start_line: 4, end_line: 4 })).toBe('"edit.txt" has 3 lines; start_line 4 is behind its end.');
    expect(await edit({ action: "get_lines", start_line: 2, end_line: 4 })).toBe('"edit.txt" has 3 lines; end_line 4 is behind its end.');
    expect(await edit({ action: "get_lines", start_line: 3, end_line: 2 })).toBe("end_line 2 is before start_line 3.");
  });

  it("inserts, replaces and deletes lines, at the edges too", async () => {
    const insert = (line_number: number): object => ({ action: "insert_at_line", line_number, content: "x\ny" });
    expect(await after(three, insert(1))).toBe("x\ny\na\nb\nc\n");
    expect(await after(three, insert(4))).toBe("a\nb\nc\nx\ny\n");
    expect(await after(three, insert(5))).toBe('"edit.txt" has 3 lines; line_number 5 is behind its end.');
    expect(await after("a\r\nb\r\n", insert(2))).toBe("a\r\nx\r\ny\r\nb\r\n");
    const replace = { action: "edit_lines", start_line: 2, end_line: 2, new_content: "x" };
    expect(await after(three, replace)).toBe("a\nx\nc\n");
    expect(await after(three, { action: "delete_lines", start_line: 1, end_line: 2 })).toBe("c\n");
    workspace.write("edit.txt", three);
    expect(await edit(insert(2))).toEqual({
      content: "Changed edit.txt, which has 5 lines now.",
      path: "edit.txt",
      start_line: 2,
      total_lines: 5,
    });
  });
});
