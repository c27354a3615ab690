import { readFile } from "node:fs/promises";
import path from "node:path";
import { CommandError } from "../errors.ts";
import { safe } from "../print/safe.ts";
import { readParameters } from "./_http-definition.ts";
import type { CommandInput } from "./command.ts";

/** A tool that is stored as code or as a chain. */
export interface ProgramDefinition {
  readonly name: string;
  readonly context: Readonly<Record<string, unknown>>;
}

type Data = Readonly<Record<string, unknown>>;

/** The definition of a tool whose program is in a file. */
export async function readCodeDefinition(input: CommandInput<[file: string]>): Promise<ProgramDefinition> {
  const [file] = input.arguments;
  const source = await readText(file, input.folder);
  const { name, ...common } = await readCommon(input, file, {});
  return { name, context: { name, ...common, implementation: { kind: "code", source, tools: input.lists("tool") } } };
}

/** The definition of a tool whose chain is in a file. */
export async function readChainDefinition(input: CommandInput<[file: string]>): Promise<ProgramDefinition> {
  const [file] = input.arguments;
  const read = await readObject(file, input.folder);
  const { name: _, description: __, inputSchema: ___, outputSchema: ____, $schema: _____, ...chain } = read;
  const { name, ...common } = await readCommon(input, file, read);
  return { name, context: { name, ...common, implementation: { ...chain, kind: "chain" } } };
}

async function readCommon(input: CommandInput, file: string, inFile: Data): Promise<Data & { readonly name: string }> {
  const { options, folder } = input;
  const text = (key: string): string | undefined => (typeof options[key] === "string" ? options[key] : undefined);
  const name = text("name") ?? (typeof inFile["name"] === "string" ? inFile["name"] : nameOf(file));
  const description = text("description") ?? inFile["description"];
  if (typeof description !== "string" || description.trim() === "")
    throw new CommandError(
      "usage",
      'Say what the tool does, because models choose it by that: --description "Converts degrees Celsius to Fahrenheit."',
    );
  const schemaFile = text("inputSchema");
  const parameters = input.lists("param");
  if (schemaFile !== undefined && parameters.length > 0)
    throw new CommandError("usage", "The input is described by --param or by --input-schema, not by both. Leave one of them out.");
  const outputFile = text("outputSchema");
  const inputSchema =
    schemaFile !== undefined
      ? await readObject(schemaFile, folder)
      : parameters.length > 0
        ? readParameters(parameters)
        : (inFile["inputSchema"] ?? readParameters([]));
  const outputSchema = outputFile === undefined ? inFile["outputSchema"] : await readObject(outputFile, folder);
  return { name, description, inputSchema, ...(outputSchema !== undefined && { outputSchema }) };
}

/** "tools/to-fahrenheit.ts" → "to-fahrenheit" */
function nameOf(file: string): string {
  const name = path.basename(file).replace(/\.[^.]+$/, "");
  if (/^[A-Za-z][\w-]{0,63}$/.test(name)) return name;
  throw new CommandError("usage", `The name of the file "${safe(file)}" cannot be the name of a tool. Give one: --name <name>`);
}

async function readText(file: string, folder: string): Promise<string> {
  return readFile(path.resolve(folder, file), "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandError("usage", `The file "${safe(file)}" cannot be read (${error.code ?? "unknown"}). Check its path.`);
  });
}

async function readObject(file: string, folder: string): Promise<Data> {
  let value: unknown;
  try {
    value = JSON.parse(await readText(file, folder)) as unknown;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError("usage", `The file "${safe(file)}" is not JSON: ${safe((error as Error).message)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Data;
  throw new CommandError("usage", `The file "${safe(file)}" does not hold a JSON object.`);
}
