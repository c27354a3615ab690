import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { networkInterfaces, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCapabilities } from "../../src/registry/capabilities.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolDefinition } from "../../src/tool/tool.ts";

const needing = (name: string, ...requiresCapabilities: string[]): ToolDefinition => fakeTool({ name, metadata: { requiresCapabilities } });

// The real environment: it is changed for each test and put back.
const before = { ...process.env };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capabilities-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

/** Puts a program into the folder, and the folder on the PATH. */
function install(program: string, mode = 0o755): void {
  writeFileSync(join(folder, program), "#!/bin/sh\n");
  chmodSync(join(folder, program), mode);
  process.env["PATH"] = [folder, before["PATH"]].join(delimiter);
}

describe("a tool that needs a capability", () => {
  // row: C18
  it("disappears when the PATH is emptied, and comes back with it", async () => {
    install("git");
    const registry = createRegistry();
    registry.register(needing("commit", "git"));
    registry.register(fakeTool());
    expect(registry.list().map(({ name }) => name)).toEqual(["commit", "echo"]);
    process.env["PATH"] = "";
    expect(registry.list().map(({ name }) => name)).toEqual(["echo"]);
    expect(registry.entries()[0]).toMatchObject({ state: "unavailable", reason: 'It needs "git". Install git and put it on the PATH.' });
    const late = await registry.invoke("commit", {});
    expect(late).toMatchObject({ code: "TOOL_UNAVAILABLE", status: 503 });
    expect(!late.ok && late.error).toContain("Install git");
    delete process.env["PATH"];
    expect(registry.list().map(({ name }) => name)).toEqual(["echo"]);
    install("git");
    expect(registry.list().map(({ name }) => name)).toEqual(["commit", "echo"]);
    expect(await registry.invoke("commit", { text: "hi" })).toMatchObject({ ok: true, content: "hi" });
  });

  it("needs all that it names", () => {
    const registry = createRegistry({ capabilities: createCapabilities({ overrides: { git: true, network: false } }) });
    registry.register(needing("push", "git", "network"));
    expect(registry.list()).toEqual([]);
    expect(registry.entries()[0]!.reason).toContain('It needs "network".');
  });

  // row: C18
  it("is refused at registration where nothing can check the name, and the known ones are listed", () => {
    const registry = createRegistry({ capabilities: createCapabilities({ checks: { plotter: () => true } }) });
    let message = "";
    try {
      registry.register(needing("plot", "ploter"));
    } catch (error) {
      expect(error).toMatchObject({ code: "CAPABILITY_UNKNOWN" });
      message = (error as Error).message;
    }
    for (const part of ['"plot"', '"ploter"', "git", "network", "plotter", "binary:<program>", "env:<NAME>"])
      expect(message).toContain(part);
    expect(registry.count).toBe(0);
    for (const name of ["", "constructor", "__proto__", "binary:", "env:"]) {
      expect(() => registry.register(needing("plot", name))).toThrowError(expect.objectContaining({ code: "CAPABILITY_UNKNOWN" }));
    }
  });

  it("is unavailable while its check fails with an error, and harms no other tool", async () => {
    const broken = (): never => {
      throw new Error("the probe is broken");
    };
    const registry = createRegistry({ capabilities: createCapabilities({ checks: { probe: broken } }) });
    registry.register(needing("measure", "probe"));
    registry.register(fakeTool());
    expect(registry.list().map(({ name }) => name)).toEqual(["echo"]);
    expect(registry.entries()[0]).toMatchObject({ state: "unavailable", reason: expect.stringContaining("the probe is broken") });
    expect(await registry.invoke("measure", {})).toMatchObject({ code: "TOOL_UNAVAILABLE" });
  });
});

describe("createCapabilities", () => {
  it("looks for any program, and takes only a file that may be run", () => {
    const { has } = createCapabilities();
    expect(has("binary:frobnicate")).toBe(false);
    install("frobnicate");
    expect(has("binary:frobnicate")).toBe(true);
    process.env["PATH"] = `${folder}${delimiter}/nowhere`;
    chmodSync(join(folder, "frobnicate"), 0o644);
    expect(has("binary:frobnicate")).toBe(process.platform === "win32");
  });

  it("does not take a folder on the PATH for a program", () => {
    mkdirSync(join(folder, "rg"));
    process.env["PATH"] = folder;
    expect(createCapabilities().has("binary:rg")).toBe(false);
  });

  it("does not follow a program name to another place", () => {
    install("frobnicate");
    const { has } = createCapabilities();
    for (const name of ["../frobnicate", `${folder}/frobnicate`, "a\0b", "./frobnicate"]) expect(has(`binary:${name}`)).toBe(false);
  });

  it("looks for variables of the environment as it is now", () => {
    const { has, remedy } = createCapabilities();
    expect(has("env:FROB_TOKEN")).toBe(false);
    process.env["FROB_TOKEN"] = "x";
    expect(has("env:FROB_TOKEN")).toBe(true);
    process.env["FROB_TOKEN"] = "";
    expect(has("env:FROB_TOKEN")).toBe(false);
    expect(remedy("env:FROB_TOKEN")).toBe("Set the environment variable FROB_TOKEN.");
    delete process.env["GITHUB_TOKEN"];
    expect(has("github_api")).toBe(false);
    process.env["GITHUB_TOKEN"] = "x";
    expect(has("github_api")).toBe(true);
  });

  it("has a check for each of these names, with what to do about it", () => {
    const { names, remedy, knows } = createCapabilities();
    const programs = ["git", "bash", "rg", "node", "npm", "python3", "docker", "ollama", "whisper"];
    expect(names()).toEqual([...programs, "network", "github_api", "gitlab_api", "notion_api", "mcp_view"]);
    for (const program of [...programs, "binary:frob"])
      expect(remedy(program)).toBe(`Install ${program.replace("binary:", "")} and put it on the PATH.`);
    expect(remedy("network")).toBe("Connect this machine to a network.");
    expect(["github", "gitlab", "notion"].map((name) => remedy(`${name}_api`))).toEqual(
      ["GITHUB", "GITLAB", "NOTION"].map((name) => `Set the environment variable ${name}_TOKEN.`),
    );
    expect(["binary:x", "env:X", "binary:", "env:", "other:x"].map(knows)).toEqual([true, true, false, false, false]);
    expect(remedy("other:x")).toBe('Provide the capability "other:x".');
  });

  it("has a network if one address of the machine leads out of it", () => {
    const leadsOut = Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal));
    expect(createCapabilities().has("network")).toBe(leadsOut);
  });

  it("passes over empty places of the PATH, and has no program without one", () => {
    install("frobnicate");
    process.env["PATH"] = `${delimiter}${folder}`;
    expect(createCapabilities().has("binary:frobnicate")).toBe(true);
    delete process.env["PATH"];
    expect(createCapabilities().has("binary:frobnicate")).toBe(false);
  });

  it("asks checks of your own, by function or with a remedy", () => {
    let plugged = false;
    const { has, knows, remedy } = createCapabilities({
      checks: { plotter: () => plugged, printer: { has: () => false, remedy: "Switch the printer on." } },
    });
    expect(has("plotter")).toBe(false);
    plugged = true;
    expect(has("plotter")).toBe(true);
    expect([knows("plotter"), knows("printer"), knows("scanner")]).toEqual([true, true, false]);
    expect(remedy("printer")).toBe("Switch the printer on.");
    expect(remedy("plotter")).toBe('Provide the capability "plotter".');
  });

  it("lets overrides win over every check, and make names known", () => {
    process.env["PATH"] = "";
    const { has, knows, names } = createCapabilities({ overrides: { git: true, network: false, quantum: true } });
    expect([has("git"), has("network"), has("quantum")]).toEqual([true, false, true]);
    expect(knows("quantum")).toBe(true);
    expect(names()).toContain("quantum");
    expect(new Set(names()).size).toBe(names().length);
  });

  it("knows nothing of names that every object inherits", () => {
    const { has, knows } = createCapabilities();
    for (const name of ["constructor", "__proto__", "toString"]) expect([knows(name), has(name)]).toEqual([false, false]);
  });
});
