import { isObject } from "@toolrack/core/internal";
import { thatFit } from "./source-facts.ts";

/** A pool of workers, as a server sees it. */
export interface PoolFacts {
  /** The id of the source. */
  readonly source: string;
  /** Absent where workers connect to the server itself. */
  readonly broker?: BrokerState;
  readonly workers: number;
  /** How many calls they run at the same time, and how many they run now. */
  readonly slots: number;
  readonly running: number;
}

export type BrokerState = "connected" | "away";

interface ToldPool {
  readonly source: string;
  readonly state: string;
  readonly broker?: BrokerState;
  readonly workers: readonly { readonly slots: number; readonly running: number }[];
}

export function poolFacts(pools: readonly ToldPool[]): readonly PoolFacts[] {
  const facts = pools
    .filter(({ state }) => state !== "disabled")
    .map(({ source, broker, workers }) => ({
      source,
      ...(broker !== undefined && { broker }),
      workers: workers.length,
      slots: sum(workers.map(({ slots }) => slots)),
      running: sum(workers.map(({ running }) => running)),
    }));
  return thatFit(facts, mostBytes);
}

/** What another server reported; undefined for another form. */
export function toPoolFacts(value: unknown): readonly PoolFacts[] | undefined {
  return Array.isArray(value) ? value.filter(isPool) : undefined;
}

function isPool(value: unknown): value is PoolFacts {
  if (!isObject(value)) return false;
  const { source, broker, workers, slots, running } = value;
  const isKnown = broker === undefined || broker === "connected" || broker === "away";
  return isKnown && typeof source === "string" && [workers, slots, running].every((count) => typeof count === "number");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

const mostBytes = 1_500;
