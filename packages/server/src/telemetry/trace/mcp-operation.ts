import { type Attributes, type Link, type Span, SpanKind, SpanStatusCode } from "@opentelemetry/api";
import type { SeenMessage } from "@toolrack/mcp";
import type { OperationDurations } from "../metrics/operation-durations.ts";
import { attribute, executeTool } from "./conventions.ts";
import { mcpMethodName, mcpVersionName } from "./mcp-names.ts";
import type { CallOrigin } from "./origin.ts";
import { contextOf, readTrace, spanContextOf, takesSpans, traceContextOf, startSpan } from "./trace.ts";

/** One message of an MCP client, from its arrival to its result. */
export interface McpOperation {
  /** Its result is known, and may still have to be sent; `error` is "tool_error" or a code of JSON-RPC. */
  result(error: string | undefined): void;
  /** The answer begins: it is the end, unless it is a stream whose result follows. */
  answered(status: number, isStream: boolean): void;
}

export interface McpOperationOptions {
  readonly message: SeenMessage;
  /** The present name of this server. */
  readonly server: string;
  /** Gets the trace context of the operation, which its calls are made with. */
  readonly origin: CallOrigin;
  readonly header: (name: string) => string | undefined;
  readonly isTool: (name: string) => boolean;
  readonly durations: OperationDurations;
  readonly isUnixSocket: boolean;
}

/** Opens the span `{method} {target}` below the context in `_meta`, else below the request, and measures the operation. */
export function openMcpOperation(options: McpOperationOptions): McpOperation {
  const { message, origin, header, isTool, durations } = options;
  const startedAt = performance.now();
  const method = mcpMethodName(message.method);
  const { name, _meta: meta } = message.params;
  const tool = method === "tools/call" && typeof name === "string" && isTool(name) ? name : undefined;
  const sentVersion = header("mcp-protocol-version")?.trim();
  const version = sentVersion === undefined ? undefined : mcpVersionName(sentVersion);
  const transport = options.isUnixSocket ? "unix" : "tcp";
  const span = openSpan();
  origin.mcpMethod = message.method.slice(0, 100);
  let error: string | undefined;
  let isOver = false;

  function openSpan(): Span | undefined {
    const own = readMeta(meta);
    if (!takesSpans()) {
      if (own !== undefined) setTrace(origin, own);
      return undefined;
    }
    const request = origin.traceparent === undefined ? undefined : { traceparent: origin.traceparent, tracestate: origin.tracestate };
    const requestSpan = request && spanContextOf(request.traceparent);
    const links: Link[] = own !== undefined && requestSpan !== undefined ? [{ context: requestSpan }] : [];
    const session = header("mcp-session-id");
    const prompt = method === "prompts/get" && typeof name === "string" ? name.slice(0, 200) : undefined;
    const attributes: Attributes = {
      [attribute.mcpMethod]: method,
      [attribute.transport]: transport,
      [attribute.protocol]: "http",
      ...(message.id !== undefined && { [attribute.requestId]: String(message.id).slice(0, 100) }),
      ...(version !== undefined && { [attribute.mcpVersion]: version }),
      ...(session !== undefined && { [attribute.mcpSession]: session.slice(0, 200) }),
      ...(method === "tools/call" && { [attribute.operation]: executeTool }),
      ...(tool !== undefined && { [attribute.tool]: tool }),
      ...(prompt !== undefined && { [attribute.prompt]: prompt }),
    };
    const parent = own ?? request;
    const made = startSpan(
      tool === undefined ? method : `${method} ${tool}`,
      { server: options.server, kind: SpanKind.SERVER, attributes, links },
      contextOf(parent),
    );
    setTrace(origin, traceContextOf(made, parent));
    return made;
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    durations.server({ method, tool, version, transport, error }, (performance.now() - startedAt) / 1_000);
    if (error !== undefined) {
      span?.setAttribute(attribute.errorType, error);
      if (/^-\d+$/.test(error)) span?.setAttribute(attribute.rpcStatus, error);
      span?.setStatus({ code: SpanStatusCode.ERROR });
    }
    span?.end();
  }

  return {
    result(failed) {
      error = failed;
      end();
    },
    answered(status, isStream) {
      if (isStream && method !== "subscriptions/listen") return;
      if (!isOver && status >= 400) error = String(status);
      end();
    },
  };
}

function readMeta(meta: unknown): ReturnType<typeof readTrace> {
  if (typeof meta !== "object" || meta === null) return undefined;
  const { traceparent, tracestate } = meta as Readonly<Record<string, unknown>>;
  if (typeof traceparent !== "string") return undefined;
  return readTrace(traceparent, typeof tracestate === "string" ? tracestate : undefined);
}

function setTrace(origin: CallOrigin, trace: ReturnType<typeof readTrace>): void {
  if (trace === undefined) return;
  origin.traceparent = trace.traceparent;
  if (trace.tracestate === undefined) delete origin.tracestate;
  else origin.tracestate = trace.tracestate;
}
