import { ApiError, ask } from "../api/client.ts";
import type { SessionFacts } from "../parts/session-facts.ts";

/**
 * Says something to a session. One that is idle begins a run of whoever says it; one that runs or waits, and one that somebody else began, gets a
 * message, which it reads between two turns.
 */
export async function sayTo({ session, agent, status }: SessionFacts, content: string): Promise<void> {
  if (status === "idle") {
    try {
      await ask("POST /agents/{id}/runs", { params: { id: agent }, body: { input: content, session } });
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
  }
  await ask("POST /sessions/{id}/messages", { params: { id: session }, body: { content } });
}
