import type { DialectCall, DialectForm, DialectResult, DialectTool } from "./dialects/dialect.ts";

/**
 * JSON in which no "<" stands, so that neither a description nor a result can close the tags around it or open others. Readers of JSON see
 * no difference.
 */
export function tagSafeJson(value: unknown): string {
  return (JSON.stringify(value) ?? "null").replaceAll("<", "\\u003c");
}

/** One tool on each line, in the notation that chat templates use. */
export function declarations(tools: readonly DialectTool[]): string {
  return tools.map(declaration).join("\n");
}

export function declaration({ name, description, inputSchema }: DialectTool): string {
  return tagSafeJson({ type: "function", function: { name, description, parameters: inputSchema } });
}

/** Calls in the given form. */
export function writeInForm(form: DialectForm, calls: readonly DialectCall[]): string {
  const written = calls.map((call) => `${form.open ?? ""}${writeOne(form, call)}${form.close ?? ""}`);
  const isList = form.list === "always" || (form.list === "parallel" && calls.length > 1);
  return `${form.begin ?? ""}${isList ? `[${written.join(", ")}]` : written.join(form.separator ?? "\n")}`;
}

function writeOne({ call }: DialectForm, { name, input }: DialectCall): string {
  const given = tagSafeJson(input ?? {});
  if (call.kind === "line") return `${name}\n${given}`;
  return `{${JSON.stringify(call.name)}: ${JSON.stringify(name)}, ${JSON.stringify(call.arguments)}: ${given}}`;
}

/** A failure begins with the word Error: models report success for results that only look like one. */
export function outcome({ ok, content }: DialectResult): string {
  return ok ? content : `Error: ${content}`;
}

/** What the built-in dialects are made of, for dialects of your own. */
export const dialectParts: {
  readonly declaration: typeof declaration;
  readonly declarations: typeof declarations;
  readonly outcome: typeof outcome;
  readonly tagSafeJson: typeof tagSafeJson;
  readonly writeInForm: typeof writeInForm;
} = Object.freeze({ declaration, declarations, outcome, tagSafeJson, writeInForm });
