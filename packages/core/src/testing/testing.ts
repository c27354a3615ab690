// The public names of @toolrack/core/testing, one by one. Nothing here imports a test runner.

export { assertTool, testTool, type TestToolOptions, type ToolReport } from "./test-tool.ts";
export type { ToolCheck } from "./tool-check.ts";
export { type DriftFinding, type DriftReport, findDrift } from "./drift.ts";
export type { TrialOptions } from "./_trial.ts";
export { hasPart } from "./has-part.ts";

// Fakes
export { createFakeApprover, type FakeApprover } from "./fake-approver.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { createFakeSecrets, type FakeSecrets } from "./fake-secrets.ts";
export { type MockCall, mockTool, type MockTool, type MockToolOptions } from "./mock-tool.ts";

// Contracts, for those who write wrappers, sources, vendors and dialects
export { type FakeCall, fakeCall, type FakeCallOverrides, fakeTool } from "./fake-call.ts";
export { type ContractCheck, wrapperContract, type WrapperContractOptions } from "./wrapper-contract.ts";
export { providerContract, type ProviderContractOptions, type ProviderReply } from "./provider-contract.ts";
export { dialectContract } from "./dialect-contract.ts";
export { sourceContract, type SourceContractOptions } from "./source-contract.ts";
export { findSurfaceFaults, type Surface, type SurfaceFault } from "./surface-contract.ts";
