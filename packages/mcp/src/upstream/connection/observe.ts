import type { McpSourceOptions, UpstreamRequest } from "../upstream.ts";
import type { Connection } from "./client.ts";

/** Sends a request, and tells the observer of the source when it begins and how it ends. */
export type ObserveRequest = <Result extends object>(
  connection: Connection,
  request: Pick<UpstreamRequest, "method" | "tool" | "callId">,
  send: () => Promise<Result>,
) => Promise<Result>;

export function createObserveRequest(options: McpSourceOptions): ObserveRequest {
  const { onRequest, name: server } = options;
  if (onRequest === undefined) return (_connection, _request, send) => send();
  const place = "url" in options ? ({ transport: "tcp", address: addressOf(options.url) } as const) : ({ transport: "pipe" } as const);
  return async (connection, request, send) => {
    const end = onRequest({ ...request, server, ...place, ...connection.facts() });
    if (end === undefined) return send();
    try {
      const result = await send();
      end("isError" in result && result.isError === true ? toolError : undefined);
      return result;
    } catch (error) {
      end(error);
      throw error;
    }
  };
}

/** What an observer is told of a call that the tool itself answered with an error. */
const toolError: Error = Object.assign(new Error("The tool answered with an error."), { code: "tool_error" });

function addressOf(url: string): NonNullable<UpstreamRequest["address"]> {
  const { hostname, port, protocol } = new URL(url);
  return { host: hostname, port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port) };
}
