import type { PromptTool } from "./entries.ts";

/** What has happened so far in a run. */
export interface BiasState {
  /** How often each tool was called. */
  readonly calls?: Readonly<Record<string, number>>;
  /** Artifacts that exist. */
  readonly artifacts?: readonly string[];
  /** Whether the task is done. */
  readonly isComplete?: boolean;
}

export interface BiasOptions {
  /** Added to what the state says, tool by tool. */
  readonly encourage?: Readonly<Record<string, number>>;
  readonly discourage?: Readonly<Record<string, number>>;
  /** Tools that must not be called. */
  readonly block?: readonly string[];
}

/** By tool: above 0 is encouraged, below 0 discouraged, -Infinity blocked. Tools without a bias are left out. */
export type ToolBias = Readonly<Record<string, number>>;

/**
 * How much to lean towards each tool:
 * +0.5 if all that it consumes exists, minus the number of calls once there were more than two, −0.3 for every tool when the task is done.
 */
export function toolBias(tools: readonly PromptTool[], state: BiasState, options: BiasOptions = {}): ToolBias {
  const artifacts = new Set(state.artifacts);
  const blocked = new Set(options.block);
  const bias: Record<string, number> = Object.create(null) as Record<string, number>;
  for (const { name, metadata } of tools) {
    if (blocked.has(name)) {
      bias[name] = -Infinity;
      continue;
    }
    const consumes = metadata?.consumes ?? [];
    const calls = ownNumber(state.calls, name);
    let sum = ownNumber(options.encourage, name) - Math.abs(ownNumber(options.discourage, name));
    if (consumes.length > 0 && consumes.every((artifact) => artifacts.has(artifact))) sum += inputsAvailable;
    if (calls > callsBeforeDiscouraged) sum -= calls;
    if (state.isComplete === true) sum -= done;
    if (sum !== 0) bias[name] = sum;
  }
  return bias;
}

const inputsAvailable = 0.5;
const callsBeforeDiscouraged = 2;
const done = 0.3;

const blockedLogit = -100;

/**
 * The bias as backends take it, by token id. `tokensOf` is the backend's tokenizer; the first token of a name carries its bias, and where
 * names share one the stronger wish against it wins.
 */
export function toLogitBias(bias: ToolBias, tokensOf: (name: string) => readonly number[]): Readonly<Record<number, number>> {
  const byToken: Record<number, number> = {};
  for (const name of Object.keys(bias)) {
    const token = tokensOf(name)[0];
    if (token === undefined) continue;
    const value = Math.max(blockedLogit, bias[name]!);
    byToken[token] = Object.hasOwn(byToken, token) ? Math.min(byToken[token]!, value) : value;
  }
  return byToken;
}

function ownNumber(map: Readonly<Record<string, number>> | undefined, name: string): number {
  return map !== undefined && Object.hasOwn(map, name) ? map[name]! : 0;
}
