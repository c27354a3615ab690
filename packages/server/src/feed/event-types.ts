/** Changes of records: kept, with an id, and told again after a break. */
export const recordTypes = ["record-created", "record-updated", "record-deleted", "record-expired"] as const;

/** Calls. Their ends are kept, like records; starts and progress pass by. */
export const callTypes = ["call-start", "call-progress", "call-end"] as const;

/** Tools and sources as they come, go and change: told to those who listen now. */
export const registryTypes = [
  "tool-added",
  "tool-changed",
  "tool-removed",
  "tool-enabled",
  "tool-disabled",
  "source-ready",
  "source-failed",
  "source-removed",
] as const;

/** The server itself: told to those who listen now. */
export const serverTypes = ["config-changed"] as const;

export type FedType =
  | (typeof serverTypes)[number]
  | (typeof recordTypes)[number]
  | (typeof callTypes)[number]
  | (typeof registryTypes)[number];
