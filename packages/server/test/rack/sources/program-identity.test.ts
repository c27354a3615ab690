import { closeSync, mkdirSync, openSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { programIdentity } from "../../../src/rack/sources/program-identity.ts";

/** A project with these files. */
function project(files: Readonly<Record<string, string>> = { "server.mjs": "one" }): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const filesOf = (...given: Parameters<typeof programIdentity>): readonly string[] =>
  Object.keys(programIdentity(...given).parts).flatMap((part) => (part.startsWith("file ") ? [part.slice(5)] : []));

describe("the identity of a program", () => {
  it.each([
    ["a relative argument", () => ({ command: "node", args: ["server.mjs"] })],
    ["an absolute argument in the project", (home: string) => ({ command: "node", args: [join(home, "server.mjs")] })],
    ["an option with a path in the project", (home: string) => ({ command: "node", args: [`--import=${join(home, "server.mjs")}`] })],
    ["an address of a file in the project", (home: string) => ({ command: "node", args: [`file://${home}/server.mjs`] })],
    ["a command in the project", () => ({ command: "./server.mjs" })],
    ["an absolute command in the project", (home: string) => ({ command: join(home, "server.mjs") })],
    ["a folder of the project", (home: string) => ({ command: "node", args: ["../server.mjs"], cwd: join(home, "work") })],
    ["a variable that loads code", (home: string) => ({ command: "node", env: { NODE_OPTIONS: `--require ${home}/server.mjs` } })],
  ])("is the same in another folder, and another one with other content: %s", (_, configOf) => {
    const [one, two, other] = [project(), project(), project({ "server.mjs": "other" })];
    const [first, second, third] = [one, two, other].map((folder) => programIdentity(configOf(folder), folder));
    expect(second).toEqual(first);
    expect(third!.identity).not.toBe(first!.identity);
    expect(filesOf(configOf(one), one)).toEqual(["./server.mjs"]);
  });

  it("is another one with another command, argument, name of a variable, folder or path of an interpreter", () => {
    const folder = project({ "server.mjs": "one", "work/server.mjs": "one" });
    const config = { command: "/usr/bin/node", args: ["server.mjs"], env: { TOKEN: "secret:token" } };
    const others = [
      { ...config, command: "/opt/other/node" },
      { ...config, command: "node" },
      { ...config, args: ["server.mjs", "--all"] },
      { ...config, env: { TOKEN: "secret:token", LEVEL: "1" } },
      { ...config, cwd: "work" },
      { ...config, cwd: "/" },
    ];
    const identities = [config, ...others].map((one) => programIdentity(one, folder).identity);
    expect(new Set(identities).size).toBe(identities.length);
  });

  it("does not depend on the value of a variable, unless the variable decides what code runs", () => {
    const folder = project();
    const identityOf = (env: Readonly<Record<string, string>>): string => programIdentity({ command: "node", env }, folder).identity;
    expect(identityOf({ LEVEL: "debug" })).toBe(identityOf({ LEVEL: "info" }));
    expect(identityOf({ NODE_OPTIONS: "--inspect" })).not.toBe(identityOf({ NODE_OPTIONS: "" }));
  });

  it("takes nothing else for the project than its folder: a longer name, a path that contains it, a text that looks like it", () => {
    const folder = project();
    const identityOf = (arg: string): string => programIdentity({ command: "node", args: [arg] }, folder).identity;
    const identities = [`${folder}/x.mjs`, `${folder}2/x.mjs`, `/other${folder}/x.mjs`, "x.mjs", "./x.mjs"].map(identityOf);
    expect(new Set(identities).size).toBe(identities.length);
  });

  it.each([
    [["server"], "./server.js"],
    [["tools"], "./tools/index.js"],
    [["-m", "tools.main"], "./tools/main.py"],
    [["run", "start"], "./start"],
  ])("covers what an interpreter runs by %j", (args, file) => {
    const folder = project({ "server.js": "1", "tools/index.js": "2", "tools/main.py": "3", start: "4" });
    const command = args[0] === "-m" ? "python3" : "node";
    expect(filesOf({ command, args }, folder)).toEqual([file]);
  });

  it("covers programs by their beginning, and no file of data", () => {
    const folder = project({ "server.mjs": "1", tool: "#!/bin/sh\n", "notes.db": "data", "settings.json": "{}" });
    expect(filesOf({ command: "node", args: ["server.mjs", "tool", "notes.db", "settings.json", "."] }, folder)).toEqual([
      "./server.mjs",
      "./tool",
    ]);
  });

  it("covers a program outside the project by its whole path, and no interpreter of the system", () => {
    const [folder, elsewhere] = [project(), project({ "server.py": "1", server: "2" })];
    expect(filesOf({ command: "/usr/bin/python3", args: [join(elsewhere, "server.py")] }, folder)).toEqual([join(elsewhere, "server.py")]);
    expect(filesOf({ command: join(elsewhere, "server") }, folder)).toEqual([join(elsewhere, "server")]);
    expect(filesOf({ command: process.execPath, args: ["server.mjs"] }, folder)).toEqual(["./server.mjs"]);
  });

  it("covers 32 files", () => {
    const many = Array.from({ length: 40 }, (_, index) => `tool-${index}.mjs`);
    const folder = project(Object.fromEntries(many.map((name) => [name, name])));
    expect(filesOf({ command: "node", args: many }, folder)).toHaveLength(32);
  });

  it("covers 32 MiB of all files together, and of what is larger the size, the beginning and the end", () => {
    const most = 33_554_432;
    const folder = project({ "server.mjs": "1", "last.mjs": "one" });
    const file = join(folder, "server.mjs");
    const identityOf = (): string => programIdentity({ command: "node", args: ["server.mjs", "last.mjs"] }, folder).identity;
    const write = (text: string, at: number): void => {
      const descriptor = openSync(file, "r+");
      writeSync(descriptor, text, at);
      closeSync(descriptor);
    };
    truncateSync(file, most + 10);
    const seen = [identityOf()];
    const note = (change: () => void): void => (change(), void seen.push(identityOf()));
    note(() => write("x", 0));
    note(() => write("y", most + 9));
    note(() => truncateSync(file, most + 20));
    expect(new Set(seen).size).toBe(seen.length);
    note(() => write("z", most / 2 + 10)); // neither at the beginning nor at the end
    note(() => writeFileSync(join(folder, "last.mjs"), "two"));
    expect(new Set(seen.slice(3)).size).toBe(1);
  });

  it("covers the integrity of an npm package that the lock file has, with the version that is asked for", () => {
    const lock = (integrity: string): string =>
      JSON.stringify({ packages: { "node_modules/@acme/server": { version: "1.2.3", integrity } } });
    const identityOf = (integrity: string, spec = "@acme/server@1.2.3"): string => {
      const folder = project({ "package-lock.json": lock(integrity) });
      return programIdentity({ command: "npx", args: ["-y", spec] }, folder).identity;
    };
    expect(identityOf("sha512-a")).toBe(identityOf("sha512-a"));
    expect(identityOf("sha512-b")).not.toBe(identityOf("sha512-a"));
    expect(identityOf("sha512-a", "@acme/server@1.2.4")).not.toBe(identityOf("sha512-a"));
    expect(identityOf("sha512-a", "@acme/server@1.2.4")).toBe(identityOf("sha512-b", "@acme/server@1.2.4"));
  });
});
