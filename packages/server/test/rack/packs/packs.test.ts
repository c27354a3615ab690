import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { processesWith } from "@toolrack/testkit/processes";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { packTools } from "../../../src/rack/packs/pack-tools.ts";
import type { Rack } from "../../../src/rack/rack.ts";

const memory = { memory: true } as const;
const namesOf = (rack: Rack): string[] => rack.registry.list().map(({ name }) => name);

describe("the built-in packs", () => {
  it("are the utilities alone where nothing is said: nothing that reads files or runs programs", async () => {
    const names = namesOf(await openTestRack());
    expect(names).toContain("calculator");
    for (const name of ["read", "write", "exec", "bash", "web_fetch"]) expect(names).not.toContain(name);
    expect(namesOf(await openTestRack({ config: { store: memory, tools: { packs: { utility: false, sessions: false } } } }))).toEqual([]);
  });

  it.each(Object.entries(packTools))(
    "%s: its tools are known by name without loading it, and one of them names the setting while it is off",
    async (pack, tools) => {
      const off = { utility: false, sessions: false };
      const needed: Readonly<Record<string, object>> = {
        publish: { calendars: { team: { ics: "team.ics" } }, links: { youtubePlaceholder: "…" } },
        messages: { channels: { ops: { type: "webhook", url: "https://ops.example/" } } },
      };
      const options = needed[pack] ?? true;
      const on = await openTestRack({ config: { store: memory, tools: { packs: { ...off, [pack]: options } } } });
      expect(on.registry.entries().map(({ tool }) => tool.name)).toEqual(tools);
      const rack = await openTestRack({
        config: { store: memory, tools: { packs: off }, policy: { agents: { guest: { tools: { allow: ["other"] } } } } },
      });
      const answer = await rack.registry.invoke(tools[0]!, {}, { caller: { agent: "local", owner: true } });
      expect(answer).toMatchObject({
        code: "TOOL_NOT_FOUND",
        error: `Tool "${tools[0]}" was not found${/media|messages|browser|sessions|automation|canvas/.test(pack) ? ", as no host is configured for it" : ""}: it is in the pack "${pack}", which is off. Set tools.packs.${pack}${pack === "messages" ? ".channels" : " to true"} in toolrack.config.yaml; a running server has to be restarted.`,
      });
      const hidden = await rack.registry.invoke(tools[0]!, {}, { caller: { agent: "guest" } });
      expect(hidden.ok ? "" : hidden.error).not.toContain("pack");
    },
  );

  it.each([
    ["message", "messages", "channels"],
    ["calendar", "publish", "calendars"],
    ["static_links", "publish", "links"],
    ["bash", "code", "bash"],
  ])("that are on, but not set up, name the setting that brings %s", async (tool, pack, option) => {
    for (const options of [true, {}, { [option]: option === "bash" ? false : {} }]) {
      const rack = await openTestRack({ config: { store: memory, tools: { packs: { [pack]: options } } } });
      expect(await rack.registry.invoke(tool, {}, { caller: { agent: "local", owner: true } })).toMatchObject({
        code: "TOOL_NOT_FOUND",
        error: `Tool "${tool}" was not found${tool === "message" ? ", as no host is configured for it" : ""}: it is in the pack "${pack}", which is on, but not set up for it. Set tools.packs.${pack}.${option} in toolrack.config.yaml; a running server has to be restarted.`,
      });
    }
  });

  it("work in the workspace of the file's folder, and never leave it", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "work"));
    writeFileSync(join(folder, "outside.txt"), "outside");
    writeFileSync(join(folder, "toolrack.config.yaml"), "store: { memory: true }\nworkspace: work\ntools: { packs: { files: true } }\n");
    const rack = await openTestRack({ folder, config: "toolrack.config.yaml" });
    const call = (tool: string, input: object) => rack.call(tool, input, { caller: { agent: "local", owner: true } }).result;
    expect(await call("write", { path: "a.txt", content: "hello" })).toMatchObject({ ok: true });
    expect(readFileSync(join(folder, "work/a.txt"), "utf8")).toBe("hello");
    expect(await call("read", { path: "../outside.txt" })).toMatchObject({ ok: false, status: 403 });
  });

  it("end the programs that they started when the rack closes", async () => {
    const folder = temporaryFolder();
    const rack = await openTestRack({ folder, config: { store: memory, tools: { packs: { runtime: true } } } });
    const marker = `marker-${randomUUID()}`;
    const program = `require("fs").writeFileSync("begun", ""); setInterval(() => {}, 1000)`;
    const argv = [process.execPath, "-e", program, marker];
    const running = rack.call("exec", { argv }, { caller: { agent: "local", owner: true } });
    await until(() => existsSync(join(folder, "workspace", "begun")));
    expect(processesWith(marker).length).toBeGreaterThan(0);
    await rack.close({ graceMs: 0 });
    expect(await running.result).toMatchObject({ ok: false });
    await until(() => processesWith(marker).length === 0);
  });

  it("bring a shop to try things on", async () => {
    const rack = await openTestRack({ config: { store: memory, tools: { packs: { commerce: { sample: true } } } } });
    const found = await rack.call("product_lookup", { query: "a" }, { caller: { agent: "local" } }).result;
    expect(found.ok || found.error).toBe(true);
  });

  it("let records be written with the rights of the caller, not of the server", async () => {
    const rack = await openTestRack();
    const draft = { schema_name: "note.v1", title: "A note", context: { text: "hi" } };
    const refused = await rack.call("breadcrumb_create", draft, { caller: { agent: "guest" } }).result;
    expect(refused).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    const written = await rack.call("breadcrumb_create", draft, { caller: { agent: "writer", roles: ["emitter"] } }).result;
    expect(written.ok || written.error).toBe(true);
    expect((await rack.store.search({ schema_name: "note.v1" })).records[0]).toMatchObject({ created_by: "writer" });
  });
});

describe("modules of the configuration", () => {
  it("bring their tools, and one that cannot be loaded is a source that failed", async () => {
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "mine.mjs"),
      `export default [{ name: "mine", description: "Mine.", inputSchema: { type: "object" }, handler: () => "mine" }];`,
    );
    writeFileSync(join(folder, "bad.mjs"), "throw new Error('It is broken.');");
    const rack = await openTestRack({ folder, config: { store: memory, tools: { modules: ["./mine.mjs", "./bad.mjs", "./none.mjs"] } } });
    expect(await rack.call("mine", {}, { caller: {} }).result).toMatchObject({ ok: true, content: "mine" });
    const states = new Map(rack.sources.list().map(({ id, state, error }) => [id, error ?? state]));
    expect(states.get("module:./mine.mjs")).toBe("ready");
    expect(states.get("module:./bad.mjs")).toContain("It is broken.");
    expect(states.get("module:./none.mjs")).toMatch(/none\.mjs/);
  });
});

describe("the pack of feeds, calendars and posts", () => {
  it("reads a calendar file of the workspace, and never the server's own files, whatever stands in its place", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "work"));
    const event = "BEGIN:VEVENT\nUID:tea\nDTSTART:20260302T100000Z\nDTEND:20260302T110000Z\nSUMMARY:Tea\nEND:VEVENT";
    writeFileSync(join(folder, "work/team.ics"), `BEGIN:VCALENDAR\n${event}\nEND:VCALENDAR\n`);
    const calendars = "{ team: { ics: team.ics }, linked: { ics: linked.ics } }";
    const config = `store: { sqlite: rack.db }\nworkspace: work\ntools: { packs: { publish: { calendars: ${calendars} } } }\n`;
    writeFileSync(join(folder, "toolrack.config.yaml"), config);
    symlinkSync("../toolrack.config.yaml", join(folder, "work/linked.ics"));
    const rack = await openTestRack({ folder, config: "toolrack.config.yaml" });
    const list = (calendar_id: string) =>
      rack.call(
        "calendar",
        { action: "list_events", calendar_id, time_min: "2026-03-01", time_max: "2026-03-31" },
        { caller: { agent: "local", owner: true } },
      ).result;
    expect(await list("team")).toMatchObject({ ok: true, data: { events: [{ event_id: "tea", summary: "Tea" }] } });
    expect(await list("linked")).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
  });
});
