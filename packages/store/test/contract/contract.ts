import { afterEach, describe } from "vitest";
import type { StoreOptions } from "../../src/store/create-store.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { accessContract } from "./access.ts";
import { answersContract } from "./answers.ts";
import { auditContract } from "./audit.ts";
import { catalogContract } from "./catalog.ts";
import { concurrencyContract } from "./concurrency.ts";
import { configurationContract } from "./configuration.ts";
import { copyContract } from "./copy.ts";
import { expiryContract } from "./expiry.ts";
import { feedContract } from "./feed.ts";
import { leaseContract } from "./lease.ts";
import { oddInputContract } from "./odd-input.ts";
import { presenceContract } from "./presence.ts";
import { recordContract } from "./records.ts";
import { retentionContract } from "./retention.ts";
import { runningContract } from "./running.ts";
import { searchContract } from "./search.ts";
import { secretContract } from "./secrets.ts";
import { usageContract } from "./usage.ts";
import { wordsContract } from "./words.ts";

/** Opens an empty store; it is closed when the test ends. */
export type OpenStore = (options?: StoreOptions) => Promise<BreadcrumbStore>;

const wholeContract = [
  recordContract,
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
  answersContract,
  copyContract,
  retentionContract,
];

/** Every kind of statement, for another way to a database that keeps the whole. */
export const shortContract: typeof wholeContract = [
  recordContract,
  concurrencyContract,
  feedContract,
  presenceContract,
  runningContract,
  leaseContract,
  answersContract,
];

/** What every store promises. A store's own test begins with this and adds what is its own. */
export function storeContract(open: OpenStore, contract: typeof wholeContract = wholeContract): void {
  const opened: BreadcrumbStore[] = [];
  const openAndRemember: OpenStore = async (options) => {
    const store = await open(options);
    opened.push(store);
    return store;
  };
  describe("keeps the contract of stores", () => {
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
    });
    for (const part of contract) part(openAndRemember);
  });
}
