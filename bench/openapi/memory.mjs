import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readOpenApi } from "@toolrack/openapi";

/** What the tools of a document hold, for documents of growing size: the share of each operation must not grow. */
export function memoryTable() {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const sizes = [1_000, 2_000, 4_000, 8_000];
  // The first reads leave compiled code and caches behind, which are no part of a document.
  for (let round = 0; round < 3; round++) readOpenApi(documentOf(sizes[0]));
  const held = sizes.map((size) => {
    const text = documentOf(size);
    collect();
    collect();
    const before = process.memoryUsage().heapUsed;
    const read = readOpenApi(text);
    collect();
    collect();
    const bytes = (process.memoryUsage().heapUsed - before) / size;
    return { size, tools: read.tools.length, bytes };
  });
  const [first] = held;
  return {
    caption: "Memory of the tools of one document",
    columns: ["operations", "kB for each operation", "target", "verdict"],
    rows: held.map(({ size, bytes }) => [
      String(size),
      (bytes / 1_000).toFixed(1),
      "≤ 1.2 × the first",
      bytes <= 1.2 * first.bytes ? "ok" : "over",
    ]),
  };
}

function documentOf(size) {
  const $ref = "#/components/schemas/Thing";
  const content = { "application/json": { schema: { $ref } } };
  const operation = (index) => ({
    operationId: `thing${index}`,
    description: `Writes thing number ${index}.`,
    parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: index } }],
    requestBody: { content },
    responses: { 200: { description: "It.", content } },
  });
  const paths = Object.fromEntries(Array.from({ length: size }, (_, index) => [`/things/${index}`, { post: operation(index) }]));
  const Thing = { type: "object", properties: { name: { type: "string" }, parts: { type: "array", items: { $ref } } } };
  return JSON.stringify({ openapi: "3.1.0", servers: [{ url: "https://api.example.com" }], paths, components: { schemas: { Thing } } });
}
