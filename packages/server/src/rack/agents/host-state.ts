import type { Thinking } from "@toolrack/agent";
import type { Caller } from "@toolrack/core";
import type { Session } from "@toolrack/store";
import { createMessageSealer } from "../mcp/sealed-messages.ts";

/** What the server keeps in the state of a session, beside what the loop keeps there. */
export interface HostState {
  /** Who began the session, sealed: nobody but a server of the store can write it. */
  readonly starter: string;
  /** How often a run took the session; the calls of each have ids of their own. */
  readonly runs: number;
  /** The runs that may have left calls without an answer, the newest last. */
  readonly open: readonly OpenRun[];
  /** Runs since a person, or whoever called the agent, last said something. */
  readonly unattended: number;
}

export interface OpenRun {
  readonly run: number;
  readonly server: string;
  /** Of the lease. */
  readonly holder: string;
  /** The newest message when it began. */
  readonly last: number;
}

/** Whose session it is, and by whose rights it runs. */
export interface Starter {
  readonly caller: Caller;
  /** A person said what the newest run is about. */
  readonly isPerson: boolean;
  /** What is kept of the caller allowed it the agent when it began. @default whether it does when the session goes on */
  readonly isAsked?: boolean;
  /** Another session spawned it. */
  readonly spawned?: Spawned;
  /**
   * The sessions that it has its task from, the nearest first, as they were then. @default none, and those that its parents name for a session
   * that an earlier build spawned
   */
  readonly above?: readonly SessionAbove[];
}

/** How a session was spawned. */
export interface Spawned {
  readonly task: string;
  /** "run": it ends with its first answer. "session": it stays, and takes messages. */
  readonly mode: "run" | "session";
  /** Whether its messages are kept after its end. */
  readonly cleanup: "keep" | "delete";
  /** For all its runs until its first answer; 0: no limit. */
  readonly runTimeoutMs: number;
  /** How much its model thinks. @default as the vendor has it */
  readonly thinking?: Thinking;
}

export interface SessionAbove {
  readonly session: string;
  readonly agent: string;
  readonly model?: string;
}

export interface HostStates {
  /** The state of a new session. */
  begin(key: string, starter: Starter): HostState;
  seal(key: string, starter: Starter): string;
  /** Undefined for a session of another program, and where it was changed by somebody else than a server. */
  read(session: Pick<Session, "key" | "state">): { readonly host: HostState; readonly starter: Starter } | undefined;
}

export function createHostStates(sharedKey: Uint8Array): HostStates {
  const sealer = createMessageSealer(sharedKey);
  const placeOf = (key: string): string => JSON.stringify(["session of an agent", key]);
  const seal: HostStates["seal"] = (key, starter) => sealer.seal(placeOf(key), JSON.stringify(starter));
  return {
    begin: (key, starter) => ({ starter: seal(key, starter), runs: 0, open: [], unattended: 0 }),
    seal,
    read({ key, state }) {
      const host = state?.["server"] as HostState | undefined;
      const text = typeof host?.starter === "string" ? sealer.open(placeOf(key), host.starter) : undefined;
      return text === undefined ? undefined : { host: host!, starter: JSON.parse(text) as Starter };
    },
  };
}
