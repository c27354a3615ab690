import type { SessionMessage, SessionOrigin, StoredSessionMessage } from "./host.ts";
import type { Redact } from "./redact.ts";

/** A message as another session sees it. */
export interface ShownMessage {
  readonly seq: number;
  readonly at: string;
  readonly role: SessionMessage["role"];
  readonly text: string;
  readonly from?: SessionOrigin;
  readonly calls?: readonly { readonly tool: string; readonly input: string }[];
}

export interface ShownHistory {
  readonly messages: readonly ShownMessage[];
  /** Messages that did not fit. */
  readonly dropped: number;
  /** A text was cut. */
  readonly cut: boolean;
  readonly redacted: boolean;
  readonly bytes: number;
}

export interface ShowOptions {
  readonly redact: Redact;
  /** Whether calls and their results are shown. */
  readonly includeTools: boolean;
  readonly maxBytes: number;
}

/** Of each text, so many characters are shown. */
export const maxTextLength = 4_000;
export const maxHistoryBytes: number = 80 * 1024;

/**
 * Messages as others may read them: texts alone, without secrets, each cut, and of them the newest that fit. Images, signatures and items of
 * vendors are left out because only what is named here is copied.
 */
export function showHistory(messages: readonly StoredSessionMessage[], { redact, includeTools, maxBytes }: ShowOptions): ShownHistory {
  let [cut, redacted, bytes] = [false, false, 0];
  const clean = (text: string): string => {
    // A secret that begins in what is shown is seen whole, or at least long enough to be known as one.
    const near = text.length > maxTextLength + margin ? text.slice(0, maxTextLength + margin) : text;
    const safe = redact(near);
    redacted ||= safe !== near;
    if (safe.length <= maxTextLength && near === text) return safe;
    cut = true;
    return `${safe.slice(0, maxTextLength - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
  };
  const fitting: ShownMessage[] = [];
  const candidates = messages.filter(({ message: { role } }) => includeTools || role !== "tool");
  for (const stored of candidates.toReversed()) {
    const [wasCut, wasRedacted] = [cut, redacted];
    const shown = toShown(stored, clean, includeTools);
    const size = new TextEncoder().encode(JSON.stringify(shown)).length + 1;
    if (bytes + size > maxBytes) {
      [cut, redacted] = [wasCut, wasRedacted];
      break;
    }
    bytes += size;
    fitting.push(shown);
  }
  return { messages: fitting.reverse(), dropped: candidates.length - fitting.length, cut, redacted, bytes };
}

const margin = 64 * 1024;

function toShown({ seq, at, message }: StoredSessionMessage, clean: (text: string) => string, includeTools: boolean): ShownMessage {
  const { role, content, from, calls = [], results = [] } = message;
  const text = role === "tool" ? results.map((result) => (result.ok ? result.content : result.error)).join("\n\n") : (content ?? "");
  return {
    seq,
    at: new Date(at).toISOString(),
    role,
    text: clean(text),
    ...(from !== undefined && { from: { kind: from.kind, ...(from.id !== undefined && { id: from.id }) } }),
    ...(includeTools &&
      calls.length > 0 && {
        calls: calls.slice(0, maxCalls).map(({ name, input }) => ({ tool: name, input: clean(JSON.stringify(input) ?? "") })),
      }),
  };
}

const maxCalls = 50;
