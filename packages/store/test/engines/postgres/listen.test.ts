import { EventEmitter } from "node:events";
import type { Client } from "pg";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { expect, it, vi } from "vitest";
import { listen } from "../../../src/engines/postgres/listen.ts";

class FakeClient extends EventEmitter {
  connect = async (): Promise<void> => undefined;
  query = async (): Promise<void> => undefined;
  end = async (): Promise<void> => undefined;
}

it("connects again, also where a file that the address names is away for a moment", async () => {
  const made: FakeClient[] = [];
  let isAway = false;
  const createClient = vi.fn(() => {
    if (isAway) throw Object.assign(new Error("ENOENT: /etc/ca.pem"), { code: "ENOENT" });
    made.push(new FakeClient());
    return made.at(-1) as unknown as Client;
  });
  const [onConnected, onLost] = [vi.fn(), vi.fn()];
  const listening = listen(createClient, "channel", { onMessage: () => undefined, onConnected, onLost });
  afterThisTest(() => listening.close());
  await until(() => listening.isConnected);
  isAway = true;
  made[0]!.emit("error", new Error("terminated"));
  expect([listening.isConnected, onLost.mock.calls.length]).toEqual([false, 1]);
  await until(() => createClient.mock.calls.length >= 3);
  isAway = false;
  await until(() => listening.isConnected);
  expect([made.length, onConnected.mock.calls.length, onLost.mock.calls.length]).toEqual([2, 2, 1]);
});
