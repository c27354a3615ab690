import { members, ownObject, ownText } from "../document/json.ts";
import type { DocumentScope, References } from "../document/references.ts";
import { OperationLimit } from "../fault.ts";
import type { OperationLink } from "../operation.ts";

/** Far more than are shown, of links and of their parameters: many operations may share a response. */
const maxLinks = 20;

/** The links of a response; one that is broken is passed over, since they are hints. */
export function readLinks(response: unknown, scope: DocumentScope, references: References): readonly OperationLink[] {
  const listed = members(ownObject(response, "links")).slice(0, maxLinks);
  return listed.flatMap(([, given]): readonly OperationLink[] => {
    try {
      const { value } = references.follow(given, scope);
      const operationId = ownText(value, "operationId");
      const target = operationId === undefined ? operationIn(ownText(value, "operationRef") ?? "") : undefined;
      if (operationId === undefined && target === undefined) return [];
      const sources = members(ownObject(value, "parameters")).slice(0, maxLinks);
      const parameters = sources.flatMap(([name, from]) => {
        const shown = shownSource(from);
        return shown === undefined ? [] : [[name.replace(/^(?:path|query|header|cookie)\./, ""), shown] as const];
      });
      return [{ ...(operationId === undefined ? { operation: target! } : { operationId }), parameters }];
    } catch (error) {
      if (error instanceof OperationLimit) throw error;
      return [];
    }
  });
}

/** "#/paths/~1pets~1{id}/get" → "GET /pets/{id}"; undefined for another document. */
function operationIn(reference: string): string | undefined {
  const [, path, method] = /^#\/paths\/([^/]{1,2000})\/([a-z]{1,20})$/.exec(reference) ?? [];
  if (path === undefined) return undefined;
  const plain = decoded(path).replaceAll("~1", "/").replaceAll("~0", "~");
  return `${method!.toUpperCase()} ${plain}`;
}

/** A runtime expression or a plain value, if it is short and has nothing but visible ASCII. */
function shownSource(from: unknown): string | undefined {
  if (typeof from === "object" || from === undefined) return undefined;
  const text = typeof from === "string" && /^\$(?:url|method|statusCode|request\.|response\.)/.test(from) ? from : JSON.stringify(from);
  return text.length <= 80 && /^[\x21-\x7e]+$/.test(text) ? text : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
