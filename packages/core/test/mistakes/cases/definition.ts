import { defineTool, objectSchema, optional } from "@toolrack/core";
import * as z from "zod";
import type { Mistake } from "../mistake.ts";

const handler = (): string => "sunny";
const base = { name: "weather", description: "The weather of a city.", handler } as const;
const inputSchema = { type: "object", properties: { city: { type: "string" } } } as const;

export const definition: readonly Mistake[] = [
  { title: "A raw Zod shape as `inputSchema`", define: () => defineTool({ ...base, inputSchema: { city: z.string() } }) },
  {
    title: "Zod schemas as `properties` of a JSON Schema",
    define: () => defineTool({ ...base, inputSchema: { type: "object", properties: { city: z.string() } } }),
  },
  { title: "`objectSchema` without properties", define: () => objectSchema() },
  { title: "`objectSchema` with a type in place of a schema", define: () => objectSchema({ city: "string" }) },
  { title: "`optional` of a type in place of a schema", define: () => optional("string") },
  { title: "A bare map of properties as `inputSchema`", define: () => defineTool({ ...base, inputSchema: { city: { type: "string" } } }) },
  { title: "A map of types as `inputSchema`", define: () => defineTool({ ...base, inputSchema: { city: "string" } }) },
  {
    title: "A map of properties without `properties` inside a schema",
    define: () => defineTool({ ...base, inputSchema: { type: "object", properties: { place: { city: { type: "string" } } } } }),
  },
  {
    title: "A misspelt keyword: `propertes`",
    define: () => defineTool({ ...base, inputSchema: { type: "object", propertes: { city: { type: "string" } } } }),
  },
  {
    title: "A misspelt keyword inside: `minLenght`",
    define: () => defineTool({ ...base, inputSchema: { type: "object", properties: { city: { type: "string", minLenght: 1 } } } }),
  },
  {
    title: "A type that does not exist: `strng`",
    define: () => defineTool({ ...base, inputSchema: { type: "object", properties: { city: { type: "strng" } } } }),
  },
  {
    title: "`required: true` on a property",
    define: () => defineTool({ ...base, inputSchema: { type: "object", properties: { city: { type: "string", required: true } } } }),
  },
  { title: "An input that is a list", define: () => defineTool({ ...base, inputSchema: { type: "array", items: { type: "string" } } }) },
  {
    title: "A `$schema` that is not supported",
    define: () => defineTool({ ...base, inputSchema: { ...inputSchema, $schema: "https://example.com/mine" } }),
  },
  {
    title: "A pattern that is no regular expression",
    define: () => defineTool({ ...base, inputSchema: { type: "object", properties: { city: { type: "string", pattern: "[a-z" } } } }),
  },
  { title: "No schema", define: () => defineTool({ ...base }) },
  { title: "A misspelt field: `desciption`", define: () => defineTool({ name: "weather", desciption: "…", inputSchema, handler }) },
  { title: "A misspelt field: `hander`", define: () => defineTool({ name: "weather", description: "…", inputSchema, hander: handler }) },
  {
    title: "`execute` in place of `handler`",
    define: () => defineTool({ name: "weather", description: "…", inputSchema, execute: handler }),
  },
  { title: "A field of the metadata beside them: `ownerOnly`", define: () => defineTool({ ...base, inputSchema, ownerOnly: true }) },
  { title: "A misspelt field of the metadata", define: () => defineTool({ ...base, inputSchema, metadata: { ownerOnley: true } }) },
  {
    title: "A misspelt annotation: `readonly`",
    define: () => defineTool({ ...base, inputSchema, metadata: { annotations: { readonly: true } } }),
  },
  {
    title: 'A time limit with a unit: `"5s"`',
    define: () => defineTool({ ...base, inputSchema, metadata: { limits: { timeoutMs: "5s" } } }),
  },
  { title: "A name with a space", define: () => defineTool({ ...base, inputSchema, name: "the weather" }) },
  { title: "A version of two numbers", define: () => defineTool({ ...base, inputSchema, version: "1.0" }) },
  {
    title: "`ownerOnly` of a class, outside of `metadata`",
    define: () => defineTool(Object.assign(new Greeter(), { ownerOnly: true })),
  },
  {
    title: "A misspelt `metadata` of a class",
    define: () => defineTool(Object.assign(new Greeter(), { metdata: { ownerOnly: true } })),
  },
];

class Greeter {
  name = "greet";
  description = "Greets.";
  inputSchema = { type: "object" } as const;
  handler(): string {
    return "hi";
  }
}
