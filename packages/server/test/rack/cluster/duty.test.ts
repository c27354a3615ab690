import { type ClusterLease, type Leases, StoreError } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { createDuty, type Duty } from "../../../src/rack/cluster/duty.ts";

/** Leases by the clock that the test moves, and what was asked of them. */
function createFakeLeases() {
  const asked: string[] = [];
  let now = 0;
  let row = { holder: "", token: 0, endsAt: 0 };
  const holds = ({ token }: ClusterLease): boolean => row.holder !== "" && row.token === token;
  const leases: Leases = {
    async acquire(name, holder, ttlMs) {
      asked.push(`acquire ${holder}`);
      if (row.holder !== "" && row.endsAt > now) return undefined;
      row = { holder, token: row.token + 1, endsAt: now + ttlMs };
      return { name, token: row.token };
    },
    async renew(lease, ttlMs) {
      asked.push("renew");
      if (!holds(lease)) return false;
      row = { ...row, endsAt: now + ttlMs };
      return true;
    },
    async release(lease) {
      asked.push("release");
      if (holds(lease)) row = { ...row, holder: "" };
    },
  };
  return { leases, asked, pass: (ms: number) => void (now += ms) };
}

function open() {
  vi.useFakeTimers({ toFake: ["performance"] });
  afterThisTest(() => void vi.useRealTimers());
  const { leases, asked, pass: passForLeases } = createFakeLeases();
  const server = (name: string): Duty => createDuty({ leases, name: "sweep", holder: () => name, ttlMs: 1_000 });
  const pass = (ms: number): void => {
    passForLeases(ms);
    vi.advanceTimersByTime(ms);
  };
  return { asked, one: server("one"), other: server("other"), pass };
}

const nothing = async (): Promise<void> => undefined;

describe("a duty of one server for all", () => {
  it("is done by whoever has the lease, and by nobody else, for as long as that one does it again", async () => {
    const { one, other, pass } = open();
    expect([await one.run(nothing), await other.run(nothing)]).toEqual([true, false]);
    for (let time = 0; time < 5_000; time += 300) {
      pass(300);
      expect([await one.run(nothing), await other.run(nothing)]).toEqual([true, false]);
    }
  });

  it("goes to another server when the one that had it is silent, which then stops by itself", async () => {
    const { one, other, pass } = open();
    await one.run(nothing);
    pass(1_000);
    expect(await other.run(nothing)).toBe(true);
    expect(await one.run(nothing)).toBe(false);
    pass(300);
    expect([await one.run(nothing), await other.run(nothing)]).toEqual([false, true]);
  });

  it("asks the database once in a while, not each time", async () => {
    const { asked, one, other, pass } = open();
    for (let round = 0; round < 10; round++) {
      await one.run(nothing);
      await other.run(nothing);
    }
    expect(asked).toEqual(["acquire one", "acquire other"]);
    pass(250);
    await one.run(nothing);
    await other.run(nothing);
    expect(asked.slice(2)).toEqual(["renew"]);
    pass(250);
    await other.run(nothing);
    expect(asked.slice(3)).toEqual(["acquire other"]);
  });

  it("is left to another server at once by one that closes, and is not taken again by that one", async () => {
    const { one, other, pass } = open();
    await one.run(nothing);
    await one.close();
    expect(await other.run(nothing)).toBe(true);
    await other.close();
    pass(10_000);
    expect([await one.run(nothing), await other.run(nothing)]).toEqual([false, false]);
  });

  it("gives the lease up where the work finds that it is lost, and passes on every other failure", async () => {
    const { asked, one, pass } = open();
    const lost = new StoreError("LEASE_LOST", "Another server has it.");
    expect(await one.run(() => Promise.reject(lost))).toBe(false);
    pass(1_000);
    expect(await one.run(nothing)).toBe(true);
    expect(asked).toEqual(["acquire one", "acquire one"]);
    await expect(one.run(() => Promise.reject(new Error("disk")))).rejects.toThrow("disk");
    expect(await one.run(nothing)).toBe(true);
  });
});
