import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineTool } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import { listAudit } from "@toolrack/store";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { turns } from "@toolrack/testkit/turns";
import { describe, expect, it } from "vitest";
import type { OpenRackOptions } from "../../../src/rack/open.ts";
import type { Rack } from "../../../src/rack/rack.ts";

const program = fileURLToPath(new URL("../programs/mcp-server.mjs", import.meta.url));
const base = { store: { memory: true }, agents: { a: {} }, policy: { tools: { deny: ["alpha"] } } };
const small = { command: process.execPath, args: [program] };
const alpha = defineTool({ name: "alpha", description: "Is denied.", inputSchema: { type: "object" }, handler: () => "ran" });

/** Waits a twentieth of the time: a file whose rules got fewer is otherwise read for ten seconds. */
const fastClock: Clock = { now: systemClock.now, after: (delayMs, action) => systemClock.after(delayMs / 20, action) };

async function openFile(
  config: object,
  options: OpenRackOptions = {},
): Promise<{ rack: Rack; folder: string; write(next: object | string): void; save(next: object | string): Promise<void> }> {
  const folder = options.folder ?? temporaryFolder();
  const write = (next: object | string): void =>
    writeFileSync(join(folder, "toolrack.config.yaml"), typeof next === "string" ? next : `${JSON.stringify(next, null, 2)}\n`);
  write(config);
  const rack = await openTestRack({ tools: [alpha], clock: fastClock, ...options, folder, config: "toolrack.config.yaml" });
  return {
    rack,
    folder,
    write,
    async save(next) {
      write(next);
      await rack.settings.reload();
    },
  };
}

/** Every question about one tool, on every way by which an agent can ask. */
async function isOpen(rack: Rack, caller: { agent: string }): Promise<boolean> {
  const { registry } = rack;
  const answers = [
    registry.view(caller).tools.some(({ name }) => name === "alpha"),
    registry.explain("alpha", caller).allowed,
    (await rack.call("alpha", {}, { caller }).result).ok,
  ];
  return answers.some(Boolean);
}

describe("a configuration file that changes while the server runs", () => {
  it("SD1: lets the policy hold at once, and says so in the audit with the digest and the keys", async () => {
    const { rack, save } = await openFile(base);
    const notices: unknown[] = [];
    rack.configChanges.subscribe((notice) => notices.push(notice));
    await save({ ...base, policy: { tools: { deny: ["alpha", "beta"] } }, agents: { a: {}, b: {} } });
    expect(rack.settings.policy.tools?.deny).toEqual(["alpha", "beta"]);
    expect(rack.configChanges.pending()).toBeUndefined();
    expect(rack.settings.problems).toEqual([]);
    expect(notices).toMatchObject([{ changed: ["agents", "policy.tools"], waiting: [], digest: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
    await until(async () => (await listAudit(rack.store)).some(({ kind }) => kind === "config-changed"));
    const line = (await listAudit(rack.store)).find(({ kind }) => kind === "config-changed");
    expect(line).toMatchObject({ subject: "toolrack.config.yaml", agent: "file", body: { changed: ["agents", "policy.tools"] } });
  });

  it("SD1: keeps a new source waiting until a person approves exactly this file", async () => {
    const marker = join(temporaryFolder(), "started");
    const source = { command: process.execPath, args: ["-e", `require("fs").writeFileSync(${JSON.stringify(marker)}, "")`] };
    const { rack, save } = await openFile(base);
    await save({ ...base, policy: { tools: { deny: ["alpha", "beta"] } }, sources: { small, odd: source } });
    await rack.sources.ready();
    // What only takes away holds already.
    expect(rack.settings.policy.tools?.deny).toEqual(["alpha", "beta"]);
    expect(rack.registry.sources().map(({ id }) => id)).not.toContain("mcp:small");
    expect(existsSync(marker)).toBe(false);
    const pending = rack.configChanges.pending()!;
    expect(pending.message).toContain("sources.small, sources.odd");
    expect(pending.waiting).toContainEqual({ part: "sources.small", key: "sources.small.args", after: [program] });
    expect(rack.settings.problems).toEqual([expect.stringMatching(/toolrack config status --config \S+toolrack\.config\.yaml$/)]);

    // Another file is another question.
    await save({ ...base, policy: { tools: { deny: ["alpha", "beta"] } }, sources: { small } });
    await expect(rack.configChanges.approve(pending.digest, "root")).rejects.toThrow(/has changed since/);
    const now = rack.configChanges.pending()!;
    expect(now.digest).not.toBe(pending.digest);
    await rack.configChanges.approve(now.digest, "root");
    await until(() => rack.registry.has("small__say"));
    expect(rack.configChanges.pending()).toBeUndefined();
    expect(rack.settings.problems).toEqual([]);
    expect(existsSync(marker)).toBe(false);
    const deeds = (await listAudit(rack.store)).filter(({ kind }) => kind === "config-approved" || kind === "source-approved");
    expect(deeds.map(({ kind, agent }) => [kind, agent]).sort()).toEqual([
      ["config-approved", "root"],
      ["source-approved", "root"],
    ]);
  });

  it("SD1: keeps the old command of a changed source running until then, and asks no second time", async () => {
    const { rack, save } = await openFile({ ...base, sources: { small } });
    await rack.sources.ready();
    const before = rack.sources.list().find(({ id }) => id === "small")!;
    await save({ ...base, sources: { small: { ...small, args: [program, "--more"] } } });
    await rack.sources.ready();
    expect(rack.sources.list().find(({ id }) => id === "small")).toMatchObject({ state: "ready", identity: before.identity });
    expect(rack.registry.has("small__say")).toBe(true);
    await rack.configChanges.approve(rack.configChanges.pending()!.digest, "root");
    await until(() => rack.sources.list().find(({ id }) => id === "small")?.state === "ready");
    expect(rack.sources.list().find(({ id }) => id === "small")!.identity).not.toBe(before.identity);
  });

  it("SD1: takes back what waits when the file is as it was, and asks again when an old file comes back", async () => {
    const { rack, save } = await openFile(base);
    const wide = { ...base, policy: { ...base.policy, unknownAgents: "allow" } };
    await save(wide);
    expect(rack.configChanges.pending()?.waiting).toEqual([{ part: "policy.unknownAgents", key: "policy.unknownAgents", after: "allow" }]);
    await save(base);
    expect(rack.configChanges.pending()).toBeUndefined();
    await save(wide);
    await rack.configChanges.approve(rack.configChanges.pending()!.digest, "root");
    expect(rack.settings.policy.unknownAgents).toBe("allow");
    await save({ ...base, agents: { a: {}, b: {} } });
    expect(rack.settings.policy.unknownAgents).toBeUndefined();
    await save(wide);
    expect(rack.configChanges.pending()).toBeDefined();
    expect(rack.settings.policy.unknownAgents).toBeUndefined();
  });

  it("SD1: uses an approval once: the same file that comes back is asked about again, also after a restart", async () => {
    const folder = temporaryFolder();
    const config = { ...base, store: { sqlite: join(folder, "shared.db") } };
    const wide = { ...config, policy: { ...base.policy, unknownAgents: "allow" } };
    const { rack, save } = await openFile(config, { folder });
    const approve = async (one: Rack): Promise<unknown> => one.configChanges.approve(one.configChanges.pending()!.digest, "root");
    const isAsked = (one: Rack): void => {
      expect(one.configChanges.pending()?.waiting).toMatchObject([{ key: "policy.unknownAgents" }]);
      expect(one.settings.policy.unknownAgents).toBeUndefined();
    };
    for (let round = 0; round < 2; round++) {
      await save(wide);
      isAsked(rack);
      await approve(rack);
      expect(rack.settings.policy.unknownAgents).toBe("allow");
      await save(config);
    }
    await save(wide);
    isAsked(rack);
    await approve(rack);
    await rack.close();
    const again = await openFile(config, { folder });
    await again.save(wide);
    isAsked(again.rack);
  });

  it("SD1: takes an approval that was given on another server of the store, for the same file", async () => {
    const folder = temporaryFolder();
    const config = { ...base, store: { sqlite: join(folder, "shared.db") } };
    const next = { ...config, policy: { ...base.policy, unknownAgents: "allow" } };
    const [one, two] = [await openFile(config), await openFile(config)];
    await Promise.all([one.save(next), two.save(next)]);
    await one.rack.configChanges.approve(one.rack.configChanges.pending()!.digest, "root");
    await until(() => two.rack.configChanges.pending() === undefined);
    expect(two.rack.settings.policy.unknownAgents).toBe("allow");
  });

  it("SD1: keeps what needs a restart as it was, and names it", async () => {
    const { rack, save } = await openFile(base);
    const lines = async (): Promise<unknown[]> =>
      (await listAudit(rack.store)).flatMap(({ kind, body }) => (kind === "config-changed" ? [body] : []));
    const next = { ...base, workspace: "/", tools: { modules: ["./evil.js"] }, redaction: { fields: [] } };
    const restart = ["workspace", "tools.modules", "redaction"];
    await save(next);
    expect(rack.configChanges.pending()).toBeUndefined();
    expect(rack.configChanges.afterRestart()).toEqual(restart);
    await until(async () => (await lines()).length === 1);
    expect(await lines()).toMatchObject([{ changed: [], restart }]);
    // It waits for the restart, however often the file is read until then.
    await save({ ...next, agents: { a: {}, b: {} } });
    await until(async () => (await lines()).length === 2);
    expect(await lines()).toContainEqual(
      expect.objectContaining({ changed: ["agents"], restart: expect.arrayContaining(restart) as unknown }),
    );
    expect(rack.configChanges.afterRestart()).toEqual(expect.arrayContaining(restart));
    await save(base);
    expect(rack.configChanges.afterRestart()).toEqual([]);
  });

  it.each([
    ["is broken", (file: string) => writeFileSync(file, "policy: [\n")],
    ["is deleted", (file: string) => rmSync(file)],
  ])("SD1: offers a file no longer once it %s, and takes no approval of it", async (_how, spoil) => {
    const { rack, save, folder } = await openFile(base);
    const wide = { ...base, policy: { ...base.policy, unknownAgents: "allow" } };
    await save(wide);
    const { digest } = rack.configChanges.pending()!;
    spoil(join(folder, "toolrack.config.yaml"));
    // Also before the server has seen it.
    await expect(rack.configChanges.approve(digest, "root")).rejects.toThrow(/has changed since it was read, or is gone/);
    expect(rack.settings.policy.unknownAgents).toBeUndefined();
    await rack.settings.reload();
    expect(rack.configChanges.pending()).toBeUndefined();
    expect(await rack.configChanges.approve(digest, "root")).toBeUndefined();
    expect(rack.settings.policy.unknownAgents).toBeUndefined();
    expect(rack.settings.problems).toEqual([expect.stringContaining("toolrack.config.yaml")]);
    // The same file again is the same question again.
    await save(wide);
    expect(rack.configChanges.pending()?.digest).toBe(digest);
  });

  it("SD1: is taken without asking where the server was told to follow it, unless it looks half-written", async () => {
    const { rack, save } = await openFile(base, { followConfig: true });
    await save({ ...base, sources: { small } });
    await until(() => rack.registry.has("small__say"));
    await save({ ...base, sources: { small: { ...small, args: [program, "--more"] } } });
    await until(() => rack.sources.list().find(({ id }) => id === "small")?.state === "ready");
    expect(rack.configChanges.pending()).toBeUndefined();
    await save("");
    expect(rack.configChanges.pending()?.message).toContain("may be half-written, because it is empty");
    expect(await isOpen(rack, { agent: "a" })).toBe(false);
  });

  it("SD1: holds no secret in the audit, the notice or what is shown", async () => {
    const { rack, save } = await openFile(base);
    const notices: unknown[] = [];
    rack.configChanges.subscribe((notice) => notices.push(notice));
    await save({ ...base, sources: { small: { ...small, env: { TOKEN: "s3cret-value" } } } });
    await until(async () => (await listAudit(rack.store)).some(({ kind }) => kind === "config-changed"));
    expect(JSON.stringify([notices, rack.configChanges.pending(), await listAudit(rack.store)])).not.toContain("s3cret-value");
  });

  it("SD2: that lost its policy is not used until a person agrees", async () => {
    const { rack, save } = await openFile(base);
    for (const text of ["", `store: { memory: true }\nagents: { a: {} }\n`]) {
      await save(text);
      expect(await isOpen(rack, { agent: "a" })).toBe(false);
      expect(rack.settings.problems).toEqual([expect.stringContaining("may be half-written")]);
    }
    await rack.configChanges.approve(rack.configChanges.pending()!.digest, "root");
    expect(await isOpen(rack, { agent: "a" })).toBe(true);
    expect(rack.settings.problems).toEqual([]);
  });

  it("SD2: never opens a denied tool while it is written in pieces", async () => {
    const { rack, write } = await openFile(base, { clock: systemClock });
    const text = `${JSON.stringify(base, null, 2)}\n`;
    const yaml = "store:\n  memory: true\nagents:\n  a: {}\npolicy:\n  tools:\n    deny:\n      - beta\n      - alpha\n";
    const probes: boolean[] = [];
    for (const whole of [text, yaml, yaml]) {
      for (let length = 0; length < whole.length; length += 9) {
        write(whole.slice(0, length));
        await turns(10);
        probes.push(await isOpen(rack, { agent: "a" }));
      }
      write(whole);
      await rack.settings.reload();
      probes.push(await isOpen(rack, { agent: "a" }));
    }
    expect(probes.length).toBeGreaterThan(30);
    expect(probes.filter(Boolean)).toEqual([]);
    expect(rack.settings.problems).toEqual([]);
  });
});
