// The public names of @toolrack/store/testing, one by one. Nothing here imports a test runner.

export { engineContract, type EngineContractOptions } from "./engine-contract.ts";
export type { EngineCheck } from "./contract/collect.ts";
export { type ImplementationCase, implementationContract, type ImplementationContractOptions } from "./implementation-contract.ts";
