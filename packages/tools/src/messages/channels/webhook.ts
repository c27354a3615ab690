import { askVendor, refused, type Vendor } from "./_vendor.ts";
import type { Channel } from "./channel.ts";

/** Any address that takes `{ to, text, subject?, replyTo? }` as JSON. The header `idempotency-key` is the same for every attempt at a message. */
export function createWebhookChannel(vendor: Omit<Vendor, "name">, token: string | undefined): Channel {
  const receiver: Vendor = { ...vendor, name: "The receiver of the webhook" };
  return {
    id: "webhook",
    maxChars: 40_000,
    async send({ target, text, subject, replyTo, key, signal }) {
      const answer = await askVendor(receiver, {
        method: "POST",
        path: "",
        headers: { "idempotency-key": key, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        body: { to: target, text, ...(subject !== undefined && { subject }), ...(replyTo !== undefined && { replyTo }) },
        signal,
        isSend: true,
      });
      if (answer.status < 200 || answer.status >= 300) throw refused(receiver.name, "take the message", answer);
      const { id } = answer.body;
      return typeof id === "string" ? { messageId: id } : {};
    },
  };
}
