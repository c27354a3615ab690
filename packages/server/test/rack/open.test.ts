import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defineTool } from "@toolrack/core";
import { afterEach, describe, expect, it } from "vitest";
import { openRack, type OpenRackOptions } from "../../src/rack/open.ts";
import type { Rack } from "../../src/rack/rack.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "toolrack-rack-"));
  ends.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function open(options: OpenRackOptions = {}): Promise<Rack> {
  const rack = await openRack({ environment: {}, folder: folder(), ...options });
  ends.push(() => rack.close({ graceMs: 0 }));
  return rack;
}

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
  handler: ({ a, b }) => ({ sum: a + b }),
});

describe("openRack", () => {
  it("without a file keeps everything in SQLite, and seals secrets with a key file that only its owner may read", async () => {
    const here = folder();
    const rack = await open({ folder: here, tools: [add] });
    const result = await rack.call("add", { a: 1, b: 2 }, { caller: { agent: "local" } }).result;
    expect(result).toMatchObject({ ok: true, data: { sum: 3 } });
    expect(await rack.calls.show(result.meta.callId)).toMatchObject({ tool: "add", ok: true });
    expect(statSync(join(here, ".toolrack/master.key")).mode & 0o777).toBe(0o600);
    await rack.secrets.set("KEY", "s3cret-value");
    await rack.close();
    const again = await open({ folder: here });
    expect(await again.secrets.get({ name: "KEY", tool: "add", callId: "x", caller: {} })).toBe("s3cret-value");
    expect(readFileSync(join(here, ".toolrack/toolrack.db")).includes("s3cret-value")).toBe(false);
  });

  it("follows the file: a change holds at once, a broken one is reported and changes nothing", async () => {
    const here = folder();
    const file = join(here, "toolrack.config.yaml");
    writeFileSync(file, "store: { memory: true }\npolicy:\n  tools:\n    deny: []\n");
    const rack = await open({ folder: here, tools: [add] });
    expect(rack.registry.view({}).tools.map(({ name }) => name)).toContain("add");
    writeFileSync(file, "store: { memory: true }\npolicy:\n  tools:\n    deny:\n      - add\n");
    await until(() => !rack.registry.view({}).tools.some(({ name }) => name === "add"));
    expect(rack.registry.explain("add", {}).decision).toMatchObject({ source: "toolrack.config.yaml:5", entry: "add" });
    writeFileSync(file, "store: { memory: true }\npolcy: {}\n");
    await until(() => rack.settings.problems.length > 0);
    expect(rack.settings.problems[0]).toContain("toolrack.config.yaml:2:1");
    expect(rack.settings.problems[0]).toContain("policy");
    expect(rack.registry.explain("add", {}).allowed).toBe(false);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 400) throw new Error("It did not become so.");
    await sleep(25);
  }
}
