import type { Message } from "@toolrack/agent";
import type { Session, SessionStore } from "@toolrack/store";

/** Why nothing can go on in a session without a word to it, as the rest of a sentence. */
export async function whyNotResumed(sessions: Pick<SessionStore<Message>, "messages">, session: Session): Promise<string | undefined> {
  const { id, status, last, inbox, state } = session;
  if (status === "running") return "it runs already";
  if (status === "waiting") return "it waits for a person. Answer its question: toolrack approvals";
  if (status === "ended") return "it has ended. Begin another one";
  const run = state?.["run"] as { readonly isUnfinished?: boolean } | undefined;
  if (inbox > 0 || run?.isUnfinished === true) return undefined;
  const [newest] = last === 0 ? [] : await sessions.messages(id, { after: last - 1, limit: 1 });
  const message = newest?.message;
  const isAnswered = message === undefined || (message.role === "assistant" && message.calls.length === 0);
  return isAnswered ? "its last run has answered. Say something to it: toolrack sessions send" : undefined;
}
