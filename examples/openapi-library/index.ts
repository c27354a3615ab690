// An API document becomes tools of a registry: planned, curated, and called with the API's own credentials.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// #region imports
import { createMemorySecrets, createRegistry } from "@toolrack/core";
import { buildRequest, describeOpenApiTool, openApiSource, planOpenApi, readOpenApi } from "@toolrack/openapi";
// #endregion

const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  if (request.headers["x-api-key"] !== "s3cret") response.writeHead(401).end('{"message":"Who are you?"}');
  else if (request.url!.startsWith("/pets/")) response.writeHead(404).end('{"error":{"message":"There is no such pet"}}');
  else response.end(JSON.stringify([{ id: 1, name: "Rex", asked: request.url }]));
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const document = `
openapi: 3.0.3
info: { title: Pets, version: 1.0.0 }
servers: [{ url: "http://${host}" }]
security: [{ key: [] }]
paths:
  /pets:
    get:
      operationId: pets/list
      tags: [pets]
      summary: Lists the pets.
      parameters:
        - { name: "filter[kind]", in: query, schema: { type: array, items: { type: string } } }
        - { name: api-version, in: query, required: true, schema: { type: string } }
  /pets/{id}:
    get: { operationId: pets/get, tags: [pets], summary: One pet. }
    delete: { operationId: pets/delete, tags: [pets], summary: Removes a pet. }
  /broken:
    get: { parameters: [{ $ref: "#/components/parameters/Gone" }] }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Api-Key } }
`;

// #region plan
const plan = planOpenApi(document);
console.log(plan.operations, Object.keys(plan.tags), plan.secrets);
console.log(plan.refused[0]);
// #endregion

// #region read
const { tools } = readOpenApi(document, { include: { tag: "pets", method: "GET" }, pin: { "api-version": "2" } });
console.log(tools.map(({ name }) => name).join(", "));
console.log(describeOpenApiTool(tools[0]!).parameters);
console.log(buildRequest(tools[0]!, { filter_kind: ["dog", "cat,fox"] }, { baseUrl: "https://api.example.com" }).url);
// #endregion

// #region source
const registry = createRegistry({ secrets: createMemorySecrets({ PETS_KEY: "s3cret" }) });
await registry.addSource(
  openApiSource({
    name: "pets",
    document,
    exclude: "DELETE",
    pin: { "api-version": "2" },
    secrets: { key: "PETS_KEY" },
    allowHosts: [host], // its address is private, so it has to be named
    resultFields: true,
  }),
);
console.log(await registry.invoke("pets_list", { result_fields: ["name"] }).then((result) => result.ok && result.content));
console.log(await registry.invoke("pets_get", { id: "7" }).then((result) => !result.ok && result.error.replace(host, "127.0.0.1:8080")));
// #endregion

assert.equal(plan.operations.imported, 3);
assert.equal(registry.has("pets_delete"), false);
await registry.close();
server.close();
server.closeAllConnections();
