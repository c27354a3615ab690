import type { CallerPolicy } from "../policy/config/config.ts";
import { createDecisionCache } from "../policy/decide/cache.ts";
import type { Caller } from "../tool/context.ts";
import type { SharedView } from "./shared-view.ts";

/** Keeps views by what applies to a caller, and not by who calls: its size depends neither on callers nor on agents. */
export interface ViewMemory {
  /** One for all callers to whom this policy applies, and of whom the gates know the same. */
  shared(policy: object, caller: Caller, create: () => SharedView): SharedView;
  /** One for each caller: a source that has tools for single callers is told every fact, and may look at any. */
  ofCaller(policy: object, caller: Caller, create: () => SharedView): SharedView;
  /** The first policy that these facts led to, for policies that make a new one each time. */
  samePolicy(configured: object, caller: Caller, policy: CallerPolicy): CallerPolicy;
  /** Told how much memory a view takes in addition; beyond the limit the oldest view forgets what it can make again. */
  grow(view: SharedView, bytes: number): void;
}

export function createViewMemory(revision: () => number): ViewMemory {
  // Owner, provider, model and what was inherited are what gates look at; conditions of tools look at more, and are asked every time.
  const shared = createDecisionCache<SharedView>({ facts: ["owner", "provider", "model", "inherited"], maxEntries: maxViews });
  const ofCallers = createDecisionCache<SharedView>();
  const policies = createDecisionCache<CallerPolicy>();
  const held = new Map<SharedView, number>();
  let total = 0;
  let heldAt: number | undefined;

  return {
    shared: (policy, caller, create) => shared.get(revision(), policy, caller, create),
    ofCaller: (policy, caller, create) => ofCallers.get(revision(), policy, caller, create),
    samePolicy: (configured, caller, policy) => policies.get(revision(), configured, caller, () => policy),
    grow(view, bytes) {
      if (heldAt !== revision()) {
        held.clear();
        [total, heldAt] = [0, revision()];
      }
      held.set(view, (held.get(view) ?? 0) + bytes);
      total += bytes;
      for (const [oldest, size] of held) {
        if (total <= maxBytes) break;
        held.delete(oldest);
        total -= size;
        oldest.forget();
      }
    },
  };
}

const maxViews = 4_096;
/** About: lists, and decisions about single tools. */
const maxBytes = 32 * 1024 * 1024;
