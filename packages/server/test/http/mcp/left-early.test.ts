import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestServer } from "@toolrack/testkit/test-server";
import { until } from "@toolrack/testkit/until";
import { expect, it } from "vitest";
import type { TokenCheck, TokenHolder } from "../../../src/http/sign-in/tokens.ts";

const holder: TokenHolder = { agent: "bot", roles: [], principal: "token bot", expiresAt: Date.now() + 3_600_000 };

it("a client that goes away while its sign-in is checked takes no place among the requests", async () => {
  const checking: (() => void)[] = [];
  const check = (): Promise<TokenHolder> => new Promise((resolve) => checking.push(() => resolve(holder)));
  const tokens: TokenCheck = Object.assign(check, { issuer: "https://issuer.example", close: async () => undefined });
  await using server = await openTestServer({ limits: { requestsPerCaller: 1 }, tokens });
  let closed = 0;
  const http = createServer((incoming, outgoing) => server.app.node(incoming, outgoing, () => (closed += 1)));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => {
    http.closeAllConnections();
    http.close();
  });
  const { port } = http.address() as AddressInfo;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const headers = { authorization: "Bearer e30.e30.c2ln", "content-type": "application/json" };
  const early = connect(port, "127.0.0.1");
  const lines = Object.entries({ host: "127.0.0.1", ...headers, "content-length": body.length });
  early.write(`POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`);
  await until(() => checking.length === 1);
  early.destroy();
  await until(() => closed === 1);
  checking[0]!();
  const asked = fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body });
  await until(() => checking.length === 2);
  checking[1]!();
  expect((await asked).status).toBe(200);
});
