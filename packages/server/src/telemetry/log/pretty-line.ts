import { harmless, toText } from "./text-line.ts";

/**
 * What a person at a terminal looks for: "10:14:32  call  weather  by anna  allowed  12 ms". Ids of traces and requests are left out; the formats
 * "text" and "json" have them. A stack follows on lines of its own.
 * Contract: no terminal control sequences but our own colours, for any message and fields.
 */
export function toPrettyLine(level: string, message: string, fields: object, hasColors: boolean): string {
  const paint = (code: number, text: string): string => (hasColors ? `\u001B[${code}m${text}\u001B[0m` : text);
  const known = fields as Readonly<Record<string, unknown>>;
  const isFailure = level === "warn" || level === "error";
  const label = isFailure ? ` ${paint(level === "warn" ? yellow : red, level.toUpperCase())}` : "";
  const head = `${paint(dim, localTime())}${label}`;
  const { text, stack } = bodyOf(message, known, paint);
  return [`${head}  ${text}`, ...stack.map((line) => paint(dim, `    ${line}`))].join("\n").concat("\n");
}

type Paint = (code: number, text: string) => string;

const [dim, red, green, yellow, cyan] = [2, 31, 32, 33, 36] as const;

function bodyOf(
  message: string,
  fields: Readonly<Record<string, unknown>>,
  paint: Paint,
): { readonly text: string; readonly stack: readonly string[] } {
  if (message === "call" && typeof fields["tool"] === "string") return { text: callText(fields, paint), stack: [] };
  if (message === "request" && typeof fields["route"] === "string") return { text: requestText(fields, paint), stack: [] };
  const stack: string[] = [];
  const pairs = Object.entries(fields).flatMap(([key, value]) => {
    if (value === undefined || isLeftOut(key)) return [];
    if (!isError(value)) return [`${paint(dim, `${harmless(key)}=`)}${toText(value)}`];
    stack.push(
      ...value.stack
        .split("\n")
        .slice(1)
        .map((line) => harmless(line.trim())),
    );
    return [`${paint(dim, `${harmless(key)}=`)}${harmless(value.message)}`];
  });
  return { text: [harmless(message), ...pairs].join(" "), stack };
}

function callText(fields: Readonly<Record<string, unknown>>, paint: Paint): string {
  const { tool, agent, decision, code, durationMs, callId } = fields;
  return [
    "call   ",
    paint(cyan, harmless(String(tool))),
    `by ${harmless(String(agent ?? "an unknown agent"))}`,
    code === undefined
      ? paint(green, harmless(String(decision ?? "ok")))
      : paint(red, `${harmless(String(decision ?? ""))} ${harmless(String(code))}`.trim()),
    ...durationOf(durationMs),
    ...(callId === undefined ? [] : [paint(dim, harmless(String(callId)))]),
  ].join("  ");
}

function requestText(fields: Readonly<Record<string, unknown>>, paint: Paint): string {
  const { route, status, code, durationMs, agent, mcpMethod } = fields;
  const isBad = Number(status) >= 400;
  return [
    "request",
    harmless(String(route)),
    ...(mcpMethod === undefined ? [] : [harmless(String(mcpMethod))]),
    paint(isBad ? red : green, `${harmless(String(status))}${code === undefined ? "" : ` ${harmless(String(code))}`}`),
    ...durationOf(durationMs),
    ...(agent === undefined ? [] : [`by ${harmless(String(agent))}`]),
  ].join("  ");
}

/** 0.42 → "0.4 ms", 1234 → "1.2 s", 445_947 → "7 min 26 s" */
function durationOf(ms: unknown): readonly string[] {
  if (typeof ms !== "number") return [];
  if (ms < 1_000) return [`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`];
  if (ms < 60_000) return [`${(ms / 1_000).toFixed(1)} s`];
  return [`${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`];
}

/** Ids that join lines with traces, and the fields that repeat ours under the names of conventions. */
function isLeftOut(key: string): boolean {
  return /^(?:requestId|traceId|spanId|trace_id|span_id|principal)$|\./.test(key);
}

function isError(value: unknown): value is { readonly message: string; readonly stack: string } {
  const { message, stack } = (value ?? {}) as { readonly message?: unknown; readonly stack?: unknown };
  return typeof message === "string" && typeof stack === "string";
}

/** "10:14:32", where the terminal is. */
function localTime(): string {
  return new Date().toTimeString().slice(0, 8);
}
