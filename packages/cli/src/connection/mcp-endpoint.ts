import type { EndpointAnswer, EndpointRequest, SendToEndpoint } from "@toolrack/mcp/relay";
import type { LogLevel } from "@toolrack/server";
import { withFetchCause } from "@toolrack/core/internal";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { CommandError } from "../errors.ts";
import { readUrl } from "./connect.ts";
import type { Connection } from "./connection.ts";
import { givenKey } from "./given-key.ts";
import { overSending } from "./over-sending.ts";
import { findOwnServer, findProvenServer } from "./own-servers.ts";
import { sendTo } from "./send-to.ts";
import type { Answered, Send } from "./send.ts";

export interface McpEndpointOptions {
  /** Whose client this is. Never the owner. */
  readonly agent: string;
  /** "/mcp", "/mcp/search" or "/mcp/code". */
  readonly path: string;
  /** "bundle=research", or "". */
  readonly query: string;
  /** An API key of the agent. @default for a server of this user on this machine, a session that ends with this command */
  readonly key: string | undefined;
  readonly url: string | undefined;
  readonly config: string | undefined;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logLevel: LogLevel;
}

/** An MCP endpoint, signed in to as one agent. */
export interface OpenedEndpoint {
  /** "http://127.0.0.1:7333", or "this project, opened by this command": for messages. */
  readonly where: string;
  readonly send: SendToEndpoint;
  close(): Promise<void>;
}

/** At the server that was named or that runs for this folder, else of the project opened in this process. */
export async function openMcpEndpoint(options: McpEndpointOptions): Promise<OpenedEndpoint> {
  const url = await findEndpoint(options);
  return url === undefined ? openProject(options) : joinServer(options, url);
}

/** The server that is joined; undefined where the project is opened. */
export async function findEndpoint(
  options: Pick<McpEndpointOptions, "url" | "environment" | "config" | "folder">,
): Promise<string | undefined> {
  return options.url ?? options.environment["TOOLRACK_URL"] ?? (await findOwnServer(options));
}

/** A server and what to send to it, as the agent. */
interface Joined {
  readonly where: string;
  readonly send: Send;
  /** Ends the session, if this command opened one. */
  leave(): Promise<void>;
}

async function joinServer(options: McpEndpointOptions, firstUrl: string): Promise<OpenedEndpoint> {
  const isNamed = options.url !== undefined || options.environment["TOOLRACK_URL"] !== undefined;
  let joined: Promise<Joined> | undefined = join(options, firstUrl);
  const { where } = await joined;

  /** The server of this folder may have another address after a restart. */
  async function joinAgain(): Promise<Joined> {
    const url = isNamed ? firstUrl : await findOwnServer(options);
    if (url === undefined) throw new CommandError("unreachable", gone(where, "it has stopped"));
    return join(options, url);
  }

  async function sendOnce(request: EndpointRequest): Promise<Answered> {
    joined ??= joinAgain();
    const used = joined;
    try {
      const answered = await (await used).send(toSent(options, request));
      // A session is unknown to a server that was started again: the next one is opened with the same rights.
      if (answered.status === 401 && joined === used) joined = undefined;
      return answered;
    } catch (error) {
      if (joined === used && !request.signal.aborted) joined = undefined;
      throw error instanceof CommandError
        ? error
        : new CommandError("unreachable", gone(where, withFetchCause((error as Error).message, error as Error)));
    }
  }

  return {
    where,
    async send(request) {
      const answered = await sendOnce(request);
      return toAnswer(answered.status === 401 && options.key === undefined ? await sendOnce(request) : answered);
    },
    async close() {
      await (await joined?.catch(() => undefined))?.leave().catch(() => undefined);
    },
  };
}

async function join(options: McpEndpointOptions, url: string): Promise<Joined> {
  const { agent, environment, folder } = options;
  const where = readUrl(url, folder);
  const known = await findProvenServer(where, environment);
  // The owner's own server gives a session; what the environment says is for servers elsewhere.
  const key = options.key ?? (known?.ownerToken === undefined ? givenKey(environment) : undefined);
  const connectAs = async (token: string): Promise<Connection & { readonly send: Send }> => {
    const send = await sendTo(where, token, known);
    return Object.assign(overSending({ where, isServer: true, send }), { send });
  };
  if (key !== undefined) {
    const connection = await connectAs(key);
    mustBe(agent, await connection.ask("GET /sign-in"));
    return { where, send: connection.send, leave: () => Promise.resolve() };
  }
  if (known?.ownerToken === undefined) throw needsKey(where, agent);
  const owner = await connectAs(known.ownerToken);
  const { token } = await owner.ask("POST /sign-in/agents", { body: { agent } });
  const connection = await connectAs(token);
  return { where, send: connection.send, leave: () => connection.ask("DELETE /sign-in") };
}

/** A key that opens more than this agent may do is not used. */
function mustBe(agent: string, signedIn: { readonly agent: string; readonly roles: readonly string[]; readonly via: string }): void {
  const next = `Create a key without roles for it: toolrack keys create ${shellWord(agent)}`;
  if (signedIn.agent.toLowerCase() !== agent.toLowerCase())
    throw new CommandError("refused", `The key is not one of agent "${agent}", but of "${signedIn.agent}". ${next}`);
  if (signedIn.roles.length > 0)
    throw new CommandError(
      "refused",
      `The key of agent "${agent}" has the roles ${signedIn.roles.join(", ")}, which no client needs. ${next}`,
    );
}

function needsKey(where: string, agent: string): CommandError {
  return new CommandError(
    "refused",
    `${where} is not a server that you started on this machine, so a key of agent "${agent}" is needed. An admin creates it with: toolrack keys create ${shellWord(agent)}. Pass it in TOOLRACK_KEY, or in a file with --key-file.`,
  );
}

function gone(where: string, fact: string): string {
  return `${where} cannot be reached: ${fact}. Start the server again with: toolrack serve. This client then goes on without a restart.`;
}

function toSent({ path, query }: McpEndpointOptions, { method, headers, body, signal }: EndpointRequest): Parameters<Send>[0] {
  return { method, path, query, headers, body, signal };
}

function toAnswer({ status, header, text, stream }: Answered): EndpointAnswer {
  return { status, header, text, stream };
}

async function openProject(options: McpEndpointOptions): Promise<OpenedEndpoint> {
  const { agent, path, query, config, folder, logLevel } = options;
  const { agentFault, createApp, identityOfAgent, openLog, openRack } = await import("@toolrack/server/local");
  const log = await openLog({ level: logLevel });
  const rack = await openRack({ folder, log, forgetsSecretVariables: true, ...(config !== undefined && { config }) });
  const fault = agentFault(agent, rack.settings);
  if (fault !== undefined) {
    await rack.close({ graceMs: 0 });
    throw new CommandError("refused", fault);
  }
  await readyOrLate(rack.sources.ready());
  const app = createApp(rack, { identity: identityOfAgent(rack, agent) });
  return {
    where: "this project, opened by this command",
    async send({ method, headers, body, signal }) {
      const request = new Request(`http://127.0.0.1${path}${query === "" ? "" : `?${query}`}`, {
        method,
        headers,
        signal,
        ...(body !== undefined && { body }),
      });
      const response = await app.fetch(request, { remoteAddress: "127.0.0.1" });
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        text: () => response.text(),
        stream: () => response.body ?? undefined,
      };
    },
    async close() {
      await app.close();
      await rack.close({ graceMs: 0 });
    },
  };
}

/** Many clients list the tools once, at the beginning; they wait for sources, but not for one that hangs. */
async function readyOrLate(ready: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([ready, new Promise((resolve) => (timer = setTimeout(resolve, sourcesMs)))]);
  clearTimeout(timer);
}

const sourcesMs = 10_000;
