import { defineTool, type ToolDefinition } from "@toolrack/core";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";

const nothing = { type: "object", properties: {} } as const;
const readMail = defineTool({
  name: "read_mail",
  description: "Reads the newest mail.",
  inputSchema: nothing,
  metadata: { annotations: { openWorld: true, readOnly: true } },
  handler: () => ({ from: "eve@example.com", text: "hello", isUrgent: true }),
});
const findPerson = defineTool({
  name: "find_person",
  description: "Finds a person.",
  inputSchema: nothing,
  metadata: { labels: ["private"] },
  handler: () => ({ name: "Anna", city: "Bern" }),
});
const send = defineTool({
  name: "send",
  description: "Sends a text.",
  inputSchema: { type: "object", properties: { to: { type: "string" }, text: { type: "string" } }, required: ["to", "text"] },
  handler: ({ to }) => ({ sent: to }),
});
const digest = defineTool({
  name: "digest",
  description: "Reads the mail and sums it up.",
  inputSchema: nothing,
  handler: async (_input, { call }) => {
    const mail = await call("read_mail", {});
    return { summary: mail.ok ? (mail.data as { text: string }).text : "" };
  },
});
const clean = defineTool({ name: "clean", description: "Answers a number.", inputSchema: nothing, handler: () => ({ n: 1 }) });

const caller = { agent: "local", owner: true };

async function open(more: readonly ToolDefinition[] = [], ask: readonly string[] = []): Promise<Rack> {
  return openTestRack({
    tools: [readMail, findPerson, send, digest, clean, ...more],
    config: { store: { memory: true }, tools: { packs: { programs: true } }, policy: { tools: { ask: [...ask] } } },
  });
}

/** What the calls of "send" carried, the newest first. */
async function sent(rack: Rack): Promise<unknown[]> {
  return (await rack.calls.list()).filter(({ tool }) => tool === "send").map(({ labels }) => labels);
}

async function run(rack: Rack, code: string, input?: unknown): Promise<{ readonly value: unknown; readonly labels?: readonly string[] }> {
  const result = await rack.call("run_code", { code, ...(input !== undefined && { input }) }, { caller }).result;
  if (!result.ok) throw new Error(result.error);
  return result.data as never;
}

describe("labels of a program on a server", () => {
  it("are those that tools declare, and untrusted for what others write", async () => {
    const rack = await open();
    const code =
      "const m = await tools.read_mail({}), p = await tools.find_person({}); await tools.send({ to: p.name, text: m.text }); return p.city;";
    expect(await run(rack, code)).toMatchObject({ value: "Bern", labels: ["private"] });
    expect(await sent(rack)).toEqual([{ "/to": ["private"], "/text": ["untrusted"] }]);
  });

  it("tell what decided that a call is made", async () => {
    const rack = await open();
    await run(rack, 'const m = await tools.read_mail({}); if (m.isUrgent) await tools.send({ to: "anna", text: "call" }); return 1;');
    expect(await sent(rack)).toEqual([{ "": ["untrusted"] }]);
  });

  it("hold for the logs as well as for the value", async () => {
    const code = "const m = await tools.read_mail({}); console.log(m.text); return 1;";
    expect(await run(await open(), code)).toMatchObject({ value: 1, labels: ["untrusted"] });
  });

  it("go into a program that is called, and come back with its answer", async () => {
    const rack = await open();
    const inner = 'await tools.send({ to: "anna", text: input.text }); return input.text;';
    const outer = `const m = await tools.read_mail({});
      const r = await tools.run_code({ code: ${JSON.stringify(inner)}, input: { text: m.text, other: "plain" } });
      return r.value;`;
    expect(await run(rack, outer)).toMatchObject({ value: "hello", labels: ["untrusted"] });
    expect(await sent(rack)).toEqual([{ "/text": ["untrusted"] }]);
  });

  it("are not lost when a program reads the mail for another one", async () => {
    const rack = await open();
    const inner = "return (await tools.read_mail({})).text;";
    const outer = `const r = await tools.run_code({ code: ${JSON.stringify(inner)} }); await tools.send({ to: "anna", text: r.value }); return 1;`;
    await run(rack, outer);
    expect(await sent(rack)).toEqual([{ "/text": ["untrusted"] }]);
  });

  it("are not lost when the code of a tool reads the mail", async () => {
    const rack = await open();
    await run(rack, 'const d = await tools.digest({}); await tools.send({ to: "anna", text: d.summary }); return 1;');
    expect(await sent(rack)).toEqual([{ "/text": ["untrusted"] }]);
  });

  it("are not lost in the message of a program that failed", async () => {
    const rack = await open();
    const inner = "throw new Error((await tools.read_mail({})).text);";
    const outer = `try { await tools.run_code({ code: ${JSON.stringify(inner)} }); } catch (e) { await tools.send({ to: "anna", text: e.message }); } return 1;`;
    await run(rack, outer);
    expect(await sent(rack)).toEqual([expect.objectContaining({ "/text": ["untrusted"] })]);
  });

  it("hold for all that a program does whose text somebody else wrote", async () => {
    const rack = await open();
    const outer = `const m = await tools.read_mail({});
      return (await tools.run_code({ code: "// " + m.text + "\\nawait tools.send({ to: 'anna', text: 'x' }); return 2;" })).value;`;
    expect(await run(rack, outer)).toMatchObject({ value: 2, labels: ["untrusted"] });
    expect(await sent(rack)).toEqual([{ "": ["untrusted"] }]);
  });

  it("leave a call alone that reads nothing of others", async () => {
    const rack = await open();
    const outer =
      'const m = await tools.read_mail({}); const c = await tools.run_code({ code: "return (await tools.clean({})).n;" }); return c.value;';
    const outcome = await run(rack, outer);
    expect(outcome).toEqual({ value: 1 });
  });

  it("are shown to the person who decides", async () => {
    const rack = await open([], ["send"]);
    const code =
      'const p = await tools.find_person({});\nconst m = await tools.read_mail({});\nreturn await tools.send({ to: "anna", text: m.text });';
    const running = rack.call("run_code", { code }, { caller: { agent: "worker" } });
    await until(async () => (await rack.approvals.list()).length > 0);
    const [asked] = await rack.approvals.list();
    expect(asked).toMatchObject({
      tool: "send",
      labels: { "/text": ["untrusted"] },
      program: { origins: { "/text": ["read_mail (line 2)"] } },
    });
    expect((await rack.programs.list()).length).toBe(1);
    await rack.approvals.decide(asked!.id, { approved: false, by: "anna" });
    expect((await running.result).ok).toBe(false);
  });

  it("stay with the input of a program that waited and went on elsewhere", async () => {
    const folder = temporaryFolder();
    const config = { tools: { packs: { programs: true } }, policy: { tools: { ask: ["clean"] } } };
    const start = (): Promise<Rack> =>
      openTestRack({ folder, tools: [readMail, send, clean], config, leaseTimes: { beatMs: 50, silentMs: 500 } });
    const first = await start();
    const code = "await tools.clean({}); await tools.send({ to: 'anna', text: input }); return 1;";
    void first.registry.invoke(
      "run_code",
      { code, input: "from a mail" },
      { caller: { agent: "worker" }, labels: { "/input": ["untrusted"] } },
    );
    await until(async () => (await first.approvals.list()).length > 0);
    const [asked] = await first.approvals.list();
    await first.close({ graceMs: 0 });
    const second = await start();
    await second.approvals.decide(asked!.id, { approved: true, by: "anna" });
    await until(async () => (await second.programs.show(asked!.program!.id))?.status === "ended");
    expect(await sent(second)).toEqual([{ "/text": ["untrusted"] }]);
  });

  it("of a result that is taken from the log are those that it had: what the calls inside of its call read", async () => {
    const folder = temporaryFolder();
    const config = { tools: { packs: { programs: true } }, policy: { tools: { ask: ["send"] } } };
    let isAsked: (() => void) | undefined;
    const asking = new Promise<void>((resolve) => (isAsked = resolve));
    const profile = defineTool({
      name: "profile",
      description: "Sums up a person.",
      inputSchema: nothing,
      handler: async (_input, { call }) => {
        await asking;
        const found = await call("find_person", {});
        return { text: found.ok ? (found.data as { name: string }).name : "" };
      },
    });
    const note = defineTool({ ...send, name: "note", description: "Notes a text." });
    const tools = [findPerson, profile, clean, send, note];
    const start = (): Promise<Rack> => openTestRack({ folder, tools, config, leaseTimes: { beatMs: 50, silentMs: 500 } });
    const first = await start();
    const code = `const [p] = await Promise.all([tools.profile({}), tools.send({ to: "a", text: "b" })]);
await tools.note({ to: "a", text: p.text }); const c = await tools.clean({}); await tools.note({ to: "a", text: String(c.n) }); return 1;`;
    void first.registry.invoke("run_code", { code }, { caller: { agent: "worker" } });
    await until(async () => (await first.approvals.list()).length > 0);
    const [asked] = await first.approvals.list();
    isAsked!();
    await until(async () => (await first.calls.list()).some(({ tool }) => tool === "profile"));
    await first.close({ graceMs: 0 });
    const second = await start();
    await second.approvals.decide(asked!.id, { approved: true, by: "anna" });
    await until(async () => (await second.programs.show(asked!.program!.id))?.status === "ended");
    const noted = (await second.calls.list()).filter(({ tool }) => tool === "note").map(({ labels }) => labels);
    expect(noted).toEqual([undefined, { "/text": ["private"] }]);
  });

  it("of a result whose tool is gone, after a restart, are all that there are: nobody knows any more what it read", async () => {
    const folder = temporaryFolder();
    const config = { tools: { packs: { programs: true } }, policy: { tools: { ask: ["send"] } } };
    let isAsked: (() => void) | undefined;
    const asking = new Promise<void>((resolve) => (isAsked = resolve));
    const slowMail = defineTool({ ...readMail, handler: async () => asking.then(() => ({ from: "eve", text: "hi", isUrgent: true })) });
    const note = defineTool({ ...send, name: "note", description: "Notes a text." });
    const start = (tools: readonly ToolDefinition[]): Promise<Rack> =>
      openTestRack({ folder, tools: [send, note, ...tools], config, leaseTimes: { beatMs: 50, silentMs: 500 } });
    const first = await start([slowMail]);
    const code = `const [m] = await Promise.all([tools.read_mail({}), tools.send({ to: "a", text: "b" })]);
await tools.note({ to: "a", text: m.text }); return 1;`;
    void first.registry.invoke("run_code", { code }, { caller: { agent: "worker" } });
    await until(async () => (await first.approvals.list()).length > 0);
    const [asked] = await first.approvals.list();
    isAsked!();
    await until(async () => (await first.calls.list()).some(({ tool }) => tool === "read_mail"));
    await first.close({ graceMs: 0 });
    const second = await start([]);
    await second.approvals.decide(asked!.id, { approved: true, by: "anna" });
    await until(async () => (await second.programs.show(asked!.program!.id))?.status === "ended");
    const noted = (await second.calls.list()).find(({ tool }) => tool === "note");
    expect(noted?.labels).toEqual({ "/text": ["private", "secret", "untrusted"] });
  });
});

it("programs that call programs without end come to an end", async () => {
  const rack = await open();
  const code =
    "const again = () => tools.run_code({ code: input.code, input }); const all = await Promise.allSettled([again(), again(), again()]); return all.length;";
  const result = await rack.call("run_code", { code, input: { code } }, { caller }).result;
  expect(result.ok).toBe(true);
  expect((await rack.calls.list({ limit: 200 } as never)).length).toBeGreaterThan(5);
});
