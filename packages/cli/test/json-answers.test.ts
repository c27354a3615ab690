import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startLoopback } from "@toolrack/testkit/loopback";
import { describe, expect, it } from "vitest";
import { commands } from "../src/commands.ts";
import { type Ended, run } from "./_run.ts";
import { runScripted } from "./_scripted.ts";

/** All that ask a server, with a word for each argument that they need. */
const asking = commands
  .filter(({ name }) => !/^(?:serve|dev|mcp|worker|init|backup|restore|store .*|completion)$/.test(name))
  .map(({ name, arguments: words = [] }) => [...name.split(" "), ...words.flatMap(({ form }) => (form.startsWith("<") ? "x" : []))]);

/** Every command with --json against a server that says that it is a Toolrack, and answers everything with one text. */
async function askAll(body: string): Promise<readonly { readonly words: string; readonly ended: Ended; readonly hasAsked: boolean }[]> {
  const server = await startLoopback((_, response) =>
    response.writeHead(200, { "content-type": "application/json", "toolrack-api": "1" }).end(body),
  );
  afterThisTest(() => server[Symbol.asyncDispose]());
  const all = [];
  for (const words of asking) {
    server.seen.length = 0;
    const environment = { TOOLRACK_URL: server.url, TOOLRACK_KEY: "trk_x" };
    const ended = await run([...words, "--json"], { folder: temporaryFolder(), environment, input: "x" });
    all.push({ words: words.join(" "), ended, hasAsked: server.seen.length > 0 });
  }
  return all;
}

function isOneDocument({ output }: Ended): boolean {
  try {
    return typeof JSON.parse(output) === "object";
  } catch {
    return false;
  }
}

describe("with --json", () => {
  it("an answer that is no object is an error of every command, with a sentence, and never printed as if it were one", async () => {
    const all = (await askAll("[]")).filter(({ hasAsked }) => hasAsked);
    expect(all.length).toBeGreaterThan(80);
    const wrong = all.filter(({ ended }) => ended.code === 0 || !isOneDocument(ended) || !/"detail": "\S+ /.test(ended.output));
    expect(wrong.map(({ words, ended }) => `${words}: ${ended.code} ${ended.output}`)).toEqual([]);
  });

  it("an answer in which everything is missing is an error, too, in exactly one document, also of a command that reads no field of it", async () => {
    const wrong = (await askAll("{}")).filter(({ ended, hasAsked }) => !isOneDocument(ended) || (hasAsked && ended.code === 0));
    expect(wrong.map(({ words, ended }) => `${words}: ${ended.code} ${ended.output}`)).toEqual([]);
  });

  it.each([
    [["keys"], "{}"],
    [["keys"], "null"],
    [["keys"], ""],
    [["list"], '{"tools":"none"}'],
    [["jobs"], '{"jobs":[null]}'],
    [["calls"], '{"calls":[{}]}'],
    [["status"], "{}"],
  ])("an answer of another shape is told as without it: %j with %s", async (words, body) => {
    const script = Object.fromEntries(["keys", "tools", "jobs", "calls", "status"].map((one) => [`GET /${one}`, body]));
    const ended = await runScripted([...words, "--json"], script);
    expect(ended.code).toBe(5);
    expect(ended.json()).toEqual({
      error: { detail: expect.stringMatching(/^What http:\S+ answered to GET .* is not what this command expects: .* Check the URL/) },
    });
  });

  it("words that are not understood are told in a document, too", async () => {
    const ended = await run(["list", "--json", "--jsn"], { folder: temporaryFolder() });
    expect(ended.code).toBe(2);
    expect(ended.json()).toEqual({ error: { detail: expect.stringMatching(/^unknown option '--jsn'/) } });
    expect(ended.errors).toContain("unknown option '--jsn'");
    expect(await run(["list", "--jsn"], { folder: temporaryFolder() })).toMatchObject({ code: 2, output: "" });
  });

  it("what is told after the answer goes to standard error, so that the answer can be read", async () => {
    const memory = {
      id: "memory",
      kind: "mcp-stdio",
      origin: "config",
      state: "waiting-for-approval",
      identity: "d1",
      tools: [],
      problems: [],
    };
    const ended = await runScripted(["sources", "approve", "memory", "--json"], { "GET /sources": { sources: [memory] } });
    expect(ended).toMatchObject({ code: 3, errors: expect.stringMatching(/^Not approved\. Review the program above/) });
    expect(ended.json()).toEqual(memory);
  });

  it("an import in which nothing can be added prints what it found", async () => {
    const sources = [{ name: "one", outcome: "kept", reason: "There is a source of this name." }];
    const folder = temporaryFolder({ "mcp.json": '{"mcpServers":{"one":{"command":"x"}}}' });
    const ended = await runScripted(["sources", "import", "mcp.json", "--json"], { "POST /sources/import": { sources } }, { folder });
    expect(ended.json()).toEqual({ sources });
  });
});
