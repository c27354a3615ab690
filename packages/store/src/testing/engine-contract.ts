import type { Engine } from "../engine/engine.ts";
import { createStore } from "../store/create-store.ts";
import type { BreadcrumbStore } from "../store/store.ts";
import { collectChecks, type EngineCheck } from "./contract/collect.ts";
import type { OpenStore, OpenTwo } from "./contract/open.ts";
import { accessContract } from "./contract/access.ts";
import { answersContract } from "./contract/answers.ts";
import { auditContract } from "./contract/audit.ts";
import { catalogContract } from "./contract/catalog.ts";
import { clusterLeaseContract } from "./contract/cluster-leases.ts";
import { concurrencyContract } from "./contract/concurrency.ts";
import { configurationContract } from "./contract/configuration.ts";
import { copyContract } from "./contract/copy.ts";
import { definitionLogContract } from "./contract/definition-log.ts";
import { expiryContract } from "./contract/expiry.ts";
import { feedContract } from "./contract/feed.ts";
import { jobsContract, sharedJobsContract } from "./contract/jobs.ts";
import { leaseContract } from "./contract/lease.ts";
import { lostJobsContract } from "./contract/lost-jobs.ts";
import { manyContract } from "./contract/many.ts";
import { oddInputContract } from "./contract/odd-input.ts";
import { presenceContract } from "./contract/presence.ts";
import { recordContract } from "./contract/records.ts";
import { retentionContract } from "./contract/retention.ts";
import { runningContract } from "./contract/running.ts";
import { searchContract } from "./contract/search.ts";
import { secretContract } from "./contract/secrets.ts";
import { sharedContract } from "./contract/shared.ts";
import { sessionsContract, sharedSessionsContract } from "./contract/stored-sessions.ts";
import { transactionContract } from "./contract/transactions.ts";
import { usageContract } from "./contract/usage.ts";
import { sharedTicketsContract, ticketsContract } from "./contract/tickets.ts";
import { wordsContract } from "./contract/words.ts";

export interface EngineContractOptions {
  /** For an engine whose database several processes may use: opens two engines on one new database. @default not checked */
  readonly openTwo?: () => Promise<readonly [Engine, Engine]>;
}

/**
 * The contract of `Engine` as checks for any test runner. `open` opens an engine without any rows; a check may open several.
 * Checks run one after another: `for (const check of engineContract(open)) it(check.name, check.run, check.timeoutMs)`.
 */
export function engineContract(open: () => Engine | Promise<Engine>, options: EngineContractOptions = {}): readonly EngineCheck[] {
  const opened: BreadcrumbStore[] = [];
  const openStore: OpenStore = async (storeOptions) => {
    const store = createStore(await open(), storeOptions);
    opened.push(store);
    return store;
  };
  const openTwo: OpenTwo = async () => {
    const [one, other] = await options.openTwo!();
    const stores = [createStore(one), createStore(other)] as const;
    opened.push(...stores);
    return stores;
  };
  return collectChecks(
    () => {
      for (const part of contract) part(openStore);
      if (options.openTwo === undefined) return;
      sharedContract(openTwo);
      sharedJobsContract(openTwo);
      sharedSessionsContract(openTwo);
      sharedTicketsContract(openTwo);
    },
    async () => {
      for (const store of opened.splice(0)) await store.close();
    },
  );
}

const contract = [
  transactionContract,
  recordContract,
  manyContract,
  concurrencyContract,
  searchContract,
  wordsContract,
  feedContract,
  catalogContract,
  accessContract,
  expiryContract,
  oddInputContract,
  auditContract,
  usageContract,
  presenceContract,
  secretContract,
  configurationContract,
  runningContract,
  leaseContract,
  clusterLeaseContract,
  answersContract,
  copyContract,
  retentionContract,
  definitionLogContract,
  jobsContract,
  lostJobsContract,
  sessionsContract,
  ticketsContract,
];
