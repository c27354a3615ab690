/** Checks for tools, fakes, and the contracts of wrappers and sources. Nothing here imports a test runner. */

export { assertTool, testTool, type TestToolOptions, type ToolReport } from "../testing/test-tool.ts";
export type { ToolCheck } from "../testing/tool-check.ts";
export { type DriftFinding, type DriftReport, findDrift } from "../testing/drift.ts";
export { compareOutput, type OutputProblems } from "../testing/example-output.ts";
export type { TrialOptions } from "../testing/trial.ts";
export { hasPart } from "../testing/has-part.ts";

// Fakes
export { createFakeApprover, type FakeApprover } from "../testing/fake-approver.ts";
export { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
export { createFakeSecrets, type FakeSecrets } from "../testing/fake-secrets.ts";
export { type MockCall, mockTool, type MockTool, type MockToolOptions } from "../testing/mock-tool.ts";

// Contracts, for those who write wrappers, sources, vendors and dialects
export { type FakeCall, fakeCall, type FakeCallOverrides, fakeTool } from "../testing/fake-call.ts";
export { type ContractCheck, wrapperContract, type WrapperContractOptions } from "../testing/wrapper-contract.ts";
export { providerContract, type ProviderContractOptions, type ProviderReply } from "../testing/provider-contract.ts";
export { dialectContract } from "../testing/dialect-contract.ts";
export { sourceContract, type SourceContractOptions } from "../testing/source-contract.ts";
export { findSurfaceFaults, type Surface, type SurfaceFault } from "../testing/surface-contract.ts";
