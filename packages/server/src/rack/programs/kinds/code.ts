import { nearestNames } from "@toolrack/json-schema/internal";
import type { Breadcrumb, ImplementationKind, JsonObject } from "@toolrack/store";
import { mustKnow, packHint, type ProgramHost, wrong } from "./_definition.ts";

/** How a definition says that it is a program. */
export interface CodeImplementation {
  readonly kind: "code";
  /** The program; `input` is the input of the tool, and what it returns is the result. */
  readonly source: string;
  /** The tools that it may call, of those that its caller may call. @default none */
  readonly tools?: readonly string[];
}

/**
 * Definitions whose code is part of the record. Files, network, environment and secrets do not exist in it: it can compute, and call the tools that it
 * lists, as the caller of the tool.
 */
export function codeKind(host: ProgramHost): ImplementationKind {
  const { programs, registry } = host;
  let code: typeof import("@toolrack/code") | undefined;
  return {
    kind: "code",
    async load() {
      code ??= await import("@toolrack/code");
    },
    createHandler(implementation, definition) {
      const { source, tools } = readCode(implementation, definition);
      const { diagnostics } = code!.prepareProgram(source);
      if (diagnostics.length > 0) {
        const found = diagnostics
          .slice(0, maxShown)
          .map(({ line, column, message }) => `\nimplementation.source:${line}:${column}: ${message.replace(/^Line \d+: /, "")}`);
        throw wrong(definition, `its program cannot run.${found.join("")}`);
      }
      return async (input, context) => (await programs.run({ source, input, tools }, context)).value as never;
    },
    problemOf(implementation, definition, sees = () => true) {
      const { tools } = readCode(implementation, definition);
      const isThere = (name: string): boolean => registry.get(name) !== undefined && sees(name);
      const missing = tools.find((name) => name !== definition.context["name"] && !isThere(name));
      if (missing === undefined) return undefined;
      const [near] = nearestNames(
        missing,
        registry.list().flatMap(({ name }) => (sees(name) ? [name] : [])),
        1,
      );
      const other = near === undefined ? "Add that tool first, or take it out of implementation.tools." : `Did you mean "${near}"?`;
      const hint = packHint(host, missing) ?? other;
      return wrong(definition, `implementation.tools names "${missing}", which is not a tool here. ${hint}`).message;
    },
  };
}

const maxShown = 5;
const maxSource = 100_000;
const maxTools = 100;

function readCode(implementation: JsonObject, definition: Breadcrumb): Required<Pick<CodeImplementation, "source" | "tools">> {
  mustKnow(definition, implementation, ["kind", "source", "tools"]);
  const { source, tools = [] } = implementation as { readonly source?: unknown; readonly tools?: unknown };
  if (typeof source !== "string" || source.trim() === "")
    throw wrong(definition, 'implementation.source must be a program, such as "return { fahrenheit: input.celsius * 1.8 + 32 };".');
  if (source.length > maxSource)
    throw wrong(definition, `implementation.source is longer than ${maxSource.toLocaleString("en-US")} characters. Make it shorter.`);
  if (!Array.isArray(tools) || tools.length > maxTools || !tools.every((name) => typeof name === "string" && namePattern.test(name)))
    throw wrong(definition, `implementation.tools must be a list of at most ${maxTools} names of tools that the program may call.`);
  return { source, tools: tools as readonly string[] };
}

const namePattern = /^[A-Za-z0-9_.:/-]{1,128}$/;
