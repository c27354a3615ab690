import type { Chain, ChainToolInfo } from "@toolrack/code";
import { ToolError } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import type { Breadcrumb, ImplementationKind, JsonObject } from "@toolrack/store";
import { mustKnow, packHint, type ProgramHost, wrong } from "./_definition.ts";

/** How a definition says that it is a chain. */
export interface ChainImplementation extends Chain {
  readonly kind: "chain";
}

/** Definitions that are calls of other tools, each with values of earlier ones. Runs as a program, as the caller of the tool. */
export function chainKind(host: ProgramHost): ImplementationKind {
  const { programs, registry } = host;
  let code: typeof import("@toolrack/code") | undefined;
  return {
    kind: "chain",
    async load() {
      code ??= await import("@toolrack/code");
    },
    createHandler(implementation, definition) {
      const chain = readChain(implementation, definition);
      const { problems, tools } = code!.checkChain(chain, { inputSchema: definition.context["inputSchema"] as JsonSchema });
      if (problems.length > 0) throw wrong(definition, problems.map(({ message }) => message).join("\n"));
      const source = code!.chainToProgram(chain);
      const plan = code!.planOfChain(chain);
      return async (input, context) => {
        try {
          return (await programs.run({ source, input, tools, chain: plan }, context)).value as never;
        } catch (error) {
          // The places in the program tell nothing to the author of a chain.
          if (!ToolError.is(error)) throw error;
          throw new ToolError(error.code, code!.chainMessage(error.message), { cause: error, retryable: error.retryable });
        }
      };
    },
    problemOf(implementation, definition, sees = () => true) {
      const { context } = definition;
      const { problems, tools } = code!.checkChain(readChain(implementation, definition), {
        inputSchema: context["inputSchema"] as JsonSchema,
        schemaOf: (name) => (name === context["name"] ? {} : sees(name) ? infoOf(registry, name) : undefined),
        toolNames: () => registry.list().flatMap(({ name }) => (sees(name) ? [name] : [])),
      });
      const hints = tools.flatMap((tool) => (registry.get(tool) === undefined ? (packHint(host, tool) ?? []) : []));
      const lines = [...problems.map(({ message }) => message), ...new Set(hints)];
      return problems.length === 0 ? undefined : wrong(definition, lines.join("\n")).message;
    },
  };
}

function readChain(implementation: JsonObject, definition: Breadcrumb): Chain {
  mustKnow(definition, implementation, ["kind", "steps", "returnStep", "continueOnError"]);
  const { kind: _, ...chain } = implementation;
  return chain as unknown as Chain;
}

function infoOf(registry: ProgramHost["registry"], name: string): ChainToolInfo | undefined {
  const tool = registry.get(name);
  if (tool === undefined) return undefined;
  const { destructive, idempotent } = tool.metadata?.annotations ?? {};
  return {
    inputSchema: tool.inputSchema,
    ...(tool.outputSchema !== undefined && { outputSchema: tool.outputSchema }),
    ...(destructive !== undefined && { destructive }),
    ...(idempotent !== undefined && { idempotent }),
  };
}
