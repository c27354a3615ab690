import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import type { FormField } from "./_multipart.ts";
import { askVendor, numericId, refused, saying, type Vendor, type VendorAnswer, type VendorRequest } from "./_vendor.ts";
import type { Channel, SentMessage } from "./channel.ts";

/** Telegram, by the Bot API. Bots cannot read what was written before, so there is no `read`. */
export function createTelegramChannel(vendor: Omit<Vendor, "name">, token: string): Channel {
  if (!/^[A-Za-z0-9:_-]+$/.test(token))
    throw new ToolError("NEEDS_CONFIGURATION", "The token of Telegram holds a character that no token has. Check the secret.");
  const telegram: Vendor = { ...vendor, name: "Telegram" };
  const call = async (
    method: string,
    did: string,
    content: object | readonly FormField[],
    more: Pick<VendorRequest, "signal" | "isSend">,
  ): Promise<VendorAnswer["body"]> => {
    // The token is in the address, which no message names.
    const answer = await askVendor(telegram, { method: "POST", path: `/bot${token}/${method}`, ...toContent(content), ...more });
    if (answer.body["ok"] === true) return answer.body;
    if (answer.status === 404 && saying(answer.body) === ": Not Found")
      throw new ToolError("NEEDS_CONFIGURATION", "Telegram does not know the token. Check the secret.");
    throw refused("Telegram", did, answer);
  };
  return {
    id: "telegram",
    maxChars: 4_096,
    maxAttachments: 1,
    maxCaptionChars: 1_024,
    async send({ target, text, replyTo, threadId, attachments: [file] = [], signal }) {
      const reply = replyTo === undefined ? {} : { reply_parameters: { message_id: idOf(replyTo) } };
      const place = { chat_id: target, ...topicOf(threadId), ...reply };
      if (file === undefined) return sentOf(await call("sendMessage", "send the message", { ...place, text }, { signal, isSend: true }));
      const fields = Object.entries({ ...place, caption: text });
      const form = [
        ...fields.map(([name, value]): FormField => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
        ["document", file] as const,
      ];
      return sentOf(await call("sendDocument", "send the file", form, { signal, isSend: true }));
    },
    async poll({ target, threadId, question, options, multiple, signal }) {
      const answers = options.map((text) => ({ text }));
      const body = {
        chat_id: target,
        ...topicOf(threadId),
        question,
        options: answers,
        allows_multiple_answers: multiple,
        is_anonymous: true,
      };
      return sentOf(await call("sendPoll", "send the poll", body, { signal, isSend: true }));
    },
    async createThread({ target, name, signal }) {
      const { result } = await call("createForumTopic", "create the thread", { chat_id: target, name }, { signal });
      return { threadId: String(isObject(result) ? (result["message_thread_id"] ?? "") : "") };
    },
    async edit({ target, messageId, signal }, text) {
      await call("editMessageText", "change the message", { chat_id: target, message_id: idOf(messageId), text }, { signal });
    },
    async remove({ target, messageId, signal }) {
      await call("deleteMessage", "delete the message", { chat_id: target, message_id: idOf(messageId) }, { signal });
    },
    async react({ target, messageId, signal }, emoji) {
      const body = { chat_id: target, message_id: idOf(messageId), reaction: [{ type: "emoji", emoji }] };
      await call("setMessageReaction", "react to the message", body, { signal });
    },
  };
}

const idOf = (messageId: string): number => Number(numericId("Telegram", "message", messageId));

function topicOf(threadId: string | undefined): { readonly message_thread_id?: number } {
  return threadId === undefined ? {} : { message_thread_id: Number(numericId("Telegram", "thread", threadId)) };
}

function toContent(content: object | readonly FormField[]): Pick<VendorRequest, "body" | "form"> {
  return Array.isArray(content) ? { form: content as readonly FormField[] } : { body: content };
}

function sentOf({ result }: VendorAnswer["body"]): SentMessage {
  const id = isObject(result) ? result["message_id"] : undefined;
  return typeof id === "number" ? { messageId: String(id) } : {};
}
