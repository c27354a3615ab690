import { ToolError } from "@toolrack/core";
import type { Secrets } from "@toolrack/store";
import { newSigningSecret } from "./signature.ts";

/** A secret of a webhook, by its name among the secrets of the server. */
export interface HookSecret {
  readonly name: string;
  /** Until when it counts, after it was replaced: milliseconds since 1970. */
  readonly until?: number;
}

/** The secrets of webhooks: made here, kept with all others, read once. */
export interface HookSecrets {
  /** A new one, which is shown only now. */
  make(hook: string): Promise<{ readonly secret: HookSecret; readonly value: string }>;
  /** The values that count now, the newest first. Throws SECRET_MISSING where none is set. */
  read(hook: string, secrets: readonly HookSecret[]): Promise<readonly string[]>;
  /** Removes those that were made here. */
  forget(hook: string, secrets: readonly HookSecret[]): Promise<void>;
}

export function createHookSecrets(secrets: Pick<Secrets, "get" | "set" | "remove" | "list">, by: string, now: () => number): HookSecrets {
  /** A value is read, and recorded as read, once for each version of a secret. */
  const known = new Map<string, { readonly version: number; readonly value: string }>();

  async function readOne(hook: string, name: string, version: number): Promise<string | undefined> {
    const kept = known.get(name);
    if (kept?.version === version) return kept.value;
    const value = await secrets.get({ name, tool: hook, callId: "", caller: { principal: hook }, reason: `signatures of the ${hook}` });
    if (value !== undefined) known.set(name, { version, value });
    return value;
  }

  return {
    async make(hook) {
      const value = newSigningSecret();
      const name = `${ownPrefix(hook)}${now().toString(36)}${value.slice(-7, -3).replace(/[^A-Za-z0-9]/g, "x")}`;
      await secrets.set(name, value, { by });
      return { secret: { name }, value };
    },
    async read(hook, wanted) {
      const live = wanted.filter(({ until }) => until === undefined || until > now());
      const versions = new Map((await secrets.list()).map(({ name, version }) => [name, version]));
      const values = await Promise.all(live.map(({ name }) => (versions.has(name) ? readOne(hook, name, versions.get(name)!) : undefined)));
      const found = values.filter((value) => value !== undefined);
      if (found.length > 0) return found;
      const names = wanted.map(({ name }) => `"${name}"`).join(", ");
      throw new ToolError("SECRET_MISSING", `The ${hook} has no secret: ${names} is not set. Set it with: toolrack secrets set <name>`);
    },
    async forget(hook, gone) {
      for (const { name } of gone) {
        known.delete(name);
        if (name.startsWith(ownPrefix(hook))) await secrets.remove(name, { by });
      }
    },
  };
}

/** The secrets after a new one was made: those before it count until the overlap is over, and `gone` counts no more. */
export function rotated(
  before: readonly HookSecret[],
  made: HookSecret,
  until: number,
  now: number,
): { readonly secrets: readonly HookSecret[]; readonly gone: readonly HookSecret[] } {
  const old = before.map(({ name, until: known }) => ({ name, until: Math.min(known ?? until, until) }));
  return { secrets: [made, ...old.filter((one) => one.until > now)], gone: old.filter((one) => one.until <= now) };
}

/** "hook github" → "hook-github.": an id has no blank, so that no two share one. */
function ownPrefix(hook: string): string {
  return `${hook.replace(" ", "-")}.`;
}
