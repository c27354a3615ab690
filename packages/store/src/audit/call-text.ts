import type { CallBody } from "./call-body.ts";
import type { OpenCall } from "./open-calls.ts";

/** A value as JSON; one that is too large is kept by the beginning of that. */
export function toText(value: unknown, maxBytes: number): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || text.length <= maxBytes) return text;
  const beginning = Buffer.from(text.slice(0, Math.min(4_096, maxBytes))).toString();
  return JSON.stringify({ truncated: true, characters: text.length, beginning });
}

export function quote(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

/** The JSON of a `CallBody` whose fields are JSON already, so that nothing is written twice. Undefined ones are left out. */
export function toBodyText(body: Readonly<Record<keyof CallBody, string | undefined>>): string {
  const { startedAt, caller, input, version, parentCallId, output, error } = body;
  const request = `"startedAt":${startedAt},"caller":${caller}${field("input", input)}`;
  return `{${request}${field("version", version)}${field("parentCallId", parentCallId)}${field("output", output)}${field("error", error)}}`;
}

/** The JSON of a `RunningCall`, less its server. */
export function toRunningText({ start, caller, input }: OpenCall): string {
  const { callId, tool, startedAt, parentCallId } = start;
  const names = `"callId":${JSON.stringify(callId)},"tool":${JSON.stringify(tool)}${field("parentCallId", quote(parentCallId))}`;
  return `{${names},"startedAt":${Math.floor(startedAt)},"caller":${caller}${field("input", input)}}`;
}

function field(name: string, text: string | undefined): string {
  return text === undefined ? "" : `,"${name}":${text}`;
}
