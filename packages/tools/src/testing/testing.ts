// The public names of @toolrack/tools/testing, one by one. Nothing here imports a test runner.

export { sessionsHostContract } from "./sessions-host-contract.ts";
export type { OpenedSessions, OpenSessionsFor, SessionsSettings, TestSession } from "./sessions/harness.ts";
