import type { Message } from "@toolrack/agent";
import type { SessionStore } from "@toolrack/store";

/** The last thing that the agent of a session said; "" if it said nothing lately. */
export async function lastText(sessions: Pick<SessionStore<Message>, "get" | "messages">, session: string): Promise<string> {
  const last = (await sessions.get(session))?.last ?? 0;
  const messages = await sessions.messages(session, { after: Math.max(0, last - 20) });
  const said = messages.findLast(({ message }) => message.role === "assistant" && message.content !== "")?.message;
  return said?.role === "assistant" ? said.content : "";
}
