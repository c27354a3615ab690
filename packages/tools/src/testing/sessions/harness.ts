import assert from "node:assert/strict";
import type { Caller, ToolResult } from "@toolrack/core";
import type { KnownAgents } from "../../sessions/allowed-agents.ts";
import type { SessionMessage } from "../../sessions/host.ts";
import type { SpawnLimits } from "../../sessions/limits.ts";
import type { SightOptions } from "../../sessions/sight.ts";

/** How a host is set up for one check. */
export interface SessionsSettings extends SightOptions, Pick<SpawnLimits, "maxSpawnDepth" | "maxChildren"> {
  readonly agents?: KnownAgents;
  /** What a session answers to a message; by default the message itself. Throws: the run fails. */
  readonly reply?: (text: string, signal: AbortSignal) => string | Promise<string>;
}

/** The host of one check, with the tools over it. */
export interface OpenedSessions {
  /** Makes a session that nothing has spawned. */
  create(session: {
    readonly agent: string;
    readonly key?: string;
    readonly label?: string;
    readonly caller?: Caller;
  }): Promise<TestSession>;
  /** Adds messages to a session, as if they had been said. */
  fill(key: string, messages: readonly SessionMessage[]): Promise<void>;
  /** Calls one of the seven tools through a registry, whose policy lets everybody use them. */
  call(tool: string, input: object, caller: Caller): Promise<ToolResult>;
  close(): Promise<void>;
}

export interface TestSession {
  readonly key: string;
  readonly id: string;
  /** Of the calls that belong to the session. */
  readonly caller: Caller;
}

export type OpenSessionsFor = (settings: SessionsSettings) => OpenedSessions | Promise<OpenedSessions>;

export interface SessionsCheck {
  readonly name: string;
  readonly settings?: SessionsSettings;
  run(sessions: OpenedSessions): Promise<void>;
}

export type Answer = Record<string, any>;

/** The data of a call that has to succeed. */
export async function ask(sessions: OpenedSessions, tool: string, input: object, caller: Caller): Promise<Answer> {
  const result = await sessions.call(tool, input, caller);
  assert.ok(result.ok, `${tool}: ${result.ok ? "" : result.error}`);
  return result.data as Answer;
}

/** The code and the sentence of a call that has to fail. */
export async function refusalOf(sessions: OpenedSessions, tool: string, input: object, caller: Caller): Promise<string> {
  const result = await sessions.call(tool, input, caller);
  assert.ok(!result.ok, `${tool} was not refused: ${JSON.stringify(result)}`);
  return `${result.code} ${result.error}`;
}

/** Asks again until the answer is what is waited for: hosts do their work beside the calls. */
export async function eventually<Value>(look: () => Promise<Value>, isThere: (value: Value) => boolean): Promise<Value> {
  for (let turn = 0; ; turn++) {
    const value = await look();
    if (isThere(value)) return value;
    assert.ok(turn < 2_000, `It did not happen. The last that was seen: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A reply that waits until it is let go, for all messages that begin with "wait". */
export function createGate(): { readonly reply: NonNullable<SessionsSettings["reply"]>; open(): void } {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    open,
    async reply(text, signal) {
      if (text.startsWith("wait"))
        await Promise.race([opened, new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))))]);
      return text;
    },
  };
}
