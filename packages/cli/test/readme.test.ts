import { readFileSync } from "node:fs";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openServer } from "@toolrack/server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it, onTestFinished } from "vitest";
import { readShellBlocks, type ShellLine } from "./_pages.ts";
import { run } from "./_run.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const page = (path: string): Promise<string> => readFile(join(root, path), "utf8");

/** The address in the pages; tests serve on a free port. */
const written = "http://127.0.0.1:7333";

describe("what the README says", () => {
  it("works: each command and request ends as it is written there", async () => {
    const terminal = await openTerminal(await copyOf("examples/demo"));
    await terminal.serve();
    expect(await terminal.follow(await page("README.md"))).toBeGreaterThan(12);
  });

  it("leads an MCP client to the tools, or to three that find them", async () => {
    const terminal = await openTerminal(await copyOf("examples/demo"));
    await terminal.serve();
    const mcpJson = terminal.filledIn(await page("examples/demo/mcp.json"));
    const few = (await askMcp(mcpJson.replace("/mcp", "/mcp/search"), "tools/list", {})) as { readonly tools: readonly unknown[] };
    expect(few.tools).toHaveLength(3);
    const answer = await askMcp(mcpJson, "tools/call", {
      name: "delivery_day",
      arguments: { days: 3 },
    });
    expect(answer).toMatchObject({ content: [{ text: expect.stringMatching(/^\{"arrives":"\d{4}-\d\d-\d\d"\}$/) }] });
  });
});

describe("the first server", () => {
  it("works: each command ends as it is written there, and an MCP client sees what its agent may use", async () => {
    const terminal = await openTerminal(await createProject());
    const text = await page("docs/start/first-server.md");
    expect(await terminal.follow(text)).toBeGreaterThan(12);
    const mcpJson = /^```\n(\{\n {2}"mcpServers"[^]*?\n\}\n)```$/m.exec(text)![1]!;
    const answer = await askMcp(terminal.filledIn(mcpJson), "tools/list", {});
    expect((answer as { tools: { name: string }[] }).tools.map(({ name }) => name)).toEqual(["greet", "book_table"]);
  });
});

async function copyOf(example: string): Promise<string> {
  const folder = temporaryFolder();
  await cp(join(root, example), folder, { recursive: true, filter: (path) => basename(path) !== ".toolrack" });
  return folder;
}

/** A project as `toolrack init` creates it, with the packages in place, and with the two changes of the page. */
async function createProject(): Promise<string> {
  const folder = temporaryFolder();
  expect((await run(["init"], { folder })).code).toBe(0);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "toolrack.config.yaml");
  const text = await readFile(file, "utf8");
  await writeFile(
    file,
    text.replace("ask: []", "ask: [book_table]").replace("\nagents:\n", "\nagents:\n  anna: { description: Administers the server }\n"),
  );
  return folder;
}

/** A terminal in a folder, which does what a page tells a reader to do. */
async function openTerminal(folder: string): Promise<Terminal> {
  const environment: Record<string, string> = {};
  const keys: string[] = [];
  const waiting: Promise<string>[] = [];
  let url = written;

  /** What a reader puts in the place of what is written: the address, and what was printed before. */
  const filledIn = (text: string): string =>
    text
      .replaceAll(written, url)
      .replace(/\$\(cat examples\/demo\/(.+?)\)/, (_, file: string) => readFileSync(join(folder, file), "utf8").trim())
      .replace(/^ADMIN$/, keys[0] ?? "")
      .replace(/^KEY$|trk_…/, keys[1] ?? "");

  async function serve(): Promise<void> {
    const server = await openServer({ folder, port: 0, consoleFolder: false, logLevel: "error" });
    onTestFinished(() => server.close({ graceMs: 0 }));
    url = server.url;
  }

  async function waitingCall(): Promise<string> {
    let id: string | undefined;
    const look = async (): Promise<string | undefined> =>
      (id = /approval-\S+/.exec((await run(["approvals", "list"], { folder, environment })).output)?.[0]);
    await expect.poll(look).toBeDefined();
    return id!;
  }

  async function runLine(line: ShellLine): Promise<string> {
    const [program, ...rest] = line.words;
    if (program === "export") {
      const [name = "", value = ""] = rest.join(" ").split("=");
      environment[name] = filledIn(value);
      return "";
    }
    const variables = { ...environment }; // what runs in the background keeps them as they are now
    const words = await Promise.all(rest.map((word) => (word === "ID" ? waitingCall() : filledIn(word))));
    if (program === "curl") return request(words, line);
    expect([program, words[0]], line.text).toEqual(["npx", "toolrack"]);
    if (words[1] === "serve") return (await serve(), "");
    const { code, output, errors } = await run(words.slice(1), { folder, environment: variables });
    expect(code, `${line.text}\n${output}${errors}`).toBe(line.exit);
    keys.push(...(output.match(/^trk_\S+/gm) ?? []));
    return output + errors;
  }

  return {
    serve,
    filledIn,
    async follow(markdown) {
      let commands = 0;
      for (const { lines, prints } of readShellBlocks(markdown)) {
        let printed = "";
        for (const line of lines) {
          commands++;
          const ended = runLine(line);
          if (line.isInBackground) waiting.push(ended);
          else printed += await ended;
        }
        for (const line of prints) expect(printed).toContain(line);
      }
      await Promise.all(waiting);
      return commands;
    },
  };
}

interface Terminal {
  serve(): Promise<void>;
  filledIn(text: string): string;
  /** Runs the commands of a page, and answers how many there were. */
  follow(markdown: string): Promise<number>;
}

/** `-s URL -H 'name: value' -d body`, as curl sends it. */
async function request(words: readonly string[], { status, text }: ShellLine): Promise<string> {
  const headers = new Headers();
  let body: string | undefined;
  let url = "";
  for (let index = 0; index < words.length; index++) {
    if (words[index] === "-H") headers.append(...(words[++index]!.split(": ") as [string, string]));
    else if (words[index] === "-d") body = words[++index]!;
    else if (words[index] !== "-s") url = words[index]!;
  }
  const answer = await fetch(url, { headers, ...(body !== undefined && { method: "POST", body }) });
  expect(answer.status, text).toBe(status);
  return answer.text();
}

/** Asks as a client does that was given this mcp.json. */
async function askMcp(mcpJson: string, method: string, params: object): Promise<unknown> {
  const { mcpServers } = JSON.parse(mcpJson) as { readonly mcpServers: Readonly<Record<string, McpServer>> };
  const { url, headers } = Object.values(mcpServers)[0]!;
  const send = (message: object, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers, ...more },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const clientInfo = { name: "reader", version: "1.0.0" };
  const greeting = await send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
  const session = { "mcp-session-id": greeting.headers.get("mcp-session-id")!, "mcp-protocol-version": "2025-11-25" };
  await send({ method: "notifications/initialized" }, session);
  return ((await (await send({ id: 2, method, params }, session)).json()) as { readonly result: unknown }).result;
}

interface McpServer {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}
