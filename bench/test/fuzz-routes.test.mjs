import { defineTool } from "@toolrack/core";
import { createApp, openRack, routes } from "@toolrack/server";
import { expect, it } from "vitest";
import { fuzzRoutes } from "../fuzz/routes.mjs";
import { openFuzzTarget } from "../fuzz/route-target.mjs";

const rounds = 5;

it("SD8: no route answers with an unexpected failure, a secret or too much, whoever asks for whatever", async () => {
  const target = await openFuzzTarget({ openRack, createApp, defineTool });
  try {
    const rows = await fuzzRoutes({
      routes: target.safe(routes),
      ask: target.ask,
      callers: target.callers,
      secrets: target.secrets,
      rounds,
      seed: 20_261_115,
    });
    expect(rows.flatMap(({ route, faults }) => faults.map((fault) => ({ route, ...fault })))).toEqual([]);
    expect(rows.every(({ requests }) => requests === rounds)).toBe(true);
    expect(rows.length).toBeGreaterThan(60);
    // Both kinds were tried.
    expect(rows.reduce((sum, { ok }) => sum + ok, 0)).toBeGreaterThan(rows.length / 2);
    expect(rows.reduce((sum, { refused }) => sum + refused, 0)).toBeGreaterThan(rows.length);
  } finally {
    await target.close();
  }
});

it("the fuzzer finds an unexpected failure, a secret and an answer without a word", async () => {
  const route = { method: "GET", path: "/x", id: "x", summary: "", group: "x", answers: {}, run: () => ({}) };
  const find = async (answer) => {
    const [row] = await fuzzRoutes({ routes: [route], ask: async () => answer, callers: ["a"], secrets: ["hunter22"], rounds: 1, seed: 1 });
    return row.faults[0]?.fault;
  };
  const json = "application/json";
  expect(await find({ status: 200, type: json, text: "{}" })).toBeUndefined();
  expect(await find({ status: 500, type: json, text: '{"code":"INTERNAL"}' })).toBe("an unexpected failure");
  expect(await find({ status: 500, type: json, text: '{"code":"TOOL_FAILED"}' })).toBeUndefined();
  expect(await find({ status: 200, type: json, text: '{"a":"hunter22"}' })).toBe("a secret is in the answer");
  expect(await find({ status: 400, type: json, text: "{}" })).toBe("the refusal says nothing");
  expect(await find({ status: 200, type: json, text: "{" })).toBe("the answer is not JSON");
});
