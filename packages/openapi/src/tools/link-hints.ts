import type { OperationLink, ReadOperation } from "../operation.ts";
import type { RawOperation } from "../read/raw-operations.ts";

/** An operation that becomes a tool, with its name. */
export interface ToolOperation extends ReadOperation {
  readonly raw: RawOperation;
  readonly name: string;
}

const maxLinks = 5;

/**
 * The links of a document as a sentence for models, which names tools and the properties of their inputs: "A result leads to getOwner (id =
 * $response.body#/owner)." Links to what is no tool are left out, and so is a sentence that is longer than `most`.
 */
export function createLinkHints(operations: readonly ToolOperation[]): (from: ToolOperation, most: number) => string {
  if (operations.every(({ links }) => links.length === 0)) return () => "";
  const byPlace = new Map(operations.map((one) => [one.raw.operation, one]));
  const byId = new Map(operations.map((one) => [one.raw.operationId, one]));
  const hint = ({ operation, operationId, parameters }: OperationLink): string | undefined => {
    const target = operationId === undefined ? byPlace.get(operation!) : byId.get(operationId);
    if (target === undefined) return undefined;
    const given = parameters.flatMap(([name, from]) => {
      const known = target.description.parameters.find((one) => one.name === name);
      return known === undefined ? [] : [`${known.property} = ${from}`];
    });
    return given.length === 0 ? target.name : `${target.name} (${given.join(", ")})`;
  };
  return ({ links }, most) => {
    const shown = [...new Set(links.map(hint))].filter((one) => one !== undefined).slice(0, maxLinks);
    const sentence = `\n\nA result leads to ${shown.join("; ")}.`;
    return shown.length === 0 || sentence.length > most ? "" : sentence;
  };
}
