import { ToolError } from "@toolrack/core";
import { hostOf, toToolError } from "../../operations/http.ts";
import type { Vendor, VendorAnswer } from "./_vendor.ts";
import type { Attachment } from "./channel.ts";

/** Asks a method of Slack that takes a form. */
export type AskSlack = (method: string, fields: Readonly<Record<string, string>>) => Promise<VendorAnswer["body"]>;

/**
 * Puts files where Slack says, each at an address of its own. Nobody sees them before a message names them. Returns what such a message says
 * about them: `[{"id":"F1","title":"report.pdf"}]`.
 */
export async function uploadToSlack(slack: Vendor, ask: AskSlack, files: readonly Attachment[], signal: AbortSignal): Promise<string> {
  const uploaded: { readonly id: string; readonly title: string }[] = [];
  for (const { name, bytes } of files) {
    if (bytes.length === 0) throw new ToolError("TOOL_FAILED", `Slack takes no empty file, and "${name}" is empty. Nothing was sent.`);
    const { upload_url: url, file_id: id } = await ask("files.getUploadURLExternal", { filename: name, length: String(bytes.length) });
    if (typeof url !== "string" || !isUploadAddress(url, slack.url) || typeof id !== "string")
      throw new ToolError("TOOL_FAILED", `Slack gave no address for the file "${name}" that is one of its own. Nothing was sent.`);
    // The address is the permission: the token is not sent there.
    const request = {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: bytes,
      signal,
      redirect: "error" as const,
    };
    const { status } = await slack.http.request(url, request, hostOf(slack.url, "baseUrl")).catch((error: unknown) => {
      throw toToolError(error);
    });
    if (status !== 200)
      throw new ToolError("TOOL_FAILED", `Slack did not take the file "${name}" (${status}). Nothing was sent.`, {
        retryable: status === 429 || status >= 500,
      });
    uploaded.push({ id, title: name });
  }
  return JSON.stringify(uploaded);
}

/** A host of Slack over https, or the very host that the options name. */
function isUploadAddress(address: string, base: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, origin } = new URL(address);
  return origin === new URL(base).origin || (protocol === "https:" && /(?:^|\.)slack\.com$/.test(hostname));
}
