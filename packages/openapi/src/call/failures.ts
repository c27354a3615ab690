import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/json-schema/internal";
import type { SafeResponse } from "@toolrack/fetch";
import { own } from "../document/json.ts";
import type { OperationPlan } from "../operation.ts";
import { waitOf } from "./rate-gate.ts";

const idempotent: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY", "PUT", "DELETE"]);

/** Whether a request does nothing twice when it is sent again. */
export function isIdempotent(method: string): boolean {
  return idempotent.has(method);
}

const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** An answer that is no success, as a sentence with what the API itself says. */
export function failureOf(plan: OperationPlan, response: SafeResponse): ToolError {
  const { status, headers } = response;
  const said = messageOf(response);
  const wait = passing.has(status) ? waitOf(headers, Date.now()) : undefined;
  const sentence = `${plan.operation}: ${new URL(response.url).host} answered ${status}${said === "" ? "." : `: ${said}`}`;
  return new ToolError(codeOf(status), `${sentence}${nextStep(plan, status)}`, {
    retryable: passing.has(status) && isIdempotent(plan.method),
    ...(wait !== undefined && { retryAfterMs: wait }),
  });
}

/** That the API failed is told as of every other server whose tools are called. */
function codeOf(status: number): "RATE_LIMITED" | "SOURCE_FAILED" | "TOOL_FAILED" {
  return status === 429 ? "RATE_LIMITED" : status >= 500 ? "SOURCE_FAILED" : "TOOL_FAILED";
}

function nextStep({ security }: OperationPlan, status: number): string {
  if (status !== 401 && status !== 403) return "";
  const secrets = [...new Set(security.flat().map(({ secret }) => `"${secret}"`))];
  return secrets.length === 0 ? "" : ` Check the secret ${secrets.join(" or ")}.`;
}

/** What an API says about its failure: the usual fields of JSON, or the beginning of its text. */
function messageOf(response: SafeResponse): string {
  const text = response.text().slice(0, 100_000);
  const type = response.headers["content-type"] ?? "";
  let said: string | undefined;
  if (/json/i.test(type) || /^\s*[{[]/.test(text)) {
    try {
      said = findMessage(JSON.parse(text), 0);
    } catch {
      // Labelled as JSON, or cut: shown as it is.
    }
  }
  const plain = said ?? (/html/i.test(type) ? titleOf(text) : text);
  // Controls and marks that turn the direction of a text would be obeyed by terminals that show the sentence.
  return cut(plain.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim());
}

const fields = [
  "message",
  "detail",
  "error_description",
  "error_message",
  "errorMessage",
  "error",
  "errors",
  "title",
  "reason",
  "description",
  "msg",
  "fault",
  "faultstring",
  "Message",
  "Error",
] as const;

function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (depth > 4) return undefined;
  if (Array.isArray(value)) {
    const all = value
      .slice(0, 3)
      .map((item) => findMessage(item, depth + 1))
      .filter((item) => item !== undefined);
    return all.length === 0 ? undefined : all.join("; ");
  }
  if (!isObject(value)) return undefined;
  for (const field of fields) {
    const found = findMessage(own(value, field), depth + 1);
    if (found !== undefined) return found;
  }
  return depth === 0 ? JSON.stringify(value) : undefined;
}

function titleOf(html: string): string {
  return /<title[^>]{0,200}>([^<]{0,300})/i.exec(html)?.[1] ?? "an HTML page";
}

function cut(text: string): string {
  return text.length <= 500 ? (text === "" || /[.!?…]$/.test(text) ? text : `${text}.`) : `${text.slice(0, 500)}…`;
}
