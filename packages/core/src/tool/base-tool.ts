import { type ShapeFields, shapeFields } from "./_shape-fields.ts";
import { type JsonSchema, validatorFor } from "@toolrack/json-schema";
import { ToolInputError } from "../errors.ts";
import { fromSuccessForm } from "./_success-form.ts";
import type { CallContext } from "./context.ts";
import type { ToolMetadata } from "./metadata.ts";
import type { HandlerReturn } from "./result.ts";
import { defineTool, type ToolDefinition } from "./tool.ts";

/**
 * The class form: a tool whose `execute` is given the injected session first.
 * It registers like any other tool and gives the same outcomes.
 */
// Any: subclasses say what they take.
export abstract class BaseTool<Input = any, Session = any> {
  abstract readonly name: string;
  abstract readonly description: string;
  abstract readonly parametersSchema: JsonSchema;
  readonly version?: string;
  readonly outputSchema?: JsonSchema;
  readonly metadata?: ToolMetadata;

  /** May return text, data, blocks, a result, or { success, data, error }. */
  abstract execute(session: Session, parameters: Input, context: CallContext<Session>): HandlerReturn | Promise<HandlerReturn>;

  /** Whether the parameters match the schema. One that a class defines itself is asked before each `execute`, after the schema. */
  validate_parameters(parameters: unknown): boolean {
    const { parametersSchema, parameters_schema }: Spellings = this;
    return validatorFor((parametersSchema ?? parameters_schema)!).check(parameters);
  }
}

/** Anything with the fields of a BaseTool counts as one, whatever its prototype. */
// Any: the session of a class is that of the registry. A property, because the parameters of a method may be narrowed.
export type ClassTool<Session = any> = Pick<BaseTool, "name" | "description"> &
  (Pick<BaseTool, "parametersSchema"> | { readonly parameters_schema: JsonSchema }) &
  Partial<Pick<BaseTool, "validate_parameters">> &
  ShapeFields & {
    readonly execute: (session: Session, parameters: any, context: CallContext<Session>) => HandlerReturn | Promise<HandlerReturn>;
  };

interface Spellings {
  readonly parametersSchema?: JsonSchema;
  readonly parameters_schema?: JsonSchema;
}

/** The session of a class tool is the call's services. */
export function fromClassTool(tool: ClassTool): ToolDefinition {
  const { name, description, parametersSchema, parameters_schema } = tool as ClassTool & Spellings;
  const draft = {
    name,
    description,
    inputSchema: parametersSchema ?? parameters_schema,
    async handler(input: unknown, context: CallContext): Promise<HandlerReturn> {
      if (tool.validate_parameters?.(input) === false) throw new ToolInputError(`validate_parameters of "${name}" returned false.`);
      return fromSuccessForm(await tool.execute(context.services, input, context));
    },
    ...shapeFields(tool),
  };
  return defineTool(draft as object as ToolDefinition);
}
