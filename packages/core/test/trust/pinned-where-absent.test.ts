import { expect, it } from "vitest";
import { withPinnedWhereAbsent } from "../../src/trust/print.ts";

it("completes nothing but annotations and the output schema: any other field that is gone has changed", () => {
  const pinned = {
    name: "find",
    title: "Find",
    description: "Finds.",
    inputSchema: { type: "object" },
    outputSchema: { type: "object" },
    annotations: { readOnlyHint: true },
    icons: [],
    _meta: {},
  };
  const { outputSchema, annotations } = pinned;
  expect(withPinnedWhereAbsent(pinned, { name: "find" })).toEqual({ name: "find", outputSchema, annotations });
});
