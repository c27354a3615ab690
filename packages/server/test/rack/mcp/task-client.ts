/** A server that answers MCP clients. */
export interface Reached {
  readonly url: string;
  readonly token: string;
}

export interface WireTask {
  readonly taskId: string;
  readonly status: string;
  readonly statusMessage?: string;
  readonly result?: { readonly content: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** Calls a tool as a client that knows tasks. */
export function callAsTask(server: Reached, tool: string, input: object = {}): Promise<WireTask> {
  return ask(server, "tools/call", tool, { name: tool, arguments: input });
}

export function getTask(server: Reached, taskId: string): Promise<WireTask> {
  return ask(server, "tasks/get", taskId, { taskId });
}

export function cancelTask(server: Reached, taskId: string): Promise<unknown> {
  return ask(server, "tasks/cancel", taskId, { taskId });
}

async function ask({ url, token }: Reached, method: string, name: string, params: object): Promise<WireTask> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  const answer = await fetch(new URL("/mcp", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      "mcp-name": name,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
  });
  const body = (await answer.json()) as { readonly result?: WireTask; readonly error?: { readonly message: string } };
  if (body.result === undefined) throw new Error(body.error?.message ?? JSON.stringify(body));
  return body.result;
}
