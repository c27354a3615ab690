import type { ServerResponse } from "node:http";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { sendJson, startLoopback } from "@toolrack/testkit/loopback";
import type { SourceConfig } from "../../../src/config/config.ts";

/** An API with one operation, `pets__listPets`, whose document is there or not. */
export interface SwitchedApi {
  /** "away": the document cannot be read. "slow": it is not answered before `release`. */
  document: "there" | "away" | "slow";
  /** Answers everybody who waits for the document. */
  release(): void;
  readonly source: SourceConfig;
}

export async function startSwitchedApi(document: SwitchedApi["document"]): Promise<SwitchedApi> {
  const waiting: ServerResponse[] = [];
  const server = await startLoopback(({ path }, response) => {
    if (path !== "/openapi.json") sendJson(response, [{ name: "Rex" }]);
    else if (api.document === "away") response.writeHead(503).end();
    else if (api.document === "slow") waiting.push(response);
    else sendJson(response, documentOf(server.url));
  });
  afterThisTest(() => server[Symbol.asyncDispose]());
  const api: SwitchedApi = {
    document,
    release() {
      api.document = "there";
      for (const response of waiting.splice(0)) sendJson(response, documentOf(server.url));
    },
    source: { openapi: { url: `${server.url}/openapi.json`, allowHosts: [server.host] } },
  };
  return api;
}

function documentOf(url: string): object {
  const responses = { "200": { description: "The pets.", content: { "application/json": { schema: { type: "array" } } } } };
  return {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url }],
    paths: { "/pets": { get: { operationId: "listPets", summary: "List all pets", responses } } },
  };
}
