import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { WaitingDefinition } from "../../src/parts/waiting-definition.tsx";

type Waiting = Parameters<typeof WaitingDefinition>[0]["waiting"];

const waiting: Waiting = {
  id: "definition-1",
  kind: "definition",
  what: "tool",
  tool: "shop__find_orders",
  source: "mcp:shop",
  name: "find_orders",
  digest: "v1:sha256:1",
  reason: "changed",
  told: [
    'Renamed from "find": that tool is gone.',
    "Re-pointed: the source starts another program.",
    "Split view: the server a is shown another one.",
    "Vanished and re-appeared: the source did not list this tool for a time.",
    "<b>Flip-flop</b>",
  ],
  effect: "held",
  verdict: "review",
  changes: [],
  findings: [],
  about: ["find_orders"],
  definition: {},
  record: "tool-seen-1",
  seenAt: 0,
  seenBy: "a",
};

it("a definition that waits says everything that is told about it, as text", () => {
  const client = new QueryClient();
  const page = renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(WaitingDefinition, { waiting })));
  for (const sentence of ["Renamed from", "Re-pointed:", "Split view:", "Vanished and re-appeared:", "&lt;b&gt;Flip-flop"])
    expect(page).toContain(sentence);
  expect(page).toContain("It imitates or steers find_orders.");
});
