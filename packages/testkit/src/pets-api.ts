import { afterThisTest } from "./cleanup.ts";
import { type Loopback, sendJson, startLoopback } from "./loopback.ts";

/** A small API with its document. */
export interface Pets extends Loopback {
  /** What /openapi.json answers; may be changed. */
  document: unknown;
}

/** The document of the API at this address. */
export function petsDocument(server: string | undefined, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1.2.0" },
    ...(server !== undefined && { servers: [{ url: server }] }),
    security: [{ api_key: [] }],
    components: { securitySchemes: { api_key: { type: "apiKey", in: "header", name: "X-Key" } } },
    paths: {
      "/pets": {
        get: {
          operationId: "listPets",
          tags: ["pets"],
          summary: "List all pets",
          parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
          responses: { "200": { description: "The pets.", content: { "application/json": { schema: { type: "array" } } } } },
        },
        post: {
          operationId: "addPet",
          tags: ["pets"],
          requestBody: {
            required: true,
            content: { "application/json": { schema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } },
          },
          responses: { "201": { description: "Added." } },
        },
      },
      "/pets/{id}": {
        delete: {
          operationId: "deletePet",
          tags: ["admin"],
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { "204": { description: "Gone." } },
        },
      },
      "/broken": { get: { operationId: "broken", parameters: [{ $ref: "#/components/parameters/missing" }], responses: {} } },
    },
    ...more,
  };
}

/** A document with this many operations. */
export function largeDocument(server: string, operations: number): object {
  const paths = Object.fromEntries(
    Array.from({ length: operations }, (_, index) => [
      `/things/${index}`,
      { get: { operationId: `getThing${index}`, summary: `Read thing number ${index}`, responses: { "200": { description: "It." } } } },
    ]),
  );
  return { openapi: "3.0.3", info: { title: "Things", version: "1" }, servers: [{ url: server }], paths };
}

/** Closed after the test. */
export async function startPets(): Promise<Pets> {
  const pets = await servePets();
  afterThisTest(() => pets[Symbol.asyncDispose]());
  return pets;
}

/** Closed by whoever opens it. */
export async function servePets(): Promise<Pets> {
  const server = await startLoopback(({ method, path, query, body, headers }, response) => {
    if (path === "/openapi.json") {
      if (typeof pets.document === "string") response.writeHead(200, { "content-type": "text/plain" }).end(pets.document);
      else sendJson(response, pets.document);
    } else if (path === "/moved") response.writeHead(302, { location: "/openapi.json" }).end();
    else if (path.startsWith("/things/")) sendJson(response, { thing: path.slice(8) });
    else if (headers["x-key"] !== "k-123") sendJson(response, { message: "Who are you?" }, 401);
    else if (method === "GET") sendJson(response, [{ name: "Rex", limit: query.get("limit") }]);
    else if (method === "POST") sendJson(response, { added: (JSON.parse(body) as { name: string }).name }, 201);
    else response.writeHead(204).end();
  });
  const pets: Pets = Object.assign(server, { document: petsDocument(server.url) as unknown });
  return pets;
}
