import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolResult } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it, vi } from "vitest";
import { listRunningCode } from "../../../src/rack/files/running-code.ts";
import { starterConfig } from "../../../src/config/starter.ts";
import type { Rack } from "../../../src/rack/rack.ts";

const marker = "marker-of-the-configuration";

interface Attacked {
  readonly rack: Rack;
  readonly folder: string;
  readonly workspace: string;
  readonly key: string;
  call(tool: string, input: object): Promise<ToolResult>;
}

/** A rack as `toolrack init` makes it, with every file tool on, and with links into its own files made before it starts. */
async function attacked(workspaceKey: string): Promise<Attacked> {
  const folder = realpathSync(temporaryFolder());
  const text = starterConfig()
    .replace("workspace: ./workspace", `workspace: ${workspaceKey}`)
    .replace("    files: true\n", "    files: { applyPatchModels: [] }\n    code: true\n    memory: { folder: . }\n");
  expect(text).toContain("code: true");
  expect(text).toContain(`workspace: ${workspaceKey}\n`);
  writeFileSync(join(folder, "toolrack.config.yaml"), `# ${marker}\n${text}`);
  await (await openTestRack({ folder, config: "toolrack.config.yaml" })).close(); // makes the key and the store
  const workspace = join(folder, workspaceKey);
  const own = (name: string): string => join(folder, name);
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, "plain.txt"), "plain\n");
  for (const [name, target] of [
    ["soft-key.txt", ".toolrack/master.key"],
    ["soft-config.txt", "toolrack.config.yaml"],
    ["soft-store", ".toolrack"],
  ] as const)
    symlinkSync(own(target), join(workspace, name));
  linkSync(own(".toolrack/master.key"), join(workspace, "hard-key.txt"));
  linkSync(own(".toolrack/toolrack.db"), join(workspace, "hard-store.txt"));
  linkSync(own("toolrack.config.yaml"), join(workspace, "hard-config.txt"));
  const rack = await openTestRack({ folder, config: "toolrack.config.yaml" });
  return {
    rack,
    folder,
    workspace,
    key: readFileSync(own(".toolrack/master.key"), "utf8").trim(),
    call: (tool, input) => rack.call(tool, input, { caller: { agent: "local", owner: true } }).result,
  };
}

/** Every way to say where the server's files are. */
function waysTo({ folder, workspace }: Attacked): string[] {
  const names = [".toolrack/master.key", ".toolrack/toolrack.db", ".toolrack/toolrack.db-wal", ".toolrack", "toolrack.config.yaml"];
  const up = workspace === folder ? "" : "../";
  return [
    ...names.flatMap((name) => [`${up}${name}`, join(folder, name), `nothing/../${up}${name}`, `./${up}./${name}`]),
    "soft-key.txt",
    "soft-config.txt",
    "soft-store",
    "soft-store/master.key",
    "soft-store/toolrack.db",
    "hard-key.txt",
    "hard-store.txt",
    "hard-config.txt",
  ];
}

const reads: readonly (readonly [string, (path: string) => object])[] = [
  ["read", (path) => ({ path })],
  ["ls", (path) => ({ path })],
  ["grep", (path) => ({ pattern: ".", path, include_ignored: true })],
  ["find", (path) => ({ pattern: "*", path, kind: "any", include_ignored: true })],
  ["file", (path) => ({ action: "read", path })],
  ["file", (path) => ({ action: "list", path })],
  ["code_edit", (path) => ({ action: "get_lines", path, start_line: 1 })],
  ["search", (path) => ({ action: "find_in_file", path, pattern: "." })],
  ["search", (path) => ({ action: "grep", directory: path, pattern: "." })],
  ["search", (path) => ({ action: "find_files", directory: path, pattern: "*" })],
  ["navigate", (path) => ({ action: "get_file_outline", path })],
  ["navigate", (path) => ({ action: "find_imports", path })],
  ["navigate", (path) => ({ action: "list_directory", directory: path, show_hidden: true })],
  ["memory_get", (path) => ({ note: path })],
];

const changes: readonly (readonly [string, (path: string) => object])[] = [
  ["write", (path) => ({ path, content: "taken over" })],
  ["edit", (path) => ({ path, old_text: "sources", new_text: "taken over", replace_all: true })],
  ["apply_patch", (path) => ({ patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` })],
  ["apply_patch", (path) => ({ patch: `*** Begin Patch\n*** Add File: ${path}\n+taken over\n*** End Patch` })],
  ["apply_patch", (path) => ({ patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-sources: {}\n+taken: over\n*** End Patch` })],
  ["apply_patch", (path) => ({ patch: `*** Begin Patch\n*** Update File: ${path}\n*** Move to: stolen.txt\n*** End Patch` })],
  ["apply_patch", (path) => ({ patch: `*** Begin Patch\n*** Update File: plain.txt\n*** Move to: ${path}\n*** End Patch` })],
  ["file", (path) => ({ action: "write", path, content: "taken over" })],
  ["file", (path) => ({ action: "append", path, content: "taken over" })],
  ["file", (path) => ({ action: "delete", path })],
  ["code_edit", (path) => ({ action: "insert_at_line", path, line_number: 1, content: "taken over" })],
];

const looks: readonly (readonly [string, object])[] = [
  ["ls", {}],
  ["find", { pattern: "*", kind: "any", include_ignored: true, limit: 5000 }],
  ["grep", { pattern: ".", include_ignored: true, limit: 2000 }],
  ["file", { action: "list", path: "." }],
  ["search", { action: "grep", pattern: "." }],
  ["search", { action: "find_files", pattern: "*" }],
  ["search", { action: "find_definition", name: "sources" }],
  ["navigate", { action: "get_tree", show_hidden: true, max_depth: 20 }],
  ["navigate", { action: "list_directory", show_hidden: true }],
  ["memory_search", { query: `${marker} sources configuration key`, source: "notes", max_results: 50 }],
];

/** Whether an answer shows anything of the key, the configuration or the store. */
function shows(result: ToolResult, key: string): boolean {
  const text = JSON.stringify(result);
  return [key, key.slice(0, 12), marker, "SQLite format 3"].some((secret) => text.includes(secret));
}

function ownState({ folder }: Attacked): object {
  const content = (name: string): string => readFileSync(join(folder, name), "latin1");
  const names = readdirSync(join(folder, ".toolrack")).sort();
  return { key: content(".toolrack/master.key"), config: content("toolrack.config.yaml"), names };
}

describe.each(["./workspace", "."])("an agent with every file tool, in a rack of `toolrack init` with workspace %s", (workspaceKey) => {
  it("SD1: reads none of the server's own files, whatever leads to them", async () => {
    const attack = await attacked(workspaceKey);
    expect(await attack.call("read", { path: "plain.txt" })).toMatchObject({ ok: true });
    for (const path of waysTo(attack)) {
      for (const [tool, input] of reads) {
        const result = await attack.call(tool, input(path));
        expect(shows(result, attack.key), `${tool} ${path}: ${JSON.stringify(result).slice(0, 300)}`).toBe(false);
        if (tool !== "grep" && tool !== "search") expect(result.ok, `${tool} ${path}`).toBe(false);
      }
    }
  });

  it("SD1: finds none of the server's own files, by name or by content", async () => {
    const attack = await attacked(workspaceKey);
    for (const [tool, input] of looks) {
      const result = await attack.call(tool, input);
      const text = JSON.stringify(result);
      expect(result.ok, `${tool}: ${text.slice(0, 300)}`).toBe(true);
      expect(shows(result, attack.key), `${tool}: ${text.slice(0, 300)}`).toBe(false);
      // A link that leads out of the workspace is listed as such; one that leads to a hidden file in it is not.
      const links = workspaceKey === "." ? ["soft-"] : [];
      for (const name of ["master.key", "toolrack.db", "toolrack.config", "hard-", '".toolrack', ...links])
        expect(text, tool).not.toContain(name);
    }
  });

  it("SD1: changes, removes and makes none of the server's own files", async () => {
    const attack = await attacked(workspaceKey);
    const before = ownState(attack);
    const inStore = attack.workspace === attack.folder ? ".toolrack" : join(attack.folder, ".toolrack");
    for (const path of [...waysTo(attack), `${inStore}/owner.token`, `${inStore}/deep/new.txt`, "soft-store/new.txt"]) {
      for (const [tool, input] of changes) {
        const result = await attack.call(tool, input(path));
        expect(result.ok, `${tool} ${path}: ${JSON.stringify(result).slice(0, 300)}`).toBe(false);
      }
    }
    expect(ownState(attack)).toEqual(before);
    expect(readFileSync(join(attack.workspace, "plain.txt"), "utf8")).toBe("plain\n");
  });

  it("SD1: finds them under no new name, when they or the folder around them are moved into the workspace", async () => {
    const attack = await attacked(workspaceKey);
    const { folder, workspace } = attack;
    mkdirSync(join(workspace, "moved"));
    renameSync(join(folder, ".toolrack"), join(workspace, "moved/store"));
    renameSync(join(folder, "toolrack.config.yaml"), join(workspace, "moved/config.txt"));
    for (const path of ["moved/store/master.key", "moved/store/toolrack.db", "moved/store", "moved/config.txt"]) {
      for (const [tool, input] of reads) expect(shows(await attack.call(tool, input(path)), attack.key), `${tool} ${path}`).toBe(false);
      for (const [tool, input] of changes) expect((await attack.call(tool, input(path))).ok, `${tool} ${path}`).toBe(false);
    }
    for (const [tool, input] of looks) expect(shows(await attack.call(tool, input), attack.key), tool).toBe(false);
    expect(await attack.call("ls", { path: "moved" })).toMatchObject({ ok: true, data: { entries: [] } });
    expect(readFileSync(join(workspace, "moved/config.txt"), "utf8")).toContain(marker);
    renameSync(join(workspace, "moved/store"), join(folder, ".toolrack"));
  });
});

describe("the code of the server", () => {
  const checkout = fileURLToPath(new URL("../../../../..", import.meta.url));

  it("SD1: is neither seen nor changed by an agent whose workspace contains it, and the operator is warned", async () => {
    const warnings: string[] = [];
    const log = { debug: () => undefined, info: () => undefined, warn: (line: string) => void warnings.push(line), error: () => undefined };
    const config = { store: { memory: true }, workspace: checkout, tools: { packs: { files: true, code: true } } } as const;
    const rack = await openTestRack({ folder: temporaryFolder(), config, log });
    const call = (tool: string, input: object) => rack.call(tool, input, { caller: { agent: "local", owner: true } }).result;
    const name = `attack-${process.pid}.txt`;
    for (const place of [
      "packages/server",
      "packages/core/src",
      "packages/cli/bin",
      "node_modules",
      "node_modules/yaml",
      "node_modules/.bin",
      "packages/node_modules",
    ]) {
      try {
        for (const [tool, input] of changes.filter(([tool]) => tool === "write" || tool === "file"))
          expect((await call(tool, input(`${place}/${name}`))).ok, `${tool} ${place}`).toBe(false);
        expect(existsSync(join(checkout, place, name)), place).toBe(false);
      } finally {
        rmSync(join(checkout, place, name), { force: true });
      }
    }
    for (const path of [
      "packages/server/package.json",
      "packages/cli/package.json",
      "node_modules/yaml/package.json",
      "node_modules/toolrack/package.json",
    ])
      for (const [tool, input] of reads.filter(([tool]) => tool === "read" || tool === "navigate" || tool === "ls"))
        expect((await call(tool, input(path))).ok, `${tool} ${path}`).toBe(false);
    expect(JSON.stringify(await call("ls", {}))).not.toContain("node_modules");
    expect(await call("read", { path: "package.json" })).toMatchObject({ ok: true });
    expect(warnings.join("\n")).toMatch(/contains the code of this server: .* Set workspace to a folder of its own/);
  });

  it("is not the project that it is installed in, nor the program that started it there", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "node_modules/toolrack/bin"), { recursive: true });
    mkdirSync(join(folder, "node_modules/.bin"));
    mkdirSync(join(folder, "workspace"));
    for (const place of ["package.json", "node_modules/toolrack/package.json", "node_modules/toolrack/bin/toolrack.cjs", "app.mjs"])
      writeFileSync(join(folder, place), "{}");
    symlinkSync("../toolrack/bin/toolrack.cjs", join(folder, "node_modules/.bin/toolrack"));
    const started = process.argv[1]!;
    try {
      for (const place of ["node_modules/.bin/toolrack", "app.mjs"]) {
        process.argv[1] = join(folder, place);
        expect(listRunningCode(folder, [{ key: "workspace", folder: join(folder, "workspace") }])).toEqual([]);
        const all = listRunningCode(folder, [{ key: "workspace", folder }]);
        expect(all).toContain(join(folder, "node_modules"));
        expect(all.filter((code) => code === folder)).toEqual([]);
      }
    } finally {
      process.argv[1] = started;
    }
  });

  it("SD1: is not put in place for the next start in the folder of the configuration", async () => {
    const folder = temporaryFolder();
    const rack = await openTestRack({ folder, config: { store: { memory: true }, workspace: ".", tools: { packs: { files: true } } } });
    const call = (tool: string, input: object) => rack.call(tool, input, { caller: { agent: "local", owner: true } }).result;
    for (const path of ["node_modules/.bin/toolrack", "node_modules/toolrack/bin/toolrack.cjs", "node_modules/@toolrack/core/index.js"])
      expect((await call("write", { path, content: "taken over" })).ok, path).toBe(false);
    expect(await call("write", { path: "node_modules/mine/index.js", content: "mine" })).toMatchObject({ ok: true });
  });
});

describe("the workspace", () => {
  it("SD1: is a folder of its own where nothing is said, and paths are guarded there", async () => {
    const folder = realpathSync(temporaryFolder());
    writeFileSync(join(folder, "beside.txt"), "beside");
    const rack = await openTestRack({ folder, config: { store: { memory: true }, tools: { packs: { files: true } } } });
    const call = (tool: string, input: object) => rack.call(tool, input, { caller: { owner: true } }).result;
    expect(await call("write", { path: "a.txt", content: "a" })).toMatchObject({ ok: true });
    expect(existsSync(join(folder, "workspace/a.txt")), "written into the workspace").toBe(true);
    expect(await call("read", { path: join(folder, "beside.txt") })).toMatchObject({ ok: false, code: "PATH_OUTSIDE_WORKSPACE" });
    expect(rack.registry.wrappers("read")).toContain("workspace-guard");
  });

  it("SD1: must not lie in a folder of the server, and the refusal says what to do", async () => {
    for (const workspace of [".toolrack", ".toolrack/work"]) {
      const opening = openTestRack({ folder: temporaryFolder(), config: { workspace, tools: { packs: { files: true } } } });
      await expect(opening).rejects.toThrow(/is in a folder of the server itself.*Choose a workspace outside of it/);
    }
  });

  it("SD1: never shows key files and key sets that lie in it", async () => {
    const folder = realpathSync(temporaryFolder());
    for (const name of ["elsewhere.key", "jwks.json"]) writeFileSync(join(folder, name), `export default [];// ${marker}`, { mode: 0o600 });
    writeFileSync(join(folder, "elsewhere.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
    const rack = await openTestRack({
      folder,
      environment: { TOOLRACK_MASTER_KEY_FILE: join(folder, "elsewhere.key") },
      config: {
        store: { sqlite: "records.db" },
        workspace: ".",
        signIn: { jwt: { issuer: "https://login.example.com/", audience: "toolrack", jwksFile: "jwks.json" } },
        tools: { packs: { files: true } },
      },
    });
    const call = (tool: string, input: object) => rack.call(tool, input, { caller: { owner: true } }).result;
    writeFileSync(join(folder, "plain.txt"), "plain");
    expect(await call("ls", {})).toMatchObject({ data: { entries: [{ name: "plain.txt" }] } });
    for (const path of [
      "elsewhere.key",
      "jwks.json",
      "records.db",
      "records.db-wal",
      "records.db-call-ends/server.ends.jsonl",
      "master.key",
      "owner.token",
      "toolrack.config.yaml",
    ]) {
      expect((await call("read", { path })).ok, path).toBe(false);
      expect((await call("write", { path, content: "x" })).ok, path).toBe(false);
    }
    expect(existsSync(join(folder, "toolrack.config.yaml"))).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("the files of the store", () => {
  const modeOf = (file: string): number => statSync(file).mode & 0o777;

  it("SD1: are closed to others from their first moment on, and again at every start", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "data/store/records.db");
    const config = { store: { sqlite: "data/store/records.db" } };
    const before = process.umask(0);
    try {
      await (await openTestRack({ folder, config })).close();
      expect(modeOf(dirname(file))).toBe(0o700);
      for (const name of readdirSync(dirname(file))) expect(modeOf(join(dirname(file), name)), name).toBe(0o600);
      chmodSync(dirname(file), 0o755);
      chmodSync(file, 0o644);
      writeFileSync(`${file}-journal`, "", { mode: 0o644 });
      const rack = await openTestRack({ folder, config });
      await rack.call("calculator", { expression: "1 + 1" }, { caller: {} }).result;
      expect(modeOf(dirname(file))).toBe(0o700);
      for (const name of readdirSync(dirname(file))) expect(modeOf(join(dirname(file), name)), name).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });

  it("SD1: that are open to others and belong to somebody else are refused, with the command that closes them", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".toolrack"));
    chmodSync(join(folder, ".toolrack"), 0o755);
    const user = vi.spyOn(process, "geteuid").mockReturnValue(statSync(folder).uid + 1);
    try {
      await expect(openTestRack({ folder, config: {} })).rejects.toThrow(`run: chmod 700 ${join(folder, ".toolrack")}`);
      expect(modeOf(join(folder, ".toolrack"))).toBe(0o755);
    } finally {
      user.mockRestore();
    }
  });
});
