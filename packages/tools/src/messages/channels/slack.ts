import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { askVendor, saying, type Vendor, type VendorAnswer, type VendorRequest } from "./_vendor.ts";
import { uploadToSlack } from "./_slack-files.ts";
import type { Channel } from "./channel.ts";

/** Slack, by its Web API. A message is named by its time. */
export function createSlackChannel(vendor: Omit<Vendor, "name">, token: string): Channel {
  const slack: Vendor = { ...vendor, name: "Slack" };
  const ask = async (method: string, request: Omit<VendorRequest, "method" | "path" | "headers">): Promise<VendorAnswer["body"]> => {
    const path = `/api/${method}`;
    const answer = await askVendor(slack, { method: "POST", path, headers: { authorization: `Bearer ${token}` }, ...request });
    if (answer.body["ok"] === true) return answer.body;
    throw refusal(answer);
  };
  const call = (method: string, body: object, more: Pick<VendorRequest, "signal" | "isSend">): Promise<VendorAnswer["body"]> =>
    ask(method, { body, ...more });
  return {
    id: "slack",
    maxChars: 40_000,
    maxAttachments: 10,
    maxCaptionChars: 4_000,
    async send({ target, text, replyTo, threadId = replyTo, attachments = [], signal }) {
      if (attachments.length > 0) {
        const files = await uploadToSlack(slack, (method, fields) => ask(method, { fields, signal }), attachments, signal);
        const place = { channel_id: target, ...(threadId !== undefined && { thread_ts: threadId }) };
        // The answer names the files, and not the message.
        await ask("files.completeUploadExternal", { fields: { ...place, files, initial_comment: plain(text) }, signal, isSend: true });
        return {};
      }
      const body = { channel: target, text: plain(text), unfurl_links: false, ...(threadId !== undefined && { thread_ts: threadId }) };
      const { ts } = await call("chat.postMessage", body, { signal, isSend: true });
      return typeof ts === "string" ? { messageId: ts } : {};
    },
    async edit({ target, messageId, signal }, text) {
      await call("chat.update", { channel: target, ts: messageId, text: plain(text) }, { signal });
    },
    async remove({ target, messageId, signal }) {
      await call("chat.delete", { channel: target, ts: messageId }, { signal });
    },
    async react({ target, messageId, signal }, emoji) {
      await call("reactions.add", { channel: target, timestamp: messageId, name: emoji.replaceAll(":", "") }, { signal });
    },
    async read({ target, limit, before, signal }) {
      const body = { channel: target, limit, ...(before !== undefined && { latest: before, inclusive: false }) };
      const { messages } = await call("conversations.history", body, { signal });
      return (Array.isArray(messages) ? messages : []).filter(isObject).map(({ ts, user, username, text }) => ({
        messageId: String(ts ?? ""),
        author: String(user ?? username ?? ""),
        text: String(text ?? ""),
        sentAt: timeOf(ts),
      }));
    },
  };
}

/** As text, "<!channel>" calls everybody; as these characters it is only read. */
function plain(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function timeOf(ts: unknown): string {
  const seconds = Number(ts);
  return Number.isFinite(seconds) && seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : "";
}

/** Slack answers 200 also where it refuses. */
function refusal(answer: VendorAnswer): ToolError {
  const { needed } = answer.body;
  const because = `${saying(answer.body)}${typeof needed === "string" ? ` (${needed.slice(0, 100)})` : ""}`;
  if (/auth|token|scope|account_inactive/.test(because))
    return new ToolError("NEEDS_CONFIGURATION", `Slack refused the token${because}. Check the secret and its rights.`);
  return new ToolError("TOOL_FAILED", `Slack refused${because || " the request"}. Nothing was done.`);
}
