import type { Session } from "@toolrack/store";
import type { Agents } from "../rack/agents/agents.ts";
import type { ShowInput } from "../rack/calls/shown-input.ts";
import { type SessionRecord, toMessage } from "./shared/sessions.ts";

/** What happens in a session from some message on. */
export type SessionEvent =
  /** First, and whenever its status, its usage or its inbox changes. */
  | { readonly event: "session"; readonly data: SessionRecord; readonly id?: undefined }
  /** Its number is the id of the event. */
  | { readonly event: "message"; readonly data: SessionRecord; readonly id: string }
  /** A part of the message that the model writes now, if it does so on this server. The message itself follows. */
  | { readonly event: "text"; readonly data: { readonly text: string }; readonly id?: undefined };

interface Following {
  readonly id: string;
  /** Only messages with a greater number. */
  readonly after: number;
  readonly signal: AbortSignal;
  show(session: Session): SessionRecord;
  readonly showInput: ShowInput;
}

/** Follows a session on whichever server it runs, until the signal is aborted or the session is removed. */
export async function* followSession(agents: Agents, { id, after, signal, show, showInput }: Following): AsyncIterable<SessionEvent> {
  const { sessions } = agents;
  const bell = createBell(signal);
  const stop = sessions.onChange((changed) => void (changed === id && bell.ring()));
  const writing = createWriting(agents, id, bell.ring);
  let last = after;
  let shown = "";
  try {
    while (!signal.aborted) {
      const rung = bell.next(lookEveryMs);
      const session = await sessions.get(id);
      if (session === undefined) return;
      const record = show(session);
      if (shown !== (shown = JSON.stringify(record))) yield { event: "session", data: record };
      const found = await sessions.messages(id, { after: last, limit: 200 });
      for (const one of found) yield { id: String((last = one.seq)), event: "message", data: toMessage(one, showInput) };
      const text = writing.take(last);
      if (text !== "") yield { event: "text", data: { text } };
      if (found.length === 0) await rung;
    }
  } finally {
    stop();
    writing.stop();
    bell.close();
  }
}

/** For what another server writes. */
const lookEveryMs = 1_000;

/** What the model says in the message that is not on record yet. */
function createWriting(agents: Agents, id: string, onText: () => void): { take(last: number): string; stop(): void } {
  let text = "";
  /** The newest message before the text, as far as the run told. */
  let seq: number | undefined;
  let isStopped = false;
  let followed: ReturnType<Agents["running"]>;

  async function read(run: NonNullable<typeof followed>): Promise<void> {
    for await (const event of run.events) {
      if (isStopped || run !== followed) return;
      if (event.type === "message") [seq, text] = [event.seq, ""];
      if (event.type === "turn") text = "";
      if (event.type !== "text") continue;
      text += event.text;
      onText();
    }
    text = "";
  }

  return {
    /** What was said since the last time, after the message `last`. What a run said before that is told as its messages. */
    take(last) {
      const run = agents.running(id);
      if (run !== followed) {
        [followed, text, seq] = [run, "", undefined];
        if (run !== undefined) void read(run);
      }
      if (seq !== undefined && seq > last) return "";
      const taken = seq === undefined || seq === last ? text : "";
      text = "";
      return taken;
    },
    stop: () => void (isStopped = true),
  };
}

/** Wakes one that waits: when it is rung, after a time, or when the signal is aborted. */
function createBell(signal: AbortSignal): { ring(): void; next(ms: number): Promise<void>; close(): void } {
  let timer: NodeJS.Timeout | undefined;
  let wake = (): void => undefined;
  const ring = (): void => wake();
  signal.addEventListener("abort", ring);
  return {
    ring,
    next(ms) {
      clearTimeout(timer);
      return new Promise((resolve) => {
        wake = resolve;
        timer = setTimeout(resolve, ms);
      });
    },
    close() {
      clearTimeout(timer);
      signal.removeEventListener("abort", ring);
    },
  };
}
