/** Changes of records: stored, with an id, and replayed after a reconnect. */
export const recordTypes = ["record-created", "record-updated", "record-deleted", "record-expired"] as const;

/** Calls. Their ends are stored, like records; starts and progress are live only. */
export const callTypes = ["call-start", "call-progress", "call-end"] as const;

/** Results that are for the user: stored, like the ends of their calls. */
export const resultTypes = ["result-for-user"] as const;

/** Tools and sources when they are added, removed or changed: live only. */
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

/** The server itself: live only. */
export const serverTypes = ["config-changed"] as const;

/** Jobs, as this server changes them: live only. */
export const jobTypes = [
  "job-added",
  "job-started",
  "job-progress",
  "job-retry",
  "job-done",
  "job-dead",
  "job-cancelled",
  "job-replayed",
] as const;

export type FedType =
  | (typeof jobTypes)[number]
  | (typeof serverTypes)[number]
  | (typeof recordTypes)[number]
  | (typeof callTypes)[number]
  | (typeof resultTypes)[number]
  | (typeof registryTypes)[number];
