/** Every field of the lines "request" and "call", beside level, time and message. The reference page is made from this list. */
export const lineFields = {
  route: "Method and path of the operation, with names in braces instead of what was sent. `(none)` for an address that leads nowhere.",
  tool: "The name that was called.",
  agent: "Who asked, by the key or token; `owner` or `anonymous`.",
  principal: "The same, with how it is known: `key anna`.",
  decision:
    "`allowed` or `approved` (by a person): the tool ran. `asked`: it waits for a person's answer. `denied` by a person, `refused` by policy, limits or checks: it did not run.",
  status: "Of the answer; 200 for a call that worked.",
  code: "Why it failed: one of the [error codes](errors.md).",
  durationMs: "Until the answer began, or the call ended, its waiting for a person included.",
  callId: "Names the call in the audit, in `/api/v1/calls/{id}` and in `toolrack calls <id>`.",
  parentCallId: "The call whose tool made this one.",
  requestId: "`X-Request-Id` of the request, where it is well-formed, else a new one. The answer has it as a header.",
  traceId: "Of the `traceparent` that came in, or of the span that was opened.",
  spanId: "Likewise.",
  mcpMethod: "`tools/call` and so on, for what came over MCP.",
} as const;

export type LineFields = Readonly<Partial<Record<keyof typeof lineFields, string | number | undefined>>>;
