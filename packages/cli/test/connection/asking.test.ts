import { describe, expect, it } from "vitest";
import { callerOf, callerQuery } from "../../src/commands/_caller.ts";
import { readUrl } from "../../src/connection/connect.ts";
import type { Connection } from "../../src/connection/connection.ts";
import { givenKey, readKey } from "../../src/connection/given-key.ts";
import { keepsNothing } from "../../src/connection/keeps-nothing.ts";
import { overSending } from "../../src/connection/over-sending.ts";
import type { Answered, Send } from "../../src/connection/send.ts";
import { type CommandError } from "../../src/errors.ts";

/** What is returned, or thrown with its reason. */
function outcome(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return `${(error as CommandError).reason}: ${(error as Error).message}`;
  }
}

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
    expect(urls.map((url) => outcome(() => readUrl(url, "/project")))).toMatchInlineSnapshot(`
      [
        "http://127.0.0.1:7333",
        "http://127.0.0.1:7333",
        "https://x.example/base",
        "unix:/project/run/t.sock",
        "unix:/run/t.sock",
        "usage: "unix:" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "x" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "ftp://x" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "http://x?a=1" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: "http://x#a" is not the address of a server. Use a URL such as http://127.0.0.1:7333, or unix:/run/toolrack.sock for a socket.",
        "usage: The address of the server has a name or a password in it. Leave them out: the API key is read from TOOLRACK_KEY.",
      ]
    `);
    expect(outcome(() => readUrl("x", "/project", "TOOLRACK_URL"))).toContain('"x" in TOOLRACK_URL is not the address of a server.');
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
      return answering({ text: async () => '{"tools":[]}' })(undefined as never);
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
