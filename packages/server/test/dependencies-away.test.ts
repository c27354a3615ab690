import { afterThisTest } from "@toolrack/testkit/cleanup";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { freePort } from "@toolrack/testkit/ports";
import { startOwnPostgres } from "@toolrack/testkit/postgres";
import { openTestRack, sharedMasterKey } from "@toolrack/testkit/test-rack";
import { expect, it } from "vitest";
import { openServer } from "../src/open-server.ts";
import { serve } from "../src/serve.ts";
import { keepLog } from "./telemetry/log/lines.ts";

const statusOf = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  fetch(url, { headers }).then(({ status }) => status);

it("a server whose database is away when it starts says so and ends, without listening, and starts once the database is there", async () => {
  const postgres = await startOwnPostgres();
  afterThisTest(() => postgres.stop());
  const database = await createDatabase(postgres);
  const { log, lines } = keepLog();
  const [folder, port] = [temporaryFolder(), await freePort()];
  const environment = { DATABASE_URL: database, TOOLRACK_MASTER_KEY: sharedMasterKey, HOME: folder, XDG_STATE_HOME: folder };
  const start = () => openServer({ folder, port, log, environment, config: {}, consoleFolder: false });

  await postgres.faults.end("SIGINT");
  const fault = await start().catch((error: unknown) => error);
  expect(fault).toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(lines().map(({ message }) => message)).toEqual(["Server starting."]);
  await expect(fetch(`http://127.0.0.1:${port}/ready`)).rejects.toThrow();

  await postgres.faults.start();
  const server = await start();
  afterThisTest(() => server.close({ graceMs: 0 }));
  expect(await statusOf(`${server.url}/ready`)).toBe(200);
  expect(await server.rack.call("calculator", { expression: "1 + 1" }, { caller: { owner: true } }).result).toMatchObject({ ok: true });
});

it("a server whose issuer of tokens is away when it starts says so, is ready, and serves callers with keys", async () => {
  const { log, of } = keepLog();
  const rack = await openTestRack({ log });
  const { secret } = await rack.keys.create({ agent: "anna", roles: [], by: "owner" });
  const host = `127.0.0.1:${await freePort()}`;
  const issuer = "https://issuer.example/";
  const tokens = { issuer, audience: "tools", jwksUrl: `http://${host}/jwks.json`, allowHosts: [host] };
  const server = await serve(rack, { port: 0, consoleFolder: false, tokens });
  afterThisTest(() => server.close({ graceMs: 0 }));
  expect(of("The issuer of tokens is away. Tokens are refused until its keys can be read; API keys work.")).toMatchObject([
    { level: "warn", issuer },
  ]);
  expect(await statusOf(`${server.url}/ready`)).toBe(200);
  expect(await statusOf(`${server.url}/api/v1/tools`, { authorization: `Bearer ${secret}` })).toBe(200);
  expect(await statusOf(`${server.url}/api/v1/tools`, { authorization: "Bearer a.b.c" })).toBe(401);
});
