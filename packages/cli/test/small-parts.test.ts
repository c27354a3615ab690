import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { readDuration } from "../src/commands/_durations.ts";
import { readParameters, toHttpDefinition } from "../src/commands/_http-definition.ts";
import { readNumber } from "../src/commands/_numbers.ts";
import { parameterRows } from "../src/commands/_parameters.ts";
import { answerLines } from "../src/commands/_answer-lines.ts";
import { callerOf, callerQuery } from "../src/commands/_caller.ts";
import { readUrl } from "../src/connection/connect.ts";
import type { Connection } from "../src/connection/connection.ts";
import { givenKey, readKey } from "../src/connection/given-key.ts";
import { keepsNothing } from "../src/connection/keeps-nothing.ts";
import { overSending } from "../src/connection/over-sending.ts";
import type { Answered, Send } from "../src/connection/send.ts";
import { type CommandError, fileFault } from "../src/errors.ts";
import { counted } from "../src/print/counted.ts";
import { nameList } from "../src/print/did-you-mean.ts";
import { readJsonText, toPrettyJson } from "../src/print/json.ts";
import { safe, safeJson, visibleJson } from "../src/print/safe.ts";
import { createStyle, paintState, wantsColour } from "../src/print/style.ts";
import { cutTo, widthOf } from "../src/print/width.ts";

/** What is returned, or thrown with its reason. */
function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return `${(error as CommandError).reason}: ${(error as Error).message}`;
  }
}

describe("numbers and durations that a person typed", () => {
  it("are read within their limits, and refused with them", () => {
    const texts = ["1", "0", "-1", "1.5", "", " ", "x", "1e3", "1e15", "2e15", "Infinity"];
    expect(texts.map((text) => outcome(() => readNumber(text, "--n")))).toMatchInlineSnapshot(`
      [
        1,
        "usage: --n must be a whole number, at least 1, but it is "0".",
        "usage: --n must be a whole number, at least 1, but it is "-1".",
        "usage: --n must be a whole number, at least 1, but it is "1.5".",
        "usage: --n must be a whole number, at least 1, but it is "".",
        "usage: --n must be a whole number, at least 1, but it is " ".",
        "usage: --n must be a whole number, at least 1, but it is "x".",
        1000,
        1000000000000000,
        "usage: --n must be a whole number, at least 1, but it is "2e15".",
        "usage: --n must be a whole number, at least 1, but it is "Infinity".",
      ]
    `);
    expect(
      ["0", "0.5", "2", "2.1"].map((text) => outcome(() => readNumber(text, "--n", { least: 0.5, most: 2, isWhole: false, of: "days" }))),
    ).toMatchInlineSnapshot(`
      [
        "usage: --n must be a number of days, from 0.5 to 2, but it is "0".",
        0.5,
        2,
        "usage: --n must be a number of days, from 0.5 to 2, but it is "2.1".",
      ]
    `);
    expect([readNumber(undefined, "--n"), readNumber(true, "--n")]).toEqual([undefined, undefined]);
    const durations = ["90s", " 15m ", "6h", "1d", "0s", "999999999s", "1000000000s", "5", "5 m", "-5m", "1.5h", ""];
    expect(durations.map((text) => outcome(() => readDuration(text, "--every")))).toMatchInlineSnapshot(`
      [
        90000,
        900000,
        21600000,
        86400000,
        0,
        999999999000,
        "usage: --every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "1000000000s".",
        "usage: --every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "5".",
        "usage: --every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "5 m".",
        "usage: --every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "-5m".",
        "usage: --every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "1.5h".",
        "usage: --every must be a number and a unit, such as 90s, 15m, 6h or 1d, but it is "".",
      ]
    `);
    expect([readDuration(undefined, "--every"), readDuration(true, "--every")]).toEqual([undefined, undefined]);
  });
});

describe("an HTTP tool in words", () => {
  const base = {
    url: "https://a.example/u/{id}",
    description: "d",
    method: undefined,
    parameters: [],
    places: [],
    headers: [],
    secret: undefined,
    auth: "bearer",
  };

  it("becomes the definition that they say", () => {
    expect(toHttpDefinition("t", base)).toMatchInlineSnapshot(`
      {
        "description": "d",
        "implementation": {
          "endpoint": "https://a.example/u/{id}",
          "kind": "http",
          "method": "GET",
        },
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "id": {
              "type": "string",
            },
          },
          "required": [
            "id",
          ],
          "type": "object",
        },
        "name": "t",
      }
    `);
    expect(
      toHttpDefinition("t", {
        ...base,
        method: "put",
        parameters: ["id?:integer=The id", "q?", "x-y:array", "b:object=A=b"],
        places: ["q=query", "b=body", "x-y=header"],
        headers: ["Accept: text/plain", "X:"],
        secret: "s",
        auth: "query:k",
      }),
    ).toMatchInlineSnapshot(`
      {
        "description": "d",
        "implementation": {
          "auth": {
            "name": "k",
            "secret": "secret:s",
            "type": "query",
          },
          "endpoint": "https://a.example/u/{id}",
          "headers": {
            "Accept": "text/plain",
            "X": "",
          },
          "kind": "http",
          "method": "PUT",
          "parameters": {
            "b": "body",
            "q": "query",
            "x-y": "header",
          },
        },
        "inputSchema": {
          "additionalProperties": false,
          "properties": {
            "b": {
              "description": "A=b",
              "type": "object",
            },
            "id": {
              "description": "The id",
              "type": "integer",
            },
            "q": {
              "type": "string",
            },
            "x-y": {
              "type": "array",
            },
          },
          "required": [
            "id",
            "x-y",
            "b",
          ],
          "type": "object",
        },
        "name": "t",
        "secrets": [
          "s",
        ],
      }
    `);
    const methods = [{ places: ["id=body"] }, { method: "head" }, { secret: "s", auth: "header:X-K" }, { secret: "s", auth: "basic" }];
    expect(methods.map((more) => (toHttpDefinition("t", { ...base, ...more }) as { implementation: object }).implementation))
      .toMatchInlineSnapshot(`
      [
        {
          "endpoint": "https://a.example/u/{id}",
          "kind": "http",
          "method": "POST",
          "parameters": {
            "id": "body",
          },
        },
        {
          "endpoint": "https://a.example/u/{id}",
          "kind": "http",
          "method": "HEAD",
        },
        {
          "auth": {
            "name": "X-K",
            "secret": "secret:s",
            "type": "header",
          },
          "endpoint": "https://a.example/u/{id}",
          "kind": "http",
          "method": "GET",
        },
        {
          "auth": {
            "secret": "secret:s",
            "type": "basic",
          },
          "endpoint": "https://a.example/u/{id}",
          "kind": "http",
          "method": "GET",
        },
      ]
    `);
    expect(readParameters(["a", "b?:number=B", "c:boolean"])).toMatchInlineSnapshot(`
      {
        "additionalProperties": false,
        "properties": {
          "a": {
            "type": "string",
          },
          "b": {
            "description": "B",
            "type": "number",
          },
          "c": {
            "type": "boolean",
          },
        },
        "required": [
          "a",
          "c",
        ],
        "type": "object",
      }
    `);
  });

  it("is refused with the words that are wrong, and without a credential", () => {
    const wrong: readonly object[] = [
      { url: "ftp://a.example" },
      { url: "https://" },
      { url: "https://me:pw@a.example" },
      { url: "https://me@a.example" },
      { url: "https://a.example?api_key=1" },
      { parameters: ["a", "a"] },
      { parameters: ["1a"] },
      { parameters: ["a:text"] },
      { places: ["id"] },
      { places: ["id=cookie"] },
      { places: ["x=query"] },
      { headers: ["s3cret"] },
      { headers: ["X-Token: s3cret"] },
      { headers: ["authorization: s3cret"] },
      { method: "OPTIONS" },
      { secret: "s", auth: "digest" },
      { secret: "s", auth: "header" },
      { secret: "s", auth: "bearer:x" },
      { secret: "s", auth: "header:x-a", headers: ["X-A: 1"] },
      { secret: "s", parameters: ["Authorization"], places: ["Authorization=header"] },
    ];
    const told = wrong.map((more) => outcome(() => toHttpDefinition("t", { ...base, ...more })));
    expect(told).toMatchInlineSnapshot(`
      [
        "usage: "ftp://a.example" is not an address such as https://api.example.com/users/{id}.",
        "usage: "https://" is not an address such as https://api.example.com/users/{id}.",
        "usage: The address contains a user or password, which is not stored in a definition. Use --secret <name> with user:password as its value, and --auth basic.",
        "usage: The address contains a user or password, which is not stored in a definition. Use --secret <name> with user:password as its value, and --auth basic.",
        "usage: The parameter api_key of the address looks like a credential, which is not stored in a definition. Use --secret <name>, and --auth query:api_key.",
        "usage: The parameter "a" is given twice.",
        "usage: "1a" is not a parameter. Use name, name:type or name?:type=description; types are string, integer, number, boolean, array, object.",
        "usage: "a:text" is not a parameter. Use name, name:type or name?:type=description; types are string, integer, number, boolean, array, object.",
        "usage: "id" does not say where a parameter goes. Use name=query, name=body or name=header.",
        "usage: "id=cookie" does not say where a parameter goes. Use name=query, name=body or name=header.",
        "usage: --in names "x", which is no parameter. Add it with --param x.",
        "usage: --header takes "Name: value", and one of yours has another form.",
        "usage: The header X-Token looks like a credential, which is not stored in a definition. Use --secret <name>, and --auth header:X-Token.",
        "usage: The header authorization looks like a credential, which is not stored in a definition. Use --secret <name>, and --auth bearer.",
        "usage: "OPTIONS" is not a method. Use GET, HEAD, POST, PUT, PATCH or DELETE.",
        "usage: "digest" does not say how the secret is sent. Use bearer, basic, header:<name> or query:<name>.",
        "usage: "header" does not say how the secret is sent. Use bearer, basic, header:<name> or query:<name>.",
        "usage: "bearer:x" does not say how the secret is sent. Use bearer, basic, header:<name> or query:<name>.",
        "usage: The header x-a is sent with the secret, so no parameter and no --header can set it. Choose another name.",
        "usage: The header Authorization is sent with the secret, so no parameter and no --header can set it. Choose another name.",
      ]
    `);
    expect(told.join()).not.toContain("s3cret");
    expect(outcome(() => toHttpDefinition("t", { ...base, secret: "s", auth: "query:x", headers: ["X: 1"] }))).toBeTypeOf("object");
    expect(outcome(() => readParameters(["a", "a"]))).toBe('usage: The parameter "a" is given twice.');
  });
});

describe("what is printed", () => {
  it("counts, lists, cuts and measures", () => {
    expect([counted(0, "tool"), counted(1, "tool"), counted(2_000, "tool")]).toEqual(["0 tools", "1 tool", "2,000 tools"]);
    const names = Array.from({ length: 11 }, (_, index) => `n${index}`);
    expect([nameList(names.slice(0, 2)), nameList(names.slice(0, 10)), nameList(names)]).toMatchInlineSnapshot(`
      [
        "n0, n1",
        "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9",
        "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 1 more",
      ]
    `);
    const texts = ["abc", "日本", "é", "e\u0301", "👍🏽", "\u001b[31mred\u001b[39m", "ﬀ한"];
    expect(texts.map(widthOf)).toEqual([3, 4, 1, 1, 4, 3, 3]);
    expect(["abcdef", "日本語", "abc"].map((text) => [cutTo(text, 3), cutTo(text, 4), cutTo(text, 6)])).toMatchInlineSnapshot(`
      [
        [
          "ab…",
          "abc…",
          "abcdef",
        ],
        [
          "日…",
          "日…",
          "日本語",
        ],
        [
          "abc",
          "abc",
          "abc",
        ],
      ]
    `);
  });

  it("shows characters that nobody sees, or that steer a terminal, harmlessly", () => {
    expect(safe("\u0007a\u001b[31mb\u001b[39mc\n\td\u202ee")).toBe("abc\n\tde");
    expect([safe(undefined), safe(null), safe(5)]).toEqual(["", "", "5"]);
    expect(safeJson('"a\u007fb\u202ec\n"')).toBe('"a\\u007fb\\u202ec\n"');
    expect(visibleJson({ a: "b\u200bc\u00a0d\u{e0001}" })).toBe('{"a":"b\\u200bc\\u00a0d\\udb40\\udc01"}');
    expect(visibleJson(undefined)).toBe("");
  });

  it("has colour with a meaning where it is wanted", () => {
    const style = createStyle(true);
    const value = { a: [1, -2.5e3, true, null, 'x: "y"'], "b c": {} };
    expect(toPrettyJson(value, style).replaceAll("\u001b", "␛")).toMatchInlineSnapshot(`
      "{
        ␛[36m"a"␛[39m: [
          ␛[33m1␛[39m,
          ␛[33m-2500␛[39m,
          ␛[33mtrue␛[39m,
          ␛[2mnull␛[22m,
          ␛[32m"x: \\"y\\""␛[39m
        ],
        ␛[36m"b c"␛[39m: {}
      }"
    `);
    expect(toPrettyJson(value, createStyle(false))).toBe(JSON.stringify(value, null, 2));
    expect(toPrettyJson(undefined, createStyle(false))).toBe("null");
    const colour = { good: style.good("x"), bad: style.bad("x"), warn: style.warn("x") };
    const meaning = (state: string) =>
      Object.entries(colour).find(([, text]) => text === paintState(style, state).replace(state, "x"))?.[0];
    const states =
      "ready allowed allow ok approved healthy yes failed denied deny error unavailable archived no aborted wrong full read-only missing asks held".split(
        " ",
      );
    expect(states.map((state) => `${state} ${meaning(state)}`)).toMatchInlineSnapshot(`
      [
        "ready good",
        "allowed good",
        "allow good",
        "ok good",
        "approved good",
        "healthy good",
        "yes good",
        "failed bad",
        "denied bad",
        "deny bad",
        "error bad",
        "unavailable bad",
        "archived bad",
        "no bad",
        "aborted bad",
        "wrong bad",
        "full bad",
        "read-only bad",
        "missing bad",
        "asks warn",
        "held warn",
      ]
    `);
    const environments: readonly Record<string, string>[] = [
      {},
      { NO_COLOR: "1", FORCE_COLOR: "1" },
      { NO_COLOR: "" },
      { FORCE_COLOR: "1" },
      { FORCE_COLOR: "0" },
      { FORCE_COLOR: "false" },
      { FORCE_COLOR: "" },
      { TERM: "dumb" },
    ];
    expect(environments.map((one) => [wantsColour(one, true), wantsColour(one, false)])).toMatchInlineSnapshot(`
      [
        [
          true,
          false,
        ],
        [
          false,
          false,
        ],
        [
          true,
          false,
        ],
        [
          true,
          true,
        ],
        [
          false,
          false,
        ],
        [
          false,
          false,
        ],
        [
          true,
          false,
        ],
        [
          false,
          false,
        ],
      ]
    `);
    expect(["{", " [1]", '{"a":1}', "5", '"x"', "text"].map(readJsonText)).toEqual([
      undefined,
      [1],
      { a: 1 },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("shows parameters with types, and how to answer a question", () => {
    const properties = {
      a: { anyOf: [{ type: "string" }, { type: "number" }], description: "A." },
      b: { enum: ["1", "2", "3", "4", "5", "6"] },
      c: { type: ["string", "null"], default: null },
      d: { type: "array", items: { enum: [1, 2] }, default: [] },
    };
    expect(parameterRows({ type: "object", properties, required: ["d"] })).toMatchInlineSnapshot(`
      [
        [
          "a",
          "string|number",
          "",
          "A.",
        ],
        [
          "b",
          "1|2|3|4|5|6",
          "",
          "",
        ],
        [
          "c",
          "string|null",
          "= null",
          "",
        ],
        [
          "d",
          "1|2[]",
          "required",
          "",
        ],
      ]
    `);
    expect(parameterRows({})).toEqual([]);
    expect([
      answerLines("a b", "toolrack", { where: "http://x", isServer: true }),
      answerLines("a", "toolrack", { where: "unix:/x", isServer: true })[0],
      answerLines("a", "toolrack", { where: "the local store", isServer: false })[0],
    ]).toMatchInlineSnapshot(`
      [
        [
          "  In the console:  http://x/live",
          "  With a command:  toolrack approvals approve 'a b'",
          "  To deny it:      toolrack approvals deny 'a b' --reason "…"",
        ],
        "  In the console:  toolrack serve, then its page Live",
        "  In the console:  toolrack serve, then its page Live",
      ]
    `);
  });

  it("names a file's fault in words, where there are any", () => {
    const codes = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EISDIR", "ELOOP", "EIO"];
    expect(codes.map((code) => fileFault(Object.assign(new Error(`${code}: odd`), { code })))).toMatchInlineSnapshot(`
      [
        "there is no such file",
        "a part of its path is not a folder",
        "its permissions do not allow it",
        "its permissions do not allow it",
        "it is a folder",
        "its links lead in a circle",
        "EIO: odd",
      ]
    `);
    expect(fileFault(new Error("odd"))).toBe("odd");
  });
});

describe("who asks, and whom", () => {
  it("is read from the options", () => {
    const facts = { agent: "a", provider: "p", model: "m", channel: "c", group: "g", sender: "s" };
    expect(callerOf({ ...facts, other: "x" })).toEqual(facts);
    expect([callerOf({}), callerOf({ agent: true }), callerQuery({}), callerQuery({ agent: "a" })]).toEqual([
      undefined,
      undefined,
      {},
      { runAs: '{"agent":"a"}' },
    ]);
  });

  it("is an address that is read as such, or refused", () => {
    const urls = [
      "http://127.0.0.1:7333",
      "http://127.0.0.1:7333/",
      "https://x.example/base/",
      "unix:run/t.sock",
      "unix:///run/t.sock",
      "unix:",
      "x",
      "ftp://x",
      "http://x?a=1",
      "http://x#a",
      "http://me:pw@x",
    ];
    expect(urls.map((url) => outcome(() => readUrl(url, "/work")))).toMatchInlineSnapshot(`
      [
        "http://127.0.0.1:7333",
        "http://127.0.0.1:7333",
        "https://x.example/base",
        "unix:/work/run/t.sock",
        "unix:/run/t.sock",
        "usage: "unix:" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "x" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "ftp://x" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "http://x?a=1" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "http://x#a" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: The address of the server has a name or a password in it. Leave them out: the API key is read from TOOLRACK_KEY.",
      ]
    `);
    expect(outcome(() => readUrl("x", "/work", "TOOLRACK_URL"))).toContain('"x" in TOOLRACK_URL is not the address of a server.');
  });

  it("has a key that is one", () => {
    expect(["k", " k\n", "", " ", "a b", "é"].map((key) => outcome(() => readKey(key, "TOOLRACK_KEY")))).toMatchInlineSnapshot(`
      [
        "k",
        "k",
        "usage: TOOLRACK_KEY is empty. Put an API key there, or unset it: your own server on this machine needs none.",
        "usage: TOOLRACK_KEY is empty. Put an API key there, or unset it: your own server on this machine needs none.",
        "usage: TOOLRACK_KEY holds no key: it has a space, a line break or another character that no key has. Put there the line that toolrack keys create printed, and nothing else.",
        "usage: TOOLRACK_KEY holds no key: it has a space, a line break or another character that no key has. Put there the line that toolrack keys create printed, and nothing else.",
      ]
    `);
    expect([givenKey({}), givenKey({ TOOLRACK_KEY: "k" })]).toEqual([undefined, "k"]);
  });
});

describe("a store in memory without a server", () => {
  it("takes what ends with the command, and refuses what would be lost", async () => {
    const connection = { where: "x", isServer: false, ask: (operation: string) => Promise.resolve(operation) } as unknown as Connection;
    const { ask } = keepsNothing(connection, "toolrack.config.yaml");
    const operations = [
      ["GET /tools", "POST /agents/{id}/runs", "POST /approvals/{id}/decide", "POST /lifecycle/{id}/validate", "POST /openapi/plan"],
      ["POST /policy/simulate", "POST /sessions/{id}/cancel", "POST /sessions/{id}/messages", "POST /sessions/{id}/resume"],
      ["POST /sources/{id}/refresh", "POST /tools/{name}/call"],
    ].flat();
    for (const operation of operations) expect(await ask(operation as "GET /tools")).toBe(operation);
    for (const operation of ["POST /keys", "PUT /sources/{id}", "DELETE /keys/{id}"])
      await expect(ask(operation as "GET /tools")).rejects.toMatchObject({
        reason: "usage",
        message: expect.stringContaining("(store.memory in toolrack.config.yaml)"),
      });
  });
});

describe("a connection", () => {
  const answering =
    (answer: Partial<Answered>): Send =>
    async () => ({
      status: 200,
      contentType: "",
      isToolrack: true,
      header: () => undefined,
      text: async () => "{}",
      stream: () => undefined,
      ...answer,
    });
  const asking = async (send: Send, signal?: AbortSignal): Promise<unknown> => {
    const connection = overSending({ where: "http://x", isServer: true, send });
    try {
      return await connection.ask("GET /tools", signal && { signal });
    } catch (error) {
      return `${(error as CommandError).reason ?? "thrown"}: ${(error as Error).message} ${connection.answered().length}`;
    }
  };

  it("sends parameters, queries, bodies and headers as they were given", async () => {
    const sent: unknown[] = [];
    const send: Send = async ({ method, path, query, headers, body }) => {
      sent.push({ method, path, query, headers, body });
      return answering({})(undefined as never);
    };
    const { ask } = overSending({ where: "http://x", isServer: true, send });
    await ask(
      "GET /tools/{name}" as "GET /tools",
      { params: { name: "a/b c" }, query: { a: 1, b: undefined, c: ["x", "y"], d: true } } as never,
    );
    await ask("PUT /secrets/{name}" as "GET /tools", { params: {}, body: { value: "v" }, headers: { "if-match": "1" } } as never);
    expect(sent).toMatchInlineSnapshot(`
      [
        {
          "body": undefined,
          "headers": {
            "accept": "application/json",
          },
          "method": "GET",
          "path": "/api/v1/tools/a%2Fb%20c",
          "query": "a=1&c=x&c=y&d=true",
        },
        {
          "body": "{"value":"v"}",
          "headers": {
            "accept": "application/json",
            "content-type": "application/json",
            "if-match": "1",
          },
          "method": "PUT",
          "path": "/api/v1/secrets/",
          "query": "",
        },
      ]
    `);
  });

  it("says what is wrong with an answer, and how the command ends", async () => {
    const problem = (status: number, body: unknown) =>
      answering({ status, text: async () => (typeof body === "string" ? body : JSON.stringify(body)) });
    const sends: readonly Send[] = [
      answering({ status: 204, text: async () => "" }),
      answering({ text: async () => "" }),
      answering({ text: async () => "[]" }),
      answering({ text: async () => "<html>" }),
      answering({ text: () => Promise.reject(new Error("reset")) }),
      answering({ isToolrack: false }),
      ...[301, 302, 303, 307, 308].map((status) => answering({ status, header: () => "https://y.example/z" })),
      answering({ status: 301 }),
      ...[400, 401, 403, 404, 409, 422, 500, 501, 502, 503].map((status) => problem(status, { detail: `It is ${status}.` })),
      problem(500, "{"),
      problem(500, "[]"),
      problem(500, {}),
      problem(422, { detail: "Wrong: a is odd.", issues: [{ message: "a is odd." }, { message: "b is even." }] }),
      () => Promise.reject(new Error("refused")),
    ];
    expect(await Promise.all(sends.map((send) => asking(send)))).toMatchInlineSnapshot(`
      [
        undefined,
        "thrown: it is empty 1",
        "thrown: it is no object 1",
        "unreachable: http://x answered 200 with something that is not JSON. Check the URL, and what is in between. 1",
        "unreachable: The connection to http://x broke while it answered: reset. Check that the server still runs: toolrack status. What it was asked may have been done; calls are listed with: toolrack calls 1",
        "unreachable: http://x answered 200, but it is not a Toolrack server. Check the URL. 0",
        "unreachable: http://x redirects to https://y.example, and redirects are not followed. If that is the server, name it: --url https://y.example 0",
        "unreachable: http://x redirects to https://y.example, and redirects are not followed. If that is the server, name it: --url https://y.example 0",
        "unreachable: http://x redirects to https://y.example, and redirects are not followed. If that is the server, name it: --url https://y.example 0",
        "unreachable: http://x redirects to https://y.example, and redirects are not followed. If that is the server, name it: --url https://y.example 0",
        "unreachable: http://x redirects to https://y.example, and redirects are not followed. If that is the server, name it: --url https://y.example 0",
        "unreachable: http://x redirects to http://x, and redirects are not followed. If that is the server, name it: --url http://x 0",
        "usage: It is 400. 1",
        "refused: It is 401. 1",
        "refused: It is 403. 1",
        "notFound: It is 404. 1",
        "failed: It is 409. 1",
        "usage: It is 422. 1",
        "failed: It is 500. 1",
        "failed: It is 501. 1",
        "unreachable: It is 502. 1",
        "unreachable: It is 503. 1",
        "unreachable: http://x answered 500, but it is not a Toolrack server. Check the URL. 1",
        "unreachable: http://x answered 500, but it is not a Toolrack server. Check the URL. 1",
        "failed: It answered 500. 1",
        "usage: Wrong: a is odd.
        - b is even. 1",
        "unreachable: http://x cannot be reached: refused. Is it running? Start a server with: toolrack serve 0",
      ]
    `);
    const over = AbortSignal.abort();
    expect(await asking(() => Promise.reject(new Error("stopped")), over)).toBe("thrown: stopped 0");
    expect(await asking(answering({ text: () => Promise.reject(new Error("stopped")) }), over)).toBe("thrown: stopped 1");
  });

  it("closes what it was given to close", async () => {
    let closed = 0;
    const close = async () => void (closed += 1);
    await overSending({ where: "x", isServer: false, send: answering({}), close }).close();
    await overSending({ where: "x", isServer: false, send: answering({}) }).close();
    expect(closed).toBe(1);
  });
});

it("the text of a file can be given for the changes of a policy", async () => {
  const file = join(temporaryFolder(), "changes.json");
  writeFileSync(file, '{"a":1}');
  const { policySimulate } = await import("../src/commands/policy.ts");
  const asked: unknown[] = [];
  const connect = async () => ({ ask: async (...given: unknown[]) => (asked.push(given), { differences: [] }) });
  await policySimulate.run({ arguments: [`@${file}`], terminal: { answer: () => undefined }, connect } as never);
  expect(asked).toEqual([["POST /policy/simulate", { body: { changes: { a: 1 } } }]]);
});
