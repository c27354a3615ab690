import { expect, it } from "vitest";
import { readBlock } from "../../src/api/sse.ts";

it("reads an event with its id, its name and its data", () => {
  expect(readBlock('id: 3.1\nevent: call-end\ndata: {"a":\ndata: 1}')).toEqual({ id: "3.1", event: "call-end", data: { a: 1 } });
});

it("takes an event without an id for one that passes by, and a comment for nothing", () => {
  expect(readBlock("data: 1")).toEqual({ event: "message", data: 1 });
  expect(readBlock(": still here")).toBeUndefined();
});
