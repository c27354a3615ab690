import type { ServerResponse } from "node:http";
import { bundleProgram, removeProgram, startProgram } from "@toolrack/testkit/child-server";
import { createDatabase } from "@toolrack/testkit/databases";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { type OwnPostgres, startOwnPostgres } from "@toolrack/testkit/postgres";
import { perStore } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startReceiver } from "./_receiver.ts";

let postgres: OwnPostgres;
let killing: string;

beforeAll(async () => {
  [postgres, killing] = await Promise.all([startOwnPostgres(), bundleProgram(new URL("killing-delivery.ts", import.meta.url))]);
});
afterAll(async () => {
  removeProgram(killing);
  await postgres?.stop();
});

const config = { hooks: { allowHosts: ["127.0.0.1"] } };
const leaseTimes = { beatMs: 50, silentMs: 500, lostDelaysMs: [50] };
/** "sent": the receiver has the request, and has not answered. "retry": it answered 500. */
const stages = ["added", "started", "sent", "retry", "done"] as const;

describe.each(["SQLite", "PostgreSQL"] as const)("a server that is killed at a stage of a delivery, on %s", (kind) => {
  it.each(perStore(stages, kind))("%s: the next server delivers it, and the receiver does its work once", async (stage) => {
    let isKilled = false;
    const receiver = await startReceiver(() => {
      if (isKilled || stage === "done") return 204;
      return stage === "retry" ? 500 : undefined;
    });
    const folder = temporaryFolder();
    const database = kind === "SQLite" ? "" : await createDatabase(postgres);
    const child = startProgram(killing, folder, stage, receiver.url, database);
    await until(() => (stage === "sent" ? receiver.requests.length : child.lines.length) > 0, `The server did not come to "${stage}".`);
    await child.end("SIGKILL");
    isKilled = true;

    const rack = await openTestRack({ folder, environment: database === "" ? {} : { DATABASE_URL: database }, config, leaseTimes });
    const one = async () => (await rack.automation.endpoints.deliveries("desk", {}))[0]!;
    await until(async () => {
      if ((await one()).state === "waiting") await rack.jobs.retry((await one()).id);
      return (await one()).state === "done";
    });
    expect(await rack.automation.endpoints.deliveries("desk", {})).toHaveLength(1);
    expect(receiver.effects.size).toBe(1);
    expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(1);
    if (stage === "done") expect(receiver.requests).toHaveLength(1);
  });
});

it("PostgreSQL that is killed while a receiver answers that it failed, and again before the retry: it is sent once more, and arrives", async () => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((count, response) => (count === 1 ? void held.push(response) : 204));
  const rack = await openTestRack({ environment: { DATABASE_URL: await createDatabase(postgres) }, config });
  await rack.automation.endpoints.add("desk", { url: receiver.url, on: { schema_name: "news.v1" } }, "owner");
  await rack.store.put({ schema_name: "news.v1", title: "News", context: {} });
  const one = async () => (await rack.automation.endpoints.deliveries("desk", {}).catch(() => []))[0];
  await until(() => held.length === 1);
  await postgres.faults.end("SIGKILL");
  held[0]!.writeHead(500).end();
  await postgres.faults.start();
  await until(async () => (await one())?.state === "waiting");
  await postgres.faults.end("SIGKILL");
  await postgres.faults.start();
  await until(async () => {
    const waiting = await one();
    if (waiting?.state === "waiting") await rack.jobs.retry(waiting.id).catch(() => undefined);
    return waiting?.state === "done";
  });
  expect([receiver.requests.length, receiver.effects.size]).toEqual([2, 1]);
  expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(1);
});

it("PostgreSQL that is killed while a receiver answers: the answer is noted once it is back, and nothing is sent twice", async () => {
  const held: ServerResponse[] = [];
  const receiver = await startReceiver((_, response) => void held.push(response));
  const rack = await openTestRack({ environment: { DATABASE_URL: await createDatabase(postgres) }, config });
  await rack.automation.endpoints.add("desk", { url: receiver.url, on: { schema_name: "news.v1" } }, "owner");
  await rack.store.put({ schema_name: "news.v1", title: "News", context: {} });
  await until(() => held.length === 1);
  await postgres.faults.end("SIGKILL");
  held[0]!.writeHead(204).end();
  await postgres.faults.start();
  await until(async () => {
    const found = await rack.automation.endpoints.deliveries("desk", {}).catch(() => []);
    return found[0]?.state === "done";
  });
  expect(receiver.requests).toHaveLength(1);
});
