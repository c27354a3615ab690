import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { programLines, reviewLines } from "../../src/commands/_program-lines.ts";
import { showProposal } from "../../src/commands/_proposal.ts";
import { createStyle } from "../../src/print/style.ts";
import { runScripted, type Script } from "../_scripted.ts";

const told = async (words: string, script: Script, folder = temporaryFolder()) => {
  const { code, asked, output, errors } = await runScripted(words.split(" "), script, { folder });
  return [`ended with ${code}`, ...asked, ...output.split("\n"), ...errors.split("\n").map((line) => `! ${line}`)];
};

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();

describe("toolrack programs", () => {
  const ended = { id: "p1", status: "ended", startedAt: at(0), caller: { agent: "ada" }, tool: "run_code", line: 2 };
  const waiting = { ...ended, id: "p2", status: "waiting", caller: {}, line: undefined };
  const call = { tool: "pay", line: 2, callId: "c1", input: { a: 1 }, labels: {} };
  const whole = { ...ended, source: "const a = 1;\nreturn pay(a);", pending: [] };

  it("lists those that wait, page by page", async () => {
    expect(await told("programs --limit 2", { "GET /programs": { programs: [ended, waiting], next: 2 } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /programs?limit=2",
        "ID  STATUS   STARTED              AGENT  TOOL      LINE",
        "p1  ended    2026-01-02 03:00:00  ada    run_code  2",
        "p2  waiting  2026-01-02 03:00:00         run_code",
        "More: toolrack programs list --limit 2 --after 2",
        "",
        "! ",
      ]
    `);
    expect(await told("programs list --after 2", { "GET /programs": { programs: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /programs?limit=50&offset=2",
        "No program waits for a person, or did lately.",
        "",
        "! ",
      ]
    `);
  });

  it("shows where one stands, what it waits for, and what came of it", async () => {
    const labelled = { ...call, labels: { a: ["secret"] }, origins: { a: ["mail"] }, approval: "a1" };
    expect(await told("programs show p1", { "GET /programs/p1": { ...whole, pending: [call, labelled] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /programs/p1",
        "ID  STATUS  STARTED              AGENT  TOOL      LINE",
        "p1  ended   2026-01-02 03:00:00  ada    run_code  2",
        "",
        "     1  const a = 1;",
        ">    2  return pay(a);",
        "",
        "WAITS FOR  pay (line 2, call c1)",
        "INPUT  {"a":1}",
        "",
        "WAITS FOR  pay (line 2, call c1)",
        "INPUT  {"a":1}",
        "LABELS  {"a":["secret"]}",
        "FROM  {"a":["mail"]}",
        "Answer it: toolrack approvals show a1",
        "",
        "! ",
      ]
    `);
    const failed = { ...whole, outcome: { ok: false }, error: { code: "TOOL_FAILED", message: "It broke." } };
    expect((await told("programs show p1", { "GET /programs/p1": failed })).slice(4)).toMatchInlineSnapshot(`
      [
        "",
        "     1  const a = 1;",
        "     2  return pay(a);",
        "",
        "RESULT  {"ok":false}",
        "",
        "TOOL_FAILED: It broke.",
        "",
        "! ",
      ]
    `);
    const chain = { ...whole, chain: { steps: [{ id: "one", tool: "echo", status: "done" }] } };
    expect((await told("programs show p1", { "GET /programs/p1": chain })).slice(4)).toMatchInlineSnapshot(`
      [
        "",
        "STEP  TOOL  STATUS",
        "one   echo  done",
        "",
        "! ",
      ]
    `);
  });

  it("cancels one", async () => {
    expect(await told("programs cancel p1", { "DELETE /programs/p1": {} })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /programs/p1",
        "Cancelled p1.",
        "",
        "! ",
      ]
    `);
  });
});

describe("what a stored program is", () => {
  const style = createStyle(false);

  it("is shown with its lines and what it may call", () => {
    const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`);
    const code = { kind: "code", source: `${lines.join("\n")}\n` };
    expect(programLines({ implementation: code, calls: ["a", "b"] } as never, style)).toEqual([
      "",
      "PROGRAM",
      ...lines.map((line, index) => `  ${index === 9 ? "" : " "}${index + 1}  ${line}`),
      "May call: a, b",
    ]);
    expect(programLines({ implementation: code, calls: [] } as never, style).at(-1)).toBe("It calls no tools.");
    expect(programLines({ implementation: code } as never, style)).toEqual([]);
  });

  it("is shown with its steps, in the order in which they run", () => {
    const steps = [
      { id: "last", tool: "c", input: { x: 1 }, retries: 2, continueOnError: true },
      { id: "first", tool: "a" },
      { id: "second", tool: "b" },
    ];
    const order = {
      levels: [["first"], ["second"], ["last"]],
      edges: [
        ["first", "second"],
        ["first", "last"],
        ["second", "last"],
      ],
    };
    const implementation = { kind: "chain", steps, returnStep: "last" };
    expect(programLines({ implementation, calls: ["a"], order } as never, style)).toEqual([
      "",
      "STEPS (those with the same number run at the same time)",
      "  1  first: a({})",
      "  2  second: b({})  after first",
      '  3  last: c({"x":1})  after first, second; retries 2; goes on after an error; is the result',
      "May call: a",
    ]);
    expect(programLines({ implementation: { kind: "chain", steps: [{ id: "one", tool: "a" }] }, calls: [] } as never, style)[2]).toBe(
      "  ?  one: a({})",
    );
    expect(programLines({ implementation: { kind: "chain", steps: 5 }, calls: [] } as never, style)).toHaveLength(3);
  });

  it("is shown with what is wrong, and what was found", () => {
    const finding = { severity: "danger", rule: "r1", path: "/a", message: "It is odd.", evidence: "here" };
    const findings = [finding, { ...finding, severity: "warning", evidence: "" }];
    expect(reviewLines({ problem: "one\ntwo", findings } as never, style)).toEqual([
      "",
      "one",
      "two",
      "danger  r1  /a",
      "  It is odd. here",
      "warning  r1  /a",
      "  It is odd.",
    ]);
    expect(reviewLines({ findings: [] } as never, style)).toEqual([]);
  });
});

describe("a proposal of an agent", () => {
  it("is shown with everything that it would change", () => {
    const terminal = { style: createStyle(false), json: JSON.stringify } as never;
    const changes = [
      { key: "a.b", before: 1, after: 2 },
      { key: "c", after: 3 },
      { key: "d", before: 4, after: null },
    ];
    expect(showProposal({ caller: { agent: "ada" }, note: "It is slow.", changes } as never, terminal)).toEqual([
      "ada proposes to change 3 settings.",
      "It says why: It is slow.",
      "",
      "SETTING  a.b",
      "NOW  1",
      "THEN  2",
      "",
      "SETTING  c",
      "NOW  not set",
      "THEN  3",
      "",
      "SETTING  d",
      "NOW  4",
      "THEN  removed",
    ]);
    expect(showProposal({ caller: {}, changes: [changes[0]] } as never, terminal)[0]).toBe(
      "An unknown agent proposes to change a setting.",
    );
  });
});

describe("toolrack overlay", () => {
  const overlay = { name: "find", parameters: { a: { hidden: true }, b: { value: 1 }, c: { description: "x", enum: ["y"] } } };
  const info = { shownAs: "find", sourceId: "shop", tool: "search", overlay, state: "applied", stale: [], loosens: [], origin: "setting" };

  it("lists what is changed, and whether it still fits", async () => {
    const stale = { ...info, overlay: { title: "t" }, state: "stale", stale: ["description"] };
    expect(
      await told("overlay", { "GET /overlays": { overlays: [info, stale, { ...stale, state: "unfit" }, { ...info, state: "unused" }] } }),
    ).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /overlays",
        "TOOL  AT ITS SOURCE  CHANGES                                          STATE              FROM",
        "find  shop/search    name, without a, pinned b, c: description, enum  applied            setting",
        "find  shop/search    title                                            stale description  setting",
        "find  shop/search    title                                            unfit description  setting",
        "find  shop/search    name, without a, pinned b, c: description, enum  unused             setting",
        "",
        "! ",
      ]
    `);
    expect(await told("overlay list", { "GET /overlays": { overlays: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /overlays",
        "There are no overlays: every tool is as its source has it.",
        "",
        "! ",
      ]
    `);
  });

  it("is set by options, or as JSON", async () => {
    const script = { "PUT /tools/search/overlay": info };
    const options =
      '--name find --title T --description D --hide --param a=b=c --hide-param b --pin c=5 --pin d=x --param d=e --values e=["y"] --tag t --group g --reason Why.';
    expect(await told(`overlay set search ${options}`, script)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "PUT /tools/search/overlay {"overlay":{"name":"find","title":"T","description":"D","hidden":true,"parameters":{"a":{"description":"b=c"},"d":{"description":"e","value":"x"},"b":{"hidden":true},"c":{"value":5},"e":{"enum":["y"]}},"tags":["t"],"groups":["g"]},"reason":"Why."}",
        "shop/search is shown as find now: name, without a, pinned b, c: description, enum.",
        "",
        "! ",
      ]
    `);
    expect((await told('overlay set search {"name":"find"}', script))[1]).toMatchInlineSnapshot(
      `"PUT /tools/search/overlay {"overlay":{"name":"find"}}"`,
    );
    expect((await told("overlay set search --name find", script))[1]).toMatchInlineSnapshot(
      `"PUT /tools/search/overlay {"overlay":{"name":"find"}}"`,
    );
    expect(await told("overlay set search --pin =5", script)).toMatchInlineSnapshot(`
      [
        "ended with 2",
        "",
        "! "=5" is not name=value.",
        "! ",
      ]
    `);
    expect(await told("overlay set search {", script)).toMatchInlineSnapshot(`
      [
        "ended with 2",
        "",
        "! The overlay is not JSON: {",
        "! ",
      ]
    `);
  });

  it("is confirmed and removed", async () => {
    expect(await told("overlay confirm find", { "POST /tools/find/overlay/confirmation": info })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "POST /tools/find/overlay/confirmation",
        "The overlay of find is confirmed for the tool as it is now.",
        "",
        "! ",
      ]
    `);
    expect(await told("overlay remove find", { "DELETE /tools/find/overlay": info })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "DELETE /tools/find/overlay",
        "The overlay of shop/search was removed.",
        "",
        "! ",
      ]
    `);
  });
});

describe("toolrack proof", () => {
  const entry = { index: 7, at: at(0), kind: "approved", by: "ada", tool: "search", print: `sha256:${"ab".repeat(20)}` };

  it("lists what was logged", async () => {
    const entries = [entry, { ...entry, index: 6, print: undefined }];
    expect(await told("proof log --tool search --limit 2 --before 9", { "GET /definition-log": { entries, next: 6 } }))
      .toMatchInlineSnapshot(`
        [
          "ended with 0",
          "GET /definition-log?limit=2&before=9&tool=search",
          "INDEX  WHEN                 WHAT      BY   TOOL    PRINT",
          "7      2026-01-02 03:00:00  approved  ada  search  sha256:ababababababababa",
          "6      2026-01-02 03:00:00  approved  ada  search  –",
          "More: toolrack proof log --tool search --limit 2 --before 6",
          "",
          "! ",
        ]
      `);
    expect(await told("proof log", { "GET /definition-log": { entries: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /definition-log?limit=20",
        "Nothing was logged about definitions yet.",
        "",
        "! ",
      ]
    `);
  });

  it("is printed as it is, and asked for since an earlier one", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "old.json"), JSON.stringify({ head: { size: 3, root: "r3" } }));
    writeFileSync(join(folder, "none.json"), JSON.stringify({ head: { size: "3" } }));
    writeFileSync(join(folder, "bad.json"), "{");
    const script = { "GET /tools/search/proof": { entry: 1 } };
    expect(await told("proof search --since old.json --index 2", script, folder)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /tools/search/proof?sinceSize=3&sinceRoot=r3&index=2",
        "{",
        "  "entry": 1",
        "}",
        "",
        "! ",
      ]
    `);
    expect((await told("proof search", script, folder))[1]).toBe("GET /tools/search/proof");
    for (const [file, said] of [
      ["none.json", "! none.json has no head of a log. Give a file that toolrack proof printed."],
      ["gone.json", "! gone.json cannot be read: ENOENT."],
      ["bad.json", expect.stringContaining("! bad.json is not JSON: ")],
    ] as const)
      expect(await told(`proof search --since ${file}`, script, folder)).toEqual(["ended with 2", "", said, "! "]);
  });
});

describe("toolrack workers", () => {
  const worker = { instance: "w-1a", version: "2", state: "ready", slots: 4, running: 1, tools: 3, seenAt: at(0) };
  const pools = [
    { pool: "web", source: "s1", workers: [worker, { ...worker, instance: "w-1b", version: undefined }] },
    { pool: "mail", source: "s2", workers: [] },
    { pool: "files", source: "s3", workers: [], error: "The broker is away." },
  ];

  it("lists the pools, and those without a worker", async () => {
    expect(await told("workers", { "GET /workers": { publicKey: "ed25519:k", pools } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /workers",
        "POOL  WORKER  VERSION  STATE  RUNNING  TOOLS  LAST SEEN",
        "web   w-1a    2        ready  1 of 4   3      2026-01-02 03:00:00",
        "web   w-1b             ready  1 of 4   3      2026-01-02 03:00:00",
        "Pool mail (source s2) has no worker.",
        "Pool files (source s3) has no worker: The broker is away.",
        "Public key of this server, for the option --server of a worker: ed25519:k",
        "",
        "! ",
      ]
    `);
    const escape = "\u001b[2J";
    const hostile = { pool: `web${escape}`, source: "s1", workers: [{ ...worker, instance: `w${escape}`, version: `2${escape}` }] };
    const shown = await told("workers", { "GET /workers": { publicKey: "ed25519:k", pools: [hostile] } });
    expect(shown.join("\n")).not.toContain("\u001b");
    expect(await told("workers list", { "GET /workers": { publicKey: "ed25519:k", pools: [] } })).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /workers",
        "No pool of workers is configured. See sources.<id>.workers in the reference of the configuration.",
        "Public key of this server, for the option --server of a worker: ed25519:k",
        "",
        "! ",
      ]
    `);
  });

  it("drains one, named by the beginning of its id", async () => {
    const script = { "GET /workers": { publicKey: "ed25519:k", pools }, "POST /workers/w-1b/drain": {} };
    expect(await told("workers drain w-1b", script)).toMatchInlineSnapshot(`
      [
        "ended with 0",
        "GET /workers",
        "POST /workers/w-1b/drain",
        "Worker w-1b takes no more calls, and ends when those that it has have ended.",
        "",
        "! ",
      ]
    `);
    expect(await told("workers drain w-1", script)).toMatchInlineSnapshot(`
      [
        "ended with 2",
        "GET /workers",
        "",
        "! "w-1" is the beginning of 2 workers: w-1a, w-1b. Write more of the id.",
        "! ",
      ]
    `);
    expect(await told("workers drain x", script)).toMatchInlineSnapshot(`
      [
        "ended with 4",
        "GET /workers",
        "",
        "! There is no worker "x". See: toolrack workers list",
        "! ",
      ]
    `);
  });
});

describe("toolrack lock", () => {
  const tool = (print: string) => ({ print });
  const lock = { version: 1, sources: { shop: { tools: { search: tool("sha256:a"), find: tool("sha256:b") } } } };
  const script = { "GET /lock": { lock, missing: [] } };

  it("writes what there is to a file, unless a source is not known", async () => {
    const folder = temporaryFolder();
    expect(await told("lock", script, folder)).toEqual([
      "ended with 0",
      "GET /lock",
      "toolrack.lock has 2 definitions of 1 source.",
      "",
      "! ",
    ]);
    expect(readFileSync(join(folder, "toolrack.lock"), "utf8")).toContain('"sha256:a"');
    expect((await told("lock --all --file other.lock", script, folder)).slice(1, 3)).toEqual([
      "GET /lock?all=true",
      "other.lock has 2 definitions of 1 source.",
    ]);
    const missing = [
      { id: "desk", state: "failed", error: "It is away." },
      { id: "mail", state: "starting" },
    ];
    expect(await told("lock", { "GET /lock": { lock, missing } }, temporaryFolder())).toEqual([
      "ended with 1",
      "GET /lock",
      "",
      "! The tools of some sources are not known, so nothing was written or compared: desk (It is away.), mail (starting).",
      "! ",
    ]);
  });

  it("cannot compare with a file that is not there", async () => {
    expect(await told("lock --check", script)).toEqual([
      "ended with 2",
      "GET /lock",
      "",
      "! toolrack.lock cannot be read: ENOENT. Write it with: toolrack lock",
      "! ",
    ]);
  });
});
