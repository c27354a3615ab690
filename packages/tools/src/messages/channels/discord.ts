import { isObject } from "@toolrack/core/internal";
import { askVendor, refused, type Vendor, type VendorAnswer, type VendorRequest } from "./_vendor.ts";
import type { Channel } from "./channel.ts";

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
  const messagePath = (target: string, messageId: string): string =>
    `${encodeURIComponent(target)}/messages/${encodeURIComponent(messageId)}`;
  return {
    id: "discord",
    maxChars: 2_000,
    async send({ target, text, replyTo, key, signal }) {
      const body = {
        content: text,
        // "@everyone" and every other mention stay text.
        allowed_mentions: { parse: [] },
        // Discord refuses a second message with the same nonce within minutes.
        nonce: key.slice(0, 25),
        enforce_nonce: true,
        ...(replyTo !== undefined && { message_reference: { message_id: replyTo, fail_if_not_exists: false } }),
      };
      const path = `${encodeURIComponent(target)}/messages`;
      const { id } = (await call("send the message", { method: "POST", path, body, signal, isSend: true })).body;
      return typeof id === "string" ? { messageId: id } : {};
    },
    async edit({ target, messageId, signal }, text) {
      const body = { content: text, allowed_mentions: { parse: [] } };
      await call("change the message", { method: "PATCH", path: messagePath(target, messageId), body, signal });
    },
    async remove({ target, messageId, signal }) {
      await call("delete the message", { method: "DELETE", path: messagePath(target, messageId), signal });
    },
    async react({ target, messageId, signal }, emoji) {
      const path = `${messagePath(target, messageId)}/reactions/${encodeURIComponent(emoji)}/@me`;
      await call("react to the message", { method: "PUT", path, signal });
    },
    async read({ target, limit, before, signal }) {
      const query = new URLSearchParams({ limit: String(limit), ...(before !== undefined && { before }) });
      const { list } = await call("list messages", { method: "GET", path: `${encodeURIComponent(target)}/messages?${query}`, signal });
      return list.filter(isObject).map(({ id, author, content, timestamp }) => ({
        messageId: String(id ?? ""),
        author: isObject(author) ? String(author["username"] ?? "") : "",
        text: String(content ?? ""),
        sentAt: String(timestamp ?? ""),
      }));
    },
  };
}
