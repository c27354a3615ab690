/** The fields of the lines "request" and "call", in addition to level, time and message. The reference page is generated from this list. */
export const lineFields = {
  route: "Method and path template of the operation. `(none)` for an unknown path.",
  tool: "The name that was called.",
  agent: "The agent of the key or token; `owner` or `anonymous`.",
  principal: "The principal, which includes how the caller signed in: `key anna`.",
  decision:
    "`allowed` or `approved` (by a person): the tool ran. `asked`: it waits for a person's answer, or was cancelled before it got one. `denied` by a person, `refused` by policy, limits or checks: it did not run.",
  status: "The status of the answer; 200 for a successful call.",
  code: "The [error code](errors.md) of a failure.",
  durationMs: "Until the answer started, or the call ended, including the time that it waited for approval.",
  callId: "The id of the call in the audit log, in `/api/v1/calls/{id}` and in `toolrack calls <id>`.",
  parentCallId: "The call whose tool made this one.",
  requestId: "`X-Request-Id` of the request, where it is well-formed, else a new one. The answer has it as a header.",
  traceId: "Of the `traceparent` that came in, or of the span that was opened.",
  spanId: "Likewise.",
  mcpMethod: "`tools/call` and so on, for what came over MCP.",
} as const;

/** What JSON lines repeat under the names of OpenTelemetry's conventions, by message and field. */
export const conventionalFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  call: {
    tool: "gen_ai.tool.name",
    callId: "gen_ai.tool.call.id",
    code: "error.type",
    traceId: "trace_id",
    spanId: "span_id",
    mcpMethod: "mcp.method.name",
  },
  request: {
    status: "http.response.status_code",
    code: "error.type",
    traceId: "trace_id",
    spanId: "span_id",
    mcpMethod: "mcp.method.name",
  },
};

export type LineFields = Readonly<Partial<Record<keyof typeof lineFields, string | number | undefined>>>;
