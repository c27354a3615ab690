import { type ReactNode, useEffect, useRef } from "react";
import { AgentCall, type CallAnswer } from "./agent-call.tsx";
import type { SessionFacts, ShownMessage } from "./session-facts.ts";
import { Time } from "./time.tsx";
import "./conversation.css";

interface ConversationProps {
  readonly session: SessionFacts;
  readonly messages: readonly ShownMessage[];
  /** What is being written. */
  readonly draft: string;
  /** Calls that wait, as "<message> <call>", both counted from 1. */
  readonly waiting: ReadonlySet<string>;
  /** What people said about calls, by the same. */
  readonly answers: ReadonlyMap<string, CallAnswer>;
}

/** What was said, by whom, and what was called. Everything is shown as text. */
export function Conversation({ session, messages, draft, waiting, answers }: ConversationProps): ReactNode {
  const end = useRef<HTMLDivElement>(null);
  const isNear = useRef(true);
  // Who reads what was said before is not moved away from it.
  useEffect(() => {
    if (isNear.current) end.current?.parentElement?.scrollTo({ top: end.current.offsetTop });
  }, [messages, draft]);
  const isRunning = session.status === "running";
  return (
    <div
      className="conversation"
      role="log"
      aria-label="Conversation"
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isNear.current = scrollHeight - scrollTop - clientHeight < 80;
      }}
    >
      {messages.map((message, index) => (
        <article key={message.seq} className={`message ${message.role}`} aria-label={`Message ${message.seq}`}>
          <p className="small soft message-head">
            <span>{speakerOf(message, session.agent)}</span> <Time at={message.timestamp} />
          </p>
          {(message.content ?? "") !== "" && <p className="message-text">{message.content}</p>}
          {message.calls.length > 0 && (
            <ul className="agent-calls">
              {message.calls.map(({ name, input, result }, place) => (
                <AgentCall
                  key={place}
                  agent={session.agent}
                  tool={name}
                  input={input}
                  result={result}
                  answer={answers.get(`${message.seq} ${place + 1}`)}
                  isWaiting={waiting.has(`${message.seq} ${place + 1}`)}
                  isRunning={isRunning && index === messages.length - 1}
                />
              ))}
            </ul>
          )}
        </article>
      ))}
      {draft !== "" && (
        <article className="message assistant writing" aria-label="Being written">
          <p className="small soft message-head">{session.agent} is writing</p>
          <p className="message-text">{draft}</p>
        </article>
      )}
      {isRunning && draft === "" && <p className="small soft">{session.agent} is at work …</p>}
      <div ref={end} />
    </div>
  );
}

function speakerOf({ role, from, upTo }: ShownMessage, agent: string): string {
  if (role === "assistant") return agent;
  if (role === "summary") return `summary of the messages up to ${upTo ?? "here"}`;
  if (role === "tool") return "results";
  if (from === undefined) return role;
  return [from.kind, ...(from.id === undefined ? [] : [from.id])].join(" ");
}
