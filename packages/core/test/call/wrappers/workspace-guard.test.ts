import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { createPathResolver } from "../../../src/policy/paths/resolve.ts";
import { findPathFault } from "../../../src/policy/paths/rules.ts";
import { pathPlaceOf, withinFolder, withPathPlace } from "../../../src/tool/path-place.ts";
import { defineTool } from "../../../src/tool/tool.ts";
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

describe("the workspace guard, for tools that run elsewhere", () => {
  const elsewhere = (place: object = {}) => withPathPlace(withPath, { isElsewhere: true, ...place });
  const own = join(base, "own");
  const refuse = (path: string, tool = elsewhere()) =>
    createWorkspaceGuard({ root, hidden: [own] }).beforeRun!(fakeCall({ tool, input: { path } }));

  it.each(["/", "/etc/hosts", "../x", "src/main.ts", "C:\\x", "~/x", "a\0b", ""])(
    "takes %j, which is a path of another machine",
    (path) => {
      expect(refuse(path)).toBeUndefined();
    },
  );

  it("refuses an absolute path of this machine that is hidden, however it is written", () => {
    for (const path of [own, `${own}/key`, `${root}/../own`, `file://${own}/key`, `  ${own}`])
      expect(refuse(path), path).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    expect(refuse("../own")).toBeUndefined();
    expect(refuse("../own", elsewhere({ start: root }))).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
  });

  it("keeps their paths in a folder that is declared, and relative ones start there", () => {
    const declared = withinFolder(elsewhere(), join(root, "sub"), ["path", "target"]);
    for (const path of ["x", join(root, "sub/x")]) expect(refuse(path, declared), path).toBeUndefined();
    for (const path of ["../x", root, "/"])
      expect(refuse(path, declared), path).toMatchObject({
        error: expect.stringContaining("Use a path inside of the folder that is declared for its paths."),
      });
    const guard = createWorkspaceGuard({ root });
    expect(guard.beforeRun!(fakeCall({ tool: declared, input: { target: "../x" } }))).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
  });

  it("holds a tool to each folder that is declared, and a tool of the workspace to that as well", () => {
    const twice = withinFolder(withinFolder(elsewhere(), join(root, "sub"), ["path"]), root);
    expect(refuse("../x", twice)).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
    const wider = withinFolder(withPath, base, ["path"]);
    expect(refuse(join(base, "x"), wider)).toMatchObject({ code: "PATH_OUTSIDE_WORKSPACE" });
  });

  it("keeps the place in copies of the tool, and shows it in no definition", () => {
    const defined = defineTool(withPathPlace({ name: "a", description: "", inputSchema: {}, handler: () => "" }, { isElsewhere: true }));
    expect(pathPlaceOf(defineTool({ ...defined, name: "b" }))).toEqual({ isElsewhere: true });
    expect(JSON.stringify(defined)).not.toContain("isElsewhere");
  });
});

describe("path rules, for tools that run elsewhere", () => {
  const rule = { tool: "*", deny: [".env"] };
  const resolve = createPathResolver({ root });
  const fault = (tool: ReturnType<typeof fakeTool>, input: JsonObject) => findPathFault(rule, tool, input, resolve);

  it("refuse a denied file to a source's tool, in declared parameters or else in path", () => {
    const tool = withPathPlace(withPath, { isElsewhere: true });
    for (const path of [".env", "/srv/app/.env", "app/.env/x"]) expect(fault(tool, { path }), path).toMatchObject({ entry: ".env" });
    expect(fault(tool, { path: "/" })).toBeUndefined();
    expect(fault(tool, { source: ".env" })).toBeUndefined();
    const declared = withinFolder(tool, base, ["source"]);
    expect(fault(declared, { source: ".env" })).toMatchObject({ entry: ".env" });
  });

  it("read relative paths from the folder that is declared", () => {
    const tool = withinFolder(withPathPlace(withPath, { isElsewhere: true }), base, ["path"]);
    const denied = { tool: "*", deny: [join(base, "outside")] };
    expect(findPathFault(denied, tool, { path: "outside/x" }, resolve)).toMatchObject({ entry: denied.deny[0] });
    expect(findPathFault(denied, withPath, { path: "outside/x" }, resolve)).toBeUndefined();
  });
});
