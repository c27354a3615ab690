import type { JsonSchema } from "../schema/schema.ts";
import type { CallContext } from "./context.ts";
import type { ToolMetadata } from "./metadata.ts";
import type { HandlerReturn } from "./result.ts";

/** A tool: plain data plus one handler, frozen. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export interface ToolDefinition<Input = any, Output = unknown> {
  /** 1–128 of [A-Za-z0-9_.-] */
  readonly name: string;
  readonly description: string;
  /** An object schema. */
  readonly inputSchema: JsonSchema;
  readonly handler: (input: Input, context: CallContext) => HandlerReturn<Output> | Promise<HandlerReturn<Output>>;
  readonly title?: string;
  /** semver; several versions may hang side by side. */
  readonly version?: string;
  readonly outputSchema?: JsonSchema;
  readonly metadata?: ToolMetadata;
}
