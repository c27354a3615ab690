import { useEffect, useState } from "react";
import { ApiError, ask } from "./client.ts";
import { follow } from "./sse.ts";
import type { SessionRecord } from "./types.ts";

/** A session as it is now, its newest messages, and what its model is saying. */
export interface FollowedSession {
  readonly session?: SessionRecord;
  readonly messages: readonly SessionRecord[];
  /** The message that is being written. */
  readonly draft: string;
  /** Why it cannot be shown. */
  readonly error?: Error;
}

const nothing: FollowedSession = { messages: [], draft: "" };

/** Follows a session from its newest `count` messages on. After a break it goes on where it was. */
export function useSession(id: string, count: number): FollowedSession {
  const [state, setState] = useState(nothing);
  useEffect(() => {
    const stop = new AbortController();
    let now = nothing;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = (next: Partial<FollowedSession>): void => {
      now = { ...now, ...next };
      // Many events at once are one change of the page.
      timer ??= setTimeout(() => {
        timer = undefined;
        setState(now);
      }, 20);
    };

    async function run(): Promise<void> {
      const { context } = await ask("GET /sessions/{id}", { params: { id }, signal: stop.signal });
      const first = Math.max(0, Number(context["messages"]) - count);
      for (let failures = 0; !stop.signal.aborted; failures++) {
        const after = Number(now.messages.at(-1)?.context["seq"] ?? first);
        const events = follow("GET /sessions/{id}/messages", { params: { id }, query: { after }, signal: stop.signal, silenceMs });
        try {
          for await (const { event, data } of events) {
            failures = 0;
            if (event === "session") tell({ session: data, ...(data.context["status"] !== "running" && { draft: "" }) });
            if (event === "message") tell({ messages: [...now.messages, data], draft: "" });
            if (event === "text") tell({ draft: now.draft + data.text });
          }
        } catch (error) {
          if (error instanceof ApiError && error.status !== 429) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, Math.min(5_000, 250 * 2 ** Math.min(failures, 5))));
      }
    }

    run().catch((error: Error) => {
      if (!stop.signal.aborted) tell({ error });
    });
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [id, count]);
  return state;
}

/** The server says something every fifteen seconds. */
const silenceMs = 45_000;
