import { type BreadcrumbStore, createAnchoring, createLeases, needsAnchors } from "@toolrack/store";
import { createDuty } from "../cluster/duty.ts";

export interface AnchorsOptions {
  /** The server's own view of the store. */
  readonly store: BreadcrumbStore;
  readonly server: { readonly name: string };
  onStoreFailed(error: unknown): void;
  /** @default 1_000 */
  readonly everyMs?: number;
}

/**
 * States once a second where the chains of the audit end, on one server of the store. Nothing is started where the audit has one chain.
 * Returns the function that stops it, after a last statement.
 */
export function keepAnchors({ store, server, onStoreFailed, everyMs = 1_000 }: AnchorsOptions): () => Promise<void> {
  if (!needsAnchors(store)) return async () => undefined;
  const duty = createDuty({ leases: createLeases(store), name: "audit-anchor", holder: () => server.name });
  const state = createAnchoring(store);
  let anchoring: Promise<unknown> | undefined;
  const anchor = (): Promise<unknown> =>
    (anchoring ??= duty
      .run(state)
      .catch(onStoreFailed)
      .finally(() => (anchoring = undefined)));
  const timer = setInterval(() => void anchor(), everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await anchoring;
    await anchor();
    await duty.close();
  };
}
