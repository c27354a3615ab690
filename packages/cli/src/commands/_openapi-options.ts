import type { CommandOption } from "./command.ts";

/** What `openapi plan` and `sources add --openapi` take. */
export const documentOptions: readonly CommandOption[] = [
  {
    flags: "--include <operations>",
    description: 'only these: "tag:pets", "GET", "GET /pets/*", "/pets/**" or an operationId; can be repeated',
    isList: true,
  },
  { flags: "--exclude <operations>", description: "not these; can be repeated", isList: true },
  { flags: "--base-url <url>", description: "address of the API (default: as the document says)" },
  {
    flags: "--secret <scheme=name>",
    description: "secret for a security scheme (default: the scheme's own name); can be repeated",
    isList: true,
  },
  { flags: "--rename <operation=name>", description: "name of the tool for an operation; can be repeated", isList: true },
  { flags: "--group <name>", description: "policy group of all its tools" },
];
