import type { CallContext, Caller } from "@toolrack/core";
import type { ClientCapabilities, Era, LogLevel } from "../../wire/protocol.ts";
import type { ClientInfo } from "../exchange.ts";

/** The MCP client behind a call: what a tool, a prompt or a resource may want of it beyond `context.ask` and `context.progress`. */
export interface McpClient {
  readonly era: Era;
  readonly capabilities: ClientCapabilities;
  readonly info: ClientInfo | undefined;

  /**
   * Asks the person in front of the client. In the modern era the call is made again with the answer, so a handler runs from its
   * beginning until the question once more: ask before you change anything. `key` names the question across these rounds.
   */
  elicit(request: Elicitation, key?: string): Promise<ElicitationAnswer>;
  /** Asks the client's model. */
  sample(request: Readonly<Record<string, unknown>>, key?: string): Promise<Readonly<Record<string, unknown>>>;
  listRoots(key?: string): Promise<readonly { readonly uri: string; readonly name?: string }[]>;
  /** Several questions at once, each under its key. */
  inputs(requests: InputRequests): Promise<Readonly<Record<string, unknown>>>;

  /** Ends the call with the protocol's error for a client that cannot do what is needed: { sampling: {} }. */
  requireCapabilities(needed: ClientCapabilities): void;
  /** Ends the call with an error of the protocol, instead of a result that says what went wrong. */
  fail(code: number, message: string, data?: unknown): never;
  /** Tells the client's log, where the client wants to hear it. */
  log(level: LogLevel, data: unknown, logger?: string): void;
  /** Answers the client with a task now, and continues; does nothing for clients that do not support tasks. */
  becomeTask(): Promise<void>;
  /** Legacy era: ends the stream, the client comes back for the result. */
  closeStream(): void;
}

export interface Elicitation {
  readonly message: string;
  /** A flat object of texts, numbers, booleans and choices. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

export type ElicitationAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

export type InputMethod = "elicitation/create" | "sampling/createMessage" | "roots/list";

export interface InputRequest {
  readonly method: InputMethod;
  readonly params: Readonly<Record<string, unknown>>;
}

export type InputRequests = Readonly<Record<string, InputRequest>>;

/** The client behind a call; undefined where the call did not come over MCP. Calls that a tool makes have the same client. */
export function mcpClient(context: Pick<CallContext, "caller">): McpClient | undefined {
  return (context.caller as CallerWithClient)[clientKey];
}

/** The same caller, with the way back to its client. Written out, because callers of one shape are decided about faster. */
export function withClient(caller: Caller, client: McpClient): Caller {
  const facts: Record<keyof Caller, unknown> = {
    agent: caller.agent,
    principal: caller.principal,
    acting: caller.acting,
    provider: caller.provider,
    model: caller.model,
    channel: caller.channel,
    group: caller.group,
    sender: caller.sender,
    owner: caller.owner,
    tenant: caller.tenant,
    session: caller.session,
    run: caller.run,
    subagentDepth: caller.subagentDepth,
    sandboxed: caller.sandboxed,
    phase: caller.phase,
    roles: caller.roles,
    inherited: caller.inherited,
  };
  (facts as { [clientKey]?: McpClient })[clientKey] = client;
  return facts as Caller;
}

const clientKey = Symbol("toolrack.mcp.client");

type CallerWithClient = Caller & { readonly [clientKey]?: McpClient };
