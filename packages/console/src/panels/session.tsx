import { type ReactNode, useMemo, useState } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import { useSession } from "../api/session-stream.ts";
import { useApi, useChange } from "../api/use-api.ts";
import type { CallAnswer } from "../parts/agent-call.tsx";
import { Conversation } from "../parts/conversation.tsx";
import { Question } from "../parts/question.tsx";
import { SayForm } from "../parts/say-form.tsx";
import { budgetWords, factsOf, joinResults, nameOf, type SessionFacts, type ShownMessage, usageWords } from "../parts/session-facts.ts";
import { SessionStatus } from "../parts/session-tree.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { sayTo } from "./_say.ts";

const pageLength = 200;

/** One session as it goes on: what is said and called, what it asks, what it costs; and saying something to it, stopping it, going on with it. */
export function SessionPanel({ id }: { readonly id: string }): ReactNode {
  const [count, setCount] = useState(pageLength);
  const { session: record, messages: records, draft, error } = useSession(id, count);
  const messages = useMemo(() => joinResults(records), [records]);
  if (error !== undefined) return <Failed error={error} />;
  if (record === undefined) return <Loading what="the session" />;
  const session = factsOf(record);
  const first = messages[0]?.seq ?? 1;
  return (
    <section className="session" aria-label={`Session ${session.key}`}>
      <h2>
        {session.agent} {nameOf(session)} <SessionStatus status={session.status} />
      </h2>
      <Facts session={session} />
      {first > 1 && (
        <p className="buttons small">
          {first - 1} earlier messages.
          <button type="button" onClick={() => setCount(count + pageLength)}>
            Show earlier
          </button>
        </p>
      )}
      <Asked session={session} messages={messages} draft={draft} />
      <Say session={session} isCutOff={isCutOff(session, messages)} />
    </section>
  );
}

function Facts({ session }: { readonly session: SessionFacts }): ReactNode {
  const { key, parent, model, usage, budget, spent, created_at: created, inbox, result } = session;
  const limits = budgetWords(budget, spent).join(", ");
  const rows: readonly (readonly [string, ReactNode])[] = [
    ["Key", <code key="key">{key}</code>],
    ...(parent === undefined
      ? []
      : [
          [
            "Spawned by",
            <Link key="parent" href={`/sessions?session=${encodeURIComponent(parent)}`}>
              another session
            </Link>,
          ] as const,
        ]),
    ...(model === undefined ? [] : [["Model", model] as const]),
    ["Begun", <Time key="begun" at={created} />],
    ["Cost so far", usageWords(usage)],
    [spent === undefined ? "Budget of a run" : "Budget of this run", limits],
    ...(inbox === 0 ? [] : [["Not read yet", `${inbox} ${inbox === 1 ? "message" : "messages"}`] as const]),
    ...(result === undefined ? [] : [["Ended as", result.status] as const]),
  ];
  return (
    <dl className="facts small">
      {rows.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The conversation with the questions that it waits for, which are answered here. */
function Asked(props: { readonly session: SessionFacts; readonly messages: readonly ShownMessage[]; readonly draft: string }): ReactNode {
  const { session, messages, draft } = props;
  const isOver = session.status === "idle" || session.status === "ended";
  const asked = useApi("/approvals", { query: { limit: "200" }, enabled: !isOver, refetchInterval: isOver ? false : 1_000 });
  const questions = isOver ? [] : (asked.data?.waiting.filter(({ caller }) => caller.session === session.session) ?? []);
  const waiting = new Set(questions.flatMap(({ callId }) => placeOf(callId, session.session) ?? []));
  const answers = useAnswers(session);
  return (
    <>
      <Conversation session={session} messages={messages} draft={draft} waiting={waiting} answers={answers} />
      {questions.length > 0 && (
        <section className="session-asks" aria-label="Questions of this session">
          <h3>It asks</h3>
          {questions.map((one) => (
            <Question key={one.id} waiting={one} />
          ))}
        </section>
      )}
      {session.status === "waiting" && asked.error !== null && <p className="soft">{asked.error.message}</p>}
    </>
  );
}

/** Who approved or denied which calls of the session, for those who may read the audit. */
function useAnswers({ session, created_at: begun }: SessionFacts): ReadonlyMap<string, CallAnswer> {
  const { data } = useApi("/audit", { query: { kinds: '["call-approved","call-denied"]', from: Date.parse(begun), limit: 1_000 } });
  return useMemo(() => {
    const found = new Map<string, CallAnswer>();
    for (const { kind, who, body } of data?.lines ?? []) {
      const place = placeOf(String((body as { readonly callId?: unknown } | null)?.callId), session);
      if (place !== undefined) found.set(place, { approved: kind === "call-approved", by: who });
    }
    return found;
  }, [data, session]);
}

/** "<session>.<message>-<call>-r<run>" → "<message> <call>", both counted from 1; undefined for a call of something else. */
function placeOf(callId: string, session: string): string | undefined {
  if (!callId.startsWith(`${session}.`)) return undefined;
  const found = /^(\d+)[-/](\d+)/.exec(callId.slice(session.length + 1));
  return found === null ? undefined : `${found[1]} ${found[2]}`;
}

/** Whether its last run ended before it had an answer. */
function isCutOff({ status, isUnfinished }: SessionFacts, messages: readonly ShownMessage[]): boolean {
  const last = messages.at(-1);
  const hasAnswer = last?.role === "assistant" && last.calls.length === 0;
  return status === "idle" && last !== undefined && (isUnfinished === true || !hasAnswer);
}

function Say({ session, isCutOff }: { readonly session: SessionFacts; readonly isCutOff: boolean }): ReactNode {
  const { session: id, agent, status } = session;
  const say = useChange((text: string) => sayTo(session, text), ["/sessions"]);
  const stop = useChange(() => ask("POST /sessions/{id}/cancel", { params: { id } }), ["/sessions"]);
  const resume = useChange(() => ask("POST /sessions/{id}/resume", { params: { id } }), ["/sessions"]);
  if (status === "ended") return <p className="soft">The session has ended, and takes no more messages.</p>;
  return (
    <SayForm
      label={`Say something to ${agent}`}
      {...(status === "running" && { placeholder: "It reads this between two turns." })}
      isPending={say.isPending}
      error={say.error ?? stop.error ?? resume.error}
      onSay={(text) => say.mutateAsync(text)}
    >
      {(status === "running" || status === "waiting") && (
        <button type="button" disabled={stop.isPending} onClick={() => stop.mutate(undefined)}>
          Stop
        </button>
      )}
      {isCutOff && (
        <>
          <button type="button" disabled={resume.isPending} onClick={() => resume.mutate(undefined)}>
            Resume
          </button>
          <span className="small soft">Its last run ended before it was done. Resume lets it go on.</span>
        </>
      )}
    </SayForm>
  );
}
