import type { Progress } from "../tool/context.ts";
import { createLateWrapper } from "./late-wrapper.ts";
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

/** The redaction of a registry that names fields or secrets. */
export function createLateRedaction(given: RedactionOptions): LateRedaction {
  const options = { ...given, ...(given.fields && { fields: [...given.fields] }) }; // what the caller changes in them later is not seen
  let redactProgress: LateRedaction["redactProgress"] | undefined;
  const load = async (): Promise<Wrapper> => {
    const { createRedaction, createProgressRedaction } = await loadRedaction();
    redactProgress = createProgressRedaction(options);
    return createRedaction(options);
  };
  // Before a handler runs, its call waits for both.
  const wrapper = createLateWrapper({ name: "redact", methods: ["beforeRun", "finish"], load });
  return { wrapper, redactProgress: (update) => redactProgress!(update) };
}
