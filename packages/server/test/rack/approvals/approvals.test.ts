import type { Answer, ApprovalRequest } from "@toolrack/core";
import { createMemoryStore } from "@toolrack/store";
import { turns } from "@toolrack/testkit/turns";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createApprovalManager, type ApprovalManager } from "../../../src/rack/approvals/approvals.ts";
import type { AuditedAction } from "../../../src/rack/audit/audit.ts";
import type { ApprovalDecision } from "../../../src/rack/approvals/approval.ts";
import { createShowInput } from "../../../src/rack/calls/shown-input.ts";
import { createMessageSealer } from "../../../src/rack/mcp/sealed-messages.ts";
import { followRecords, type RecordFeed } from "../../../src/rack/store/records.ts";

let approvals: ApprovalManager;
let feed: RecordFeed;
let deeds: AuditedAction[];
let now: number;
const [waitMs, sessionMs] = [60_000, 600_000];

beforeEach(async () => {
  const store = createMemoryStore();
  feed = await followRecords(store, () => {});
  deeds = [];
  now = Date.now();
  approvals = createApprovalManager({
    feed,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    audit: async (deed) => void deeds.push(deed),
    server: { name: "one" },
    waitMs,
    sessionMs,
    maxWaiting: 2,
    maxWaitingTotal: 10,
    sealer: createMessageSealer(Buffer.alloc(32, 5)),
    showInput: createShowInput({}),
    now: () => now,
  });
  onTestFinished(async () => {
    await feed.close();
    await store.close();
  });
});

const caller = { agent: "helper", principal: "key helper", tenant: "north", session: "s1" };

function ask(about: Partial<ApprovalRequest> = {}): Promise<Answer> {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const asked = approvals.ask({
    tool: "send",
    message: "May it?",
    input: { text: "hello" },
    digest: "d1",
    callId: "c1",
    caller,
    signal: controller.signal,
    ...about,
  });
  asked.catch(() => {});
  return asked;
}

async function waiting(count = 1): Promise<string> {
  await expect.poll(async () => (await approvals.list()).length).toBe(count);
  return (await approvals.list())[0]!.id;
}

async function agree(scope: ApprovalDecision["scope"], about: Partial<ApprovalRequest> = {}): Promise<string> {
  const asked = ask(about);
  const id = await waiting();
  await approvals.decide(id, { approved: true, scope, by: "boss" });
  expect(await asked).toMatchObject({ action: "accept" });
  return id;
}

describe("a call that waits for a person", () => {
  it.each([true, false])("goes on as soon as a person answers, without a timer in between (yes: %s)", async (approved) => {
    let answer: Answer | undefined;
    void ask().then((given) => (answer = given));
    const id = await waiting();
    await turns();
    expect(answer).toBeUndefined();
    await approvals.decide(id, { approved, scope: "once", by: "boss" });
    await turns();
    expect(answer).toMatchObject({ action: approved ? "accept" : "decline" });
  });
});

describe("a yes that is kept", () => {
  it("SD6: for a session holds for calls of that session alone", async () => {
    await agree("session");
    expect(await ask()).toEqual({ action: "accept" });
    expect(await approvals.list()).toEqual([]);
    const { session: _, ...without } = caller;
    void ask({ caller: { ...caller, session: "s2" } });
    await waiting(1);
    void ask({ caller: without });
    await waiting(2);
  });

  it("SD6: for a session ends in time", async () => {
    await agree("session");
    now += sessionMs;
    expect(await approvals.remembered()).toEqual([]);
    void ask();
    await waiting();
  });

  it.each([
    ["another tenant", { caller: { ...caller, tenant: "south" } }],
    ["another principal", { caller: { ...caller, principal: "key other" } }],
    ["another agent", { caller: { ...caller, agent: "other" } }],
    ["other arguments", { digest: "d2" }],
    ["another tool", { tool: "other" }],
  ])("SD6: for always does not hold for %s", async (_name, about) => {
    await agree("always");
    expect(await ask()).toEqual({ action: "accept" });
    void ask(about);
    await waiting();
  });

  it("SD6: answers no question that asks for a value", async () => {
    const schema = { type: "object" };
    await agree("always", { schema });
    expect(await approvals.remembered()).toEqual([]);
    await agree("always");
    void ask({ schema });
    await waiting();
  });

  it("keeps none of the arguments, and is in the audit when it is taken back", async () => {
    const id = await agree("always");
    const { context } = feed.of("toolrack.approval.v1").get(id)!;
    expect([context["input"], context["sealedInput"]]).toEqual([undefined, undefined]);
    expect(await approvals.forget(id, "boss")).toBe(true);
    expect(deeds.map(({ kind, subject, by }) => [kind, subject, by])).toEqual([
      ["call-approved", "send", "boss"],
      ["approval-forgotten", "send", "boss"],
    ]);
  });
});

describe("a question", () => {
  it("SD12: counts from the moment it is asked, before it is written", async () => {
    const asked = await Promise.allSettled([ask(), ask(), ask().then(() => "answered")].map((one) => Promise.race([one, waiting(2)])));
    expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(asked[2]).toMatchObject({ reason: { code: "RATE_LIMITED" } });
  });

  it("SD6: whose time is over cannot be decided any more", async () => {
    void ask();
    const id = await waiting();
    now += waitMs;
    expect(await approvals.decide(id, { approved: true, by: "boss" })).toBeUndefined();
    expect(await approvals.get(id)).toBeUndefined();
    expect(deeds).toEqual([]);
  });

  it("OP1: of a server that is given up is either answered or taken away, and only then its call is recorded", async () => {
    const asked = ask();
    const id = await waiting();
    const ended: string[] = [];
    const abandon = (): Promise<readonly string[]> => approvals.abandon("one", async ({ callId }) => void ended.push(callId));
    const [decided, left] = await Promise.all([approvals.decide(id, { approved: true, by: "boss" }), abandon()]);
    expect([decided === undefined, left.length]).toEqual([left.length === 1, ended.length]);
    expect(await asked).toMatchObject({ action: decided === undefined ? "cancel" : "accept" });
    expect(await abandon()).toEqual([]);
  });
});
