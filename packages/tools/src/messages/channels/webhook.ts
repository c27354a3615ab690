import { askVendor, refused, type Vendor } from "./_vendor.ts";
import type { Channel } from "./channel.ts";

/** Any address that takes `{ to, text, subject?, replyTo?, threadId?, attachments? }` as JSON; the files in it as base64. The header `idempotency-key` is the same for every attempt at a message. */
export function createWebhookChannel(vendor: Omit<Vendor, "name">, token: string | undefined): Channel {
  const receiver: Vendor = { ...vendor, name: "The receiver of the webhook" };
  return {
    id: "webhook",
    maxChars: 40_000,
    maxAttachments: 10,
    async send({ target, text, subject, replyTo, threadId, attachments = [], key, signal }) {
      const files = attachments.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString("base64") }));
      const answer = await askVendor(receiver, {
        method: "POST",
        path: "",
        headers: { "idempotency-key": key, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        body: {
          to: target,
          text,
          ...(subject !== undefined && { subject }),
          ...(replyTo !== undefined && { replyTo }),
          ...(threadId !== undefined && { threadId }),
          ...(files.length > 0 && { attachments: files }),
        },
        signal,
        isSend: true,
      });
      if (answer.status < 200 || answer.status >= 300) throw refused(receiver.name, "take the message", answer);
      const { id } = answer.body;
      return typeof id === "string" ? { messageId: id } : {};
    },
  };
}
