import type { ServerResponse } from "node:http";
import { type Loopback, type Seen, sendJson, startLoopback } from "@toolrack/testkit/loopback";

/** What a stand-in does with the next request. */
export type Mood = "rate-limited" | "refuse" | "refuse-token" | "fail" | "drop" | "hang" | "redirect";

export interface StandIn extends Loopback {
  /** One for each of the next requests; then all is well. */
  readonly moods: (Mood | undefined)[];
  /** What people would see, by target. */
  readonly told: { target: string; id: string; text: string; reactions: string[] }[];
}

export const token = "12345:token-of-the-bot";

/** Slack, Telegram, Discord and a webhook, as far as their answers go, at one address. */
export async function startStandIn(): Promise<StandIn> {
  const moods: (Mood | undefined)[] = [];
  const told: StandIn["told"] = [];
  const loopback = await startLoopback((request, response) => {
    const vendor = vendors.find(({ start }) => request.path.startsWith(start))!;
    const mood = moods.shift();
    if (mood === "drop") return void response.socket!.destroy();
    if (mood === "hang") return;
    if (mood === "fail") return void response.writeHead(503).end("<html>down</html>");
    if (mood === "redirect") return void response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    if (mood !== undefined) return vendor[mood](response);
    if (!vendor.isKnown(request)) return vendor["refuse-token"](response);
    vendor.answer(request, response, told);
  });
  return Object.assign(loopback, { moods, told });
}

interface VendorStandIn extends Record<"rate-limited" | "refuse" | "refuse-token", (response: ServerResponse) => void> {
  readonly start: string;
  isKnown(request: Seen): boolean;
  answer(request: Seen, response: ServerResponse, told: StandIn["told"]): void;
}

/** The fields of a form without files. */
const fieldsOf = ({ body }: Seen): Record<string, string> => Object.fromEntries(new URLSearchParams(body));
const bodyOf = ({ body }: Seen): Record<string, unknown> =>
  body.startsWith("--") ? {} : (JSON.parse(body || "{}") as Record<string, unknown>);
/** The fields of a form; those that are JSON as values. */
const formOf = ({ body }: Seen): Record<string, any> =>
  Object.fromEntries(
    [...body.matchAll(/name="([^"]+)"[^]*?\r\n\r\n([^]*?)\r\n--/g)].map(([, name, value]) => [
      name,
      name === "payload_json" ? (JSON.parse(value!) as unknown) : value,
    ]),
  );
const add = (told: StandIn["told"], target: unknown, text: unknown): string => {
  const id = `17000000${told.length}.0001`;
  told.push({ target: String(target), id, text: String(text), reactions: [] });
  return id;
};
const find = (told: StandIn["told"], id: unknown): StandIn["told"][number] => told.find((one) => one.id === String(id))!;

const slack: VendorStandIn = {
  start: "/api/chat.",
  "rate-limited": (response) => sendJson(response, { ok: false, error: "ratelimited" }, 429, { "retry-after": "0" }),
  refuse: (response) => sendJson(response, { ok: false, error: "channel_not_found" }),
  "refuse-token": (response) => sendJson(response, { ok: false, error: "invalid_auth" }),
  isKnown: ({ headers }) => headers.authorization === `Bearer ${token}`,
  answer(request, response, told) {
    const { channel, text, ts, timestamp, name } = bodyOf(request);
    switch (request.path.slice("/api/".length)) {
      case "chat.postMessage":
        return sendJson(response, { ok: true, ts: add(told, channel, text) });
      case "chat.update":
        find(told, ts).text = String(text);
        return sendJson(response, { ok: true });
      case "chat.delete":
        told.splice(told.indexOf(find(told, ts)), 1);
        return sendJson(response, { ok: true });
      case "reactions.add":
        find(told, timestamp).reactions.push(String(name));
        return sendJson(response, { ok: true });
      default:
        return sendJson(response, { ok: true, messages: told.map((one) => ({ ts: one.id, user: "U1", text: one.text })).reverse() });
    }
  },
};

/** Files of Slack: an address for each, the bytes there without a token, then one message for all. It takes forms, and no JSON. */
const slackFiles: VendorStandIn = {
  ...slack,
  start: "/api/files.",
  refuse: (response) => sendJson(response, { ok: false, error: "missing_scope", needed: "files:write", provided: "chat:write" }),
  answer(request, response, told) {
    if (request.headers["content-type"] !== "application/x-www-form-urlencoded")
      return sendJson(response, { ok: false, error: "invalid_arguments" });
    const fields = fieldsOf(request);
    if (request.path.endsWith("files.getUploadURLExternal")) {
      const host = fields["filename"] === "elsewhere.txt" ? "169.254.169.254" : request.headers.host!;
      return sendJson(response, { ok: true, upload_url: `http://${host}/upload/v1/${fields["length"]}`, file_id: "F0123" });
    }
    const files = JSON.parse(fields["files"]!) as { id: string; title: string }[];
    add(told, fields["channel_id"], fields["initial_comment"]);
    sendJson(response, { ok: true, files: files.map(({ id, title }) => ({ id, title })) });
  },
};

const slackUploads: VendorStandIn = {
  ...slack,
  start: "/upload/v1/",
  isKnown: ({ headers }) => headers.authorization === undefined,
  answer(request, response) {
    const isWhole = request.path.endsWith(`/${Buffer.byteLength(request.body)}`);
    response.writeHead(isWhole ? 200 : 400).end(isWhole ? `OK - ${request.body.length}` : "length mismatch");
  },
};

const telegram: VendorStandIn = {
  start: "/bot",
  "rate-limited": (response) =>
    sendJson(
      response,
      { ok: false, error_code: 429, description: "Too Many Requests: retry after 0", parameters: { retry_after: 0 } },
      429,
    ),
  refuse: (response) => sendJson(response, { ok: false, error_code: 400, description: "Bad Request: chat not found" }, 400),
  "refuse-token": (response) => sendJson(response, { ok: false, error_code: 401, description: "Unauthorized" }, 401),
  isKnown: ({ path }) => path.startsWith(`/bot${token}/`),
  answer(request, response, told) {
    const { chat_id, message_id, text, reaction, question, options } = bodyOf(request);
    const number = (id: string): number => Number(id.slice(0, 9));
    const one = told.find(({ id }) => number(id) === message_id);
    switch (request.path.split("/").at(-1)) {
      case "sendMessage":
        return sendJson(response, { ok: true, result: { message_id: number(add(told, chat_id, text)) } });
      case "sendDocument": {
        const form = formOf(request);
        return sendJson(response, { ok: true, result: { message_id: number(add(told, form["chat_id"], form["caption"])) } });
      }
      case "sendPoll": {
        const asked = `${String(question)} ${(options as { text: string }[]).map((option) => option.text).join("/")}`;
        return sendJson(response, { ok: true, result: { message_id: number(add(told, chat_id, asked)) } });
      }
      case "createForumTopic":
        return sendJson(response, { ok: true, result: { message_thread_id: 77 } });
      case "editMessageText":
        one!.text = String(text);
        break;
      case "deleteMessage":
        told.splice(told.indexOf(one!), 1);
        break;
      case "setMessageReaction":
        one!.reactions.push((reaction as { emoji: string }[])[0]!.emoji);
    }
    sendJson(response, { ok: true, result: true });
  },
};

const discord: VendorStandIn = {
  start: "/api/v10/",
  "rate-limited": (response) => sendJson(response, { message: "You are being rate limited.", retry_after: 0, global: false }, 429),
  refuse: (response) => sendJson(response, { message: "Unknown Channel", code: 10_003 }, 404),
  "refuse-token": (response) => sendJson(response, { message: "401: Unauthorized", code: 0 }, 401),
  isKnown: ({ headers }) => headers.authorization === `Bot ${token}`,
  answer(request, response, told) {
    const number = (id: string): string => id.slice(0, 9);
    const one = (id: string | undefined): StandIn["told"][number] => told.find((each) => number(each.id) === id)!;
    const [target, , id, , emoji] = request.path.slice("/api/v10/channels/".length).split("/").map(decodeURIComponent);
    if (request.method === "GET" && !request.path.includes("/messages"))
      return sendJson(response, { id: target, parent_id: target === "901" ? "81384788765712384" : "1" });
    if (request.path.endsWith("/threads")) return sendJson(response, { id: "901", parent_id: target });
    if (request.method === "GET")
      return sendJson(
        response,
        told.map((each) => ({ id: number(each.id), author: { username: "ann" }, content: each.text, timestamp: "" })).reverse(),
      );
    if (request.method === "POST") {
      const { content, poll } = formOf(request)["payload_json"] ?? bodyOf(request);
      const { question, answers } = (poll ?? {}) as { question?: { text: string }; answers?: { poll_media: { text: string } }[] };
      const text = question === undefined ? content : `${question.text} ${answers!.map((answer) => answer.poll_media.text).join("/")}`;
      return sendJson(response, { id: number(add(told, target, text)) });
    }
    if (request.method === "PATCH") one(id).text = String(bodyOf(request)["content"]);
    if (request.method === "PUT") one(id).reactions.push(emoji!);
    if (request.method === "DELETE") told.splice(told.indexOf(one(id)), 1);
    response.writeHead(204).end();
  },
};

const webhook: VendorStandIn = {
  start: "/hook",
  "rate-limited": (response) => void response.writeHead(429, { "retry-after": "0" }).end(),
  refuse: (response) => sendJson(response, { error: "Nobody of this name" }, 422),
  "refuse-token": (response) => sendJson(response, {}, 401),
  isKnown: ({ headers }) => headers.authorization === `Bearer ${token}`,
  answer(request, response, told) {
    const { to, text } = bodyOf(request);
    sendJson(response, { id: add(told, to, text) });
  },
};

const vendors = [
  slack,
  slackFiles,
  slackUploads,
  { ...slack, start: "/api/reactions." },
  { ...slack, start: "/api/conversations." },
  telegram,
  discord,
  webhook,
];
