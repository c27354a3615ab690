import { describe, expect, it } from "vitest";
import { ownerOnly } from "../../../src/call/wrappers/owner-only.ts";
import { fakeCall, fakeTool } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";

const tool = fakeTool({ metadata: { ownerOnly: true } });

describe("ownerOnly", () => {
  for (const check of wrapperContract("ownerOnly", () => ownerOnly, { tool, caller: { owner: true } })) it(check.name, check.run);

  it("refuses everyone who is not known to be the owner with 403", () => {
    for (const caller of [{}, { owner: false }, { owner: undefined }, { owner: "true" as unknown as boolean }, { roles: ["owner"] }]) {
      expect(ownerOnly.beforeRun!(fakeCall({ tool, caller: caller as object }))).toMatchObject({ code: "TOOL_NOT_ALLOWED", status: 403 });
    }
  });

  it("lets the owner through", () => {
    expect(ownerOnly.beforeRun!(fakeCall({ tool, caller: { owner: true } }))).toBeUndefined();
  });

  it("applies to tools marked for the owner alone", () => {
    expect(ownerOnly.appliesTo!(tool)).toBe(true);
    expect(ownerOnly.appliesTo!(fakeTool())).toBe(false);
    expect(ownerOnly.appliesTo!(fakeTool({ metadata: { ownerOnly: false } }))).toBe(false);
  });
});
