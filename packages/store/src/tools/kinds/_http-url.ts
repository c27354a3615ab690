import { ToolError, ToolInputError } from "@toolrack/core";

/** An endpoint such as "https://api.example.com/users/{id}/posts?page={page}". */
export interface EndpointTemplate {
  /** The parameters in the path. */
  readonly names: readonly string[];
  /** The URL for these values. A value never leaves its place: no other host, no other folder, no further query. */
  fill(values: Readonly<Record<string, unknown>>): URL;
}

export function readEndpoint(endpoint: unknown, tool: string): EndpointTemplate {
  const wrong = (fact: string): ToolError => new ToolError("DEFINITION_INVALID", `Tool "${tool}": implementation.endpoint ${fact}.`);
  if (typeof endpoint !== "string") throw wrong('must be a URL such as "https://api.example.com/users/{id}"');
  const parts = endpoint.split(/\{([^{}]*)\}/);
  const names = parts.filter((_, index) => index % 2 === 1);
  const sample = parts.map((part, index) => (index % 2 === 1 ? "x" : part)).join("");
  if (names.includes("") || /[{}]/.test(sample) || !URL.canParse(sample)) throw wrong("is not a URL, apart from its {parameters}");
  const { origin, protocol, hash } = new URL(sample);
  if (protocol !== "http:" && protocol !== "https:") throw wrong("must begin with http:// or https://");
  if (hash !== "") throw wrong("must not have a #fragment");
  // The first part has to reach past the host, or a parameter would be in the host.
  if (!/^https?:\/\/[^/{}]+\//i.test(`${parts[0]!}${parts.length === 1 ? "/" : ""}`)) throw wrong("must not have a parameter in its host");
  const fixedSegments = new URL(sample).pathname.split("/").length;

  return {
    names,
    fill(values) {
      const text = parts.map((part, index) => (index % 2 === 1 ? encodeValue(part, values[part]) : part)).join("");
      const url = new URL(text);
      if (url.origin !== origin || url.pathname.split("/").length !== fixedSegments)
        throw new ToolInputError(`The values for the path of "${tool}" lead out of it.`);
      return url;
    },
  };
}

/** "a/b?c" → "a%2Fb%3Fc". "." and ".." mean folders in every spelling, so they cannot be values. */
function encodeValue(name: string, value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
    throw new ToolInputError(`The parameter "${name}" is part of the path and must be a string or a number.`);
  }
  const text = String(value);
  if (text === "" || /^(\.|%2e){1,2}$/i.test(text))
    throw new ToolInputError(`The parameter "${name}" is part of the path and cannot be ${JSON.stringify(text)}.`);
  return encodeURIComponent(Buffer.from(text).toString());
}
