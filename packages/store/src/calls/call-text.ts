import type { Caller, CallRecord, CallStart } from "@toolrack/core";
import type { LineContent } from "../engine/audit.ts";
import { toContent } from "../engine/chain.ts";
import { callerInShort } from "./caller-in-short.ts";
import { type CallBody, toErrorDetails } from "./call-body.ts";
import type { Redact } from "../audit/redact.ts";

/** A request as text for the log. */
export interface RequestText {
  readonly start: CallStart;
  /** How it was redacted. */
  readonly redact: Redact;
  /** JSON. */
  readonly caller: string;
  readonly input: string | undefined;
}

/** Turns calls into the text that the log stores. */
export interface CallTexts {
  request(start: CallStart, redact: Redact): RequestText;
  /** `known` is the text from the beginning of the call. It is reused unless the redaction changed since. */
  line(record: CallRecord, at: number, redact: Redact, known: RequestText | undefined): LineContent;
}

export function createCallTexts(owner: string, maxBytes: number, upstreamOf?: (tool: string) => string | undefined): CallTexts {
  const callers = new WeakMap<Caller, { readonly redact: Redact; readonly text: string }>();

  /** Many calls share one caller object, so its text is cached. */
  function callerText(caller: Caller, redact: Redact): string {
    const known = callers.get(caller);
    if (known?.redact === redact) return known.text;
    const text = JSON.stringify(redact(callerInShort(caller)));
    if (isFixed(caller)) callers.set(caller, { redact, text });
    return text;
  }

  return {
    request: (start, redact) => ({
      start,
      redact,
      caller: callerText(start.caller, redact),
      input: toText(redact(start.input), maxBytes),
    }),
    line({ callId, tool, input, caller, startedAt, result, parentCallId, labels, deliver, stack }, at, redact, known) {
      const { durationMs, waitedMs = 0 } = result.meta;
      const isForUser = deliver === "user" || deliver === "both";
      const most = isForUser ? Math.max(maxBytes, maxShownBytes) : maxBytes;
      const isKnown = known?.redact === redact && known.start.input === input;
      const body = toBodyText({
        startedAt: String(Math.floor(startedAt)),
        waitedMs: waitedMs === 0 ? undefined : String(Math.round(waitedMs * 1_000) / 1_000),
        caller: callerText(caller, redact),
        input: isKnown ? known.input : toText(redact(input), maxBytes),
        version: quote(result.meta.version),
        parentCallId: quote(parentCallId),
        upstream: quote(upstreamOf?.(tool)),
        labels: labels && JSON.stringify(labels),
        deliver: result.ok ? quote(deliver) : undefined,
        blocks: result.ok && isForUser && result.blocks !== undefined ? toText(redact(result.blocks), most) : undefined,
        output: result.ok ? toText(redact(result.data === undefined ? result.content : result.data), most) : undefined,
        error: result.ok
          ? undefined
          : JSON.stringify(toErrorDetails(result, redact(result.error) as string, redact(stack) as string | undefined)),
      });
      return toContent({
        at,
        owner,
        kind: "call",
        agent: caller.agent ?? caller.sender ?? "unknown",
        principal: caller.principal,
        subject: tool,
        callId,
        ok: result.ok,
        code: result.ok ? undefined : result.code,
        durationMs: durationMs - waitedMs,
        body,
      });
    },
  };
}

/** The user sees a result by the log: an image has to fit. */
const maxShownBytes = 4_194_304;

/** Whether it is frozen in depth, so that its text can be cached. */
function isFixed(value: unknown): boolean {
  return typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isFixed));
}

/** A value as JSON; a value that is too large is replaced by the beginning of its JSON. */
function toText(value: unknown, maxBytes: number): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined || text.length <= maxBytes) return text;
  const beginning = Buffer.from(text.slice(0, Math.min(4_096, maxBytes))).toString();
  return JSON.stringify({ truncated: true, characters: text.length, beginning });
}

/** The JSON of a `CallBody` from fields that are JSON already, so that nothing is serialized twice. Undefined fields are left out. */
function toBodyText(body: Readonly<Record<keyof CallBody, string | undefined>>): string {
  const { startedAt, waitedMs, caller, input, version, parentCallId, upstream, labels, deliver, output, blocks, error } = body;
  const request = `"startedAt":${startedAt}${field("waitedMs", waitedMs)},"caller":${caller}${field("input", input)}`;
  const names = `${field("version", version)}${field("parentCallId", parentCallId)}${field("upstream", upstream)}${field("labels", labels)}${field("deliver", deliver)}`;
  return `{${request}${names}${field("output", output)}${field("blocks", blocks)}${field("error", error)}}`;
}

/** The JSON of a `RunningCall`, without its server. */
export function toRunningText({ start, caller, input }: RequestText): string {
  const { callId, tool, startedAt, parentCallId } = start;
  const names = `"callId":${JSON.stringify(callId)},"tool":${JSON.stringify(tool)}${field("parentCallId", quote(parentCallId))}`;
  return `{${names},"startedAt":${Math.floor(startedAt)},"caller":${caller}${field("input", input)}}`;
}

function quote(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

function field(name: string, text: string | undefined): string {
  return text === undefined ? "" : `,"${name}":${text}`;
}
