import { getEventListeners } from "node:events";
import { turns } from "@toolrack/testkit/turns";
import { expect, it } from "vitest";
import { noted, scripted } from "./_agents.ts";

const listening = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

it("a run of many turns and many calls at once has one listener on its signal and on that of its caller, and none afterwards", async () => {
  const { signal } = new AbortController();
  const reads = Array.from({ length: 64 }, () => ({ name: "read" }));
  const heard: number[] = [];
  const listen = (own: AbortSignal): void => void heard.push(listening(own), listening(signal));
  const script = Array.from(
    { length: 20 },
    () => (request: { readonly signal: AbortSignal }) => (listen(request.signal), { calls: reads }),
  );
  const helper = scripted([...script, "done"], [noted("read", { annotations: { readOnly: true } }).tool]);
  const results = await Promise.all(Array.from({ length: 3 }, () => helper.agent.run("x", { signal, budget: { turns: 100 } })));
  expect(results.some(({ status }) => status === "done")).toBe(true);
  expect(Math.max(...heard)).toBe(1);
  await turns(2);
  expect([...helper.model.requests.map((request) => listening(request.signal)), listening(signal)].filter(Boolean)).toEqual([]);
});
