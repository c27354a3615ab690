import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { createLateWorkspaceGuard } from "../../../src/call/late-workspace-guard.ts";
import { createWorkspaceGuard } from "../../../src/call/wrappers/workspace-guard.ts";
import { fakeCall, fakeTool } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";

const base = realpathSync(mkdtempSync(join(tmpdir(), "workspace-guard-")));
const root = join(base, "root");

beforeAll(() => {
  for (const folder of ["root/sub", "root-evil", "outside"]) mkdirSync(join(base, folder), { recursive: true });
  symlinkSync("../outside", join(root, "link"));
  symlinkSync("../outside/later", join(root, "dangling"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const withPath = fakeTool({ name: "write", inputSchema: { type: "object", properties: { path: { type: "string" } } } });
const withPaths = fakeTool({ name: "move", metadata: { paths: ["from", "to"] } });
const check = (input: JsonObject, tool = withPath) => createWorkspaceGuard({ root }).beforeRun!(fakeCall({ tool, input }));

describe("createWorkspaceGuard", () => {
  const contract = wrapperContract("workspace-guard", () => createWorkspaceGuard({ root }), {
    tool: withPath,
    input: { path: "notes.md" },
  });
  for (const check of contract) it(check.name, check.run);

  it.each(["../x", "/etc/passwd", "~", "~/x", "link/x", "dangling", "a\0b", "%2e%2e%2fx", "..\\x", "C:\\x", "a.txt:stream"])(
    "refuses %j with 403",
    (path) => {
      expect(check({ path })).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE", status: 403, retryable: false });
    },
  );

  it("SD1: refuses a path to what is hidden, however it is written", () => {
    const guard = createWorkspaceGuard({ root, hidden: [join(root, "own"), join(root, "sub/config")] });
    const refuses = (path: string): boolean => guard.beforeRun!(fakeCall({ tool: withPath, input: { path } })) !== undefined;
    for (const path of ["own", "own/key", "sub/../own", "sub%2fconfig", "sub\\config", join(root, "sub/config")])
      expect(refuses(path), path).toBe(true);
    for (const path of ["sub", "owned", "sub/config.bak"]) expect(refuses(path), path).toBe(false);
  });

  it("refuses a look-alike of the root, and takes a path inside of it", () => {
    expect(check({ path: `${root}-evil/x` })).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    expect(check({ path: join(root, "sub/x") })).toBeUndefined();
  });

  it.each(["notes.md", "..notes", "sub/../notes.md", "new/folder/file", "日本語.txt", ""])("takes %j", (path) => {
    expect(check({ path })).toBeUndefined();
  });

  it("names the tool, the parameter, the path and the reason, but not where the workspace is", () => {
    const refused = check({ path: "../x" });
    expect(refused).toMatchObject({
      error: 'Tool "write": path "../x" is refused: it leads out of the workspace. Use a path inside of the workspace.',
    });
    const long = check({ path: `../${"x".repeat(1_000)}` }) as { error: string };
    expect(long.error).toContain(`path "../${"x".repeat(197)}…" is refused`);
    expect(long.error).not.toContain(base);
  });

  it("checks every parameter that the tool names, and no other", () => {
    expect(check({ from: "a", to: "../b" }, withPaths)).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    expect(check({ from: "../a", to: "b" }, withPaths)).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    expect(check({ from: "a", to: "b", path: "../c" }, withPaths)).toBeUndefined();
    expect(check({ from: "a" }, withPaths)).toBeUndefined();
  });

  it("checks every text in lists and objects of paths, behind anything else in them", () => {
    expect(check({ from: ["a", "b"] }, withPaths)).toBeUndefined();
    for (const from of [
      ["a", "../b"],
      ["a", ["../b"]],
      [undefined, null, 5, "../b"],
      [{ path: "../b" }],
      { file: { path: "../b" } },
      { a: undefined, b: "../b" },
    ]) {
      expect(check({ from }, withPaths)).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    }
  });

  it("refuses more paths than can be looked at in one call, and a value that contains itself ends", () => {
    expect(check({ from: Array.from({ length: 1_001 }, (_, index) => `file-${index}`) }, withPaths)).toMatchObject({
      error: expect.stringContaining("more than 1000 paths"),
    });
    const circular: unknown[] = ["a"];
    circular.push(circular);
    expect(check({ from: circular }, withPaths)).toBeUndefined();
  });

  it("reads own properties only", () => {
    expect(check(Object.create({ path: "../x" }) as JsonObject)).toBeUndefined();
    expect(check({}, fakeTool({ metadata: { paths: ["constructor", "__proto__"] } }))).toBeUndefined();
  });

  it("applies to tools with path parameters, and where a schema cannot tell", () => {
    const applies = (tool: ReturnType<typeof fakeTool>) => createWorkspaceGuard({ root }).appliesTo!(tool);
    expect(
      [withPath, withPaths, fakeTool({ inputSchema: {} }), fakeTool({ inputSchema: { properties: {}, anyOf: [] } })].map(applies),
    ).toEqual([true, true, true, true]);
    expect([fakeTool(), fakeTool({ ...withPath, metadata: { paths: [] } })].map(applies)).toEqual([false, false]);
    const other = createWorkspaceGuard({ root, paths: ["text"] });
    expect(other.appliesTo!(fakeTool())).toBe(true);
    expect(other.beforeRun!(fakeCall({ input: { text: "../x" } }))).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
  });
});

describe("createLateWorkspaceGuard", () => {
  const contract = wrapperContract("workspace-guard", () => createLateWorkspaceGuard({ root }), {
    tool: withPath,
    input: { path: "notes.md" },
  });
  for (const check of contract) it(check.name, check.run);

  it("applies to the tools, and checks the parameters, that the loaded guard would", async () => {
    const guard = createLateWorkspaceGuard({ root, paths: ["text"] });
    expect([fakeTool(), fakeTool({ ...withPath, metadata: { paths: [] } })].map((tool) => guard.appliesTo!(tool))).toEqual([true, false]);
    for (const when of ["while it is loaded", "once it is loaded"])
      expect([when, await guard.beforeRun!(fakeCall({ input: { text: "../x" } }))]).toMatchObject([
        when,
        { code: "PATH_OUTSIDE_WORKSPACE" },
      ]);
  });
});
