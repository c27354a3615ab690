import { describe, expect, it } from "vitest";
import { approvalRoutes } from "../../src/api/approvals.ts";
import { toIdentity } from "../../src/http/sign-in/identity.ts";
import { identityOf, runRoute } from "./_run-route.ts";

const ada = identityOf("ada");
const admin = identityOf("boss", "admin");
const curator = identityOf("carol", "curator");
const owner = toIdentity({ agent: "owner", principal: "owner", roles: ["admin", "owner"], via: "owner", storeOwner: "acme" });

describe("what waits for a person", () => {
  const digest = "d1";
  const grant = { id: "grant-1", sourceId: "web", tool: "fetch" };
  const schedule = { id: "schedule-1", schedule: "s1", runsAs: { agent: "ada", principal: "key ada" } };
  const proposal = { id: "proposal-1", caller: { agent: "ada", principal: "key ada" } };
  const question = { id: "call-1", tool: "send", digest, caller: { agent: "ada", principal: "key ada" } };
  const definition = { id: "definition-1", tool: "mail", digest };

  function rackOf() {
    const asked: unknown[][] = [];
    const decide =
      (what: string) =>
      (...given: unknown[]) => (asked.push([what, ...given]), "decided");
    const rack = {
      trust: { get: (id: string) => (id === definition.id ? definition : undefined), decide: decide("definition") },
      grants: { waiting: () => [grant], add: decide("grant") },
      automation: { schedules: { waiting: () => [schedule], decide: decide("schedule") } },
      proposals: { waiting: () => [proposal], decide: decide("proposal") },
      approvals: {
        get: (id: string) => (id === question.id ? question : undefined),
        decide: decide("call"),
        forget: (id: string, by: unknown) => (asked.push(["forget", id, by]), id === "kept-1"),
      },
    };
    return { rack, asked };
  }
  const decideAs = (identity: typeof ada, id: string, body: object) => {
    const { rack, asked } = rackOf();
    const whole = { approved: true, digest, scope: "once", ...body };
    return { answer: runRoute(approvalRoutes, "decideApproval", { rack, identity, params: { id }, body: whole }), asked };
  };

  it.each([grant, schedule, proposal, question, definition])("is shown by its id: $id", async (waiting) => {
    const { rack } = rackOf();
    expect(await runRoute(approvalRoutes, "showApproval", { rack, identity: curator, params: { id: waiting.id } })).toEqual({
      body: waiting,
    });
  });

  it("is not there under another id", async () => {
    const { rack } = rackOf();
    for (const id of ["grant-2", "schedule-2", "proposal-2", "call-2", "x".repeat(120)])
      for (const operation of ["showApproval", "decideApproval"])
        await expect(
          runRoute(approvalRoutes, operation, { rack, identity: curator, params: { id }, body: { approved: true, digest } }),
        ).rejects.toMatchObject({
          status: 404,
          code: "NOT_FOUND",
          message: `Nothing waits under "${id.slice(0, 100)}": it was answered, it expired, or its call has ended.`,
        });
  });

  it("is decided with all that was said, in the name of who decides", async () => {
    const call = decideAs(curator, question.id, { reason: "Fine.", value: 5, scope: "session" });
    expect(await call.answer).toEqual({ body: "decided" });
    expect(call.asked).toEqual([["call", "call-1", { approved: true, digest, scope: "session", by: curator, reason: "Fine.", value: 5 }]]);
    const short = decideAs(curator, question.id, { approved: false });
    await short.answer;
    expect(short.asked).toEqual([["call", "call-1", { approved: false, digest, scope: "once", by: curator }]]);
    const changed = decideAs(curator, definition.id, { reason: "Fine." });
    expect(await changed.answer).toEqual({ body: "decided" });
    expect(changed.asked).toEqual([["definition", "definition-1", { approved: true, digest, by: curator, reason: "Fine." }]]);
    const timed = decideAs(curator, schedule.id, {});
    expect(await timed.answer).toEqual({ body: schedule });
    expect(timed.asked).toEqual([["schedule", "s1", { approved: true, digest, by: curator }]]);
    const proposed = decideAs(admin, proposal.id, {});
    expect(await proposed.answer).toEqual({ body: "decided" });
    expect(proposed.asked).toEqual([["proposal", "proposal-1", { approved: true, digest, by: admin }]]);
    const granted = decideAs(admin, grant.id, { reason: "It reads mail." });
    expect(await granted.answer).toEqual({ body: grant });
    expect(granted.asked).toEqual([["grant", { tool: "web/fetch", print: digest, reason: "It reads mail." }, admin]]);
  });

  it.each([
    ["with a key, and decides with a token", "key ada", "token https://login.example.com/ ada"],
    ["with a token, and decides with a key", "token https://login.example.com/ ada", "key ada"],
    [
      "with a token of one issuer, and decides with one of another",
      "token https://login.example.com/ ada",
      "token https://other.example/ 42",
    ],
  ])("SD6: is decided by nobody who calls as another agent %s", async (_, principal, decider) => {
    const via = decider.startsWith("token ") ? "token" : "key";
    const identity = toIdentity({ agent: "ada", principal: decider, roles: ["admin"], via, storeOwner: "acme" });
    const { rack, asked } = rackOf();
    const waiting = { ...question, caller: { agent: "support", principal, acting: true } };
    const own = { ...rack, approvals: { ...rack.approvals, get: () => waiting } };
    const body = { approved: true, digest, scope: "once" };
    const decided = runRoute(approvalRoutes, "decideApproval", { rack: own, identity, params: { id: question.id }, body });
    await expect(decided).rejects.toMatchObject({ status: 403, code: "ROLE_MISSING" });
    expect(asked).toEqual([]);
  });

  it("is decided by whoever has the name of the hook that calls", async () => {
    const { rack } = rackOf();
    const waiting = { ...question, caller: { agent: "support", principal: "hook carol" } };
    const own = { ...rack, approvals: { ...rack.approvals, get: () => waiting } };
    const body = { approved: true, digest, scope: "once" };
    expect(await runRoute(approvalRoutes, "decideApproval", { rack: own, identity: curator, params: { id: question.id }, body })).toEqual({
      body: "decided",
    });
  });

  it.each<[string, typeof ada, string, object, object]>([
    [
      "nobody's own call",
      ada,
      question.id,
      {},
      { status: 403, code: "ROLE_MISSING", message: '"ada" may not decide about its own calls. Somebody else has to.' },
    ],
    ["nobody's own schedule", ada, schedule.id, {}, { status: 403 }],
    ["nobody's own proposal", identityOf("ada", "admin"), proposal.id, {}, { status: 403 }],
    [
      "a proposal without an admin",
      curator,
      proposal.id,
      {},
      { status: 403, message: "Only an admin may accept a proposed change of settings." },
    ],
    [
      "a grant without an admin",
      curator,
      grant.id,
      { reason: "x" },
      { status: 403, options: { tool: "fetch" }, message: 'Only an admin may grant the tool "fetch" what it asks for.' },
    ],
    ["a grant that is refused", admin, grant.id, { approved: false }, { status: 409, code: "STATE_INVALID", options: { tool: "fetch" } }],
    [
      "a grant without a reason",
      admin,
      grant.id,
      {},
      {
        status: 400,
        code: "REQUEST_INVALID",
        options: { tool: "fetch" },
        message: 'Say why the tool "fetch" may do this: a grant needs a reason.',
      },
    ],
    ["another definition", curator, definition.id, { digest: "d2" }, { status: 409, code: "STATE_INVALID", options: { tool: "mail" } }],
    ["other arguments", curator, question.id, { digest: "d2" }, { status: 409, code: "STATE_INVALID", options: { tool: "send" } }],
  ])("is not decided: %s", async (_what, identity, id, body, problem) => {
    const { answer, asked } = decideAs(identity, id, body);
    await expect(answer).rejects.toMatchObject(problem);
    expect(asked).toEqual([]);
  });

  it("may be refused by a curator where only an admin may accept, and decided by the owner in any case", async () => {
    await expect(decideAs(curator, proposal.id, { approved: false }).answer).resolves.toEqual({ body: "decided" });
    const own = { ...question, caller: owner.caller };
    const { rack } = rackOf();
    const given = { ...rack, approvals: { ...rack.approvals, get: () => own } };
    await expect(
      runRoute(approvalRoutes, "decideApproval", {
        rack: given,
        identity: owner,
        params: { id: "call-1" },
        body: { approved: true, digest },
      }),
    ).resolves.toEqual({ body: "decided" });
    await expect(decideAs(owner, grant.id, { reason: "x" }).answer).resolves.toEqual({ body: grant });
  });

  it("is gone where somebody else was faster", async () => {
    for (const [identity, id] of [
      [curator, question.id],
      [curator, definition.id],
      [curator, schedule.id],
      [admin, proposal.id],
    ] as const) {
      const { rack } = rackOf();
      const gone = (part: any): any => ({ ...part, decide: async () => undefined });
      const faster = {
        ...rack,
        trust: gone(rack.trust),
        proposals: gone(rack.proposals),
        approvals: gone(rack.approvals),
        automation: { schedules: gone(rack.automation.schedules) },
      };
      await expect(
        runRoute(approvalRoutes, "decideApproval", {
          rack: faster,
          identity,
          params: { id },
          body: { approved: true, digest, scope: "once" },
        }),
      ).rejects.toMatchObject({ status: 404, message: expect.stringContaining(`"${id}"`) });
    }
  });

  it("that was remembered is forgotten once", async () => {
    const { rack, asked } = rackOf();
    expect(await runRoute(approvalRoutes, "forgetApproval", { rack, identity: curator, params: { id: "kept-1" } })).toEqual({
      status: 204,
    });
    await expect(runRoute(approvalRoutes, "forgetApproval", { rack, identity: curator, params: { id: "kept-2" } })).rejects.toMatchObject({
      status: 404,
      message: 'There is no valid approval "kept-2".',
    });
    expect(asked).toEqual([
      ["forget", "kept-1", curator],
      ["forget", "kept-2", curator],
    ]);
  });
});

describe("the pages of what waits", () => {
  const call = (askedAt: number, id: string, more: object = {}) => ({
    id,
    askedAt,
    callId: `c-${id}`,
    tool: "send",
    message: "May it?",
    input: { a: 1 },
    ...more,
  });
  const kept = (decidedAt: number, id: string) => ({ id, decidedAt });
  const seen = (seenAt: number, id: string) => ({ id, seenAt });
  const rack = {
    approvals: {
      list: async () => [call(1, "a"), call(1, "b"), call(2, "c")],
      remembered: async () => [kept(2, "z"), kept(1, "y"), kept(1, "x")],
    },
    trust: { waiting: () => [seen(1, "p"), seen(2, "q")] },
    grants: { waiting: () => ["g1", "g2"] },
    automation: { schedules: { waiting: () => ["s1", "s2"] } },
    proposals: { waiting: () => ["o1", "o2"] },
    store: { searchBreadcrumbs: async () => [] },
  };
  const list = async (query: object, over: object = {}): Promise<any> =>
    (
      (await runRoute(approvalRoutes, "listApprovals", {
        rack: { ...rack, ...over },
        identity: curator,
        query: { limit: 50, ...query },
      })) as { body: any }
    ).body;

  it("have everything at once where it fits, the oldest first", async () => {
    expect(await list({})).toEqual({
      waiting: [call(1, "a"), call(1, "b"), call(2, "c")],
      waitingTotal: 3,
      remembered: [kept(1, "x"), kept(1, "y"), kept(2, "z")],
      definitions: [seen(1, "p"), seen(2, "q")],
      definitionsTotal: 2,
      grants: ["g1", "g2"],
      grantsTotal: 2,
      drafts: [],
      draftsTotal: 0,
      schedules: ["s1", "s2"],
      schedulesTotal: 2,
      proposals: ["o1", "o2"],
      proposalsTotal: 2,
    });
  });

  it("go on after their cursors, each list by its own", async () => {
    const first = await list({ limit: 1 });
    expect(first).toMatchObject({
      waiting: [call(1, "a")],
      remembered: [kept(1, "x")],
      definitions: [seen(1, "p")],
      grants: ["g1"],
      grantsTotal: 2,
      schedules: ["s1"],
      proposals: ["o1"],
    });
    const { cursor, rememberedCursor, definitionsCursor } = first;
    const second = await list({ limit: 1, cursor, rememberedCursor, definitionsCursor });
    expect(second).toMatchObject({ waiting: [call(1, "b")], remembered: [kept(1, "y")], definitions: [seen(2, "q")] });
    expect(second).not.toHaveProperty("definitionsCursor");
    expect((await list({ limit: 5, cursor })).waiting).toEqual([call(1, "b"), call(2, "c")]);
    expect(await list({ limit: 5, cursor })).not.toHaveProperty("cursor");
  });

  it("are of one call where that is asked for, and of nothing else then", async () => {
    expect(await list({ callId: "c-b" })).toMatchObject({
      waiting: [call(1, "b")],
      waitingTotal: 1,
      definitionsTotal: 0,
      grantsTotal: 0,
      draftsTotal: 0,
      schedulesTotal: 0,
      proposalsTotal: 0,
    });
  });

  it.each([
    "x",
    Buffer.from("[1]").toString("base64url"),
    Buffer.from('["1","a"]').toString("base64url"),
    Buffer.from("[1,2]").toString("base64url"),
  ])("do not begin at a cursor that is none: %s", async (cursor) => {
    await expect(list({ cursor })).rejects.toMatchObject({
      status: 400,
      code: "REQUEST_INVALID",
      message: "The cursor is not from a page of approvals. Leave it out to start from the beginning.",
    });
  });

  it("show the beginning of what is long, and say so", async () => {
    const shown = async (more: object): Promise<unknown> =>
      (await list({}, { approvals: { ...rack.approvals, list: async () => [call(1, "a", more)] } })).waiting[0];
    const input = { text: "x".repeat(2_000 - 11) };
    expect(await shown({ input })).toEqual(call(1, "a", { input }));
    const long = { text: "x".repeat(2_000) };
    expect(await shown({ input: long })).toEqual(call(1, "a", { input: `${JSON.stringify(long).slice(0, 2_000)}…`, isCut: true }));
    expect(await shown({ message: "y".repeat(2_000) })).toEqual(call(1, "a", { message: "y".repeat(2_000) }));
    const schema = { type: "string" };
    expect(await shown({ message: "y".repeat(2_001), schema })).toEqual(
      call(1, "a", { message: `${"y".repeat(2_000)}…`, schema, isCut: true }),
    );
    expect(await shown({ schema: { title: "z".repeat(2_000) } })).toEqual(call(1, "a", { isCut: true }));
    expect(await shown({ input: undefined })).toEqual(call(1, "a", { input: undefined }));
  });

  it("have stored definitions that nobody approved, and no others", async () => {
    const record = (id: string, state: string) => ({
      id,
      version: 3,
      updated_by: "ada",
      updated_at: "2026-01-01",
      context: { name: `tool-${id}`, state },
    });
    const asked: unknown[] = [];
    const stored = ["draft", "approved", "validated", "archived"].map((state) => record(state, state));
    const store = { searchBreadcrumbs: async (query: unknown) => (asked.push(query), stored) };
    const waiting = (state: string) => ({ id: state, tool: `tool-${state}`, version: 3, state, by: "ada", updatedAt: "2026-01-01" });
    expect((await list({}, { store })).drafts).toEqual([waiting("draft"), waiting("validated")]);
    expect(await list({ limit: 1 }, { store })).toMatchObject({ drafts: [waiting("draft")], draftsTotal: 2 });
    expect(asked[0]).toMatchObject({ schema_name: "tool.definition.v1", includeContext: true });
  });
});
