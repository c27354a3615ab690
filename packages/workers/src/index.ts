export type { Link } from "./link/link.ts";
export { createMemoryBroker, type MemoryBroker, type MemoryLink } from "./link/memory.ts";
export { createIdentity, type Identity, readIdentity } from "./protocol/identity.ts";
export { workerSource, type WorkerSource, type WorkerSourceOptions } from "./server/source.ts";
export type { WorkerFacts } from "./server/roster.ts";
export { serveWorker, type Worker, type WorkerOptions } from "./worker/serve.ts";
export type { WorkerState } from "./protocol/messages.ts";
