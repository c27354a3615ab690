import { spawn } from "node:child_process";
import { once } from "node:events";
import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Caller } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { hasPart } from "@toolrack/core/testing";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { findIsolation } from "@toolrack/tools";
import { describe, expect, it } from "vitest";
import { programsState } from "../../../src/rack/tools/isolation.ts";

const caller = { agent: "local", owner: true };
const canIsolate = hasPart("bubblewrap or unshare", findIsolation().kind !== "none");

describe("programs of tools", () => {
  const packs = "tools: { packs: { files: true, runtime: { shell: true }, code: { bash: true } } }";

  it.skipIf(!canIsolate)("SD14: find neither the configuration nor the store nor the key of the server that runs them", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "toolrack.config.yaml");
    writeFileSync(
      file,
      `# planted-in-config\nstore: { sqlite: .toolrack/toolrack.db }\n${packs.replace("shell: true", `shell: true, readable: [${folder}]`)}\n`,
    );
    const rack = await openTestRack({ folder, config: "toolrack.config.yaml" });
    const key = readFileSync(join(folder, ".toolrack/master.key"), "utf8").trim();
    const command =
      "touch here; cd ..; ls -A; cat toolrack.config.yaml .toolrack/*; ls -A .toolrack; mv .toolrack gone; cat gone/*; echo 'store: { memory: true }' > toolrack.config.yaml; cat /proc/*/environ | tr '\\0' '\\n'; true";
    for (const tool of ["exec", "bash"]) {
      const result = await rack.call(tool, { command }, { caller }).result;
      if (!result.ok) throw new Error(result.error);
      const { stdout } = result.data as { stdout: string };
      expect({ tool, stdout }).toEqual({ tool, stdout: expect.not.stringMatching(/planted-in-config|toolrack\.db|master\.key|VITEST/) });
      expect(stdout).not.toContain(key);
    }
    expect(readFileSync(file, "utf8")).toContain("planted-in-config");
    expect(readFileSync(join(folder, ".toolrack/master.key"), "utf8").trim()).toBe(key);
    expect(readFileSync(join(folder, "workspace/here"), "utf8")).toBe("");
  });

  it.each<[string, string, (folder: string) => void]>([
    ["holds the server's files", "workspace: .", () => {}],
    [
      "holds a link that the server's configuration is read through",
      "workspace: work",
      (folder) => {
        mkdirSync(join(folder, "work"));
        renameSync(join(folder, "toolrack.config.yaml"), join(folder, "real.yaml"));
        symlinkSync("../real.yaml", join(folder, "work/link.yaml"));
        symlinkSync("work/link.yaml", join(folder, "toolrack.config.yaml"));
      },
    ],
    [
      "may hold a hard link to the server's configuration",
      "workspace: work",
      (folder) => {
        mkdirSync(join(folder, "work"));
        linkSync(join(folder, "toolrack.config.yaml"), join(folder, "work/hard.yaml"));
      },
    ],
  ])("SD1: are unavailable where the workspace %s, also unconfined; file tools work", async (_, workspace, prepare) => {
    for (const unconfined of [false, true]) {
      const folder = temporaryFolder();
      const config = `${workspace}\n${packs.replaceAll(": { ", `: { unconfined: ${unconfined}, `).replace(/(tools|packs): \{ unconfined: \w+,/g, "$1: {")}\n`;
      writeFileSync(join(folder, "toolrack.config.yaml"), config);
      prepare(folder);
      const warnings: string[] = [];
      const warn = (message: string): void => void warnings.push(message);
      const rack = await openTestRack({ folder, config: "toolrack.config.yaml", log: { debug() {}, info() {}, warn, error() {} } });
      for (const name of ["exec", "process", "git", "bash", "test"]) {
        const entry = rack.registry.entries().find(({ tool }) => tool.name === name);
        expect({ name, entry }).toMatchObject({
          name,
          entry: { state: "unavailable", reason: expect.stringContaining("Set workspace to a folder of its own") },
        });
      }
      expect(programsState(rack.config)).toBe("refused");
      expect(warnings.join("\n")).toContain("Tools that run programs are unavailable, because");
      expect(await rack.call("exec", { argv: ["true"] }, { caller }).result).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
      expect(await rack.call("write", { path: "a.txt", content: "a" }, { caller }).result).toMatchObject({ ok: true });
      expect(await rack.call("grep", { pattern: "a" }, { caller }).result).toMatchObject({ ok: true });
    }
  });

  it("SD14: are listed as unavailable, with the remedy, where nothing isolates them; a pack that is unconfined runs them", async () => {
    const registry = { capabilities: createCapabilities({ overrides: { isolation: false } }) };
    const packs = { files: true, code: true, runtime: true } as const;
    const rack = await openTestRack({ config: { store: { memory: true }, tools: { packs } }, registry });
    for (const name of ["exec", "process", "git", "test"]) {
      const entry = rack.registry.entries().find(({ tool }) => tool.name === name);
      expect({ name, entry }).toMatchObject({ name, entry: { state: "unavailable", reason: expect.stringContaining("isolation") } });
    }
    expect(await rack.call("exec", { argv: ["true"] }, { caller }).result).toMatchObject({ ok: false, code: "TOOL_UNAVAILABLE" });
    expect(await rack.call("ls", {}, { caller }).result).toMatchObject({ ok: true });
    const free = await openTestRack({ config: { store: { memory: true }, tools: { packs: { runtime: { unconfined: true } } } }, registry });
    expect(await free.call("exec", { argv: ["true"] }, { caller }).result).toMatchObject({ ok: true });
  });

  it("SD16: of a key in the background end when the key is revoked, and not while the agent has another one", async () => {
    const config = {
      store: { memory: true },
      policy: { unknownAgents: "allow" },
      tools: { packs: { runtime: { unconfined: true } } },
    } as const;
    const rack = await openTestRack({ config });
    const [first, second, other] = [
      await rack.keys.create({ agent: "anna", roles: [], by: "test" }),
      await rack.keys.create({ agent: "anna", roles: [], by: "test" }),
      await rack.keys.create({ agent: "bert", roles: [], by: "test" }),
    ];
    const callerOf = (agent: string): Caller => ({ agent, principal: `key ${agent}` });
    const running = async (agent: string): Promise<number> => {
      const result = await rack.call("process", { action: "list" }, { caller: callerOf(agent) }).result;
      if (!result.ok) throw new Error(result.error);
      return (JSON.stringify(result.data).match(/"state":"running"/g) ?? []).length;
    };
    for (const agent of ["anna", "bert"])
      expect(await rack.call("exec", { argv: ["sleep", "600"], background: true }, { caller: callerOf(agent) }).result).toMatchObject({
        ok: true,
      });
    await rack.keys.revoke(first.id, "test");
    await rack.keys.revoke(other.id, "test");
    await expect.poll(() => running("bert")).toBe(0);
    expect(await running("anna")).toBe(1);
    await rack.keys.revoke(second.id, "test");
    await expect.poll(() => running("anna")).toBe(0);
  });

  it("are told by their state, without a look at the machine where no pack runs any", () => {
    expect(programsState({})).toBe("off");
    expect(programsState({ tools: { packs: { files: true, code: false } } })).toBe("off");
    expect(programsState({ tools: { packs: { code: true, runtime: { unconfined: true } } } })).toBe("unconfined");
    expect(["bubblewrap", "unshare", "refused"]).toContain(programsState({ tools: { packs: { code: true } } }));
  });
});

describe.runIf(process.platform === "linux")("variables with secrets", () => {
  it("SD14: are gone from the server once it has read them, also from what the system shows of it", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "x"));
    const file = await bundleProgram(new URL("../programs/forgetting.ts", import.meta.url));
    afterThisTest(() => removeProgram(file));
    const secrets = {
      TOOLRACK_MASTER_KEY: Buffer.alloc(32, "planted-key").toString("base64"),
      TOOLRACK_PREVIOUS_KEYS: Buffer.alloc(32, "planted-previous").toString("base64"),
      NAMED_SECRET: "planted-named=secret",
      TOOLRACK_KEY: "planted-client-key",
    };
    const env = { PATH: process.env["PATH"], ...secrets, KEPT: "kept" };
    const child = spawn(process.execPath, [file, folder], { env, stdio: ["pipe", "pipe", "inherit"] });
    afterThisTest(() => child.kill("SIGKILL"));
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { left, path } = JSON.parse(line.toString()) as { left: string[]; path: string };
    expect(left.sort()).toEqual(["KEPT", "PATH"]);
    expect(path).toBe(process.env["PATH"]);
    const shown = readFileSync(`/proc/${child.pid}/environ`, "utf8");
    for (const [name, value] of Object.entries(secrets)) expect({ name, isShown: shown.includes(value) }).toEqual({ name, isShown: false });
    expect(shown).toContain("KEPT=kept\0");
    child.stdin.end("end\n");
    await once(child, "exit");
  });
});
