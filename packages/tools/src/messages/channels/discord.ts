import { ToolError, ToolInputError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { FormField } from "./_multipart.ts";
import { askVendor, numericId, refused, type Vendor, type VendorAnswer, type VendorRequest } from "./_vendor.ts";
import type { Channel, SentMessage } from "./channel.ts";

/** Discord, by its REST API. */
export function createDiscordChannel(vendor: Omit<Vendor, "name">, token: string): Channel {
  const discord: Vendor = { ...vendor, name: "Discord" };
  const call = async (did: string, request: Omit<VendorRequest, "headers">): Promise<VendorAnswer> => {
    const answer = await askVendor(discord, {
      ...request,
      path: `/api/v10/channels/${request.path}`,
      headers: { authorization: `Bot ${token}` },
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw refused("Discord", did, answer);
  };
  const messagePath = (target: string, messageId: string): string => `${channelId(target)}/messages/${messageOf(messageId)}`;
  /** A thread is a channel of its own, so it has to be one of the target: else it would lead past the list of recipients. */
  const placeOf = async (target: string, threadId: string | undefined, signal: AbortSignal): Promise<string> => {
    if (threadId === undefined) return target;
    const { body } = await call("find the thread", { method: "GET", path: numericId("Discord", "thread", threadId), signal });
    if (body["parent_id"] === target) return threadId;
    throw new ToolError("TOOL_NOT_ALLOWED", `The thread "${threadId}" is not one of "${target}". Nothing was sent.`);
  };
  return {
    id: "discord",
    maxChars: 2_000,
    maxAttachments: 10,
    async send({ target, text, replyTo, threadId, attachments = [], key, signal }) {
      const place = await placeOf(target, threadId, signal);
      const body = {
        content: text,
        // "@everyone" and every other mention stay text.
        allowed_mentions: { parse: [] },
        // Discord refuses a second message with the same nonce within minutes.
        nonce: key.slice(0, 25),
        enforce_nonce: true,
        ...(replyTo !== undefined && { message_reference: { message_id: messageOf(replyTo), fail_if_not_exists: false } }),
      };
      const form: readonly FormField[] = [
        ["payload_json", JSON.stringify(body)],
        ...attachments.map((one, index): FormField => [`files[${index}]`, one]),
      ];
      const path = `${channelId(place)}/messages`;
      const content = attachments.length === 0 ? { body } : { form };
      return sentOf(await call("send the message", { method: "POST", path, ...content, signal, isSend: true }));
    },
    async poll({ target, threadId, question, options, multiple, key, signal }) {
      const answers = options.map((text) => ({ poll_media: { text } }));
      const poll = { question: { text: question }, answers, duration: 24, allow_multiselect: multiple };
      const body = { poll, allowed_mentions: { parse: [] }, nonce: key.slice(0, 25), enforce_nonce: true };
      const path = `${channelId(await placeOf(target, threadId, signal))}/messages`;
      return sentOf(await call("send the poll", { method: "POST", path, body, signal, isSend: true }));
    },
    async createThread({ target, name, messageId, signal }) {
      const path = messageId === undefined ? `${channelId(target)}/threads` : `${messagePath(target, messageId)}/threads`;
      const body = { name, ...(messageId === undefined && { type: publicThread }) };
      const { id } = (await call("create the thread", { method: "POST", path, body, signal })).body;
      return { threadId: String(id ?? "") };
    },
    async edit({ target, messageId, signal }, text) {
      const body = { content: text, allowed_mentions: { parse: [] } };
      await call("change the message", { method: "PATCH", path: messagePath(target, messageId), body, signal });
    },
    async remove({ target, messageId, signal }) {
      await call("delete the message", { method: "DELETE", path: messagePath(target, messageId), signal });
    },
    async react({ target, messageId, signal }, emoji) {
      const path = `${messagePath(target, messageId)}/reactions/${emojiOf(emoji)}/@me`;
      await call("react to the message", { method: "PUT", path, signal });
    },
    async read({ target, limit, before, signal }) {
      const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before: messageOf(before) }) });
      const { list } = await call("list messages", { method: "GET", path: `${channelId(target)}/messages?${query}`, signal });
      return list.filter(isObject).map(({ id, author, content, timestamp }) => ({
        messageId: String(id ?? ""),
        author: isObject(author) ? String(author["username"] ?? "") : "",
        text: String(content ?? ""),
        sentAt: String(timestamp ?? ""),
      }));
    },
  };
}

const publicThread = 11;

const channelId = (target: string): string => numericId("Discord", "channel", target);
const messageOf = (id: string): string => numericId("Discord", "message", id);

/** "." and ".." are steps of a path, also where they are encoded. */
function emojiOf(emoji: string): string {
  if (/^\.+$/.test(emoji)) throw new ToolInputError(`${JSON.stringify(emoji)} is not an emoji. Give one as a character.`);
  return encodeURIComponent(emoji);
}

function sentOf({ body: { id } }: VendorAnswer): SentMessage {
  return typeof id === "string" ? { messageId: id } : {};
}
