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
  workspace = createTemporaryWorkspace({
    "report.txt": "42 teas",
    "elsewhere.txt": "x",
    "empty.txt": "",
    "large.bin": "x".repeat(10_000_001),
    'a"b.txt': "quoted",
  });
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

  it("are refused by a channel that takes fewer", async () => {
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

describe("attachments of Slack", () => {
  const send = { action: "send", channel: "team", target: "C1", message: "The <!channel> report", attachments: ["report.txt"] };
  const paths = (): string[] => standIn.seen.map(({ path }) => path);

  it("are put where Slack says, without the token, and then shown in one message", async () => {
    const two = { ...send, attachments: ["report.txt", 'a"b.txt'], threadId: "1700.1" };
    expect(await invoke(two)).toMatchObject({ ok: true, data: { channel: "team", target: "C1" } });
    expect(standIn.told).toMatchObject([{ target: "C1", text: "The &lt;!channel&gt; report" }]);
    const uploads = standIn.seen.filter(({ path }) => path.startsWith("/upload/"));
    expect(uploads.map(({ body, headers }) => [body, headers.authorization])).toEqual([
      [expect.stringContaining("teas"), undefined],
      ["quoted", undefined],
    ]);
    const fields = new URLSearchParams(standIn.seen.at(-1)!.body);
    expect([fields.get("thread_ts"), JSON.parse(fields.get("files")!)]).toEqual([
      "1700.1",
      [
        { id: "F0123", title: "report.txt" },
        { id: "F0123", title: 'a"b.txt' },
      ],
    ]);
  });

  it("AH18: go to no address that is not one of Slack", async () => {
    expect(await invoke({ ...send, attachments: ["elsewhere.txt"] })).toMatchObject({
      ok: false,
      error: expect.stringContaining("one of its own"),
    });
    expect(paths()).toEqual(["/api/files.getUploadURLExternal"]);
  });

  it("say which right the token lacks, which file is empty, and that nothing was sent", async () => {
    standIn.moods.push("refuse");
    expect(await invoke(send)).toMatchObject({
      code: "NEEDS_CONFIGURATION",
      error: expect.stringContaining("missing_scope (files:write)"),
    });
    expect(await invoke({ ...send, attachments: ["empty.txt"] })).toMatchObject({ error: expect.stringContaining('"empty.txt" is empty') });
    expect(standIn.told).toEqual([]);
  });

  it("AH19: are certain not to be sent while they are put there, and uncertain when the message is lost", async () => {
    standIn.moods.push(undefined, "fail");
    expect(await invoke(send, "files-1")).toMatchObject({ ok: false, code: "TOOL_FAILED" });
    standIn.moods.push(undefined, undefined, "drop");
    expect(await invoke(send, "files-2")).toMatchObject({ ok: false, code: "OUTCOME_UNKNOWN" });
    const before = standIn.seen.length;
    expect(await invoke(send, "files-2")).toMatchObject({ ok: false, code: "OUTCOME_UNKNOWN" });
    expect(standIn.seen).toHaveLength(before);
  });
});

describe("ids", () => {
  const club = { channel: "club", target: guild };
  it.each([
    { action: "delete", ...club, messageId: ".." },
    { action: "edit", ...club, messageId: "..", message: "x" },
    { action: "react", ...club, messageId: "1", emoji: ".." },
    { action: "thread-create", ...club, messageId: ".", threadName: "x" },
    { action: "send", ...club, threadId: "..", message: "x" },
    { action: "send", ...club, replyTo: "..", message: "x" },
    { action: "read", ...club, before: ".." },
    { action: "delete", channel: "phone", target: "-100", messageId: "abc" },
    { action: "send", channel: "phone", target: "-100", threadId: "general", message: "x" },
    { action: "send", channel: "phone", target: "-100", replyTo: "1e3", message: "x" },
  ])("AH18: that lead to another place of the service are refused before anything is asked: %j", async (input) => {
    expect(await invoke(input)).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(standIn.seen).toEqual([]);
  });
});
