import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type ToolResult } from "@toolrack/core";
import { type PathRule, readPolicyConfig } from "@toolrack/core/policy";
import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { afterEach, describe, expect, it } from "vitest";
import {
  createCodeTools,
  createFileOperations,
  createFilesTools,
  createFolderNotes,
  createMemoryTools,
  type ProcessOperations,
} from "../../src/index.ts";
import { createTemporaryWorkspace, type TemporaryWorkspace } from "../temporary-workspace.ts";

const open: TemporaryWorkspace[] = [];
afterEach(() => open.splice(0).forEach((workspace) => workspace.remove()));

function workspaceOf(files: Readonly<Record<string, string>>): TemporaryWorkspace {
  const workspace = createTemporaryWorkspace(files);
  open.push(workspace);
  return workspace;
}

type Call = (name: string, input: unknown) => Promise<ToolResult>;

function callerOf({ root }: TemporaryWorkspace, paths: readonly PathRule[], memory: string | undefined = undefined): Call {
  const registry = createRegistry({ policy: readPolicyConfig({ tools: { paths } }), workspace: { root } });
  const tools = [...createFilesTools({ root, processes: false }), ...createCodeTools({ root, bash: true })];
  for (const tool of [...tools, ...(memory === undefined ? [] : createMemoryTools({ folder: memory }))]) registry.register(tool);
  return (name, input) => registry.invoke(name, input);
}

const tree = {
  "a.txt": "needle open\n",
  "secret/b.txt": "needle closed\n",
  "deep/.env": "needle env\n",
  "deep/c.ts": "export const needle = 1;\n",
};
const rules: readonly PathRule[] = [{ tool: "*", deny: ["secret/", ".env"] }];

describe("path rules, at the layer that opens files", () => {
  it.each([
    ["grep", { pattern: "needle|closed|env", include_ignored: true }],
    ["grep", { pattern: "needle", path: "deep" }],
    ["find", { pattern: "*", kind: "any", include_ignored: true }],
    ["ls", {}],
    ["ls", { path: "deep" }],
    ["file", { action: "list", path: "." }],
    ["search", { action: "grep", pattern: "needle" }],
    ["search", { action: "find_files", pattern: "*" }],
    ["search", { action: "find_definition", name: "needle" }],
    ["navigate", { action: "get_tree", show_hidden: true }],
    ["navigate", { action: "list_directory", show_hidden: true }],
  ])("SD4: %s leaves out what a path rule denies (%j)", async (tool, input) => {
    const result = await callerOf(workspaceOf(tree), rules)(tool, input);
    expect(result.ok).toBe(true);
    const text = JSON.stringify(result);
    expect(text).toMatch(/a\.txt|c\.ts/);
    for (const denied of ["secret", ".env", "closed", "needle env"]) expect(text).not.toContain(denied);
  });

  it("SD4: a patch changes, moves and makes nothing at a denied place, and says which rule holds", async () => {
    const workspace = workspaceOf(tree);
    const before = workspace.snapshot();
    const call = callerOf(workspace, rules);
    for (const section of [
      "*** Update File: secret/b.txt\n@@\n-needle closed\n+opened",
      "*** Delete File: secret/b.txt",
      "*** Add File: secret/new.txt\n+new",
      "*** Add File: other/.ENV\n+new",
      "*** Update File: a.txt\n*** Move to: secret/a.txt",
      "*** Update File: deep/.env\n*** Move to: out.txt",
    ]) {
      const result = await call("apply_patch", { patch: `*** Begin Patch\n${section}\n*** End Patch` });
      expect(result, section).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
      expect(result.ok || result.error, section).toMatch(
        /^The call of `apply_patch` is refused by `(secret\/|\.env)` in tools\.paths\[0\]: the path "[^"]+" leads to a denied location\./,
      );
    }
    expect(workspace.snapshot()).toEqual(before);
  });

  // row: E17
  it("SD4: a link does not lead around a rule, for reading, listing and changing", async () => {
    const workspace = workspaceOf(tree);
    symlinkSync(join(workspace.root, "secret"), join(workspace.root, "alias"));
    symlinkSync("deep/.env", join(workspace.root, "plain.txt"));
    const call = callerOf(workspace, rules);
    const before = workspace.snapshot();
    expect(JSON.stringify(await call("ls", {}))).not.toMatch(/alias|plain\.txt/);
    for (const path of ["alias/b.txt", "plain.txt"]) {
      const patch = `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch`;
      for (const [tool, input] of [
        ["read", { path }],
        ["write", { path, content: "x" }],
        ["apply_patch", { patch }],
      ] as const)
        expect(await call(tool, input), `${tool} ${path}`).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    }
    expect(workspace.snapshot()).toEqual(before);
  });

  it("SD4: a denied place is refused in the same words whether or not something is there", async () => {
    const call = callerOf(workspaceOf(tree), [{ tool: "*", deny: ["secret/"], parameters: ["nothing"] }]);
    const [there, missing] = [await call("read", { path: "secret/b.txt" }), await call("read", { path: "secret/x.txt" })];
    expect(there).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(missing.ok || missing.error).toBe(there.ok || there.error.replace("b.txt", "x.txt"));
  });

  it("SD4: where only some paths are allowed, nothing else is listed, searched or changed", async () => {
    const workspace = workspaceOf(tree);
    symlinkSync(join(workspace.root, "secret"), join(workspace.root, "deep/alias"));
    const call = callerOf(workspace, [{ tool: "*", allow: ["deep/"] }]);
    expect(await call("ls", { path: "deep" })).toMatchObject({ ok: true, data: { entries: [{ name: ".env" }, { name: "c.ts" }] } });
    expect(JSON.stringify(await call("grep", { path: "deep", pattern: "needle" }))).not.toContain("closed");
    expect(await call("write", { path: "deep/new/d.txt", content: "d" })).toMatchObject({ ok: true });
    for (const path of ["a.txt", "deep/alias/b.txt", "deep/../a.txt"])
      expect(await call("read", { path }), path).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(await call("grep", { pattern: "needle" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("SD4: a rule speaks of the workspace also where a pack works in a folder below it", async () => {
    const { root } = workspaceOf(tree);
    const registry = createRegistry({
      policy: readPolicyConfig({ tools: { paths: [{ tool: "read", deny: ["secret/b.txt"] }] } }),
      workspace: { root },
    });
    for (const tool of createFilesTools({ root: join(root, "secret"), processes: false })) registry.register(tool);
    expect(await registry.invoke("read", { path: "b.txt" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("SD4: memory finds and reads no note at a denied place, also when another caller has just read it", async () => {
    const workspace = workspaceOf({ "notes/tea.md": "needle tea\n", "notes/secret/plan.md": "needle plan\n" });
    const registry = createRegistry({
      policy: readPolicyConfig({ agents: { guest: { tools: { paths: [{ tool: "memory_*", deny: ["secret"] }] } } } }),
      workspace: { root: workspace.root },
    });
    for (const tool of createMemoryTools({ folder: join(workspace.root, "notes") })) registry.register(tool);
    const as = (agent: string, tool: string, input: object): Promise<ToolResult> => registry.invoke(tool, input, { caller: { agent } });
    const query = { query: "needle plan", source: "notes" };
    expect(JSON.stringify(await as("owner", "memory_search", query))).toContain("plan.md");
    const found = await as("guest", "memory_search", query);
    expect(found).toMatchObject({ ok: true, data: { count: 1 } });
    expect(JSON.stringify(found)).not.toContain("plan.md");
    expect(await as("guest", "memory_get", { note: "secret/plan.md" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(await as("owner", "memory_get", { note: "secret/plan.md" })).toMatchObject({ ok: true });
    expect(JSON.stringify(await as("owner", "memory_search", query))).toContain("plan.md");
  });

  it("SD4: notes and files that know no rules are asked about by their paths", async () => {
    const { root } = workspaceOf(tree);
    const { withPathRules: _files, ...files } = createFileOperations({ root });
    const { withPathRules: _notes, ...notes } = createFolderNotes(root);
    const registry = createRegistry({
      policy: readPolicyConfig({ tools: { paths: [{ tool: "*", deny: ["secret"] }] } }),
      workspace: { root },
    });
    for (const tool of createFilesTools({ root, files, processes: false })) registry.register(tool);
    for (const tool of createMemoryTools({ operations: { notes } })) registry.register(tool);
    expect(JSON.stringify(await registry.invoke("grep", { pattern: "needle" }))).not.toContain("closed");
    expect(await registry.invoke("read", { path: "secret/b.txt" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(JSON.stringify(await registry.invoke("memory_search", { query: "needle closed", source: "notes" }))).not.toContain("secret");
    expect(await registry.invoke("memory_get", { note: "secret/b.txt" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("SD4: ripgrep, which opens files by itself, is told of no file that is denied or hidden", async () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`many/${index}.txt`, "needle\n"]));
    const { root } = workspaceOf({ ...tree, ...many, "own/key.txt": "needle own\n" });
    const told: string[] = [];
    const answering: ProcessOperations = {
      async start({ args, onOutput }) {
        const files = args.slice(args.indexOf("--") + 1);
        if (args[0] !== "--version") told.push(...files);
        onOutput("stdout", Buffer.from(files.join("\0")));
        const end = { exitCode: 0, signal: null };
        return { pid: 1, ended: Promise.resolve(end), write: async () => {}, endInput() {}, signal() {}, stop: async () => end };
      },
      close: async () => {},
    };
    const registry = createRegistry({ policy: readPolicyConfig({ tools: { paths: rules } }), workspace: { root } });
    for (const tool of createFilesTools({ root, hidden: [join(root, "own")], processes: answering })) registry.register(tool);
    const result = await registry.invoke("grep", { pattern: "needle", limit: 2000 });
    expect(result).toMatchObject({ ok: true });
    expect(told.length).toBeGreaterThan(80);
    for (const text of [JSON.stringify(result), told.join()]) expect(text).not.toMatch(/secret|\.env|own/);
  });

  it.each([
    ["git", { action: "status" }],
    ["bash", { command: "cat secret/b.txt" }],
    ["test", { type: "npm" }],
  ])("SD4: %s runs programs, which open what they like, so a path rule for it refuses the call", async (tool, input) => {
    const result = await callerOf(workspaceOf(tree), rules)(tool, input);
    expect(result).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect(result.ok || result.error).toContain("cannot be enforced for a tool that runs programs");
  });

  it("SD4: whatever the tree, the rules and the calls, nothing at a denied place is returned or changed", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(filePath, { minLength: 1, maxLength: 8 }),
        fc.uniqueArray(denial, { minLength: 1, maxLength: 3 }),
        links,
        steps,
        tryOut,
      ),
      { numRuns: sized(15, 60) },
    );
  });
});

const name = fc.constantFrom("a", "b", "secret", "x.md", ".env", "y.txt");
const filePath = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `${names.join("/")}/f.txt`);
const denial = fc.constantFrom("secret", ".env", "*.md", "a/b/", "b/", "f.txt", "a/*");
const links = fc.array(fc.tuple(fc.constantFrom("l1", "l2"), fc.nat(7)), { maxLength: 2 });
const steps = fc.array(fc.tuple(fc.nat(19), fc.nat(10)), { minLength: 3, maxLength: 12 });

/** Every way to reach a file, one call each. */
const calls: readonly ((path: string) => readonly [string, object])[] = [
  (path) => ["read", { path }],
  (path) => ["ls", { path }],
  (path) => ["grep", { path, pattern: "token" }],
  (path) => ["find", { path, pattern: "*", kind: "any" }],
  (path) => ["file", { action: "read", path }],
  (path) => ["file", { action: "list", path }],
  (path) => ["code_edit", { action: "get_lines", path, start_line: 1 }],
  (path) => ["search", { action: "grep", directory: path, pattern: "token" }],
  (path) => ["search", { action: "find_files", directory: path, pattern: "*" }],
  (path) => ["search", { action: "find_in_file", path, pattern: "token" }],
  (path) => ["navigate", { action: "get_tree", directory: path, show_hidden: true }],
  (path) => ["memory_get", { note: path }],
  () => ["memory_search", { query: "token", source: "notes", max_results: 50 }],
  (path) => ["write", { path, content: "changed" }],
  (path) => ["edit", { path, old_text: "token", new_text: "changed", replace_all: true }],
  (path) => ["file", { action: "append", path, content: "changed" }],
  (path) => ["file", { action: "delete", path }],
  (path) => ["apply_patch", { patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }],
  (path) => ["apply_patch", { patch: `*** Begin Patch\n*** Add File: ${path}/new\n+changed\n*** End Patch` }],
  (path) => ["apply_patch", { patch: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: ${path}.moved\n*** End Patch` }],
];

/** The rules again, for the few patterns that are used here. */
function isDenied(path: string, patterns: readonly string[]): boolean {
  const names = path.split("/");
  return patterns.some((pattern) => {
    if (pattern === "*.md") return names.some((one) => one.endsWith(".md"));
    if (pattern === "a/*") return path.startsWith("a/");
    return pattern.includes("/") ? `${path}/`.startsWith(pattern) : names.includes(pattern);
  });
}

async function tryOut(
  paths: readonly string[],
  deny: readonly string[],
  made: readonly (readonly [string, number])[],
  wanted: readonly (readonly [number, number])[],
): Promise<void> {
  const content = Object.fromEntries(paths.map((path) => [path, `token of <${path}>\n`]));
  const workspace = createTemporaryWorkspace(content);
  try {
    for (const [link, target] of made)
      if (!existsSync(join(workspace.root, link)))
        symlinkSync(join(workspace.root, paths[target % paths.length]!, ".."), join(workspace.root, link));
    const call = callerOf(workspace, [{ tool: "*", deny }], workspace.root);
    const before = deniedState(workspace.root, deny);
    const places = [...paths, ".", "a", "a/b", "secret", "l1/f.txt", "l2/f.txt", "l1", "new.txt"];
    for (const [kind, place] of wanted) {
      const [tool, input] = calls[kind]!(places[place % places.length]!);
      const result = await call(tool, input);
      const text = JSON.stringify(result);
      for (const path of paths.filter((one) => isDenied(one, deny))) expect(text, tool).not.toContain(`token of <${path}>`);
      if (!result.ok || tool === "apply_patch" || tool === "write") continue;
      for (const path of paths.filter((one) => isDenied(one, deny))) expect(text, tool).not.toContain(`"${path}"`);
    }
    expect(deniedState(workspace.root, deny)).toEqual(before);
  } finally {
    workspace.remove();
  }
}

/** What lies at denied places, with its content. */
function deniedState(root: string, deny: readonly string[], below = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const one of readdirSync(join(root, below)).sort()) {
    const path = below === "" ? one : `${below}/${one}`;
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) Object.assign(found, deniedState(root, deny, path));
    else if (stat.isFile() && isDenied(path, deny)) found[path] = readFileSync(join(root, path), "utf8");
  }
  return found;
}
