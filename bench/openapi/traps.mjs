import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buildRequest, describeOpenApiTool, readOpenApi } from "@toolrack/openapi";
import yaml from "yaml";
import { root } from "../../scripts/lib/files.mjs";
import { loadSwaggerClient } from "./requests.mjs";
import { normalForm } from "./same-request.mjs";

const folder = join(root, "packages", "openapi", "test", "traps");

/** The hand-written documents of the tests: how many of their requests we, and swagger-client, make as they are written. */
export async function trapTable() {
  const SwaggerClient = loadSwaggerClient();
  const counts = { calls: 0, ours: 0, comparable: 0, theirs: 0 };
  for (const file of readdirSync(folder).filter((one) => one.endsWith(".yaml")))
    for (const trap of yaml.parse(readFileSync(join(folder, file), "utf8"))) scoreTrap(trap, counts, SwaggerClient);
  const share = (part, whole) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  return {
    caption: "Requests of the hand-written traps",
    columns: ["builder", "as written", "target", "verdict"],
    rows: [
      ["@toolrack/openapi", share(counts.ours, counts.calls), "≥ 97 %", counts.ours >= 0.97 * counts.calls ? "ok" : "over"],
      [
        "swagger-client (those with a URL or a text body, without secrets)",
        SwaggerClient === undefined ? "not installed" : share(counts.theirs, counts.comparable),
        "",
        "",
      ],
    ],
  };
}

function scoreTrap({ options, calls, ...given }, counts, SwaggerClient) {
  const document = {
    info: {},
    ...(given.swagger === undefined && { openapi: "3.0.3", servers: [{ url: "https://api.example.com" }] }),
    ...given,
  };
  const { tools } = readOpenApi(document, options);
  for (const call of calls) {
    counts.calls++;
    const tool = tools.find((one) => `${describeOpenApiTool(one).method} ${describeOpenApiTool(one).path}` === call.operation);
    if (isOurs(tool, call)) counts.ours++;
    if (
      SwaggerClient === undefined ||
      call.throws !== undefined ||
      call.secrets !== undefined ||
      call.parts !== undefined ||
      call.bytes !== undefined
    )
      continue;
    if (call.url === undefined && call.body === undefined) continue;
    counts.comparable++;
    if (isTheirs(document, call, SwaggerClient)) counts.theirs++;
  }
}

function isOurs(tool, call) {
  try {
    const request = buildRequest(tool, call.input ?? toInput(tool, call.given ?? {}), { baseUrl: call.baseUrl, secrets: call.secrets });
    if (call.throws !== undefined) return false;
    return isAsWritten(request, call);
  } catch {
    return call.throws !== undefined;
  }
}

function isTheirs(document, call, SwaggerClient) {
  const [method, ...rest] = call.operation.split(" ");
  const pathName = rest.join(" ");
  const item = document.paths[pathName];
  const operation = item?.[method.toLowerCase()];
  try {
    const spec = structuredClone({
      ...document,
      paths: { [pathName]: { ...item, [method.toLowerCase()]: { ...operation, operationId: "operation" } } },
    });
    const parameters = Object.fromEntries(
      ["path", "query", "header", "cookie"].flatMap((place) =>
        Object.entries(call.given?.[place] ?? {}).map(([name, value]) => [`${place}.${name}`, value]),
      ),
    );
    const type = Object.keys(operation.requestBody?.content ?? {})[0];
    const body = call.given?.body === undefined ? {} : { requestBody: call.given.body, requestContentType: type };
    const request = SwaggerClient.buildRequest({ spec, operationId: "operation", parameters, ...body });
    return isAsWritten({ ...request, body: typeof request.body === "object" ? JSON.stringify(request.body) : request.body }, call);
  } catch {
    return false;
  }
}

function isAsWritten(request, { url = request.url, headers, body }) {
  const same = normalForm({ url: request.url }) === normalForm({ url });
  const lower = Object.fromEntries(Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return (
    same && Object.entries(headers ?? {}).every(([name, value]) => lower[name] === value) && (body === undefined || request.body === body)
  );
}

function toInput(tool, given) {
  const { parameters, body } = describeOpenApiTool(tool);
  const input = {};
  const rest = structuredClone(given);
  for (const { property, in: place, name } of parameters) {
    if (rest[place] === undefined || !Object.hasOwn(rest[place], name)) continue;
    input[property] = rest[place][name];
    if (place === "body") delete rest.body[name];
  }
  if (given.body !== undefined && body !== undefined)
    Object.assign(input, "property" in body ? { [body.property]: given.body } : rest.body);
  return input;
}
