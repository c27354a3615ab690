import { expect, it } from "vitest";
import { until } from "@toolrack/testkit/until";
import { answer, event, events, relayTo, result } from "./_scripted.ts";

const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };

it("a parameter is repeated in a header also if its tool is on a later page of the list", async () => {
  const routed = { name: "routed", inputSchema: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } } };
  const plain = { name: "plain", inputSchema: { type: "object", properties: {} } };
  const relayed = relayTo((request) => {
    const { method, params, id } = request.message;
    if (method === "tools/list")
      return result(request, params?.["cursor"] === "page 2" ? { tools: [routed] } : { tools: [plain], nextCursor: "page 2" });
    if (request.headers["mcp-param-city"] === "Bern") return result(request, { content: [] });
    return answer(400, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32020, message: "The header is missing." } }));
  });
  const call = { name: "routed", arguments: { city: "Bern" }, _meta };
  expect(await relayed.ask(1, "tools/call", call)).toMatchObject({ result: { content: [] } });
  expect(relayed.sent.map(({ message }) => message.method)).toEqual(["tools/call", "tools/list", "tools/list", "tools/call"]);
});

it("a client that is connected again is told only of the lists that it subscribed to", async () => {
  const acknowledged = event({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { toolsListChanged: true, promptsListChanged: false } },
  });
  const last = event({ method: "notifications/message", params: { level: "info", data: "after the lists" } });
  const relayed = relayTo((request) =>
    relayed.sent.length === 1 ? events(request, [acknowledged], "breaks off") : events(request, [acknowledged, last], "stays open"),
  );
  relayed.write({ id: 1, method: "subscriptions/listen", params: { notifications: { toolsListChanged: true }, _meta } });
  await until(() => relayed.lines.some((line) => line.includes("after the lists")));
  expect(relayed.messages()).toMatchObject([
    { method: "notifications/subscriptions/acknowledged" },
    { method: "notifications/tools/list_changed", params: { _meta: { "io.modelcontextprotocol/subscriptionId": 1 } } },
    { method: "notifications/message" },
  ]);
});
