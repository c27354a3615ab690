import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { startLoopback } from "@toolrack/testkit/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { exitCodes } from "../src/errors.ts";
import { toHttpDefinition } from "../src/commands/_http-definition.ts";
import { type Ended, run } from "./_run.ts";

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A server with an HTTP endpoint on this machine that it may reach. */
async function start(
  allows = true,
): Promise<{ toolrack(...words: string[]): Promise<Ended>; host: string; seen: readonly Seen[]; folder: string }> {
  const endpoint = await startLoopback((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ sky: "clear" }));
  });
  onTestFinished(() => endpoint[Symbol.asyncDispose]());
  const { host } = new URL(endpoint.url);
  const folder = temporaryFolder();
  const records = allows ? `tools: { records: { allowHosts: ["${host}"] } }\n` : "";
  writeFileSync(join(folder, "toolrack.config.yaml"), `store: { memory: true }\n${records}`);
  const server = await openServer({ folder, port: 0, consoleFolder: false, log });
  onTestFinished(() => server.close({ graceMs: 0 }));
  return { toolrack: (...words) => run(words, { folder }), host, seen: endpoint.seen as unknown as readonly Seen[], folder };
}

/** The commands of a page, as a shell reads them. */
function commandsOf(page: string): readonly { readonly words: readonly string[]; readonly stdin: string | undefined }[] {
  const blocks = [...page.matchAll(/^<!-- shell -->\n```sh\n(.*?)\n```$/gms)].flatMap(([, text = ""]) => text.split("\n"));
  return blocks.map((line) => {
    const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) => word.replaceAll(/["']/g, ""));
    expect(words.slice(0, 2), line).toEqual(["npx", "toolrack"]);
    const at = words.indexOf("<");
    return { words: words.slice(2, at === -1 ? undefined : at), stdin: at === -1 ? undefined : words[at + 1] };
  });
}

describe("the guide to HTTP tools", () => {
  it("works to the letter against an endpoint on this machine", async () => {
    const { host, seen, folder } = await start();
    const page = readFileSync(new URL("../../../docs/guides/http-tools.md", import.meta.url), "utf8");
    const local = page.replaceAll(/https:\/\/(api|notes)\.example\.com/g, `http://${host}`);
    const commands = commandsOf(local);
    expect(commands.length).toBe(9);
    for (const { words, stdin } of commands) {
      const { code, errors, output } = await run(words, { folder, ...(stdin !== undefined && { input: "s3cret-value\n" }) });
      expect([words.join(" "), code, code === 0 || errors]).toEqual([words.join(" "), 0, true]);
      expect(output).not.toContain("s3cret-value");
    }
    expect(seen.map(({ method, path, query, body }) => [method, `${path}?${query.toString()}`, body])).toEqual([
      ["GET", "/forecast/Lima?days=2", ""],
      ["GET", "/forecast/Lima?", ""],
      ["POST", "/notes?lang=en", '{"text":"hello"}'],
    ]);
    expect(seen.map(({ headers }) => headers["authorization"])).toEqual([undefined, "Bearer s3cret-value", undefined]);
  });
});

describe("toolrack tools add-http", () => {
  it("stores a definition, and tells what waits for approval and what is missing", async () => {
    const { toolrack, host } = await start(false);
    const words = ["tools", "add-http", "sky", `http://${host}/sky`, "--description", "Looks up.", "--secret", "sky-key"];
    const added = await toolrack(...words);
    expect(added).toMatchObject({ code: 0, errors: "" });
    expect(added.output).toContain("sky is approved, and cannot be called yet:\n");
    expect(added.output).toContain("The secret sky-key is not set yet: toolrack secrets set sky-key");
    expect(added.output).toContain(`and restart the server: tools: { records: { allowHosts: ["${host}"] } }`);
    expect(await toolrack(...words)).toMatchObject({ code: exitCodes.usage.code, errors: expect.stringContaining("--replace") });
    const asked = await toolrack(...words, "--param", "hour?:integer", "--replace");
    expect(asked).toMatchObject({
      code: exitCodes.usage.code,
      errors: expect.stringContaining(
        '"sky" is approved. A replaced definition waits for approval, and until then the tool cannot be called.',
      ),
    });
    expect((await toolrack("approve")).output).not.toContain("sky");
    const changed = await toolrack(...words, "--param", "hour?:integer", "--replace", "--yes");
    expect(changed.output).toContain("sky was stored, and waits for approval. Review it, and approve it, with: toolrack approve sky");
    const [, hash = ""] = /--hash (\S+)/.exec((await toolrack("approve", "sky")).output) ?? [];
    expect((await toolrack("approve", "sky", "--hash", hash, "--reason", "reviewed")).code).toBe(0);
    expect((await toolrack(...words, "--replace", "--approve")).output).toContain("sky is approved");
  });

  it("refuses the name of a tool that is not stored, and says whose it is", async () => {
    const { toolrack, host } = await start();
    const refused = await toolrack("tools", "add-http", "random", `http://${host}/sky`, "--description", "Looks up.");
    expect(refused).toMatchObject({ code: exitCodes.failed.code, output: "" });
    expect(refused.errors).toMatch(
      /The name "random" is taken by a tool of .+, so a stored tool cannot have it\. Choose another name, or store a definition with the schemas of that tool\./,
    );
    expect((await toolrack("approve")).output).not.toContain("random");
  });

  it("speaks of private hosts only where the host is private and not allowed yet", async () => {
    const { toolrack, host } = await start();
    const add = async (name: string, url: string): Promise<string> =>
      (await toolrack("tools", "add-http", name, url, "--description", "Looks up.")).output;
    expect(await add("allowed", `http://${host}/sky`)).toBe("allowed is approved and can be called: toolrack call allowed\n");
    for (const [index, url] of ["https://10.example.com/a", "https://localhosting.example/a", "https://api.example.com/a"].entries())
      expect(await add(`public_${index}`, url)).not.toContain("allowHosts");
    for (const [index, url] of ["http://localhost:1/a", "http://0x7f.1/a", "http://[::1]/a", "http://wiki/{page}"].entries())
      expect(await add(`private_${index}`, url)).toContain("is not an address of the public internet");
  });

  it.each([
    [["x", "https://a.example/{b}"], "--description"],
    [["x", "ftp://a.example", "--description", "d"], "is not an address"],
    [["x", "https://a.example", "--description", "d", "--param", "a b"], "is not a parameter"],
    [["x", "https://a.example", "--description", "d", "--param", "a:date"], "types are string"],
    [["x", "https://a.example", "--description", "d", "--param", "a", "--param", "a"], "given twice"],
    [["x", "https://a.example", "--description", "d", "--in", "b=query"], "which is no parameter"],
    [["x", "https://a.example", "--description", "d", "--param", "b", "--in", "b=path"], "name=query"],
    [["x", "https://a.example", "--description", "d", "--header", "s3cret"], '--header takes "Name: value"'],
    [["x", "https://a.example", "--description", "d", "--header", "X-Api-Key: s3cret"], "--auth header:X-Api-Key"],
    [["x", "https://anna:s3cret@a.example", "--description", "d"], "--auth basic"],
    [["x", "https://a.example/?api_key=s3cret", "--description", "d"], "--auth query:api_key"],
    [
      [
        "x",
        "https://a.example",
        "--description",
        "d",
        "--param",
        "X-Custom",
        "--in",
        "X-Custom=header",
        "--secret",
        "k",
        "--auth",
        "header:x-custom",
      ],
      "The header x-custom is sent with the secret",
    ],
    [["x", "https://a.example", "--description", "d", "--method", "BREW"], "is not a method"],
    [["x", "https://a.example", "--description", "d", "--secret", "k", "--auth", "header"], "how the secret is sent"],
  ])("refuses %j with the next step, and repeats no value", async (words, error) => {
    const refused = await run(["tools", "add-http", ...words], { folder: temporaryFolder() });
    expect(refused).toMatchObject({ code: exitCodes.usage.code, errors: expect.stringContaining(error) });
    expect(refused.errors).not.toContain("s3cret");
  });

  it("makes a definition of its words", () => {
    const options = {
      description: "d",
      method: undefined,
      headers: ["Accept: text/plain"],
      secret: "k",
      auth: "query:key",
      places: ["note=body"],
    };
    expect(toHttpDefinition("x", { ...options, url: "https://a.example/{id}", parameters: ["note", "n?:integer=How many = all"] })).toEqual(
      {
        name: "x",
        description: "d",
        inputSchema: {
          type: "object",
          properties: { id: { type: "string" }, note: { type: "string" }, n: { type: "integer", description: "How many = all" } },
          required: ["id", "note"],
          additionalProperties: false,
        },
        implementation: {
          kind: "http",
          endpoint: "https://a.example/{id}",
          method: "POST",
          parameters: { note: "body" },
          headers: { Accept: "text/plain" },
          auth: { type: "query", name: "key", secret: "secret:k" },
        },
        secrets: ["k"],
      },
    );
  });

  it("needs what is in the path, whatever the words say: without it there is no address", () => {
    const options = { description: "d", method: undefined, headers: [], secret: undefined, auth: "bearer", places: [] };
    const made = toHttpDefinition("x", { ...options, url: "https://a.example/{id}", parameters: ["id?:integer"] });
    expect(made["inputSchema"]).toMatchObject({ properties: { id: { type: "integer" } }, required: ["id"] });
  });
});
