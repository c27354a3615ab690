import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startLoopback } from "@toolrack/testkit/loopback";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { clientLines, leftOutLines, servedTools, servingLine, trialLines } from "../../src/commands/_banner.ts";
import { createStyle } from "../../src/print/style.ts";
import { run } from "../_run.ts";
import { Refusal } from "../_scripted.ts";
import { told, toldOfEach } from "../_told.ts";

const events = (...parts: readonly (readonly [event: string, data: unknown])[]): string =>
  parts.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");

describe("toolrack call", () => {
  const meta = { durationMs: 1_500, callId: "c1" };
  const called = (...parts: readonly (readonly [string, unknown])[]) => ({ "POST /tools/exec/call": events(...parts) });

  it("sends all that it was told, and prints the result with what it took", async () => {
    const words = [
      "call",
      "exec",
      "a=1",
      "--agent",
      "ada",
      "--session",
      "s",
      "--timeout",
      "3600000",
      "--deliver",
      "both",
      "--idempotency-key",
      "k",
    ];
    const whole = { ok: true, content: '{"b":2}', meta: { ...meta, waitedMs: 500, repairs: ["Mended."], warnings: ["Odd."] } };
    expect(await told(words, called(["result", whole]))).toMatchInlineSnapshot(`
      "> POST /tools/exec/call {"input":{"a":1},"runAs":{"agent":"ada"},"timeoutMs":3600000,"deliver":"both","session":"s"}
      {"b":2}
      ! ‹?Mended.›
      ! ‹?Odd.›
      ! 1.00 s · waited 500 ms for a person · call c1
      json: {"ok":true,"content":"{\\"b\\":2}","meta":{"durationMs":1500,"callId":"c1","waitedMs":500,"repairs":["Mended."],"warnings":["Odd."]}}"
    `);
    const lines = [
      ["call", "exec", "--timeout", "3600001"],
      ["call", "exec", "--deliver", "all"],
      ["call", "exec", "x"],
    ];
    expect(await toldOfEach(lines, {})).toMatchInlineSnapshot(`
      "$ toolrack call exec --timeout 3600001
      ! --timeout must be a whole number of milliseconds, from 1 to 3600000, but it is "3600001".
      exit 2
      json: {"error":{"detail":"--timeout must be a whole number of milliseconds, from 1 to 3600000, but it is \\"3600001\\"."}}

      $ toolrack call exec --deliver all
      ! "all" is nobody who gets a result. Use one of model, user, both, none with --deliver.
      exit 2
      json: {"error":{"detail":"\\"all\\" is nobody who gets a result. Use one of model, user, both, none with --deliver."}}

      $ toolrack call exec x
      ! "x" is neither JSON nor name=value. Write one of the two: name=value, or '{"name": "value"}'.
      exit 2
      json: {"error":{"detail":"\\"x\\" is neither JSON nor name=value. Write one of the two: name=value, or '{\\"name\\": \\"value\\"}'."}}"
    `);
  });

  it("shows what happens on the way", async () => {
    const waiting = { approval: "approval-1", tool: "exec", message: "Run it?", expiresAt: Date.UTC(2026, 0, 2, 3, 4, 5) };
    const way = called(
      ["progress", {}],
      ["progress", { message: "reading", progress: 1, total: 3 }],
      ["progress", { progress: 2 }],
      ["waiting", waiting],
      ["result", { ok: true, content: "done", meta }],
    );
    expect(await told(["call", "exec"], way)).toMatchInlineSnapshot(`
      "> POST /tools/exec/call {"input":{}}
      done
      ! exec: …
      ! exec: 1/3 reading
      ! exec: 2 reading
      ! ‹?Waiting for a person's approval to call exec: Run it?›
      !   Approval approval-1, until 2026-01-02 03:04:05 UTC. To see the whole call: toolrack approvals show approval-1
      !   In the console:  <url>/live
      !   With a command:  toolrack approvals approve approval-1
      !   To deny it:      toolrack approvals deny approval-1 --reason "…"
      ! 1.50 s · call c1
      json: {"ok":true,"content":"done","meta":{"durationMs":1500,"callId":"c1"}}"
    `);
    expect(await told(["call", "exec"], called(["progress", {}]))).toMatchInlineSnapshot(`
      "> POST /tools/exec/call {"input":{}}
      ! exec: …
      ! The connection to <url> closed before the result arrived. See: toolrack calls
      exit 5
      json: {"error":{"detail":"The connection to <url> closed before the result arrived. See: toolrack calls"}}"
    `);
  });

  it("ends as the failure says, with the next step", async () => {
    const failure = { ok: false, error: "It broke.", code: "TOOL_FAILED", status: 500, retryable: true, meta };
    expect(await told(["call", "exec"], called(["result", failure]))).toMatchInlineSnapshot(`
      "> POST /tools/exec/call {"input":{}}
      ‹-It broke.›
      ! 1.50 s · call c1
      ! Retrying the same call may succeed.
      exit 1
      json: {"ok":false,"error":"It broke.","code":"TOOL_FAILED","status":500,"retryable":true,"meta":{"durationMs":1500,"callId":"c1"}}"
    `);
    expect(await told(["call", "exec"], called(["result", { ...failure, status: 403, retryable: false }]))).toContain("exit 3");
    const missing = { "POST /tools/x__exec/call": events(["result", { ...failure, code: "TOOL_NOT_FOUND", retryable: false }]) };
    expect(await told(["call", "x__exec"], missing)).toMatchInlineSnapshot(`
      "> POST /tools/x__exec/call {"input":{}}
      > GET /sources
      > GET /lifecycle
      ‹-It broke.›
      ! 1.50 s · call c1
      ! ‹?List the tools with: toolrack list. Search them with: toolrack search <words>›
      exit 4
      json: {"ok":false,"error":"It broke.","code":"TOOL_NOT_FOUND","status":500,"retryable":false,"meta":{"durationMs":1500,"callId":"c1"}}"
    `);
    const waits = {
      ...missing,
      "GET /sources": {
        sources: [
          { id: "x", state: "waiting-for-approval" },
          { id: "y", state: "waiting-for-approval" },
          { id: "x", state: "ready" },
        ],
      },
      "GET /lifecycle": {
        definitions: [
          { name: "x__exec", state: "draft" },
          { name: "x__exec", state: "validated" },
          { name: "x__exec", state: "approved" },
          { name: "y", state: "draft" },
        ],
      },
    };
    expect(await told(["call", "x__exec"], waits)).toMatchInlineSnapshot(`
      "> POST /tools/x__exec/call {"input":{}}
      > GET /sources
      > GET /lifecycle
      ‹-It broke.›
      ! 1.50 s · call c1
      ! ‹?The source x is waiting for approval. Approve it with: toolrack sources approve x›
      ! ‹?The definition of x__exec is draft and waiting for approval. Review it with: toolrack approve x__exec›
      ! ‹?The definition of x__exec is validated and waiting for approval. Review it with: toolrack approve x__exec›
      exit 4
      json: {"ok":false,"error":"It broke.","code":"TOOL_NOT_FOUND","status":500,"retryable":false,"meta":{"durationMs":1500,"callId":"c1"}}"
    `);
  });

  it("makes a job, and prints its id alone", async () => {
    const made = { ok: true, data: { job: { id: "job-1" } }, meta };
    expect(await told(["call", "exec", "--job", "--idempotency-key", "k"], { "POST /tools/exec/call": made })).toMatchInlineSnapshot(`
      "> POST /tools/exec/call {"input":{},"mode":"job"}
      job-1
      ! Its result comes later: toolrack jobs show job-1 --wait
      json: the answer"
    `);
  });
});

it("a call has the key under which it is repeated in a header", async () => {
  const server = await startLoopback((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "toolrack-api": "1" });
    response.end(events(["result", { ok: true, content: "done", meta: { durationMs: 1, callId: "c1" } }]));
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  for (const more of [[], ["--idempotency-key", "k"]])
    await run(["call", "exec", ...more], { folder: temporaryFolder(), environment: { TOOLRACK_URL: server.url } });
  expect(server.seen.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined, "k"]);
});

describe("toolrack run", () => {
  const ended = { status: "done", session: "s1", text: "Hello." };
  const running = (...parts: readonly (readonly [string, unknown])[]) => ({ "POST /agents/ada/runs": events(...parts) });

  it("prints what the agent says and does", async () => {
    const script = running(
      ["text", { text: "Hel" }],
      ["text", { text: "lo." }],
      ["call", { tool: "exec", input: { a: "x".repeat(300) } }],
      ["result", { tool: "exec", result: { ok: false, error: "It broke." } }],
      ["result", { tool: "exec", result: { ok: true, content: "fine" } }],
      ["shown", { result: { content: "A picture." } }],
      ["retry", { reason: "It was no JSON." }],
      ["end", ended],
    );
    expect(await told(["run", "ada", "Say", "hello", "--session", "s1"], script)).toMatchInlineSnapshot(`
      "> POST /agents/ada/runs {"input":"Say hello","session":"s1"}
      Hello.
      ! → exec {"a":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
      ! ‹?← exec: It broke.›
      ! A picture.
      ! It was no JSON. It is asked again.
      ! session s1 · go on: toolrack run ada "…" --session s1
      json: {"status":"done","session":"s1","text":"Hello."}"
    `);
    expect(await told(["run", "ada", "-"], running(["end", { ...ended, status: "failed", reason: "No model." }]), { input: "Read me" }))
      .toMatchInlineSnapshot(`
      "> POST /agents/ada/runs {"input":"Read me"}
      ! ‹?No model.›
      ! session s1 · go on: toolrack run ada "…" --session s1
      exit 1
      json: {"status":"failed","session":"s1","text":"Hello.","reason":"No model."}"
    `);
    expect(await told(["run", "ada", "x"], running(["text", { text: "x" }]))).toMatchInlineSnapshot(`
      "> POST /agents/ada/runs {"input":"x"}
      x
      ! The connection to <url> closed before the run ended. See: toolrack sessions
      exit 5
      json: {"error":{"detail":"The connection to <url> closed before the run ended. See: toolrack sessions"}}"
    `);
  });

  it("names what waits for a person, where nobody can be asked", async () => {
    const waiting = [
      { id: "a1", tool: "exec", message: "Run?", input: { a: 1 }, digest: "d", caller: { session: "s1" } },
      { id: "a2", tool: "exec", message: "Run?", input: {}, digest: "d", caller: { session: "s2" } },
    ];
    const script = {
      ...running(["end", { ...ended, status: "waiting", reason: "It waits." }]),
      "GET /approvals": { waiting },
      "GET /sessions/s1": { context: { messages: 3 } },
    };
    expect(await told(["run", "ada", "x"], script)).toMatchInlineSnapshot(`
      "> POST /agents/ada/runs {"input":"x"}
      > GET /approvals?limit=200
      > GET /sessions/s1
      ! ‹?exec needs your approval: Run?›
      !   {"a":1}
      !   Answer with: toolrack approvals approve a1
      ! ‹?It waits.›
      ! session s1 · go on: toolrack run ada "…" --session s1
      exit 3
      json: {"status":"waiting","session":"s1","text":"Hello.","reason":"It waits."}"
    `);
    expect(await told(["run", "ada", "x"], { ...script, "GET /approvals": { waiting: waiting.slice(1) } })).toMatchInlineSnapshot(`
      "> POST /agents/ada/runs {"input":"x"}
      > GET /approvals?limit=200
      > GET /sessions/s1
      ! ‹?It waits.›
      ! session s1 · go on: toolrack run ada "…" --session s1
      exit 3
      json: {"status":"waiting","session":"s1","text":"Hello.","reason":"It waits."}"
    `);
  });
});

describe("toolrack export and assemble", () => {
  const known = { vendors: ["openai-chat", "anthropic"], grammars: ["gbnf"] };

  it("lists targets, writes one, and says on standard error what was lost", async () => {
    const script = {
      "GET /exports": known,
      "GET /exports/grammars/gbnf": { grammar: "root ::= a", losses: [{ path: "/a" }] },
      "GET /exports/anthropic": { text: "[]", losses: [] },
      "GET /policy/view": { warnings: [{ kind: "unknown-agent", message: "No agent adda." }] },
    };
    const lines = [
      ["export"],
      ["export", "gbnf", "--bundle", "b"],
      ["export", "anthropic", "--agent", "adda"],
      ["export", "antropic"],
      ["export", "openapi"],
    ];
    expect(await toldOfEach(lines, script)).toMatchInlineSnapshot(`
      "$ toolrack export
      > GET /exports
      Vendors: openai-chat, anthropic
      Grammars: gbnf
      Documents: openapi
      json: the answer

      $ toolrack export gbnf --bundle b
      > GET /exports
      > GET /exports/grammars/gbnf?bundle=b
      root ::= a
      ! ‹?1 schema constraint could not be exported; --json lists them.›
      json: the answer

      $ toolrack export anthropic --agent adda
      > GET /policy/view?caller={"agent":"adda"}
      > GET /exports
      > GET /exports/anthropic?runAs={"agent":"adda"}
      []
      ! ‹?No agent adda.›
      json: the answer
      json> GET /exports
      json> GET /exports/anthropic?runAs={"agent":"adda"}

      $ toolrack export antropic
      > GET /exports
      ! "antropic" is not a target of exports. Did you mean "anthropic"? The targets are openai-chat, anthropic, gbnf.
      exit 2
      json: {"error":{"detail":"\\"antropic\\" is not a target of exports. Did you mean \\"anthropic\\"? The targets are openai-chat, anthropic, gbnf."}}

      $ toolrack export openapi
      ! Name the agent whose tools the document has: toolrack export openapi --agent <id>
      exit 2
      json: {"error":{"detail":"Name the agent whose tools the document has: toolrack export openapi --agent <id>"}}"
    `);
  });

  it("writes an OpenAPI document, and says what platforms would refuse", async () => {
    const paths = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`/t${index}`, {}]));
    const document = (count: number, url: string) => ({
      "GET /agents/ada/openapi.json": { paths: paths(count), servers: [{ url }] },
      "GET /policy/view": { warnings: [] },
    });
    const words = ["export", "openapi", "--agent", "ada", "--bundle", "b", "--server", "https://x", "--full"];
    expect(await told(words, document(1, "https://x"))).toMatchInlineSnapshot(`
      "> GET /policy/view?caller={"agent":"ada"}
      > GET /agents/ada/openapi.json?bundle=b&server=https://x&full=true
      {
        "paths": {
          "/t0": {}
        },
        "servers": [
          {
            "url": "https://x"
          }
        ]
      }
      json: the answer
      json> GET /agents/ada/openapi.json?bundle=b&server=https://x&full=true"
    `);
    const many = await told(["export", "openapi", "--agent", "ada"], document(31, "http://x"));
    expect(many.split("\n").filter((line) => /^[>!]/.test(line))).toMatchInlineSnapshot(`
      [
        "> GET /policy/view?caller={"agent":"ada"}",
        "> GET /agents/ada/openapi.json",
        "! ‹?The document has 31 operations; ChatGPT takes 30 for an action. Choose fewer with --bundle.›",
        "! ‹?Platforms call HTTPS addresses only. Set server.publicUrl, or --server.›",
      ]
    `);
    expect(await told(["export", "openapi", "--agent", "ada"], document(30, "https://x"))).not.toContain("!");
  });

  it("shows what a model receives, and in which stages it came together", async () => {
    const exported = {
      text: "x".repeat(9),
      names: { a: "a", b: "b" },
      losses: [{ tool: "a", path: "/x", note: "lost" }],
      diagnostics: [{ tool: "b", message: "broken", severity: "warning" }],
    };
    const stage = { added: [], removed: [], refused: [], wrapped: [] };
    const stages = [
      { ...stage, stage: "sources", count: 3, added: ["a", "b"], refused: [{ name: "c", reason: "twice" }, { reason: "odd" }] },
      { ...stage, stage: "policy", count: 2, removed: [{ name: "d", reason: "denied" }, { reason: "odd" }], wrapped: ["a"] },
      { ...stage, stage: "fit", count: 2 },
    ];
    const script = { "GET /exports/openai-chat": exported, "GET /assembly": { stages }, "GET /policy/view": { warnings: [] } };
    expect(await told(["assemble", "--trace", "--agent", "ada"], script)).toMatchInlineSnapshot(`
      "> GET /policy/view?caller={"agent":"ada"}
      > GET /exports/openai-chat?runAs={"agent":"ada"}
      > GET /assembly?runAs={"agent":"ada"}
      STAGE    TOOLS  CHANGE
      sources  3      2 added, 2 refused
      policy   2      2 removed, 1 wrapped, 2/4 allowed
      fit      2
        sources refuses c: twice
        sources refuses a tool: odd
        policy removes d: denied
        policy removes a tool: odd

      2 tools for openai-chat, about 3 tokens:
        a
        b
      ‹?  a/x: lost›
      ‹-  b: broken›
      json: {"target":"openai-chat","tools":["a","b"],"characters":9,"tokens":3,"losses":[{"tool":"a","path":"/x","note":"lost"}],"diagnostics":[{"tool":"b","message":"broken","severity":"warning"}],"trace":[{"added":["a","b"],"removed":[],"refused":[{"name":"c","reason":"twice"},{"reason":"odd"}],"wrapped":[],"stage":"sources","count":3},{"added":[],"removed":[{"name":"d","reason":"denied"},{"reason":"odd"}],"refused":[],"wrapped":["a"],"stage":"policy","count":2},{"added":[],"removed":[],"refused":[],"wrapped":[],"stage":"fit","count":2}]}
      json> GET /exports/openai-chat?runAs={"agent":"ada"}
      json> GET /assembly?runAs={"agent":"ada"}"
    `);
    expect(
      await told(["assemble"], {
        "GET /exports/openai-chat": { ...exported, diagnostics: [{ tool: "b", message: "broken", severity: "error" }] },
      }),
    ).toMatchInlineSnapshot(`
      "> GET /exports/openai-chat
      2 tools for openai-chat, about 3 tokens:
        a
        b
      ‹?  a/x: lost›
      ‹-  b: broken›
      exit 1
      json: {"target":"openai-chat","tools":["a","b"],"characters":9,"tokens":3,"losses":[{"tool":"a","path":"/x","note":"lost"}],"diagnostics":[{"tool":"b","message":"broken","severity":"error"}]}"
    `);
  });
});

describe("toolrack show", () => {
  it("shows how a stored tool runs, and what is changed about one of others", async () => {
    const tool = {
      name: "dice",
      description: "Rolls.",
      state: "ready",
      source: "records",
      inputSchema: {},
      explanation: { sentences: ["It is yours."] },
    };
    const stored = { implementation: { kind: "code", source: "return 1;" }, calls: [], findings: [] };
    const path = "GET /lifecycle/tool-def-dice";
    expect(await told(["show", "dice"], { "GET /tools/dice": tool, [path]: stored })).toMatchInlineSnapshot(`
      "> GET /tools/dice
      > GET /lifecycle/tool-def-dice
      dice  ‹+ready›
      Rolls.
      from records

      No parameters.

      PROGRAM
        1  return 1;
      It calls no tools.

      It is yours.
      json: {"name":"dice","description":"Rolls.","state":"ready","source":"records","inputSchema":{},"explanation":{"sentences":["It is yours."]},"implementation":{"kind":"code","source":"return 1;"},"calls":[]}"
    `);
    expect(await told(["show", "dice"], { "GET /tools/dice": tool, [path]: new Refusal(403, { detail: "No." }) })).toMatchInlineSnapshot(`
      "> GET /tools/dice
      > GET /lifecycle/tool-def-dice
      dice  ‹+ready›
      Rolls.
      from records

      No parameters.

      It is yours.
      json: the answer"
    `);
    const overlay = { sourceId: "x", tool: "d", origin: "store", stale: ["name"], overlay: { name: "dice" } };
    expect(await told(["show", "dice"], { "GET /tools/dice": { ...tool, source: "x", overlay } })).toMatchInlineSnapshot(`
      "> GET /tools/dice
      dice  ‹+ready›
      Rolls.
      from x

      No parameters.

      OVERLAY of x/d (store): {"name":"dice"}
      ‹?Stale: name changed at the source. toolrack overlay confirm d›

      It is yours.
      json: the answer"
    `);
    expect(await told(["show", "dice"], { "GET /tools/dice": { ...tool, source: "x", overlay: { ...overlay, stale: [] } } })).not.toContain(
      "Stale",
    );
  });
});

describe("toolrack tools add-http", () => {
  const words = ["tools", "add-http", "pets", "https://a.example/pets", "--description", "Lists pets."];
  const path = "/breadcrumbs/tool-def-pets";
  const info = { id: "tool-def-pets", name: "pets", state: "approved", hash: "h" };
  const fresh = { [`PUT ${path}`]: {}, "GET /lifecycle": { definitions: [info] } };
  const draft = {
    [`PUT ${path}`]: {},
    "GET /lifecycle": { definitions: [{ ...info, state: "draft" }] },
    "POST /lifecycle/tool-def-pets/validate": { ok: true },
    "GET /lifecycle/tool-def-pets": { findings: [] },
    "POST /lifecycle/tool-def-pets/approve": {},
  };

  it("stores the definition, and says whether it can be called", async () => {
    expect(await told(words, fresh)).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      > PUT /breadcrumbs/tool-def-pets {"schema_name":"tool.definition.v1","title":"pets","tags":["tool:definition"],"context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET"}}}
      > GET /lifecycle
      ‹+pets is approved and can be called: toolrack call pets›
      json: {"name":"pets","id":"tool-def-pets","state":"approved","hash":"h","context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET"}}}"
    `);
    const lacks = {
      ...fresh,
      "GET /lifecycle": { definitions: [{ ...info, privateHost: "10.0.0.1" }] },
      "GET /secrets": { secrets: [{ name: "other" }] },
    };
    expect(await told([...words, "--secret", "pets-key"], lacks)).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      > PUT /breadcrumbs/tool-def-pets {"schema_name":"tool.definition.v1","title":"pets","tags":["tool:definition"],"context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET","auth":{"type":"bearer","secret":"secret:pets-key"}},"secrets":["pets-key"]}}
      > GET /lifecycle
      > GET /secrets
      ‹+pets is approved, and cannot be called yet:›
      ‹?The secret pets-key is not set yet: toolrack secrets set pets-key›
      ‹?10.0.0.1 is not an address of the public internet. To allow it, add this to the configuration, and restart the server: tools: { records: { allowHosts: ["10.0.0.1"] } }›
      json: {"name":"pets","id":"tool-def-pets","state":"approved","hash":"h","context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET","auth":{"type":"bearer","secret":"secret:pets-key"}},"secrets":["pets-key"]}}"
    `);
    expect(await told([...words, "--secret", "pets-key"], { ...fresh, "GET /secrets": { secrets: [{ name: "pets-key" }] } })).toContain(
      "pets is approved and can be called",
    );
  });

  it("leaves a draft to a person, unless it is to be approved", async () => {
    expect(await told(words, draft)).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      > PUT /breadcrumbs/tool-def-pets {"schema_name":"tool.definition.v1","title":"pets","tags":["tool:definition"],"context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET"}}}
      > GET /lifecycle
      > POST /lifecycle/tool-def-pets/validate
      > GET /lifecycle/tool-def-pets
      > GET /lifecycle
      pets was stored, and waits for approval. Review it, and approve it, with: toolrack approve pets
      json: {"name":"pets","id":"tool-def-pets","state":"draft","hash":"h","context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET"}}}"
    `);
    expect(await told([...words, "--approve"], draft)).toContain(
      '> POST /lifecycle/tool-def-pets/approve {"hash":"h","reason":"Added on the command line"}\n',
    );
    const bad = { ...draft, "POST /lifecycle/tool-def-pets/validate": { ok: false, problems: ["No."] } };
    expect(await told(words, bad)).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      > PUT /breadcrumbs/tool-def-pets {"schema_name":"tool.definition.v1","title":"pets","tags":["tool:definition"],"context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET"}}}
      > GET /lifecycle
      > POST /lifecycle/tool-def-pets/validate
      pets was stored as a draft, and cannot be approved yet:
        - No.
      exit 1
      json: the answer"
    `);
    const findings = [
      { severity: "danger", path: "/description", message: "It steers." },
      { severity: "warning", path: "/x", message: "Odd." },
    ];
    expect(await told([...words, "--approve"], { ...draft, "GET /lifecycle/tool-def-pets": { findings } })).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      > PUT /breadcrumbs/tool-def-pets {"schema_name":"tool.definition.v1","title":"pets","tags":["tool:definition"],"context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET"}}}
      > GET /lifecycle
      > POST /lifecycle/tool-def-pets/validate
      > GET /lifecycle/tool-def-pets
      > GET /lifecycle
      pets was stored, and waits for approval. Review it, and approve it, with: toolrack approve pets
      ! The scanner finds something in pets that a person has to look at before it is approved:
      !   - /description: It steers.
      json: {"name":"pets","id":"tool-def-pets","state":"draft","hash":"h","context":{"name":"pets","description":"Lists pets.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"kind":"http","endpoint":"https://a.example/pets","method":"GET"}}}"
    `);
  });

  it("replaces only what it is told to replace", async () => {
    const old = { ...draft, [`GET ${path}`]: { version: 4, context: {} } };
    expect(await told(words, old)).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      ! There is a stored definition of the tool "pets" already. Replace it with --replace, or choose another name.
      exit 2
      json: {"error":{"detail":"There is a stored definition of the tool \\"pets\\" already. Replace it with --replace, or choose another name."}}"
    `);
    expect(await told([...words, "--replace"], old)).toContain(`> PUT ${path} `);
    const approved = { ...fresh, [`GET ${path}`]: { version: 4, context: {} } };
    expect(await told([...words, "--replace"], approved)).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      > GET /lifecycle
      ! "pets" is approved. A replaced definition waits for approval, and until then the tool cannot be called. Nothing was changed. Add --approve to approve it at once, or --yes to replace it and approve it later.
      exit 2
      json: {"error":{"detail":"\\"pets\\" is approved. A replaced definition waits for approval, and until then the tool cannot be called. Nothing was changed. Add --approve to approve it at once, or --yes to replace it and approve it later."}}"
    `);
    for (const more of ["--yes", "--approve"]) expect(await told([...words, "--replace", more], approved)).toContain(`> PUT ${path} `);
    expect(await told(words, { ...fresh, [`GET ${path}`]: { version: 4, context: { upstream: {} } } })).toContain(`> PUT ${path} `);
    expect(await told(words, { [`GET ${path}`]: new Refusal(403, { detail: "No." }) })).toMatchInlineSnapshot(`
      "> GET /breadcrumbs/tool-def-pets
      ! No.
      exit 3
      json: {"error":{"detail":"No."}}"
    `);
    expect(await toldOfEach([words.slice(0, 4), [...words.slice(0, 5), " "]], {})).toMatchInlineSnapshot(`
      "$ toolrack tools add-http pets https://a.example/pets
      ! Say what the tool does, because models choose it by that: --description "Tells the weather in a city."
      exit 2
      json: {"error":{"detail":"Say what the tool does, because models choose it by that: --description \\"Tells the weather in a city.\\""}}

      $ toolrack tools add-http pets https://a.example/pets --description  
      ! Say what the tool does, because models choose it by that: --description "Tells the weather in a city."
      exit 2
      json: {"error":{"detail":"Say what the tool does, because models choose it by that: --description \\"Tells the weather in a city.\\""}}"
    `);
  });
});

describe("toolrack tools add-code and add-chain", () => {
  it("read the file and what is said about it", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "roll.ts"), "return 1;\n");
    writeFileSync(join(folder, "in.json"), '{"type":"object"}');
    writeFileSync(join(folder, "sum.json"), JSON.stringify({ description: "Sums.", steps: [{ id: "a", tool: "dice", input: {} }] }));
    writeFileSync(join(folder, "bad.json"), "{");
    const script = {
      "PUT /breadcrumbs/tool-def-roll": {},
      "PUT /breadcrumbs/tool-def-sum": {},
      "PUT /breadcrumbs/tool-def-n": {},
      "GET /lifecycle": { definitions: ["roll", "sum", "n"].map((name) => ({ id: `tool-def-${name}`, state: "approved", hash: "h" })) },
    };
    const lines = [
      ["tools", "add-code", "roll.ts", "--description", "Rolls.", "--param", "n?:integer=Sides", "--tool", "random", "--tool", "log"],
      ["tools", "add-code", "roll.ts", "--name", "n", "--description", "d", "--input-schema", "in.json", "--output-schema", "in.json"],
      ["tools", "add-chain", "sum.json"],
      ["tools", "add-code", "roll.ts"],
      ["tools", "add-code", "none.ts", "--description", "d"],
      ["tools", "add-code", "roll.ts", "--description", "d", "--param", "a", "--input-schema", "in.json"],
    ];
    expect((await toldOfEach(lines, script, { folder })).replaceAll(folder, "<folder>")).toMatchInlineSnapshot(`
      "$ toolrack tools add-code roll.ts --description Rolls. --param n?:integer=Sides --tool random --tool log
      > GET /breadcrumbs/tool-def-roll
      > PUT /breadcrumbs/tool-def-roll {"schema_name":"tool.definition.v1","title":"roll","tags":["tool:definition"],"context":{"name":"roll","description":"Rolls.","inputSchema":{"type":"object","properties":{"n":{"type":"integer","description":"Sides"}},"required":[],"additionalProperties":false},"implementation":{"kind":"code","source":"return 1;\\n","tools":["random","log"]}}}
      > GET /lifecycle
      ‹+roll is approved and can be called: toolrack call roll›
      json: {"name":"roll","id":"tool-def-roll","state":"approved","hash":"h","context":{"name":"roll","description":"Rolls.","inputSchema":{"type":"object","properties":{"n":{"type":"integer","description":"Sides"}},"required":[],"additionalProperties":false},"implementation":{"kind":"code","source":"return 1;\\n","tools":["random","log"]}}}

      $ toolrack tools add-code roll.ts --name n --description d --input-schema in.json --output-schema in.json
      > GET /breadcrumbs/tool-def-n
      > PUT /breadcrumbs/tool-def-n {"schema_name":"tool.definition.v1","title":"n","tags":["tool:definition"],"context":{"name":"n","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"implementation":{"kind":"code","source":"return 1;\\n","tools":[]}}}
      > GET /lifecycle
      ‹+n is approved and can be called: toolrack call n›
      json: {"name":"n","id":"tool-def-n","state":"approved","hash":"h","context":{"name":"n","description":"d","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"implementation":{"kind":"code","source":"return 1;\\n","tools":[]}}}

      $ toolrack tools add-chain sum.json
      > GET /breadcrumbs/tool-def-sum
      > PUT /breadcrumbs/tool-def-sum {"schema_name":"tool.definition.v1","title":"sum","tags":["tool:definition"],"context":{"name":"sum","description":"Sums.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"steps":[{"id":"a","tool":"dice","input":{}}],"kind":"chain"}}}
      > GET /lifecycle
      ‹+sum is approved and can be called: toolrack call sum›
      json: {"name":"sum","id":"tool-def-sum","state":"approved","hash":"h","context":{"name":"sum","description":"Sums.","inputSchema":{"type":"object","properties":{},"required":[],"additionalProperties":false},"implementation":{"steps":[{"id":"a","tool":"dice","input":{}}],"kind":"chain"}}}

      $ toolrack tools add-code roll.ts
      ! Say what the tool does, because models choose it by that: --description "Converts degrees Celsius to Fahrenheit."
      exit 2
      json: {"error":{"detail":"Say what the tool does, because models choose it by that: --description \\"Converts degrees Celsius to Fahrenheit.\\""}}

      $ toolrack tools add-code none.ts --description d
      ! The file "none.ts" cannot be read (ENOENT). Check its path.
      exit 2
      json: {"error":{"detail":"The file \\"none.ts\\" cannot be read (ENOENT). Check its path."}}

      $ toolrack tools add-code roll.ts --description d --param a --input-schema in.json
      ! The input is described by --param or by --input-schema, not by both. Leave one of them out.
      exit 2
      json: {"error":{"detail":"The input is described by --param or by --input-schema, not by both. Leave one of them out."}}"
    `);
    for (const words of [
      ["add-code", "roll.ts", "--input-schema", "bad.json"],
      ["add-chain", "bad.json"],
    ])
      expect(await told(["tools", ...words, "--description", "d"], script, { folder })).toMatch(
        /^! The file "bad\.json" is not JSON: .*\nexit 2\n/,
      );
    const refused = {
      "PUT /breadcrumbs/tool-def-roll": new Refusal(422, { status: 422, detail: "implementation.source:1: It is wrong." }),
    };
    expect(await told(["tools", "add-code", "roll.ts", "--description", "d"], refused, { folder })).toContain(
      "! roll.ts:1: It is wrong.\n",
    );
  });
});

describe("toolrack lock", () => {
  beforeAll(async () => void (await import("../../src/commands/_lock.ts")));

  it("writes what is known now, and compares with it later", async () => {
    const folder = temporaryFolder();
    const lock = (tools: object) => ({ lock: { version: 1, sources: { "mcp:x": { tools } } }, missing: [] });
    const tool = { print: "p1", definition: { name: "a", description: "d", inputSchema: { type: "object" } } };
    expect(await told(["lock", "--all"], { "GET /lock": lock({ a: tool }) }, { folder })).toMatch(
      /^> GET \/lock\?all=true\ntoolrack\.lock has 1 definition of 1 source\.\n/,
    );
    expect(readFileSync(join(folder, "toolrack.lock"), "utf8")).toContain('"mcp:x"');
    const missing = {
      lock: { version: 1, sources: {} },
      missing: [
        { id: "y", state: "failed", error: "gone" },
        { id: "z", state: "starting" },
      ],
    };
    expect(await told(["lock"], { "GET /lock": missing }, { folder })).toMatchInlineSnapshot(`
      "> GET /lock
      ! The tools of some sources are not known, so nothing was written or compared: y (gone), z (starting).
      exit 1
      json: {"error":{"detail":"The tools of some sources are not known, so nothing was written or compared: y (gone), z (starting)."}}"
    `);
    expect(await told(["lock", "--check", "--file", "none.lock"], { "GET /lock": lock({}) }, { folder })).toMatchInlineSnapshot(`
      "> GET /lock
      ! none.lock cannot be read: ENOENT. Write it with: toolrack lock
      exit 2
      json: {"error":{"detail":"none.lock cannot be read: ENOENT. Write it with: toolrack lock"}}"
    `);
  });
});

describe("what a server says when it serves", () => {
  const style = createStyle(false);

  it("counts its tools, and names those of yours", () => {
    const lines = [
      { builtIn: 0, own: [] },
      { builtIn: 1, own: [] },
      { builtIn: 0, own: ["a"] },
      { builtIn: 2, own: ["a", "b"] },
    ].map((tools) => servingLine(tools, style));
    expect(lines).toMatchInlineSnapshot(`
      [
        "Toolrack is serving 0 built-in tools.",
        "Toolrack is serving 1 built-in tool.",
        "Toolrack is serving 1 tool of yours (a).",
        "Toolrack is serving 2 tools of yours (a, b) and 2 built-in tools.",
      ]
    `);
    const registry = {
      list: () => [{ name: "a" }, { name: "p" }],
      entries: () => [
        { tool: { name: "a" }, source: "mine" },
        { tool: { name: "p" }, source: "packs" },
        { tool: { name: "hidden" }, source: "mine" },
      ],
    };
    expect(servedTools({ registry } as never)).toEqual({ builtIn: 1, own: ["a"] });
  });

  it("says how to connect a client, and what to try", () => {
    const facts = { url: "http://x/mcp", agents: [], anonymousTools: undefined, program: "toolrack" };
    expect(clientLines(facts)).toMatchInlineSnapshot(`
      [
        "To connect an MCP client, list an agent that has tools in the configuration first; there is none yet. For example:",
        "  agents: { assistant: { description: My assistant } }",
        "Create its key with: toolrack keys create assistant",
        "Then add to the client:",
        "  {"mcpServers":{"toolrack":{"type":"http","url":"http://x/mcp","headers":{"Authorization":"Bearer <key>"}}}}",
      ]
    `);
    expect(clientLines({ ...facts, agents: ["ada"], anonymousTools: 0 })).toMatchInlineSnapshot(`
      [
        "To connect an MCP client as "ada", create a key: toolrack keys create ada",
        "Add to the client, with that key:",
        "  {"mcpServers":{"toolrack":{"type":"http","url":"http://x/mcp","headers":{"Authorization":"Bearer <key>"}}}}",
        "Or let the command write the entry of the client, with its own key or none: npx toolrack connect claude-desktop --agent ada",
      ]
    `);
    expect(clientLines({ ...facts, agents: ["a b", "bob", "eve"], anonymousTools: 2 })).toMatchInlineSnapshot(`
      [
        "To connect an MCP client as "a b", create a key (or for bob, eve): toolrack keys create 'a b'",
        "Add to the client, with that key:",
        "  {"mcpServers":{"toolrack":{"type":"http","url":"http://x/mcp","headers":{"Authorization":"Bearer <key>"}}}}",
        "Or let the command write the entry of the client, with its own key or none: npx toolrack connect claude-desktop --agent 'a b'",
        "Without the header, a client on this machine is "anonymous" and has 2 tools, until a key is created.",
      ]
    `);
    const rack = (has: boolean) => ({ registry: { get: () => (has ? {} : undefined) } }) as never;
    expect([
      trialLines("t", { builtIn: 1, own: [] }, rack(true)),
      trialLines("t", { builtIn: 0, own: ["a b"] }, rack(false)),
      trialLines("t", { builtIn: 0, own: [] }, rack(false)),
    ]).toMatchInlineSnapshot(`
      [
        [
          "Try a call, then see why it was allowed:",
          "  t call random min=1 max=6",
          "  t policy explain random",
        ],
        [
          "See a tool, and how to call it:",
          "  t show 'a b'",
        ],
        [],
      ]
    `);
  });

  it("names what is left out", () => {
    const sources = [
      { id: "x", state: "failed", error: "gone", problems: ["a is no tool"] },
      { id: "y", state: "ready", problems: [] },
    ];
    const rack = (list: readonly object[]) => ({ sources: { list: () => list } }) as never;
    expect([leftOutLines(rack(sources)), leftOutLines(rack(sources.slice(1)))]).toMatchInlineSnapshot(`
      [
        [
          "Not everything is served; see: toolrack doctor",
          "  The source x failed. gone",
          "  x: a is no tool",
        ],
        [],
      ]
    `);
  });
});

describe("toolrack init --deploy", () => {
  it("keeps what exists, and says so", async () => {
    const folder = temporaryFolder();
    const first = await run(["init", "--deploy", "container"], { folder });
    const [one] = first.output.split("\n");
    expect(first.output.split("\n").slice(1)).toEqual(["Change names and addresses in them.", ""]);
    const again = await run(["init", "--deploy", "container"], { folder });
    expect(again).toMatchObject({
      code: 1,
      output: "",
      errors: expect.stringMatching(/^Nothing was written: .* exist\. Use --force to overwrite them\.\n$/),
    });
    const forced = await run(["init", "--deploy", "container", "--force", "--json"], { folder });
    const names = one!.slice("Wrote ".length, -1).split(", ");
    expect(forced.json()).toEqual({ folder, written: names, kept: [] });
    const { rmSync } = await import("node:fs");
    rmSync(join(folder, names[0]!));
    const part = await run(["init", "--deploy", "container"], { folder });
    expect(part.output.split("\n")).toEqual([
      `Wrote ${names[0]}.`,
      `Kept what exists (--force overwrites it): ${names.slice(1).join(", ")}.`,
      "Change names and addresses in them.",
      "",
    ]);
  });
});
