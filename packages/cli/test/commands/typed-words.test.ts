import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { readDuration } from "../../src/commands/_durations.ts";
import { readParameters, toHttpDefinition } from "../../src/commands/_http-definition.ts";
import { readNumber } from "../../src/commands/_numbers.ts";
import { type CommandError } from "../../src/errors.ts";

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

it("the text of a file can be given for the changes of a policy", async () => {
  const file = join(temporaryFolder(), "changes.json");
  writeFileSync(file, '{"a":1}');
  const { policySimulate } = await import("../../src/commands/policy.ts");
  const asked: unknown[] = [];
  const connect = async () => ({ ask: async (...given: unknown[]) => (asked.push(given), { differences: [] }) });
  await policySimulate.run({ arguments: [`@${file}`], terminal: { answer: () => undefined }, connect } as never);
  expect(asked).toEqual([["POST /policy/simulate", { body: { changes: { a: 1 } } }]]);
});
