import type { SessionRecord, ToolResult } from "../api/types.ts";

/** What a record agent.session.v1 says. */
export interface SessionFacts {
  readonly session: string;
  readonly key: string;
  readonly agent: string;
  readonly label?: string;
  readonly parent?: string;
  readonly status: "idle" | "running" | "waiting" | "ended";
  readonly model?: string;
  readonly usage: Usage;
  readonly messages: number;
  readonly inbox: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly result?: { readonly text: string; readonly status: string };
  /** What ends each run. */
  readonly budget?: Readonly<Record<string, number>>;
  /** What the run that is not over has used of it. */
  readonly spent?: Readonly<Record<string, number>>;
  /** A limit, or a person, ended the last run before it was done. */
  readonly isUnfinished?: true;
}

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens?: number;
  readonly costUsd?: number;
  readonly turns: number;
  readonly calls: number;
}

export function factsOf({ context }: SessionRecord): SessionFacts {
  return context as unknown as SessionFacts;
}

/** What a record agent.message.v1 says. */
export interface MessageFacts {
  readonly seq: number;
  readonly timestamp: string;
  readonly role: string;
  readonly content?: string;
  readonly from?: { readonly kind: string; readonly id?: string };
  readonly calls?: readonly AgentCall[];
  readonly results?: readonly ToolResult[];
  readonly upTo?: number;
}

export interface AgentCall {
  readonly name: string;
  readonly input: unknown;
}

/** A message with the results of its calls, as far as they are there. */
export interface ShownMessage extends Omit<MessageFacts, "calls" | "results"> {
  readonly calls: readonly (AgentCall & { readonly result?: ToolResult })[];
}

/** Results follow the message whose calls they answer, in the same order: they are shown with the calls. */
export function joinResults(records: readonly SessionRecord[]): readonly ShownMessage[] {
  const messages = records.map(({ context }) => context as unknown as MessageFacts);
  return messages.flatMap(({ calls = [], results: own, ...message }, index): readonly ShownMessage[] => {
    if (message.role === "tool") return index === 0 ? [{ ...message, calls: withoutCalls(own ?? []) }] : [];
    const next = messages[index + 1];
    const results = next?.role === "tool" ? (next.results ?? []) : [];
    return [{ ...message, calls: calls.map((call, place) => ({ ...call, ...(results[place] && { result: results[place] }) })) }];
  });
}

/** The first message of a page may be the results of one before it. */
function withoutCalls(results: readonly ToolResult[]): ShownMessage["calls"] {
  return results.map((result) => ({ name: result.meta.tool, input: undefined, result }));
}

/** "agent:demo:run:0199…-4b" → "run …-4b"; the rest of what a key says beside its agent. */
export function nameOf({ label, key, agent }: SessionFacts): string {
  if (label !== undefined) return label;
  const rest = key.startsWith(`agent:${agent}:`) ? key.slice(`agent:${agent}:`.length) : key;
  return rest.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => id.slice(-6)).replaceAll(":", " ");
}

/** "1,200 tokens in, 80 out; 0.02 US dollars; 2 turns, 1 call" */
export function usageWords({ inputTokens, outputTokens, cachedTokens = 0, costUsd, turns, calls }: Usage): string {
  const number = (value: number): string => value.toLocaleString("en-US");
  const counted = (count: number, word: string): string => `${number(count)} ${word}${count === 1 ? "" : "s"}`;
  const cached = cachedTokens === 0 ? "" : ` (${number(cachedTokens)} cached)`;
  const cost = costUsd === undefined ? "" : `${dollars(costUsd)}; `;
  return `${cost}${counted(turns, "turn")}, ${counted(calls, "call")}; ${number(inputTokens)} tokens in${cached}, ${number(outputTokens)} out`;
}

const units: Readonly<Record<string, (value: number) => string>> = {
  turns: (value) => `${value} turns`,
  tokens: (value) => `${value.toLocaleString("en-US")} tokens`,
  costUsd: dollars,
  ms: (value) => `${Math.round(value / 100) / 10} s`,
  calls: (value) => `${value} calls`,
  failuresInARow: (value) => `${value} failed calls in a row`,
};

/** For each limit: "2 of 10 turns"; without what was used, "10 turns". A budget without turns has 30. */
export function budgetWords(budget: Readonly<Record<string, number>> = {}, spent?: Readonly<Record<string, number>>): readonly string[] {
  const limits: Readonly<Record<string, number>> = { turns: 30, ...budget };
  return Object.entries(units).flatMap(([name, words]) => {
    const limit = limits[name];
    if (limit === undefined) return [];
    const used = spent?.[name];
    return [used === undefined ? words(limit) : `${words(used).replace(/ [a-zA-Z ]+$/, "")} of ${words(limit)}`];
  });
}

function dollars(value: number): string {
  return `${Math.round(value * 10_000) / 10_000} US dollars`;
}
