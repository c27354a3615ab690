import fc from "fast-check";
import { inputsOf } from "./inputs.mjs";

/**
 * Makes requests for the routes of the API, right ones and wrong ones, as several callers, and looks at every answer.
 *
 * `ask({ method, path, headers, body, caller })` sends a request and answers `{ status, type, text }`. `callers` are names that it knows.
 * `secrets` must appear nowhere, and no answer may be longer than `answerBytes`. `isOver()` ends the work early. Answers a row for each route:
 * how many requests, by kind of status, and every fault with the request that shows it.
 */
export async function fuzzRoutes({ routes, ask, callers, rounds, seed, secrets = [], answerBytes = 16_777_216, isOver = () => false }) {
  const rows = [];
  for (const [index, route] of routes.entries()) {
    const row = { route: `${route.method} ${pathOf(route)}`, requests: 0, ok: 0, refused: 0, failed: 0, faults: [] };
    rows.push(row);
    for (const made of fc.sample(requestsOf(route, callers), { numRuns: rounds, seed: seed + index })) {
      if (isOver()) return rows;
      const request = toRequest(route, made);
      const answer = await ask(request).catch((thrown) => ({ thrown }));
      row.requests++;
      if (answer.status < 400) row.ok++;
      else if (answer.status < 500) row.refused++;
      else row.failed++;
      const fault = faultOf(answer, { secrets, answerBytes });
      if (fault !== undefined && row.faults.length < maxFaults) row.faults.push({ fault, request: shown(request), answer: shown(answer) });
    }
  }
  return rows;
}

const maxFaults = 3;

/** What must not happen, whatever was asked. A tool that fails answers with a code of its own, and that is no fault. */
function faultOf(answer, { secrets, answerBytes }) {
  if (answer.thrown !== undefined) return `no answer: ${String(answer.thrown)}`;
  if (Object.prototype.polluted !== undefined) return "the prototype of all objects was changed";
  if (answer.text.length > answerBytes) return `an answer of ${answer.text.length} characters`;
  const leaked = secrets.find((secret) => answer.text.includes(secret));
  if (leaked !== undefined) return "a secret is in the answer";
  if (answer.status === 500 && /"code":"INTERNAL"/.test(answer.text)) return "an unexpected failure";
  if (/json/.test(answer.type) && answer.text !== "" && !isJson(answer.text)) return "the answer is not JSON";
  if (answer.status >= 400 && /json/.test(answer.type) && !/"(?:code|error)":/.test(answer.text)) return "the refusal says nothing";
  return undefined;
}

function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Everything that is chosen for one request. */
function requestsOf(route, callers) {
  return fc.record({
    caller: fc.constantFrom(...callers),
    params: inputsOf(route.params ?? nothing, known),
    query: fc.oneof({ weight: 3, arbitrary: inputsOf(route.query ?? nothing, known) }, fc.constant({})),
    body: fc.oneof(
      { weight: 6, arbitrary: inputsOf(route.body ?? nothing, known).map((value) => JSON.stringify(value) ?? "null") },
      { weight: 1, arbitrary: fc.constantFrom(...oddBodies) },
    ),
    headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, fc.constantFrom(...oddHeaders)),
  });
}

const nothing = { type: "object", properties: {} };

const known = {
  texts: [
    "echo",
    "json_transform",
    "local",
    "fuzz",
    "../..",
    "%00",
    "\u0000",
    "\ud800",
    "💥".repeat(50),
    "a".repeat(5_000),
    "__proto__",
    "*",
    "secret:FUZZ",
  ],
  hints: {
    id: ["fuzz", "call-1", "mcp-task-x"],
    name: ["echo", "random", "FUZZ", "fuzz"],
    tool: ["echo", "nothing"],
    agent: ["fuzz", "nobody"],
  },
};

const deep = (open, close, depth) => open.repeat(depth) + close.repeat(depth);

const oddBodies = [
  "",
  "{",
  "null",
  '"text"',
  "1e999",
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  deep("[", "]", 60),
  deep("[", "]", 5_000),
  deep('{"a":', "}", 40).replace(/:\}/, ":1}"),
  `{"input":${JSON.stringify("x".repeat(300_000))}}`,
  `[${"0,".repeat(100_000)}0]`,
  `{${Array.from({ length: 5_000 }, (_, index) => `"k${index}":${index}`).join()}}`,
  "\ud800",
];

const oddHeaders = [
  { accept: "text/event-stream" },
  { accept: "image/png" },
  { "idempotency-key": "fuzz-1" },
  { "idempotency-key": "x".repeat(300) },
  { "if-match": '"999999999999999999999"' },
  { "if-none-match": "*" },
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { traceparent: "00-zz-00-01" },
  { "last-event-id": "9".repeat(400) },
  { authorization: "Bearer nothing" },
  { "x-forwarded-for": "127.0.0.1" },
];

function toRequest(route, { caller, params, query, body, headers }) {
  const given = isObject(params) ? params : {};
  const path = pathOf(route).replace(/\{(\w+)\}/g, (_, name) => encode(Object.hasOwn(given, name) ? given[name] : "x"));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(isObject(query) ? query : { q: query })) {
    for (const one of Array.isArray(value) ? value.slice(0, 20) : [value]) search.append(name, textOf(one).slice(0, 4_000));
  }
  const hasBody = route.method !== "GET" && route.method !== "DELETE";
  return {
    caller,
    method: route.method,
    path: `${path}${search.size === 0 ? "" : `?${search}`}`,
    headers: { ...(hasBody && { "content-type": "application/json" }), ...headers },
    ...(hasBody && { body }),
  };
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textOf(value) {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
}

/** A text that can stand in a path; half characters cannot. */
function encode(value) {
  const text = textOf(value).slice(0, 1_000) || "x";
  return encodeURIComponent(text.isWellFormed() ? text : "half");
}

export function pathOf({ path, atRoot = false }) {
  return atRoot ? path : `/api/v1${path}`;
}

function shown(value) {
  return (JSON.stringify(value) ?? String(value)).slice(0, 600);
}
