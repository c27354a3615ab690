import { createMemorySecrets, createRegistry, type ToolResult } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMessageTools } from "../../src/index.ts";
import { createTemporaryWorkspace, type TemporaryWorkspace } from "../temporary-workspace.ts";
import { type StandIn, startStandIn, token } from "./stand-ins.ts";

const guild = "81384788765712384";
let standIn: StandIn;
let workspace: TemporaryWorkspace;
let invoke: (input: object, callId?: string) => Promise<ToolResult>;

beforeAll(async () => {
  standIn = await startStandIn();
  workspace = createTemporaryWorkspace({ "report.txt": "42 teas", "large.bin": "x".repeat(10_000_001), 'a"b.txt': "quoted" });
  const registry = createRegistry({
    capabilities: createCapabilities({ overrides: { network: true } }),
    secrets: createMemorySecrets({ "bot-token": token }),
    outputValidation: "strict",
  });
  const service = { secret: "bot-token", baseUrl: standIn.url } as const;
  const channels = {
    team: { type: "slack", ...service, recipients: ["C1"] },
    phone: { type: "telegram", ...service, recipients: ["-100"] },
    club: { type: "discord", ...service, recipients: [guild] },
    ops: { type: "webhook", url: `${standIn.url}/hook`, secret: "bot-token", recipients: ["ops"] },
  } as const;
  for (const tool of createMessageTools({ channels, root: workspace.root })) registry.register(tool);
  invoke = (input, callId) => registry.invoke("message", input, callId === undefined ? {} : { callId });
});
beforeEach(() => void (standIn.moods.length = standIn.told.length = standIn.seen.length = 0));
afterAll(async () => {
  await standIn[Symbol.asyncDispose]();
  workspace.remove();
});

const places = [
  { channel: "club", target: guild },
  { channel: "phone", target: "-100" },
] as const;

describe("polls", () => {
  const poll = { action: "poll", message: "Which tea?", options: ["Assam", "Sencha"] };

  it.each(places)("are sent by $channel as the channel knows them", async (place) => {
    expect(await invoke({ ...poll, ...place })).toMatchObject({ ok: true, data: { ...place, messageId: expect.any(String) } });
    expect(standIn.told).toMatchObject([{ target: place.target, text: "Which tea? Assam/Sencha" }]);
  });

  it("call nobody by name in Discord, and are not sent twice after a crash", async () => {
    await invoke({ ...poll, ...places[0], multiple: true });
    expect(JSON.parse(standIn.seen[0]!.body)).toMatchObject({
      allowed_mentions: { parse: [] },
      enforce_nonce: true,
      poll: { allow_multiselect: true, question: { text: "Which tea?" } },
    });
    standIn.moods.push("drop");
    expect(await invoke({ ...poll, ...places[0] }, "call-1")).toMatchObject({ ok: false, code: "OUTCOME_UNKNOWN" });
    expect(await invoke({ ...poll, ...places[0] }, "call-1")).toMatchObject({ ok: false, code: "OUTCOME_UNKNOWN" });
    expect(standIn.told).toHaveLength(1);
  });

  it("go to nobody who is not on the list, and to no channel without polls", async () => {
    expect(await invoke({ ...poll, channel: "club", target: "7" })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    expect(await invoke({ ...poll, channel: "team", target: "C1" })).toMatchObject({
      ok: false,
      error: expect.stringContaining('does not have the action "poll"'),
    });
    expect(await invoke({ ...poll, ...places[0], options: ["one"] })).toMatchObject({ code: "INPUT_INVALID" });
    expect(standIn.seen).toEqual([]);
  });
});

describe("threads", () => {
  it.each(places)("are begun in $channel, and written to", async (place) => {
    const made = await invoke({ action: "thread-create", threadName: "Teas", ...place });
    const { threadId } = (made.ok ? made.data : expect.fail(made.error)) as { threadId: string };
    expect(await invoke({ action: "send", message: "Hello", threadId, ...place })).toMatchObject({ ok: true });
    const sent = standIn.seen.at(-1)!;
    if (place.channel === "club") expect(sent.path).toBe(`/api/v10/channels/${threadId}/messages`);
    else expect(JSON.parse(sent.body)).toMatchObject({ chat_id: "-100", message_thread_id: 77 });
  });

  it("are the messages of Slack that have answers", async () => {
    await invoke({ action: "send", channel: "team", target: "C1", message: "Yes", threadId: "1700.1" });
    expect(JSON.parse(standIn.seen[0]!.body)).toMatchObject({ thread_ts: "1700.1" });
  });

  it("AH18: lead to no channel beside the list of recipients", async () => {
    expect(await invoke({ action: "send", message: "Hello", threadId: "666", ...places[0] })).toMatchObject({ code: "TOOL_NOT_ALLOWED" });
    expect(standIn.told).toEqual([]);
  });
});

describe("attachments", () => {
  const send = { action: "send", message: "The report", attachments: ["report.txt"] };

  it.each([...places, { channel: "ops", target: "ops" }])("are sent by $channel with the text", async (place) => {
    expect(await invoke({ ...send, ...place })).toMatchObject({ ok: true });
    expect(standIn.told).toMatchObject([{ target: place.target, text: "The report" }]);
    const { body } = standIn.seen.at(-1)!;
    expect(body).toContain(place.channel === "ops" ? Buffer.from("42 teas").toString("base64") : "42 teas");
    expect(body).toContain("report.txt");
  });

  it("have names that add nothing to the form", async () => {
    await invoke({ ...send, ...places[0], attachments: ['a"b.txt'] });
    expect(standIn.seen.at(-1)!.body).toContain('filename="a%22b.txt"');
  });

  it.each([
    ["outside of the workspace", ["../secret.txt"]],
    ["that is not there", ["none.txt"]],
    ["that is too large", ["large.bin"]],
  ])("are not sent %s", async (_, attachments) => {
    expect(await invoke({ ...send, ...places[0], attachments })).toMatchObject({ ok: false });
    expect(standIn.seen).toEqual([]);
  });

  it("are refused by a channel that takes none, or fewer", async () => {
    expect(await invoke({ ...send, channel: "team", target: "C1" })).toMatchObject({ error: expect.stringContaining("takes no files") });
    const two = { ...send, ...places[1], attachments: ["report.txt", 'a"b.txt'] };
    expect(await invoke(two)).toMatchObject({ error: expect.stringContaining("at most 1 file") });
    expect(standIn.seen).toEqual([]);
  });

  it("make another message of the same text, so that a repeated call does not change what was sent", async () => {
    await invoke({ ...send, ...places[0] }, "call-2");
    workspace.write("report.txt", "43 teas");
    expect(await invoke({ ...send, ...places[0] }, "call-2")).toMatchObject({ ok: false });
    expect(standIn.told).toHaveLength(1);
  });
});
