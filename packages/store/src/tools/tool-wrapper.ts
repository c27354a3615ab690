import { type AnyTool, type ToolDefinition, ToolError } from "@toolrack/core";
import { createInputReader, describeInvalidInput, readTool } from "@toolrack/core/internal";
import type { JsonObject } from "../record/breadcrumb.ts";
import type { BreadcrumbStore, WriteResult } from "../store/store.ts";
import type { Handler } from "./kinds/kind.ts";
import { publishTool, type PublishOptions } from "./publish.ts";

/**
 * A tool of this process whose definition is a record: `publishTool` under the name that RCRT programs know. Calls do not come as records:
 * fill a registry with `recordSource(store, { handlers: wrapper.handlers })` and use `registry.invoke`.
 */
export class RCRTToolWrapper {
  readonly tool: ToolDefinition;
  /** By the name of the tool, for `recordSource`. */
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly #store: BreadcrumbStore;

  constructor(tool: AnyTool, store: BreadcrumbStore) {
    this.tool = readTool(tool);
    this.handlers = Object.freeze({ [this.tool.name]: handlerOf(this.tool) });
    this.#store = store;
  }

  /** Writes the `tool.definition.v1` record. The same definition again changes nothing. */
  start(options?: PublishOptions): Promise<WriteResult> {
    return publishTool(this.#store, this.tool, options);
  }
}

/** A record holds only JSON Schema: what the schema of the tool itself checks or transforms beyond that is done here. */
function handlerOf(tool: ToolDefinition): Handler {
  const readInput = createInputReader(tool);
  return async (input, context) => {
    const read = await readInput(input);
    if (read.issues === undefined) return (tool.handler as Handler)(read.value as JsonObject, context);
    throw new ToolError("INPUT_INVALID", describeInvalidInput(tool, read.issues));
  };
}
