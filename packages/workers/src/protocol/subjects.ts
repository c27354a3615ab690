import { ToolError } from "@toolrack/core";

/**
 * The subjects of a pool. A worker listens on its own and on `calls`, and sends to `news` and to the subjects of servers; permissions of a broker
 * can be given by these patterns, so that a worker hears nothing that is meant for others.
 */
export interface Subjects {
  /** From workers to every server: what they have, and that they are alive. */
  readonly news: string;
  /** From a server to every worker: tell me what you have. */
  readonly roll: string;
  /** To one worker. `key` is the print of its public key. */
  worker(key: string, instance: string): string;
  /** To one server. */
  server(key: string, instance: string): string;
}

export function subjectsOf(pool: string): Subjects {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(pool))
    throw new ToolError("CONFIG_INVALID", `The pool "${pool}" has a name that cannot be used: 1 to 64 letters, digits, "_" or "-".`);
  return {
    news: `toolrack.${pool}.news`,
    roll: `toolrack.${pool}.roll`,
    worker: (key, instance) => `toolrack.${pool}.worker.${key}.${instance}`,
    server: (key, instance) => `toolrack.${pool}.server.${key}.${instance}`,
  };
}
