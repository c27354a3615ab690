import type { AnyTool, ToolDefinition } from "@toolrack/core";
import { readTool } from "@toolrack/core/internal";
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
    this.handlers = Object.freeze({ [this.tool.name]: this.tool.handler as Handler });
    this.#store = store;
  }

  /** Writes the `tool.definition.v1` record. The same definition again changes nothing. */
  start(options?: PublishOptions): Promise<WriteResult> {
    return publishTool(this.#store, this.tool, options);
  }
}
