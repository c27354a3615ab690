import { createRequire } from "node:module";
import { buildRequest, describeOpenApiTool } from "@toolrack/openapi";
import { sample, sampleOperation } from "./sample.mjs";
import { normalForm, pairsOf } from "./same-request.mjs";

const load = createRequire(import.meta.url);

/** The independent builder; undefined where it is not installed. */
export function loadSwaggerClient() {
  try {
    const loaded = load("swagger-client");
    return loaded.default ?? loaded;
  } catch {
    return undefined;
  }
}

const baseUrl = "https://api.example.com/base";

/** Whether both builders make the same request for the same values: true, false with both requests, or undefined with why it was not compared. */
export function compareRequests(root, tool, SwaggerClient) {
  const described = describeOpenApiTool(tool);
  const item = root.paths?.[described.path] ?? {};
  const operation = item[described.method.toLowerCase()];
  if (operation === undefined || item.$ref !== undefined) return { skipped: "the path item is a reference" };
  const { given, parameters, body, follow } = sampleOperation(root, item, operation);
  const shown = new Set(described.parameters.map((one) => `${one.in}.${one.name}`));
  const values = {};
  const input = {};
  for (const { property, in: place, name } of described.parameters) {
    const value = given[place]?.[name];
    if (value === undefined) continue;
    values[`${place}.${name}`] = value;
    input[property] = value;
  }
  const sentBody = sampleBody(body, described, follow);
  addBody(input, sentBody, described);
  // What is no parameter for us, such as a credential or Accept, is none for the other builder.
  const kept = parameters.filter((one) => shown.has(`${one.in}.${one.name}`));
  const declared = new Set(kept.filter((one) => one.in === "path").map(({ name }) => name));
  for (const { in: place, name } of described.parameters)
    if (place === "path" && !declared.has(name)) {
      kept.push({ name, in: "path", required: true, schema: { type: "string" } });
      input[described.parameters.find((one) => one.in === "path" && one.name === name).property] = values[`path.${name}`] = "x";
    }
  const path = described.path.replace(/#.*$/, "").replace(/^(?!\/)/, "/");
  const type = described.body?.contentType;
  const spec = {
    openapi: "3.0.3",
    servers: [{ url: baseUrl }],
    paths: {
      [path.split("?")[0]]: {
        [described.method.toLowerCase()]: {
          operationId: "operation",
          parameters: kept,
          ...(sentBody !== undefined && { requestBody: { content: { [type]: { schema: { type: "object" } } } } }),
        },
      },
    },
  };
  let ours;
  let theirs;
  try {
    const sent = sentBody === undefined ? {} : { requestBody: sentBody, requestContentType: type };
    theirs = SwaggerClient.buildRequest({ spec, operationId: "operation", parameters: values, ...sent });
  } catch (error) {
    return { skipped: `swagger-client: ${error.message.slice(0, 60)}` };
  }
  try {
    ours = buildRequest(tool, input, { baseUrl });
  } catch (error) {
    return { isSame: false, ours: error.message, theirs: theirs.url };
  }
  const fixed = fixedQuery(path, values, shown);
  const url = fixed === "" ? theirs.url : `${theirs.url}${theirs.url.includes("?") ? "&" : "?"}${fixed}`;
  // A body that no value was given for is not compared.
  const left = normalForm({ ...ours, body: sentBody === undefined ? null : bodyOf(ours.body, type, JSON.parse) });
  const right = normalForm({ ...theirs, url, body: sentBody === undefined ? null : bodyOf(theirs.body, type) });
  return left === right ? { isSame: true } : { isSame: false, ours: left, theirs: right };
}

/** What stands behind "?" in a path: "name={name}" is a parameter of the query where one is declared, else one of the path. */
function fixedQuery(path, values, shown) {
  if (!path.includes("?")) return "";
  const pairs = path
    .slice(path.indexOf("?") + 1)
    .split("&")
    .filter((pair) => !shown.has(`query.${/^[^={}]*=?\{([^{}]+)\}$/.exec(pair)?.[1]}`));
  return pairs.map((pair) => pair.replaceAll(/\{([^{}]+)\}/g, (_, name) => encodeURIComponent(String(values[`path.${name}`])))).join("&");
}

/** Lists and objects in forms are left out: swagger-client joins lists by commas, where the specification repeats the name. */
function sampleBody(body, described, follow) {
  if (described.body === undefined || body === undefined) return undefined;
  const content = body.content ?? {};
  const type = Object.keys(content).find((one) => one.trim() === described.body.contentType) ?? Object.keys(content)[0];
  const value = sample(content[type]?.schema ?? {}, follow, 0);
  if (!/json/.test(described.body.contentType) && !/form/.test(described.body.contentType)) return undefined;
  if (/json/.test(described.body.contentType)) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const plain = Object.entries(value).filter(([, member]) => typeof member !== "object");
  return plain.length === 0 ? undefined : Object.fromEntries(plain);
}

function addBody(input, body, described) {
  if (body === undefined) return;
  if ("property" in described.body) input[described.body.property] = body;
  else {
    const renamed = new Map(described.parameters.filter((one) => one.in === "body").map(({ name, property }) => [name, property]));
    for (const [name, value] of Object.entries(body)) input[renamed.get(name) ?? name] = value;
  }
}

/** The other builder leaves JSON to be written by what sends it. */
function bodyOf(body, type = "", readJson = (value) => value) {
  if (body === undefined || body === null) return null;
  if (/form-urlencoded/.test(type)) return pairsOf(String(body));
  if (type.startsWith("multipart"))
    return Array.isArray(body.parts)
      ? body.parts.map(({ name, value }) => [name, textOf(value)])
      : [...body.entries()].map(([name, value]) => [name, String(value)]);
  return /json/.test(type) ? readJson(body) : body;
}

/** Bytes as they were given. */
function textOf(value) {
  return typeof value === "string" ? value : Buffer.from(value).toString("base64");
}
