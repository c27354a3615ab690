import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type AnyTool, type Caller, createRegistry, type Registry, type RegistryOptions } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { type McpEndpoint, serveMcp, type ServeMcpOptions } from "@toolrack/mcp";

export const nothing = { type: "object", properties: {} } as const;

export const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

export interface Served {
  readonly url: string;
  readonly registry: Registry;
  readonly endpoint: McpEndpoint;
}

export interface ServedOptions extends ServeMcpOptions {
  readonly registry?: RegistryOptions;
  /** Who asks, by the value of the header "authorization": "Bearer <name>". */
  readonly signIn?: (name: string) => Caller | undefined;
}

/** A registry with these tools behind a real port. Closed after the test. */
export async function serving(
  tools: readonly AnyTool[],
  { registry: registryOptions, signIn, ...options }: ServedOptions = {},
): Promise<Served> {
  const registry = createRegistry(registryOptions);
  for (const tool of tools) registry.register(tool);
  const endpoint = serveMcp(registry, options);
  afterThisTest(() => endpoint.close());
  const bearer = (header: string | undefined): string => header?.replace(/^Bearer /, "") ?? "";
  const { url } = await endpoint.listen(signIn && { signIn: ({ headers }) => signIn(bearer(headers.authorization)) });
  return { url, registry, endpoint };
}

export type ClientEra = "modern" | "legacy";

export interface ConnectOptions {
  readonly as?: string;
  /** What the person in front of the client answers. */
  readonly onElicit?: (params: { message: string; requestedSchema?: unknown }) => Record<string, unknown>;
  readonly options?: ConstructorParameters<typeof Client>[1];
}

export function createClient(era: ClientEra, { onElicit, options }: ConnectOptions = {}): Client {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: onElicit ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" },
      ...options,
    },
  );
  if (onElicit)
    client.setRequestHandler("elicitation/create", async ({ params }) => onElicit(params as { message: string }) as { action: "accept" });
  return client;
}

/** The official client, connected. Closed after the test. */
export async function connect(url: string, era: ClientEra, options: ConnectOptions = {}): Promise<Client> {
  const client = createClient(era, options);
  const headers: Record<string, string> = options.as === undefined ? {} : { authorization: `Bearer ${options.as}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  afterThisTest(() => client.close());
  return client;
}

export const clientMeta: Readonly<Record<string, unknown>> = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, sampling: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
};

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Tests look into whatever came back. */
  readonly body: any;
}

/** A modern request as it goes over the wire, with headers and body as given, right or wrong. */
export async function post(
  url: string,
  method: string,
  params: Record<string, unknown> = {},
  { headers = {}, as, meta = clientMeta, id = 1 }: { headers?: Record<string, string>; as?: string; meta?: object; id?: number } = {},
): Promise<RawAnswer> {
  const name = params["name"] ?? params["uri"] ?? params["taskId"];
  return send(
    url,
    { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } },
    {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(typeof name === "string" && { "mcp-name": name }),
      ...(as !== undefined && { authorization: `Bearer ${as}` }),
      ...headers,
    },
  );
}

/** Any body with any headers. Answers of one event in a stream are read like others. */
export async function send(url: string, body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: readBody(text) };
}

function readBody(text: string): unknown {
  if (text.startsWith("event:") || text.startsWith("id:")) {
    const events = text.split("\n").filter((line) => line.startsWith("data: {"));
    return JSON.parse(events.at(-1)!.slice("data: ".length));
  }
  return text === "" ? undefined : JSON.parse(text);
}
