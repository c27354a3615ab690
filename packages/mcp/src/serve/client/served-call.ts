import { ToolError } from "@toolrack/core";
import { isObject } from "@toolrack/core/internal";
import { McpError } from "../../errors.ts";
import { type ClientCapabilities, type Era, isLoudEnough, type JsonObject, type LogLevel } from "../../wire/protocol.ts";
import type { ClientInfo, Exchange } from "../exchange.ts";
import type { Elicitation, ElicitationAnswer, InputRequests, McpClient } from "./client.ts";
import { carriedInputs, type InputSource, requestedInputs, requireInputCapabilities } from "./inputs.ts";

/** One request while it is served: what its handler sees of the client, and what has to be said instead of a result. */
export class ServedCall implements McpClient {
  readonly exchange: Exchange;
  /** What the client answered so far, by question. */
  readonly answers: Readonly<JsonObject>;
  /** The questions that were asked in this round. */
  used: readonly string[] = noKeys;
  /** Questions without an answer: the call has to be made again with them. */
  missing: InputRequests | undefined = undefined;
  /** The handler ended the call with an error of the protocol. */
  refusal: McpError | undefined = undefined;
  /** Turns the call into a task; absent where it cannot become one. */
  escalate: (() => Promise<void>) | undefined = undefined;
  #source: InputSource | undefined;
  #asked = 0;

  constructor(exchange: Exchange, answers: Readonly<JsonObject>) {
    this.exchange = exchange;
    this.answers = answers;
  }

  get era(): Era {
    return this.exchange.era;
  }
  get capabilities(): ClientCapabilities {
    return this.exchange.capabilities;
  }
  get info(): ClientInfo | undefined {
    return this.exchange.clientInfo;
  }

  /** From here on the answers come from somewhere else. */
  useInputs(source: InputSource): void {
    this.#source = source;
  }

  async inputs(requests: InputRequests): Promise<Readonly<JsonObject>> {
    requireInputCapabilities(requests, this.capabilities);
    this.#source ??= this.#ownSource();
    return this.#source.answers(requests);
  }

  /** Made when first needed: most calls ask nothing. */
  #ownSource(): InputSource {
    if (this.era === "legacy") return requestedInputs(this.exchange);
    return carriedInputs(this.answers, {
      used: (key) => (this.used = [...this.used, key]),
      missing: (requests) => (this.missing = { ...this.missing, ...requests }),
    });
  }

  async elicit({ message, requestedSchema }: Elicitation, key: string = this.#nextKey()): Promise<ElicitationAnswer> {
    const answers = await this.inputs({ [key]: { method: "elicitation/create", params: { message, requestedSchema } } });
    const { action, content } = answers[key] as { action: "accept" | "decline" | "cancel"; content?: JsonObject };
    return action === "accept" ? { action, content: content ?? {} } : { action };
  }

  async sample(request: Readonly<JsonObject>, key: string = this.#nextKey()): Promise<Readonly<JsonObject>> {
    const answers = await this.inputs({ [key]: { method: "sampling/createMessage", params: request } });
    return answers[key] as JsonObject;
  }

  async listRoots(key: string = this.#nextKey()): Promise<readonly { readonly uri: string; readonly name?: string }[]> {
    const answers = await this.inputs({ [key]: { method: "roots/list", params: {} } });
    return (answers[key] as { roots: { uri: string; name?: string }[] }).roots;
  }

  requireCapabilities(needed: ClientCapabilities): void {
    if (declares(this.capabilities, needed)) return;
    const names = Object.keys(needed).join(", ");
    const message = `This needs capabilities that the client does not declare: ${names}.`;
    this.#refuse(new McpError("missingCapability", message, { requiredCapabilities: needed }));
  }

  fail(code: number, message: string, data?: unknown): never {
    return this.#refuse(new McpError(code, message, data));
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const { logLevel } = this.exchange;
    if (logLevel === undefined || !isLoudEnough(level, logLevel)) return;
    this.exchange.notify("notifications/message", { level, ...(logger !== undefined && { logger }), data });
  }

  async becomeTask(): Promise<void> {
    await this.escalate?.();
  }

  closeStream(): void {
    this.exchange.closeStream();
  }

  #refuse(error: McpError): never {
    this.refusal = error;
    throw new ToolError("TOOL_FAILED", error.message);
  }

  /** The same in every round, because handlers ask the same questions in the same order. */
  #nextKey(): string {
    return `input-${++this.#asked}`;
  }
}

const noKeys: readonly string[] = [];

/** Whether everything that is needed was declared: { extensions: { "a/b": {} } } inside of whatever the client has. */
function declares(declared: unknown, needed: Readonly<JsonObject>): boolean {
  if (!isObject(declared)) return false;
  return Object.entries(needed).every(
    ([name, inner]) => Object.hasOwn(declared, name) && (!isObject(inner) || declares(declared[name], inner)),
  );
}
