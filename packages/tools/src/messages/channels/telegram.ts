import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { askVendor, refused, saying, type Vendor, type VendorAnswer, type VendorRequest } from "./_vendor.ts";
import type { Channel } from "./channel.ts";

/** Telegram, by the Bot API. Bots cannot read what was written before, so there is no `read`. */
export function createTelegramChannel(vendor: Omit<Vendor, "name">, token: string): Channel {
  if (!/^[A-Za-z0-9:_-]+$/.test(token))
    throw new ToolError("NEEDS_CONFIGURATION", "The token of Telegram holds a character that no token has. Check the secret.");
  const telegram: Vendor = { ...vendor, name: "Telegram" };
  const call = async (
    method: string,
    did: string,
    body: object,
    more: Pick<VendorRequest, "signal" | "isSend">,
  ): Promise<VendorAnswer["body"]> => {
    // The token is in the address, which no message names.
    const answer = await askVendor(telegram, { method: "POST", path: `/bot${token}/${method}`, body, ...more });
    if (answer.body["ok"] === true) return answer.body;
    if (answer.status === 404 && saying(answer.body) === ": Not Found")
      throw new ToolError("NEEDS_CONFIGURATION", "Telegram does not know the token. Check the secret.");
    throw refused("Telegram", did, answer);
  };
  return {
    id: "telegram",
    maxChars: 4_096,
    async send({ target, text, replyTo, signal }) {
      const body = { chat_id: target, text, ...(replyTo !== undefined && { reply_parameters: { message_id: Number(replyTo) } }) };
      const { result } = await call("sendMessage", "send the message", body, { signal, isSend: true });
      const id = isObject(result) ? result["message_id"] : undefined;
      return typeof id === "number" ? { messageId: String(id) } : {};
    },
    async edit({ target, messageId, signal }, text) {
      await call("editMessageText", "change the message", { chat_id: target, message_id: Number(messageId), text }, { signal });
    },
    async remove({ target, messageId, signal }) {
      await call("deleteMessage", "delete the message", { chat_id: target, message_id: Number(messageId) }, { signal });
    },
    async react({ target, messageId, signal }, emoji) {
      const body = { chat_id: target, message_id: Number(messageId), reaction: [{ type: "emoji", emoji }] };
      await call("setMessageReaction", "react to the message", body, { signal });
    },
  };
}
