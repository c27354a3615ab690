import { type Caller, defineTool, type ToolSource } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { idOf } from "../../../src/rack/trust/overlay-record.ts";
import { serverActor } from "../../../src/rack/store/open-store.ts";

const exec = defineTool({
  name: "exec",
  description: "Runs a program.",
  inputSchema: {
    type: "object",
    properties: { action: { enum: ["run", "list"] }, program: { type: "string" }, path: { type: "string" } },
  },
  handler: () => "ran",
});
const read = defineTool({ ...exec, name: "read", description: "Reads a file." });
const id = idOf("mcp:box", "exec", false);

function box(): ToolSource {
  return { id: "mcp:box", identity: "box-1", list: () => [exec, read] };
}

async function open(config: RackConfig = {}): Promise<Rack> {
  const rack = await openTestRack({
    config: { store: { memory: true }, trust: { enforce: false }, ...config, tools: { packs: { utility: false }, ...config.tools } },
  });
  await rack.registry.addSource(box());
  return rack;
}

/** As a curator of an earlier version renamed it: the record does not say with which role. */
async function renamedBefore(rack: Rack, tool = "exec", overlay: object = { name: "calculator" }): Promise<Rack> {
  await rack.overlays.set(tool, overlay, "cura");
  const inner = rack.store.as(serverActor);
  await inner.mergeContext(idOf("mcp:box", tool, false), { namedBy: null, byRole: null });
  await expect.poll(() => rack.overlays.get(tool)?.unconfirmed).toBe(true);
  return rack;
}

const helper: Caller = { agent: "helper" };
const run = (rack: Rack, tool = "calculator", input: object = {}, caller: Caller = helper) =>
  rack.registry.invoke(tool, input, { caller: { ...caller } });
const only = (tools: object): RackConfig => ({ policy: { agents: { helper: { tools } } } });

describe("a tool that a curator of an earlier version renamed", () => {
  it("TD1: runs for nobody who is allowed the new name alone", async () => {
    const rack = await renamedBefore(await open(only({ allow: ["calculator"] })));
    expect(rack.registry.view(helper).tools).toEqual([]);
    expect(await run(rack)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    const { body } = await serverOver(rack).ask("GET", "/policy/explain?agent=helper&tool=exec");
    expect(JSON.stringify(body)).toContain("the other one does not count until an admin confirms the overlay that gave it");
  });

  it.each<[string, object]>([
    ["its name", { deny: ["exec"] }],
    ["its group", { deny: ["group:runtime"] }],
  ])("TD1: is denied by %s as before", async (_, tools) => {
    const rack = await renamedBefore(await open(only({ allow: ["*"], ...tools })));
    expect(await run(rack)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("TD1: waits for a person as before", async () => {
    const rack = await renamedBefore(await open(only({ ask: ["exec"] })));
    expect(rack.registry.view(helper).decision("calculator")?.ask).toMatchObject({ entry: "exec", matched: "exec" });
  });

  it("TD1: has the path rules and the conditions of its registered name", async () => {
    const rack = await renamedBefore(
      await open({
        policy: {
          tools: {
            paths: [{ tool: "read", deny: [".env"] }],
            conditions: [
              { tool: "exec", allow: 'program == "git"' },
              { tool: "calculator", allow: "true" },
            ],
          },
        },
      }),
    );
    await renamedBefore(rack, "read", { name: "notes" });
    expect(await run(rack, "calculator", { program: "rm" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    expect((await run(rack, "calculator", { program: "git" })).ok).toBe(true);
    expect(await run(rack, "notes", { path: ".env" })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("TD1: stays disabled, also where it is renamed and listed again later, and is enabled with the switch of its registered name", async () => {
    const rack = await renamedBefore(await open({ tools: { disabled: ["exec"] } }));
    expect(await run(rack)).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    await rack.registry.removeSource("mcp:box");
    await rack.registry.addSource(box());
    expect(await run(rack)).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    await rack.settings.set("tools.exec", { enabled: true }, "ada");
    expect((await run(rack)).ok).toBe(true);
  });

  it("TD1: keeps its disabled actions", async () => {
    const rack = await renamedBefore(await open({ tools: { actions: { exec: { run: false } } } }));
    expect(await run(rack, "calculator", { action: "run" })).toMatchObject({
      ok: false,
      code: "TOOL_DISABLED",
      error: expect.stringContaining("tools.actions.exec.run") as string,
    });
    expect((await run(rack, "calculator", { action: "list" })).ok).toBe(true);
    expect(rack.settings.problems.filter((problem) => problem.includes("tools.actions"))).toEqual([]);
  });

  it("counts for `allow` once an admin has confirmed it, which the problems ask for", async () => {
    const rack = await renamedBefore(await open(only({ allow: ["calculator"] })));
    const server = serverOver(rack);
    const problems = (): string => rack.settings.problems.join("\n");
    expect(problems()).toContain("then, as an admin: toolrack overlay confirm calculator");
    const [curator, admin] = [await server.as("cura", "curator"), await server.as("ada", "admin")];
    await curator("POST", "/tools/calculator/overlay/confirmation");
    expect((await run(rack)).ok).toBe(false);
    expect(await admin("POST", "/tools/calculator/overlay/confirmation")).toMatchObject({ status: 200 });
    expect((await run(rack)).ok).toBe(true);
    expect((await rack.store.as(serverActor).get(id))?.context["namedBy"]).toEqual({ by: "ada", role: "admin" });
    expect(problems()).not.toContain("no admin has confirmed");
  });

  it("gains nothing from a group that an overlay of an earlier version added", async () => {
    const rack = await renamedBefore(await open(only({ allow: ["group:fs", "read"] })), "exec", { groups: ["fs"] });
    expect(await run(rack, "exec")).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    await rack.overlays.confirm("exec", "ada");
    expect((await run(rack, "exec")).ok).toBe(true);
  });
});

describe("the name and the groups of an overlay", () => {
  it("TD1: are changed by nobody but an admin, in any way in which an overlay is written", async () => {
    const rack = await open({ overlays: { box: { read: { name: "notes" } } } });
    const server = serverOver(rack);
    const [curator, admin] = [await server.as("cura", "curator"), await server.as("ada", "admin")];
    const refused = { status: 403, body: { code: "FORBIDDEN", detail: expect.stringContaining('needs the role "admin"') as string } };
    expect(await curator("PUT", "/tools/exec/overlay", { overlay: { name: "calculator" } })).toMatchObject(refused);
    expect(await curator("PUT", "/tools/exec/overlay", { overlay: { groups: ["fs"] } })).toMatchObject(refused);
    expect(rack.registry.has("exec")).toBe(true);
    expect(await curator("PUT", "/tools/exec/overlay", { overlay: { description: "Runs one program." } })).toMatchObject({ status: 200 });
    expect(await admin("PUT", "/tools/exec/overlay", { overlay: { name: "runner", groups: ["box"] } })).toMatchObject({ status: 200 });
    expect(await curator("DELETE", "/tools/runner/overlay")).toMatchObject(refused);
    expect(await curator("PUT", "/tools/runner/overlay", { overlay: { name: "other", description: "Mine." } })).toMatchObject(refused);
    expect(await curator("PUT", "/tools/runner/overlay", { overlay: { description: "Mine." } })).toMatchObject({
      status: 200,
      body: { shownAs: "runner", overlay: { name: "runner", groups: ["box"], description: "Mine." } },
    });
    expect(rack.overlays.get("runner")?.unconfirmed).toBeUndefined();
    expect(
      await curator("PUT", "/tools/runner/overlay", { overlay: { name: "runner", groups: ["box"], description: "Mine." } }),
    ).toMatchObject({ status: 200 });
    expect(rack.overlays.get("runner")?.unconfirmed).toBeUndefined();
    expect(await admin("DELETE", "/tools/runner/overlay")).toMatchObject({ status: 200 });
  });

  it("need an admin as the annotations do that make a tool look harmless", async () => {
    const rack = await open();
    const [curator, admin] = [await serverOver(rack).as("cura", "curator"), await serverOver(rack).as("ada", "admin")];
    const put = (annotations: object, ask = curator) => ask("PUT", "/tools/exec/overlay", { overlay: { annotations } });
    for (const annotations of [{ readOnly: true }, { destructive: false }, { idempotent: true }, { openWorld: false }])
      expect(await put(annotations)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await put({ destructive: true, openWorld: true })).toMatchObject({ status: 200 });
    expect(await put({ readOnly: true }, admin)).toMatchObject({ status: 200 });
    expect(rack.registry.get("exec")?.metadata?.annotations).toMatchObject({ readOnly: true });
  });

  it("TD1: are not changed by records that callers write, import or restore", async () => {
    const rack = await open();
    await rack.overlays.set("exec", { name: "calculator" }, "ada");
    await rack.overlays.set("calculator", { name: "runner" }, "ada");
    const server = serverOver(rack);
    const record = {
      id,
      schema_name: "tool.overlay.v1",
      title: "Overlay of exec",
      context: {
        sourceId: "mcp:box",
        source: "box-1",
        tool: "exec",
        isFromFile: false,
        overlay: { name: "calculator" },
        below: {},
        by: "ada",
        namedBy: { by: "ada", role: "admin" },
      },
    };
    for (const role of ["curator", "admin"]) {
      const ask = await server.as(role, role);
      await ask("POST", "/breadcrumbs", record);
      await ask("POST", "/records/import", { records: [record] });
      expect((await ask("POST", `/breadcrumbs/${id}/restore`, { version: 1 })).status).not.toBe(500);
    }
    expect(rack.registry.has("runner")).toBe(true);
    expect(rack.registry.has("calculator")).toBe(false);
    expect((await rack.store.as(serverActor).get(id))?.context["overlay"]).toEqual({ name: "runner" });
  });

  it("of the file count for `allow`", async () => {
    const rack = await open({ ...only({ allow: ["calculator"] }), overlays: { box: { exec: { name: "calculator" } } } });
    expect((await run(rack)).ok).toBe(true);
    expect((await rack.registry.explain("exec", helper)).sentences[0]).toContain("matches its name `calculator`");
  });

  it("that an admin gives count for `allow`, and leave what the registered name is restricted by", async () => {
    const rack = await open({ policy: { agents: { helper: { tools: { allow: ["calculator"], ask: ["exec"] } } } } });
    await (
      await serverOver(rack).as("ada", "admin")
    )("PUT", "/tools/exec/overlay", { overlay: { name: "calculator" } });
    expect(rack.registry.view(helper).decision("calculator")).toMatchObject({ allowed: true, ask: { entry: "exec" } });
  });
});
