import { addUsage } from "../budget/meter.ts";
import type { Emit, RunUsage } from "../events.ts";
import type { AssistantMessage, Message } from "../message.ts";
import type { Session, SessionLease, SessionPatch, SessionStatus, SessionStore, StoredMessage } from "../sessions.ts";
import { readState, type RunState, writeState } from "./state.ts";

/** The messages of a session, for whoever holds its lease. Nothing is done before it is stored. */
export interface Transcript {
  readonly session: Session;
  readonly messages: readonly StoredMessage[];
  readonly state: RunState;
  /** The newest message that is no summary. */
  readonly newest: StoredMessage | undefined;
  /** What the model said last in this run; "" if it said nothing. */
  lastText(): string;
  /** The calls that have no answer: after a kill, or while a person is asked. */
  unanswered(): OpenCalls | undefined;
  /** Stores a message, and what changes with it, in one step. Resolves with its number. */
  append(message: Message, change?: Partial<RunState>, usage?: RunUsage): Promise<number>;
  /** Moves what has arrived to the messages. Resolves with how many. */
  takeInbox(): Promise<number>;
  save(change: Partial<RunState>, status?: SessionStatus): Promise<void>;
}

export interface OpenCalls {
  readonly seq: number;
  readonly message: AssistantMessage;
}

export interface TranscriptOptions {
  readonly sessions: SessionStore;
  readonly lease: SessionLease;
  readonly emit: Emit;
}

const pageSize = 1_000;

export async function openTranscript(id: string, { sessions, lease, emit }: TranscriptOptions): Promise<Transcript> {
  // Read after the lease was taken: nobody else writes from then on.
  let session = await sessions.update(id, { status: "running" }, lease);
  let state = readState(session.state);
  const messages = await readAll(sessions, id);
  let last = messages.at(-1)?.seq ?? 0;
  let newest = messages.findLast(isSaid);

  function keep(seq: number, message: Message): void {
    const stored = { session: id, seq, at: session.updatedAt, message };
    messages.push(stored);
    if (isSaid(stored)) newest = stored;
    emit({ type: "message", seq, message });
  }

  /** A write that failed may have been made. */
  let isUncertain = false;

  async function readAgain(): Promise<void> {
    session = (await sessions.get(id)) ?? session;
    state = readState(session.state);
    isUncertain = false;
  }

  const patchOf = (change: Partial<RunState>): SessionPatch => ({ state: writeState(session.state, { ...state, ...change }) });

  return {
    get session() {
      return session;
    },
    messages,
    get state() {
      return state;
    },
    get newest() {
      return newest;
    },
    lastText() {
      const { since = 0 } = state;
      const said = messages.findLast(({ seq, message }) => seq > since && message.role === "assistant" && message.content !== "");
      return said?.message.role === "assistant" ? said.message.content : "";
    },
    unanswered() {
      const message = newest?.message;
      return message?.role === "assistant" && message.calls.length > 0 ? { seq: newest!.seq, message } : undefined;
    },
    async append(message, change = {}, usage) {
      const total = usage === undefined ? session.usage : sumOf(session.usage, usage);
      const patch = { ...patchOf(change), usage: total };
      isUncertain = true;
      last = await sessions.append(id, [message], { after: last, lease, patch });
      isUncertain = false;
      state = { ...state, ...change };
      session = { ...session, usage: total, last };
      keep(last, message);
      return last;
    },
    async takeInbox() {
      const { taken, last: newLast } = await sessions.takeInbox(id, { after: last, lease });
      const first = newLast - taken.length + 1;
      last = newLast;
      for (const [index, { content, from }] of taken.entries()) keep(first + index, { role: "user", content, from });
      return taken.length;
    },
    async save(change, status) {
      if (isUncertain) await readAgain();
      session = await sessions.update(id, { ...patchOf(change), ...(status !== undefined && { status }) }, lease);
      state = { ...state, ...change };
    },
  };
}

function isSaid({ message }: StoredMessage): boolean {
  return message.role !== "summary";
}

function sumOf(one: RunUsage, other: RunUsage): RunUsage {
  return { ...addUsage(one, other), turns: one.turns + other.turns, calls: one.calls + other.calls };
}

async function readAll(sessions: SessionStore, id: string): Promise<StoredMessage[]> {
  const all: StoredMessage[] = [];
  for (;;) {
    const page = await sessions.messages(id, { after: all.at(-1)?.seq ?? 0, limit: pageSize });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}
