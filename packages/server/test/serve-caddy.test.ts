import { readFileSync } from "node:fs";
import { hasCaddy, startCaddyWith } from "@toolrack/testkit/caddy";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { testTools } from "@toolrack/testkit/test-tools";
import { expect, it } from "vitest";
import { serve } from "../src/serve.ts";

const caddyfile = readFileSync(new URL("../../cli/template/deploy/caddy/Caddyfile", import.meta.url), "utf8");

it.runIf(hasCaddy)("the Caddyfile of deploy/ passes on requests and event streams as they are written", async () => {
  const rack = await openTestRack({ tools: testTools });
  const served = await serve(rack, { port: 0, consoleFolder: false });
  afterThisTest(() => served.close({ graceMs: 0 }));
  const caddy = await startCaddyWith((port) =>
    caddyfile.replace("tools.example.com {", `http://127.0.0.1:${port} {`).replace("127.0.0.1:7333", new URL(served.url).host),
  );
  afterThisTest(() => caddy.stop());
  const { secret } = await rack.keys.create({ agent: "anna", roles: ["subscriber"], by: "test" });
  const headers = { authorization: `Bearer ${secret}` };
  expect((await fetch(`${caddy.url}/health/live`)).status).toBe(200);
  const listed = await fetch(`${caddy.url}/api/v1/tools`, { headers });
  expect([listed.status, listed.headers.get("x-request-id")]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  const stream = await fetch(`${caddy.url}/api/v1/events`, { headers: { ...headers, accept: "text/event-stream" } });
  const reader = stream.body!.getReader();
  afterThisTest(() => reader.cancel());
  await rack.call("echo", { text: "hello" }, { caller: { agent: "anna" } });
  let seen = "";
  while (!seen.includes("echo")) seen += new TextDecoder().decode((await reader.read()).value);
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
});
