import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { publicServer } from "@toolrack/testkit/public-servers";
import { describe, expect, it } from "vitest";
import { type ClientEra, connect, serving } from "../serve/serve.ts";
import { sourceOf } from "./upstreams.ts";

type Fields = Readonly<Record<string, unknown>>;

const program = publicServer("server-everything");

async function directly(): Promise<Client> {
  // What Toolrack declares: the server lists a tool more for it.
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], stderr: "ignore" }));
  afterThisTest(() => client.close());
  return client;
}

async function through(era: ClientEra): Promise<Client> {
  const { url, registry } = await serving([]);
  await registry.addSource(sourceOf({ name: "all", command: process.execPath, args: [program] }));
  return connect(url, era);
}

/** What differs on purpose, by field of a definition. */
const intended = {
  _meta: "Toolrack adds its own keys, and leaves out views, whose resources it does not have",
  execution: "Toolrack decides itself which tools run as tasks",
  icons: "pictures of a server are not passed on",
  $schema: "the dialect is the default one",
} as const;

/** Without that, and under the server's own name: here, the name begins with that of the source. */
function comparable(tool: Fields): Fields {
  const withoutIntended = (key: string, value: unknown): unknown => (Object.hasOwn(intended, key) ? undefined : value);
  const { name, ...rest } = JSON.parse(JSON.stringify(tool, withoutIntended)) as Fields;
  return { ...rest, name: String(name).replace("all__", "") };
}

/** Calls whose results do not depend on the moment. */
const calls: readonly (readonly [name: string, input: Record<string, unknown>])[] = [
  ["echo", { message: "hello" }],
  ["get-sum", { a: 1, b: 2 }],
  ["get-tiny-image", {}],
  ["get-annotated-message", { messageType: "error", includeImage: true }],
  ["get-annotated-message", { messageType: "debug", includeImage: false }],
  ["get-resource-links", { count: 3 }],
  ["get-structured-content", { location: "New York" }],
  ["get-resource-reference", { resourceType: "Blob", resourceId: 1 }],
  ["get-resource-reference", { resourceType: "Text", resourceId: 2 }],
];

describe.each(["legacy", "modern"] as const)("server-everything of npm through Toolrack: %s", (era) => {
  it("has the definitions that it has directly, but for what differs on purpose", async () => {
    const [own, ours] = [await directly(), await through(era)];
    const [expected, found] = [(await own.listTools()).tools, (await ours.listTools()).tools];
    const byName = (tools: readonly Fields[]) =>
      new Map(tools.map((tool) => [String(tool["name"]).replace("all__", ""), comparable(tool)]));
    expect(byName(found)).toEqual(byName(expected));
  });

  it("gives the results that it gives directly", async () => {
    const [own, ours] = [await directly(), await through(era)];
    for (const [name, input] of calls) {
      const expected = await own.callTool({ name, arguments: input });
      const { _meta: _, ...found } = await ours.callTool({ name: `all__${name}`, arguments: input });
      const steady = (result: unknown): unknown => JSON.parse(JSON.stringify(result).replaceAll(/\d{1,2}:\d{2}:\d{2}( [AP]M)?/g, "now"));
      expect(steady(found), name).toEqual(steady(expected));
    }
  });
});
