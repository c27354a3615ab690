import { type CallContext, createMemorySecrets, createRegistry, type Registry, type RegistryOptions } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { readPolicyConfig } from "@toolrack/core/policy";
import { createFakeApprover } from "@toolrack/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ChannelsOptions, createMemorySendLog, createMessageTools, type SendLog } from "../../src/index.ts";
import { isRecipient } from "../../src/messages/recipients.ts";
import { type StandIn, startStandIn, token } from "./stand-ins.ts";

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
beforeEach(() => void (standIn.moods.length = standIn.told.length = standIn.seen.length = 0));
afterAll(() => standIn[Symbol.asyncDispose]());

const channels = (): ChannelsOptions => ({
  team: { type: "slack", secret: "bot-token", baseUrl: standIn.url, recipients: ["C1", "C2"] },
  phone: { type: "telegram", secret: "bot-token", baseUrl: standIn.url, recipients: ["*"] },
  ops: { type: "webhook", url: `${standIn.url}/hook`, secret: "bot-token", recipients: ["ops"] },
});

function registryWith(log: SendLog = createMemorySendLog(), more: RegistryOptions = {}): Registry {
  const registry = createRegistry({
    capabilities: createCapabilities({ overrides: { network: true } }),
    secrets: createMemorySecrets({ "bot-token": token }),
    outputValidation: "strict",
    ...more,
  });
  for (const tool of createMessageTools({ channels: channels(), operations: { log } })) registry.register(tool);
  return registry;
}
const hello = { action: "send", channel: "team", target: "C1", message: "Hello" };

describe("message", () => {
  it("is not there without a channel, and offers the actions that a channel has", () => {
    expect(createMessageTools()).toEqual([]);
    const actionsOf = (only: ChannelsOptions) =>
      (createMessageTools({ channels: only })[0]!.inputSchema as { properties: { action: { enum: string[] } } }).properties.action.enum;
    const all = ["send", "broadcast", "reply", "edit", "delete", "react", "read", "poll", "thread-create", "channel-list"];
    expect(actionsOf(channels())).toEqual(all);
    expect(actionsOf({ ops: { type: "webhook", url: "https://ops.example/" } })).toEqual(["send", "broadcast", "reply", "channel-list"]);
    expect(() => createMessageTools({ channels: { ops: { type: "webhook", url: "file:///etc/passwd" } } })).toThrow(/channels\.ops\.url/);
    const mail = { type: "email", host: "mail.example", from: "a@b.example\r\nBcc: c@d.example" } as const;
    expect(() => createMessageTools({ channels: { mail } })).toThrow(/must be one e-mail address/);
  });

  it("is off for the channels whose secret is missing, and for no other", async () => {
    const registry = createRegistry({
      capabilities: createCapabilities({ overrides: { network: true } }),
      secrets: createMemorySecrets({ "bot-token": token }),
    });
    const [tool] = createMessageTools({ channels: { ...channels(), club: { type: "discord", secret: "club-token", recipients: ["7"] } } });
    registry.register(tool!);
    expect(tool!.metadata).toMatchObject({
      optionalSecrets: ["bot-token", "club-token"],
      needsOneSecret: true,
      secretUses: { "club-token": 'the channel "club"', "bot-token": 'the channel "team", the channel "phone", the channel "ops"' },
    });
    expect(await registry.invoke("message", hello)).toMatchObject({ ok: true });
    expect(await registry.invoke("message", { ...hello, channel: "club", target: "7" })).toMatchObject({
      code: "NEEDS_CONFIGURATION",
      error: 'The channel "club" is off: the secret "club-token" is not set. Set it: toolrack secrets set club-token',
    });
    const open = { type: "webhook", url: "https://ops.example/", recipients: ["ops"] } as const;
    expect(createMessageTools({ channels: { ...channels(), open } })[0]!.metadata).not.toHaveProperty("needsOneSecret");
    expect(createMessageTools({ channels: { open } })[0]!.metadata).not.toHaveProperty("secrets");
  });

  // row: J7
  it("sends, changes, marks, reads and deletes, and tells where messages can go", async () => {
    const registry = registryWith();
    const sent = await registry.invoke("message", hello);
    expect(sent).toMatchObject({ ok: true, data: { channel: "team", target: "C1", messageId: expect.any(String) } });
    const place = {
      channel: "team",
      target: "C1",
      messageId: (sent.ok ? (sent.data as { messageId: string }) : { messageId: "" }).messageId,
    };
    expect(await registry.invoke("message", { ...place, action: "edit", message: "Hi" })).toMatchObject({ data: { done: "edit" } });
    expect(await registry.invoke("message", { ...place, action: "react", emoji: ":tea:" })).toMatchObject({ data: { done: "react" } });
    expect(standIn.told).toMatchObject([{ target: "C1", text: "Hi", reactions: ["tea"] }]);
    expect(await registry.invoke("message", { action: "read", channel: "team", target: "C1" })).toMatchObject({
      data: { messages: [{ text: "Hi", author: "U1" }] },
    });
    expect(await registry.invoke("message", { ...place, action: "delete" })).toMatchObject({ data: { done: "delete" } });
    expect(standIn.told).toEqual([]);
    expect(await registry.invoke("message", { action: "channel-list" })).toMatchObject({
      data: { channels: [{ channel: "team", type: "slack", recipients: ["C1", "C2"] }, { channel: "phone" }, { channel: "ops" }] },
    });
    expect(await registry.invoke("message", { ...place, channel: "ops", target: "ops", action: "edit", message: "Hi" })).toMatchObject({
      error: expect.stringContaining('does not have the action "edit"'),
    });
  });

  it("AH18: writes to nobody who is not on the list, whatever the spelling, and says who can change that", async () => {
    const registry = registryWith();
    for (const target of ["C3", "C1,C3", "C1;C3", "C1\r\nC3", "c1 ", "__proto__", "@everyone", "*"])
      for (const input of [
        { ...hello, target },
        { ...hello, action: "broadcast", target: undefined, targets: ["C1", target] },
        { action: "read", channel: "team", target },
        { action: "delete", channel: "team", target, messageId: "1" },
      ])
        expect(await registry.invoke("message", JSON.parse(JSON.stringify(input)))).toMatchObject({
          ok: false,
          status: expect.toSatisfy((status) => status < 500),
        });
    expect(standIn.seen).toEqual([]);
    expect(await registry.invoke("message", { ...hello, target: "C3" })).toMatchObject({
      code: "TOOL_NOT_ALLOWED",
      error: expect.stringContaining('"recipients"'),
    });
    expect(await registry.invoke("message", { ...hello, bcc: "C3" })).toMatchObject({ code: "INPUT_INVALID" });
    expect(await registry.invoke("message", { ...hello, subject: "a\r\nBcc: b@c.example" })).toMatchObject({ code: "INPUT_INVALID" });
  });

  it("knows recipients by name, by domain, and never by a part of either", () => {
    expect(isRecipient(["*@example.com"], "Ann@Example.com")).toBe(true);
    for (const target of ["ann@example.com.evil.example", "ann@evil.example@example.com", "@example.com", "example.com"])
      expect(isRecipient(["*@example.com"], target)).toBe(false);
    expect(isRecipient([], "ann@example.com")).toBe(false);
    expect(isRecipient(["kim@example.com"], "\u212Aim@example.com")).toBe(false);
  });

  it("replies to the conversation that the call came from, and to no other", async () => {
    const registry = registryWith();
    const reply = (caller: CallContext["caller"]) => registry.invoke("message", { action: "reply", message: "Here" }, { caller });
    expect(await reply({ channel: "team", group: "C2", sender: "U1" })).toMatchObject({ data: { target: "C2" } });
    expect(await reply({ channel: "phone", sender: "42" })).toMatchObject({ data: { channel: "phone", target: "42" } });
    expect(await reply({ channel: "team", group: "C9" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    expect(await reply({ channel: "fax", group: "C1" })).toMatchObject({ error: expect.stringContaining("no conversation") });
    expect(await reply({})).toMatchObject({ code: "INPUT_INVALID" });
    expect(standIn.told.map(({ target }) => target)).toEqual(["C2", "42"]);
  });

  it("tries without sending, and refuses what is too long for the channel", async () => {
    const registry = registryWith();
    expect(await registry.invoke("message", { ...hello, dryRun: true })).toMatchObject({ data: { dryRun: true, target: "C1" } });
    const long = { ...hello, channel: "phone", target: "42", message: "a".repeat(4_097) };
    expect(await registry.invoke("message", long)).toMatchObject({ error: expect.stringContaining("at most 4096") });
    expect(standIn.seen).toEqual([]);
  });

  it("tells each recipient of a broadcast apart", async () => {
    standIn.moods.push("refuse");
    const result = await registryWith().invoke("message", { action: "broadcast", channel: "team", targets: ["C1", "C2"], message: "All" });
    expect(result).toMatchObject({
      ok: true,
      data: {
        sent: [
          { target: "C1", error: expect.stringContaining("channel_not_found") },
          { target: "C2", messageId: expect.any(String) },
        ],
      },
    });
    expect(standIn.told).toMatchObject([{ target: "C2" }]);
  });

  it("sends exactly what a person approved, once, and nothing that was refused", async () => {
    const answers = [{ action: "accept" }, { action: "decline" }] as const;
    let asked = 0;
    const approver = createFakeApprover(() => answers[asked++]!);
    const registry = registryWith(undefined, { approver, policy: readPolicyConfig({ tools: { ask: ["message"] } }) });
    expect(await registry.invoke("message", hello)).toMatchObject({ ok: true });
    expect(approver.requests[0]).toMatchObject({ input: hello });
    expect(standIn.told).toMatchObject([{ target: "C1", text: "Hello" }]);
    expect(await registry.invoke("message", { ...hello, message: "Other" })).toMatchObject({ ok: false });
    expect(standIn.told).toHaveLength(1);
  });
});

describe("the same call made again", () => {
  const again = { callId: "run-1/call-1" };

  it("gets the first outcome, and sends nothing", async () => {
    const log = createMemorySendLog();
    const first = await registryWith(log).invoke("message", hello, again);
    const second = await registryWith(log).invoke("message", hello, again);
    expect(second.ok && first.ok && second.data).toEqual(first.ok && first.data);
    expect(standIn.told).toHaveLength(1);
    expect(await registryWith(log).invoke("message", { ...hello, message: "Other" }, again)).toMatchObject({
      error: expect.stringContaining("Make a new call"),
    });
    expect(standIn.told).toHaveLength(1);
  });

  it("is another message if another caller makes it, also for the service that tells attempts apart by a key", async () => {
    const registry = registryWith(createMemorySendLog());
    const tea = { action: "send", channel: "ops", target: "ops", message: "Tea" };
    for (const agent of ["ada", "bob"])
      expect(await registry.invoke("message", tea, { ...again, caller: { agent } })).toMatchObject({ ok: true });
    expect(new Set(standIn.seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
  });

  it("AH19: says that it may have been sent, where nobody knows, and does not send it again", async () => {
    const log = createMemorySendLog();
    standIn.moods.push("drop");
    for (const registry of [registryWith(log), registryWith(log)])
      expect(await registry.invoke("message", hello, again)).toMatchObject({
        ok: false,
        code: "OUTCOME_UNKNOWN",
        retryable: false,
        error: expect.stringContaining("may have been sent"),
      });
    expect(standIn.seen).toHaveLength(1);
  });

  it("sends what was certainly not sent", async () => {
    const log = createMemorySendLog();
    standIn.moods.push("refuse");
    expect(await registryWith(log).invoke("message", hello, again)).toMatchObject({ ok: false });
    expect(await registryWith(log).invoke("message", hello, again)).toMatchObject({ ok: true });
    expect(standIn.told).toHaveLength(1);
  });

  it("shows no token in any answer", async () => {
    const registry = registryWith();
    for (const mood of ["refuse", "refuse-token", "fail", "drop", "redirect"] as const)
      for (const [channel, target] of [
        ["team", "C1"],
        ["phone", "42"],
        ["ops", "ops"],
      ]) {
        standIn.moods.push(mood);
        const result = await registry.invoke("message", { action: "send", channel, target, message: "Hello" });
        expect(result.ok).toBe(false);
        expect(JSON.stringify(result)).not.toContain(token);
      }
  });
});
