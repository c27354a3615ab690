import type { Progress } from "../tool/context.ts";
import type { Wrapper } from "./wrapper.ts";
import type * as Redaction from "./wrappers/redact.ts";
import type { RedactionOptions } from "./wrappers/redact.ts";

type RedactionParts = typeof Redaction;

let loaded: RedactionParts | undefined;

/** Loads what hides secrets. Awaited before a handler is given a secret, so that it is there as soon as there is something to hide. */
export async function loadRedaction(): Promise<RedactionParts> {
  return (loaded ??= await import("./wrappers/redact.ts"));
}

/** For calls that were given a secret. */
export function redactionParts(): RedactionParts {
  if (loaded === undefined) throw new Error("Redaction is used before it is loaded. Await loadRedaction first.");
  return loaded;
}

export interface LateRedaction {
  readonly wrapper: Wrapper;
  /** For handlers, which run after the wrapper. */
  readonly redactProgress: (update: Progress) => Progress;
}

/** The redaction of a registry that names fields or secrets. Calls wait until it is loaded; if it cannot be loaded, they fail. */
export function createLateRedaction(options: RedactionOptions): LateRedaction {
  let parts: { readonly finish: NonNullable<Wrapper["finish"]>; readonly redactProgress: (update: Progress) => Progress } | undefined;
  const make = ({ createRedaction, createProgressRedaction }: RedactionParts): NonNullable<typeof parts> =>
    (parts = { finish: createRedaction(options).finish!, redactProgress: createProgressRedaction(options) });
  const loading = loaded === undefined ? loadRedaction().then(make) : Promise.resolve(make(loaded));
  loading.catch(() => {}); // each call that waits for it fails with the reason
  return {
    wrapper: {
      name: "redact",
      beforeRun: () => (parts === undefined ? loading.then(() => undefined) : undefined),
      finish: (result, call) => (parts === undefined ? loading.then(({ finish }) => finish(result, call)) : parts.finish(result, call)),
    },
    redactProgress: (update) => parts!.redactProgress(update),
  };
}
