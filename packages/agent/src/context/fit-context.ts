import { untilAborted } from "@toolrack/core/internal";
import type { Message } from "../message.ts";
import type { Model, ModelEnd, ModelRequest } from "../model.ts";
import type { StoredMessage } from "../sessions.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { costOf, costOfAll } from "./cost.ts";
import { shownMessages, shownSoFar } from "./shown-messages.ts";

/** Chooses what the model is shown, in place of the default. What it leaves out stays in the session. */
export type ContextHook = (messages: readonly Message[], about: ContextFacts) => readonly Message[] | Promise<readonly Message[]>;

export interface ContextFacts {
  readonly model: string;
  readonly contextTokens: number | undefined;
  /** About what the messages cost. */
  readonly tokens: number;
}

export interface FitContextOptions {
  readonly transcript: Transcript;
  readonly model: Model;
  readonly hook: ContextHook | undefined;
  /** Of the run: a hook that never answers ends with it. */
  readonly signal: AbortSignal;
  /** About what goes with the messages: instructions and tools. */
  readonly otherTokens: number;
  /** Asks the model, without calls; counted against the budget. */
  ask(messages: ModelRequest["messages"]): Promise<ModelEnd>;
}

/** From this part of the window on, the conversation is made shorter. */
const fullAt = 0.8;
/** What stays in its full form when it is. */
const keptPart = 0.3;
/** One result takes no more of the window. */
const resultPart = 0.25;
const charactersPerToken = 4;

/**
 * What the model is shown in the next turn. Over 80 % of its window old results are shown in short; if that is not enough, whole turns are
 * summarised by the model. Both move only when the window is full again: between that, each request begins with the one before it.
 */
export async function fitContext(options: FitContextOptions): Promise<readonly Message[]> {
  const { transcript, model, hook, otherTokens, signal } = options;
  const window = model.contextTokens ?? Infinity;
  const shown = (): ReturnType<typeof shownSoFar> =>
    shownSoFar(transcript.messages, {
      shortenedUpTo: transcript.state.shortenedUpTo ?? 0,
      maxResult: window * resultPart * charactersPerToken,
    });
  const mayTake = window * fullAt - otherTokens;
  const isFull = ({ messages: all, bound }: ReturnType<typeof shown>): boolean => bound > mayTake && costOfAll(all) > mayTake;
  const now = shown();
  const { messages } = now;
  const about = (): ContextFacts => ({ model: model.name, contextTokens: model.contextTokens, tokens: costOfAll(messages) });
  if (hook !== undefined) return untilAborted(Promise.resolve(hook(messages, about())), signal);
  if (window === Infinity || !isFull(now)) return messages;
  const cut = findCut(transcript.messages, window * keptPart);
  if (cut === undefined) return messages;
  if (cut > (transcript.state.shortenedUpTo ?? 0)) await transcript.save({ shortenedUpTo: cut });
  if (isFull(shown())) await summarise(cut, options);
  return shown().messages;
}

/** The last message that may be left behind so that what stays costs at most `kept`; calls and their answers are not parted. */
function findCut(stored: readonly StoredMessage[], kept: number): number | undefined {
  let cost = 0;
  let found: number | undefined;
  for (const { seq, message } of stored.toReversed()) {
    if (message.role === "summary") continue;
    const mayEndHere = message.role !== "assistant" || message.calls.length === 0;
    if (found !== undefined && cost > kept) return found;
    // The newest message always stays.
    if (mayEndHere && cost > 0) found = seq;
    cost += costOf(message);
  }
  return cost > kept ? found : undefined;
}

const request =
  "Summarise the conversation so far for yourself: what was asked for, what was done with which results, what was decided, what is still to be done. Keep names, numbers and identifiers. Answer with the summary alone.";

/** Adds a summary of everything up to this message. A model that fails to write one changes nothing. */
async function summarise(upTo: number, { transcript, ask }: FitContextOptions): Promise<void> {
  const { messages, state } = transcript;
  if (messages.some(({ message }) => message.role === "summary" && message.upTo >= upTo)) return;
  const head = messages.filter(({ seq, message }) => seq <= upTo || (message.role === "summary" && message.upTo < upTo));
  const shown = shownMessages(head, { shortenedUpTo: state.shortenedUpTo ?? 0, maxResult: Infinity });
  const end = await ask([...shown, { role: "user", content: request, from: { kind: "system" } }]);
  const content = end.message.content.trim();
  if ((end.stop === "finished" || end.stop === "length") && content !== "") await transcript.append({ role: "summary", content, upTo });
}
