import { FetchError, type SafeRequest, type SafeResponse } from "@toolrack/fetch";
import { describe, expect, it } from "vitest";
import type { Channel } from "../../src/messages/channels/channel.ts";
import { createDiscordChannel } from "../../src/messages/channels/discord.ts";
import { createSlackChannel } from "../../src/messages/channels/slack.ts";
import { createTelegramChannel } from "../../src/messages/channels/telegram.ts";
import { createWebhookChannel } from "../../src/messages/channels/webhook.ts";
import type { Vendor } from "../../src/messages/channels/_vendor.ts";

type Answer = { readonly status?: number; readonly body?: unknown; readonly headers?: Record<string, string> } | Error;

const makers = {
  slack: createSlackChannel,
  telegram: createTelegramChannel,
  discord: createDiscordChannel,
  webhook: createWebhookChannel,
} as const;

/** A channel whose service gives these answers, one after another, and what it was asked. */
function channelOf(kind: keyof typeof makers, answers: readonly Answer[], token = "tok") {
  const asked: { readonly url: string; readonly request: SafeRequest; readonly alsoReach: string | undefined }[] = [];
  const http = {
    async request(url: string, request: SafeRequest, alsoReach?: string): Promise<SafeResponse> {
      const answer = answers[asked.length] ?? {};
      asked.push({ url, request, alsoReach });
      if (answer instanceof Error) throw answer;
      const { status = 200, body = {}, headers = {} } = answer;
      return {
        status,
        ok: status < 300,
        headers,
        url,
        text: () => (typeof body === "string" ? body : JSON.stringify(body)),
      } as SafeResponse;
    },
  };
  const vendor: Omit<Vendor, "name"> = { url: "https://api.example/", http };
  return { channel: makers[kind](vendor, token) as Required<Channel>, asked };
}

const { signal } = new AbortController();
const rules = { signal, redirect: "error", maxBytes: 4_194_304 };
const json = { "content-type": "application/json; charset=utf-8" };
const posted = (path: string, headers: object, body: object, method = "POST") => ({
  url: `https://api.example${path}`,
  request: { method, ...rules, headers: { ...headers, ...json }, body: JSON.stringify(body) },
  alsoReach: "api.example:443",
});
const asked = (path: string, headers: object, method: string) => ({
  url: `https://api.example${path}`,
  request: { method, ...rules, headers },
  alsoReach: "api.example:443",
});

describe("what Slack is asked", () => {
  const bearer = { authorization: "Bearer tok" };
  const ok = { body: { ok: true, ts: "17.5" } };
  const text = { channel: "C1", text: "a &lt;!channel&gt; &amp; b", unfurl_links: false };

  it.each([
    [{}, text],
    [{ replyTo: "16.0" }, { ...text, thread_ts: "16.0" }],
    [
      { replyTo: "16.0", threadId: "15.0" },
      { ...text, thread_ts: "15.0" },
    ],
  ])("to send a message with %j", async (more, body) => {
    const one = channelOf("slack", [ok]);
    expect(await one.channel.send({ target: "C1", text: "a <!channel> & b", key: "k", signal, ...more })).toEqual({ messageId: "17.5" });
    expect(one.asked).toEqual([posted("/api/chat.postMessage", bearer, body)]);
  });

  it("to change, delete and react to a message, and to list messages", async () => {
    const messages = [
      { ts: "1700000000.5", user: "U1", text: "one" },
      { ts: "x", username: "bot", text: "two" },
      {},
      null,
      { ts: "-1", user: "U" },
      { ts: "100000000000" },
    ];
    const one = channelOf("slack", [ok, ok, ok, { body: { ok: true, messages } }, { body: { ok: true, messages: "no" } }]);
    const place = { target: "C1", messageId: "17.5", signal };
    await one.channel.edit(place, "<b>");
    await one.channel.remove(place);
    await one.channel.react(place, ":tea:");
    const nothing = { messageId: "", author: "", text: "", sentAt: "" };
    expect(await one.channel.read({ target: "C1", limit: 5, before: "18.0", signal })).toEqual([
      { messageId: "1700000000.5", author: "U1", text: "one", sentAt: "2023-11-14T22:13:20.500Z" },
      { ...nothing, messageId: "x", author: "bot", text: "two" },
      nothing,
      { ...nothing, messageId: "-1", author: "U" },
      { ...nothing, messageId: "100000000000" },
    ]);
    expect(await one.channel.read({ target: "C1", limit: 5, signal })).toEqual([]);
    expect(one.asked).toEqual([
      posted("/api/chat.update", bearer, { channel: "C1", ts: "17.5", text: "&lt;b&gt;" }),
      posted("/api/chat.delete", bearer, { channel: "C1", ts: "17.5" }),
      posted("/api/reactions.add", bearer, { channel: "C1", timestamp: "17.5", name: "tea" }),
      posted("/api/conversations.history", bearer, { channel: "C1", limit: 5, latest: "18.0", inclusive: false }),
      posted("/api/conversations.history", bearer, { channel: "C1", limit: 5 }),
    ]);
  });

  const file = { name: "r.txt", bytes: Buffer.from("tea") };
  const withFile = { target: "C1", text: "see", key: "k", signal, attachments: [file] };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const upload = { body: { ok: true, upload_url: "https://files.slack.com/u/1", file_id: "F1" } };

  it("to send files: an address for each, the bytes without the token, then the message", async () => {
    const one = channelOf("slack", [upload, {}, { body: { ok: true } }]);
    expect(await one.channel.send({ ...withFile, threadId: "15.0" })).toEqual({});
    const fields = (path: string, body: Record<string, string>) => ({
      url: `https://api.example${path}`,
      request: { method: "POST", ...rules, headers: { ...bearer, ...form }, body: new URLSearchParams(body).toString() },
      alsoReach: "api.example:443",
    });
    expect(one.asked).toEqual([
      fields("/api/files.getUploadURLExternal", { filename: "r.txt", length: "3" }),
      {
        url: "https://files.slack.com/u/1",
        request: { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file.bytes, signal, redirect: "error" },
        alsoReach: "api.example:443",
      },
      fields("/api/files.completeUploadExternal", {
        channel_id: "C1",
        thread_ts: "15.0",
        files: '[{"id":"F1","title":"r.txt"}]',
        initial_comment: "see",
      }),
    ]);
  });

  const noAddress = 'Slack gave no address for the file "r.txt" that is one of its own. Nothing was sent.';
  it.each<[Answer[], object]>([
    [[{ body: { ok: true, upload_url: "no address", file_id: "F1" } }], { code: "TOOL_FAILED", message: noAddress }],
    [[{ body: { ok: true, upload_url: "http://files.slack.com/u", file_id: "F1" } }], { message: noAddress }],
    [[{ body: { ok: true, upload_url: "https://evilslack.com/u", file_id: "F1" } }], { message: noAddress }],
    [[{ body: { ok: true, upload_url: "https://slack.com/u", file_id: 5 } }], { message: noAddress }],
    [[{ body: { ok: true, file_id: "F1" } }], { message: noAddress }],
    [[upload, { status: 404 }], { message: 'Slack did not take the file "r.txt" (404). Nothing was sent.', retryable: false }],
    [[upload, { status: 429 }], { message: 'Slack did not take the file "r.txt" (429). Nothing was sent.', retryable: true }],
    [[upload, { status: 500 }], { message: 'Slack did not take the file "r.txt" (500). Nothing was sent.', retryable: true }],
    [[upload, new FetchError("UNREACHABLE", "gone")], { code: "TOOL_FAILED", message: "gone" }],
  ])("and what becomes of a file after %j", async (answers, error) => {
    await expect(channelOf("slack", answers).channel.send(withFile)).rejects.toMatchObject(error);
  });

  it("may give an address of its own host, and gets no empty file", async () => {
    const own = { body: { ok: true, upload_url: "https://api.example/u", file_id: "F1" } };
    expect(await channelOf("slack", [own, {}, { body: { ok: true } }]).channel.send(withFile)).toEqual({});
    const empty = { ...withFile, attachments: [{ name: "e.txt", bytes: Buffer.alloc(0) }] };
    await expect(channelOf("slack", []).channel.send(empty)).rejects.toMatchObject({
      message: 'Slack takes no empty file, and "e.txt" is empty. Nothing was sent.',
    });
  });

  it.each([
    [
      { ok: false, error: "invalid_auth" },
      "NEEDS_CONFIGURATION",
      "Slack refused the token: invalid_auth. Check the secret and its rights.",
    ],
    [
      { ok: false, error: "missing_scope", needed: "chat:write" },
      "NEEDS_CONFIGURATION",
      "Slack refused the token: missing_scope (chat:write). Check the secret and its rights.",
    ],
    [{ ok: false, error: "channel_not_found" }, "TOOL_FAILED", "Slack refused: channel_not_found. Nothing was done."],
    [{}, "TOOL_FAILED", "Slack refused the request. Nothing was done."],
    ["no json", "TOOL_FAILED", "Slack refused the request. Nothing was done."],
  ])("and what its refusal %j means", async (body, code, message) => {
    const { channel } = channelOf("slack", [{ body }]);
    await expect(channel.send({ target: "C1", text: "t", key: "k", signal })).rejects.toMatchObject({ code, message });
  });
});

describe("what Telegram is asked", () => {
  const ok = { body: { ok: true, result: { message_id: 7, message_thread_id: 9 } } };
  const bot = "/bottok";

  it("to send messages and polls, in threads and as answers", async () => {
    const one = channelOf("telegram", [ok, ok, ok, { body: { ok: true } }]);
    const message = { target: "-1", text: "hi", key: "k", signal };
    expect(await one.channel.send(message)).toEqual({ messageId: "7" });
    expect(await one.channel.send({ ...message, replyTo: "5", threadId: "6" })).toEqual({ messageId: "7" });
    const poll = { target: "-1", question: "q", options: ["a", "b"], multiple: true, key: "k", signal };
    expect(await one.channel.poll({ ...poll, threadId: "6" })).toEqual({ messageId: "7" });
    expect(await one.channel.send(message)).toEqual({});
    expect(one.asked).toEqual([
      posted(`${bot}/sendMessage`, {}, { chat_id: "-1", text: "hi" }),
      posted(`${bot}/sendMessage`, {}, { chat_id: "-1", message_thread_id: 6, reply_parameters: { message_id: 5 }, text: "hi" }),
      posted(
        `${bot}/sendPoll`,
        {},
        {
          chat_id: "-1",
          message_thread_id: 6,
          question: "q",
          options: [{ text: "a" }, { text: "b" }],
          allows_multiple_answers: true,
          is_anonymous: true,
        },
      ),
      posted(`${bot}/sendMessage`, {}, { chat_id: "-1", text: "hi" }),
    ]);
  });

  it("to change, delete and react to a message, and for a thread", async () => {
    const one = channelOf("telegram", [ok, ok, ok, ok, { body: { ok: true } }]);
    const place = { target: "-1", messageId: "7", signal };
    await one.channel.edit(place, "new");
    await one.channel.remove(place);
    await one.channel.react(place, "👍");
    expect(await one.channel.createThread({ target: "-1", name: "n", signal })).toEqual({ threadId: "9" });
    expect(await one.channel.createThread({ target: "-1", name: "n", signal })).toEqual({ threadId: "" });
    expect(one.asked.slice(0, 4)).toEqual([
      posted(`${bot}/editMessageText`, {}, { chat_id: "-1", message_id: 7, text: "new" }),
      posted(`${bot}/deleteMessage`, {}, { chat_id: "-1", message_id: 7 }),
      posted(`${bot}/setMessageReaction`, {}, { chat_id: "-1", message_id: 7, reaction: [{ type: "emoji", emoji: "👍" }] }),
      posted(`${bot}/createForumTopic`, {}, { chat_id: "-1", name: "n" }),
    ]);
  });

  it("to send a file, as a form", async () => {
    const one = channelOf("telegram", [ok]);
    const attachments = [{ name: "r.txt", bytes: Buffer.from("tea") }];
    expect(await one.channel.send({ target: "-1", text: "see", replyTo: "5", attachments, key: "k", signal })).toEqual({ messageId: "7" });
    const [{ url, request } = expect.fail()] = one.asked;
    expect(url).toBe(`https://api.example${bot}/sendDocument`);
    expect(request.headers).toEqual({ "content-type": expect.stringMatching(/^multipart\/form-data; boundary=/) });
    const sent = Buffer.from(request.body as Uint8Array).toString();
    for (const part of [
      'name="chat_id"\r\n\r\n-1',
      'name="reply_parameters"\r\n\r\n{"message_id":5}',
      'name="caption"\r\n\r\nsee',
      'filename="r.txt"',
      "tea",
    ])
      expect(sent).toContain(part);
  });

  it("and what it refuses", async () => {
    expect(() => channelOf("telegram", [], "to ken")).toThrow(
      "The token of Telegram holds a character that no token has. Check the secret.",
    );
    const send = (answer: Answer): Promise<unknown> =>
      channelOf("telegram", [answer]).channel.send({ target: "-1", text: "t", key: "k", signal });
    await expect(send({ status: 404, body: { ok: false, description: "Not Found" } })).rejects.toMatchObject({
      code: "NEEDS_CONFIGURATION",
      message: "Telegram does not know the token. Check the secret.",
    });
    await expect(send({ status: 404, body: { ok: false, description: "Bad chat." } })).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "Telegram did not send the message (404): Bad chat.",
      retryable: false,
    });
    await expect(send({ status: 400, body: { description: "Not Found" } })).rejects.toMatchObject({
      message: "Telegram did not send the message (400): Not Found.",
    });
    await expect(channelOf("telegram", []).channel.edit({ target: "-1", messageId: "../5", signal }, "x")).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: 'Telegram knows no message "../5": its ids are numbers. Take one from an earlier result.',
    });
  });
});

describe("what Discord is asked", () => {
  const bot = { authorization: "Bot tok" };
  const base = "/api/v10/channels";
  const plain = { allowed_mentions: { parse: [] } };
  const once = { nonce: "k".repeat(25), enforce_nonce: true };
  const key = "k".repeat(30);

  it("to send messages and polls", async () => {
    const one = channelOf("discord", [{ body: { id: "9" } }, { body: {} }, { body: { id: "9" } }]);
    expect(await one.channel.send({ target: "5", text: "hi", key, signal })).toEqual({ messageId: "9" });
    expect(await one.channel.send({ target: "5", text: "hi", replyTo: "4", key, signal })).toEqual({});
    expect(await one.channel.poll({ target: "5", question: "q", options: ["a"], multiple: false, key, signal })).toEqual({
      messageId: "9",
    });
    const poll = { question: { text: "q" }, answers: [{ poll_media: { text: "a" } }], duration: 24, allow_multiselect: false };
    expect(one.asked).toEqual([
      posted(`${base}/5/messages`, bot, { content: "hi", ...plain, ...once }),
      posted(`${base}/5/messages`, bot, {
        content: "hi",
        ...plain,
        ...once,
        message_reference: { message_id: "4", fail_if_not_exists: false },
      }),
      posted(`${base}/5/messages`, bot, { poll, ...plain, ...once }),
    ]);
  });

  it("to send into a thread of the target alone", async () => {
    const one = channelOf("discord", [{ body: { parent_id: "5" } }, { body: { id: "9" } }, { body: { parent_id: "6" } }]);
    expect(await one.channel.send({ target: "5", text: "hi", threadId: "7", key, signal })).toEqual({ messageId: "9" });
    await expect(one.channel.send({ target: "5", text: "hi", threadId: "7", key, signal })).rejects.toMatchObject({
      code: "TOOL_NOT_ALLOWED",
      message: 'The thread "7" is not one of "5". Nothing was sent.',
    });
    expect(one.asked).toEqual([
      asked(`${base}/7`, bot, "GET"),
      posted(`${base}/7/messages`, bot, { content: "hi", ...plain, ...once }),
      asked(`${base}/7`, bot, "GET"),
    ]);
  });

  it("to change, delete and react to a message, for threads and for messages", async () => {
    const list = [{ id: "9", author: { username: "ann" }, content: "one", timestamp: "2024-01-01T00:00:00Z" }, null, { author: "x" }];
    const one = channelOf("discord", [{}, {}, {}, { body: { id: "8" } }, {}, { body: list }, { body: {} }]);
    const place = { target: "5", messageId: "9", signal };
    await one.channel.edit(place, "new");
    await one.channel.remove(place);
    await one.channel.react(place, "👍");
    expect(await one.channel.createThread({ target: "5", name: "n", signal })).toEqual({ threadId: "8" });
    expect(await one.channel.createThread({ target: "5", name: "n", messageId: "9", signal })).toEqual({ threadId: "" });
    expect(await one.channel.read({ target: "5", limit: 2, before: "10", signal })).toEqual([
      { messageId: "9", author: "ann", text: "one", sentAt: "2024-01-01T00:00:00Z" },
      { messageId: "", author: "", text: "", sentAt: "" },
    ]);
    expect(await one.channel.read({ target: "5", limit: 2, signal })).toEqual([]);
    expect(one.asked).toEqual([
      posted(`${base}/5/messages/9`, bot, { content: "new", ...plain }, "PATCH"),
      asked(`${base}/5/messages/9`, bot, "DELETE"),
      asked(`${base}/5/messages/9/reactions/${encodeURIComponent("👍")}/@me`, bot, "PUT"),
      posted(`${base}/5/threads`, bot, { name: "n", type: 11 }),
      posted(`${base}/5/messages/9/threads`, bot, { name: "n" }),
      asked(`${base}/5/messages?limit=2&before=10`, bot, "GET"),
      asked(`${base}/5/messages?limit=2`, bot, "GET"),
    ]);
    await expect(one.channel.react(place, "..")).rejects.toMatchObject({
      code: "INPUT_INVALID",
      message: '".." is not an emoji. Give one as a character.',
    });
  });
});

describe("what a webhook is asked", () => {
  it("has what the message has, and nothing else", async () => {
    const attachments = [{ name: "r.txt", bytes: Buffer.from("tea") }];
    const one = channelOf("webhook", [
      { body: { id: "m1" } },
      { body: { id: 5 } },
      { status: 400, body: { message: "No room." } },
      { status: 199 },
    ]);
    const message = { target: "ops", text: "hi", key: "k", signal };
    expect(await one.channel.send({ ...message, subject: "s", replyTo: "r", threadId: "t", attachments })).toEqual({ messageId: "m1" });
    expect(await one.channel.send(message)).toEqual({});
    await expect(one.channel.send(message)).rejects.toMatchObject({
      message: "The receiver of the webhook did not take the message (400): No room.",
    });
    await expect(one.channel.send(message)).rejects.toMatchObject({
      message: "The receiver of the webhook did not take the message (199).",
    });
    const headers = { "idempotency-key": "k", authorization: "Bearer tok" };
    const whole = { to: "ops", text: "hi", subject: "s", replyTo: "r", threadId: "t", attachments: [{ name: "r.txt", base64: "dGVh" }] };
    expect(one.asked.slice(0, 2)).toEqual([posted("/", headers, whole), posted("/", headers, { to: "ops", text: "hi" })]);
    const open = makers.webhook(
      {
        url: "https://api.example/",
        http: { request: async (_, request) => ({ status: 200, headers: request.headers, text: () => "" }) as never },
      },
      undefined,
    );
    expect(await open.send(message)).toEqual({});
  });
});

describe("a service that fails", () => {
  const message = { target: "5", text: "t", key: "k", signal };
  const cause = (code: string): object => ({ cause: Object.assign(new Error(code), { code }) });
  const unknown = {
    code: "OUTCOME_UNKNOWN",
    message: "Discord did not confirm the message: it may have been sent, or not. Look there before you send it again.",
    retryable: false,
  };

  it.each<[string, Answer, object]>([
    ["500", { status: 500 }, unknown],
    ["no answer", new FetchError("UNREACHABLE", "lost", cause("ECONNRESET")), unknown],
    ["no answer in time", new FetchError("TIMEOUT", "late"), unknown],
    ["too long an answer", new FetchError("RESPONSE_TOO_LARGE", "long"), unknown],
    ["an end in the middle", new FetchError("ABORTED", "stopped"), unknown],
    ["anything else", new Error("odd"), unknown],
    [
      "nobody there",
      new FetchError("UNREACHABLE", "away", cause("ECONNREFUSED")),
      { code: "TOOL_FAILED", message: "away", retryable: true },
    ],
    ["no such name", new FetchError("UNREACHABLE", "away", cause("ENOTFOUND")), { code: "TOOL_FAILED" }],
    ["no name for now", new FetchError("UNREACHABLE", "away", cause("EAI_AGAIN")), { code: "TOOL_FAILED" }],
    ["no way there", new FetchError("UNREACHABLE", "away", cause("EHOSTUNREACH")), { code: "TOOL_FAILED" }],
    ["no network", new FetchError("UNREACHABLE", "away", cause("ENETUNREACH")), { code: "TOOL_FAILED" }],
    ["no connection in time", new FetchError("TIMEOUT", "late", cause("UND_ERR_CONNECT_TIMEOUT")), { code: "TIMEOUT" }],
    ["a refused address", new FetchError("ADDRESS_REFUSED", "private"), { code: "TOOL_NOT_ALLOWED", message: "private" }],
    [
      "a token that cannot be sent",
      new FetchError("HEADER_INVALID", "bad"),
      { code: "NEEDS_CONFIGURATION", message: "The token of Discord holds a character that cannot be sent. Check the secret." },
    ],
    [
      "a redirect",
      { status: 302 },
      { code: "TOOL_FAILED", message: "Discord answered with a redirect (302), which is not followed. Check its address." },
    ],
    [
      "401",
      { status: 401, body: { message: "401: Unauthorized" } },
      { code: "NEEDS_CONFIGURATION", message: "Discord refused the token (401): 401: Unauthorized. Check the secret and its rights." },
    ],
    ["403", { status: 403 }, { code: "NEEDS_CONFIGURATION", message: "Discord refused the token (403). Check the secret and its rights." }],
    [
      "404",
      { status: 404, body: { message: "x".repeat(400) } },
      { code: "TOOL_FAILED", message: `Discord did not send the message (404): ${"x".repeat(300)}.` },
    ],
    [
      "a long wait",
      { status: 429, body: { retry_after: 5.001 } },
      {
        code: "RATE_LIMITED",
        message: "Discord asks to wait before the next message. Nothing was sent.",
        retryable: true,
        retryAfterMs: 5_001,
      },
    ],
    ["a wait in the header", { status: 429, headers: { "retry-after": "60" } }, { code: "RATE_LIMITED", retryAfterMs: 60_000 }],
    ["a wait of years", { status: 429, body: { retry_after: 1e9 } }, { code: "RATE_LIMITED", retryAfterMs: 86_400_000 }],
    ["a wait in the parameters", { status: 429, body: { parameters: { retry_after: 7 } } }, { code: "RATE_LIMITED", retryAfterMs: 7_000 }],
  ])("is told with what it means for the message: %s", async (_, answer, error) => {
    await expect(channelOf("discord", [answer]).channel.send(message)).rejects.toMatchObject(error);
  });

  it("may be asked again where nothing was to be sent", async () => {
    const { channel } = channelOf("discord", [{ status: 502 }, new FetchError("UNREACHABLE", "lost", cause("ECONNRESET"))]);
    const place = { target: "5", messageId: "6", signal };
    await expect(channel.remove(place)).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "Discord failed (502). Try again later.",
      retryable: true,
    });
    await expect(channel.remove(place)).rejects.toMatchObject({ code: "TOOL_FAILED", message: "lost" });
  });

  it("is not asked at all after the call was ended", async () => {
    const one = channelOf("discord", []);
    await expect(one.channel.send({ ...message, signal: AbortSignal.abort(new Error("over")) })).rejects.toThrow("over");
    expect(one.asked).toEqual([]);
  });
});
