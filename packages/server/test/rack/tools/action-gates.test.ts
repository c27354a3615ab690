import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeSource, defineTool } from "@toolrack/core";
import { type Clock, systemClock } from "@toolrack/core/node";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";

const mail = defineTool({
  name: "mail",
  description: "Reads and sends.",
  inputSchema: { type: "object", properties: { action: { type: "string", enum: ["read", "send"] } }, required: ["action"] },
  metadata: { aliases: { type: "action" } },
  handler: ({ action }) => `did ${action}`,
});
/** Waits a twentieth of the time: a file whose rules got fewer is otherwise read for ten seconds. */
const fastClock: Clock = { now: systemClock.now, after: (delayMs, action) => systemClock.after(delayMs / 20, action) };
const caller = { owner: true, agent: "local" };
const enumOf = (tool: { readonly inputSchema: object } | undefined): unknown =>
  (tool!.inputSchema as { properties: { action: { enum?: unknown } } }).properties.action.enum;

describe("tools.actions", () => {
  // row: D11
  it("answers a disabled action as such on every way, and no longer lists it", async () => {
    await using server = await openTestServer({ config: { tools: { actions: { mail: { send: false, read: true } } } }, tools: [mail] });
    for (const input of [{ action: "send" }, { type: "send" }]) {
      expect(await server.ask("POST", "/tools/mail/call", { input })).toMatchObject({
        status: 403,
        body: { code: "TOOL_DISABLED", detail: expect.stringMatching(/^Action disabled: .*"send".*tools\.actions\.mail\.send/) },
      });
    }
    expect(await server.ask("POST", "/tools/mail/call", { input: { action: "read" } })).toMatchObject({ status: 200 });
    expect(await server.ask("POST", "/tools/mail/call", { input: { action: "fly" } })).toMatchObject({
      status: 400,
      body: { code: "INPUT_INVALID", detail: expect.not.stringContaining("send") },
    });
    const { body } = await server.ask("GET", "/tools/mail");
    expect(enumOf(body)).toEqual(["read"]);
    const listed = await server.request("POST", "/mcp", {
      headers: { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" },
      body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    });
    expect(await listed.text()).not.toContain('"send"');
  });

  it("holds whatever the case of the tool's name, and of an action that the tool reads as text or in a list", async () => {
    const free = defineTool({ ...mail, inputSchema: { type: "object", properties: { action: {} } }, handler: () => "ran" });
    await using server = await openTestServer({ config: { tools: { actions: { " Mail": { send: false } } } }, tools: [free] });
    for (const action of ["send", " Send", ["read", "send"]])
      expect(await server.ask("POST", "/tools/mail/call", { input: { action } })).toMatchObject({ body: { code: "TOOL_DISABLED" } });
    expect(await server.ask("POST", "/tools/mail/call", { input: { action: "read" } })).toMatchObject({ status: 200 });
  });

  it("is a problem, and is not confirmed by the explanation, where the tool has no parameter action", async () => {
    const other = defineTool({ ...mail, inputSchema: { type: "object", properties: { operation: { enum: ["send"] } } } } as never);
    await using server = await openTestServer({ config: { tools: { actions: { mail: { send: false } } } }, tools: [other] });
    expect(server.rack.settings.problems).toContainEqual(
      expect.stringMatching(/^tools\.actions\.mail: .*no parameter "action", so nothing is disabled/),
    );
    const { body } = await server.ask("GET", "/policy/explain?tool=mail");
    expect(body.sentences.join(" ")).not.toContain("is disabled");
  });

  it("is told by the explanation of the policy", async () => {
    await using server = await openTestServer({ config: { tools: { actions: { mail: { send: false } } } }, tools: [mail] });
    const { body } = await server.ask("GET", "/policy/explain?tool=mail");
    expect(body).toMatchObject({ allowed: true });
    expect(body.sentences).toContain('Its action "send" is disabled by tools.actions.mail.send (options).');
  });

  it("holds for the tools with several actions of the built-in packs", async () => {
    const tools = { packs: { code: { unconfined: true }, runtime: { unconfined: true } } };
    const actions = { git: { push: false }, process: { kill: false }, file: { remove: false }, code_edit: { insert: false } };
    const rack = await openTestRack({ config: { store: { memory: true }, tools: { ...tools, actions } } });
    expect(rack.settings.problems.filter((problem) => problem.startsWith("tools.actions"))).toEqual([
      expect.stringMatching(/^tools\.actions\.file\.remove.*has no action "remove"/),
      expect.stringMatching(/^tools\.actions\.code_edit\.insert.*has no action "insert"/),
    ]);
    expect(enumOf(rack.registry.get("git"))).not.toContain("push");
    expect(rack.registry.get("git")!.inputSchema["properties"]).not.toHaveProperty("remote");
    expect(await rack.call("git", { action: "push" }, { caller }).result).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    expect(await rack.call("process", { action: "kill", handle: "x" }, { caller }).result).toMatchObject({ code: "TOOL_DISABLED" });
    expect(await rack.call("process", { action: "list" }, { caller }).result).toMatchObject({ ok: true });
  });

  it("refuses every action where all are disabled, and says so", async () => {
    const config = { store: { memory: true }, tools: { actions: { mail: { send: false, read: false } } } };
    const rack = await openTestRack({ config, tools: [mail] });
    expect(await rack.call("mail", { action: "read" }, { caller }).result).toMatchObject({ ok: false, code: "TOOL_DISABLED" });
    expect(rack.settings.problems).toEqual([expect.stringMatching(/all actions of the tool "mail"/)]);
  });

  it("follows the file at once, and does not forget over a reload", async () => {
    const folder = temporaryFolder();
    const write = (tools: object): void =>
      writeFileSync(join(folder, "toolrack.config.yaml"), `${JSON.stringify({ store: { memory: true }, tools }, null, 2)}\n`);
    write({});
    const rack = await openTestRack({ folder, config: "toolrack.config.yaml", tools: [mail], clock: fastClock });
    const sends = async () => (await rack.call("mail", { action: "send" }, { caller }).result).ok;
    expect(await sends()).toBe(true);
    write({ actions: { mail: { send: false } } });
    await rack.settings.reload();
    expect(await sends()).toBe(false);
    await until(() => !(enumOf(rack.registry.get("mail")) as string[]).includes("send"));
    write({ actions: { mail: { send: false } }, disabled: ["echo"] });
    await rack.settings.reload();
    expect(await sends()).toBe(false);
    expect(enumOf(rack.registry.get("mail"))).toEqual(["read"]);
    write({ disabled: ["echo"] });
    await until(async () => {
      await rack.settings.reload();
      return sends();
    });
    await until(() => (enumOf(rack.registry.get("mail")) as string[]).includes("send"));
  });

  it("holds for tools of sources that come later, and for those that change", async () => {
    const warnings: string[] = [];
    const nothing = (): void => undefined;
    const log = { debug: nothing, info: nothing, error: nothing, warn: (text: string) => void warnings.push(text) };
    const rack = await openTestRack({ config: { store: { memory: true }, tools: { actions: { mail: { send: false } } } }, log });
    expect(rack.settings.problems).toEqual([expect.stringMatching(/tools\.actions\.mail names no tool/)]);
    await until(() => warnings.some((text) => text.includes("tools.actions.mail names no tool")));
    const source = codeSource("late", [mail]);
    await rack.registry.addSource(source);
    expect(enumOf(rack.registry.get("mail"))).toEqual(["read"]);
    source.replace([defineTool({ ...mail, description: "Reads, and would send." })]);
    await until(() => rack.registry.get("mail")?.description === "Reads, and would send.");
    expect(enumOf(rack.registry.get("mail"))).toEqual(["read"]);
    expect(rack.settings.problems).toEqual([]);
  });

  it("takes nothing but true and false", async () => {
    const config = { store: { memory: true }, tools: { actions: { mail: { send: "no" } } } } as object;
    await expect(openTestRack({ config })).rejects.toThrow(/tools\.actions\.mail\.send/);
  });
});
