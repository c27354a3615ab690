import { StoreError } from "../../errors.ts";
import type { Writes } from "../../engine/engine.ts";
import type { Turns } from "../../queue/turns.ts";
import type { LightOutcome, Work } from "./light-writes.ts";

export type Transact = <Result>(work: (tx: Writes) => Promise<Result>) => Promise<Result>;

/** Runs work that may be run again; what waits for its turn at the same time is tried together, and what is left shares a transaction. */
export function createGroupedWrites(
  turns: Turns,
  tryTogether: (works: readonly Work[]) => Promise<readonly LightOutcome[]>,
  transact: Transact,
): Transact {
  let open: Waiting[] | undefined;

  async function run(group: readonly Waiting[]): Promise<void> {
    const outcomes = await tryTogether(group.map(({ work }) => work));
    for (const [index, outcome] of outcomes.entries())
      if (outcome?.ok === true) group[index]!.resolve(outcome.result);
      else if (outcome !== undefined) group[index]!.reject(outcome.error);
    const left = group.filter((_, index) => outcomes[index] === undefined);
    if (left.length > 0) await transactTogether(left);
  }

  async function transactTogether(group: readonly Waiting[]): Promise<void> {
    if (group.length === 1) return runAlone(group[0]!);
    let isRefused = false;
    try {
      const results = await transact(async (tx) => {
        const done: unknown[] = [];
        for (const { work } of group)
          done.push(
            await work(tx).catch((error: unknown) => {
              // Not a failure of the database, after which nobody knows what was written.
              isRefused = !StoreError.is(error) || error.status < 500;
              throw error;
            }),
          );
        return done;
      });
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      if (isRefused) for (const one of group) await runAlone(one);
      else for (const { reject } of group) reject(error);
    }
  }

  const runAlone = ({ work, resolve, reject }: Waiting): Promise<void> => transact(work).then(resolve, reject);

  return <Result>(work: (tx: Writes) => Promise<Result>) =>
    new Promise<Result>((resolve, reject) => {
      const one: Waiting = { work, resolve: resolve as (result: unknown) => void, reject };
      if (open !== undefined && open.length < mostTogether) return void open.push(one);
      const group = (open = [one]);
      turns
        .alone(() => {
          if (open === group) open = undefined;
          return run(group);
        })
        .catch((error: unknown) => {
          if (open === group) open = undefined;
          for (const waiting of group) waiting.reject(error);
        });
    });
}

interface Waiting {
  readonly work: Work;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Few, so that the servers of a cluster take turns often. */
const mostTogether = 32;
