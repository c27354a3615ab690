import type { Issue } from "@toolrack/json-schema";
import type { Progress } from "../../tool/context.ts";
import type { CallMeta, ContentBlock, ToolFailure, ToolResult, ToolSuccess } from "../../tool/result.ts";
import { redactedMark } from "../../util/redact-json-text.ts";
import { createFieldCheck, createRedactor, type Redactor } from "../../util/redactor.ts";
import type { Wrapper } from "../wrapper.ts";

export { createRedactor } from "../../util/redactor.ts";

export interface RedactionOptions {
  /** Names of properties whose values are hidden, in data and in JSON text, in any case, with or without - and _: ["password", "apiKey"]. */
  fields?: readonly string[];
  /** Returns the current secrets; called once for each result. */
  values?: () => Iterable<string>;
}

/** Removes named fields and known secrets from every result. A result that cannot be searched is withheld. */
export function createRedaction(options: RedactionOptions): Wrapper {
  const redactorNow = currentRedactor(options);
  return {
    name: "redact",
    finish(result, call) {
      try {
        const redactor = redactorNow();
        return result.ok ? redactSuccess(result, redactor) : redactFailure(result, redactor);
      } catch {
        return call.fail(
          "RESULT_INVALID",
          `The result of tool "${call.tool.name}" was withheld, because it could not be searched for secrets.`,
        );
      }
    },
  };
}

/** The same for progress updates; throws if an update cannot be searched. */
export function createProgressRedaction(options: RedactionOptions): (update: Progress) => Progress {
  const redactorNow = currentRedactor(options);
  return (update) => redactorNow().value(update) as Progress;
}

/** Recreated when the secrets change. */
function currentRedactor(options: RedactionOptions): () => Redactor {
  const isHidden = createFieldCheck(options.fields ?? []);
  let known: { readonly secrets: readonly string[]; readonly redactor: Redactor } | undefined;
  return () => {
    const secrets = [...(options.values?.() ?? [])];
    const isSame = known?.secrets.length === secrets.length && secrets.every((secret, index) => secret === known?.secrets[index]);
    if (known === undefined || !isSame) known = { secrets, redactor: createRedactor({ secrets, isHidden, searchesJsonText: true }) };
    return known.redactor;
  };
}

function redactSuccess(result: ToolSuccess, redactor: Redactor): ToolResult {
  const content = redactor.text(result.content);
  const data = result.data === undefined ? undefined : redactor.value(result.data);
  const blocks = result.blocks && each(result.blocks, (block) => redactBlock(block, redactor));
  const effects = result.effects && each(result.effects, (effect) => texts(effect, redactor));
  const meta = redactMeta(result.meta, redactor);
  // Usually nothing is hidden, and the result is returned unchanged.
  if (content === result.content && data === result.data && blocks === result.blocks && effects === result.effects && meta === result.meta)
    return result;
  return { ...result, content, ...(blocks && { blocks }), ...(data !== undefined && { data }), ...(effects && { effects }), meta };
}

function redactFailure(result: ToolFailure, redactor: Redactor): ToolResult {
  let { error } = result;
  const issues =
    result.issues &&
    each(result.issues, (issue) => {
      if (!concernsHiddenField(issue, redactor)) return texts(issue, redactor);
      const hidden = hideReceived(issue);
      error = error.replaceAll(issue.message, () => hidden.message);
      return hidden;
    });
  return changed(result, {
    error: redactor.text(error),
    ...(issues && { issues }),
    ...(result.approval && { approval: texts(result.approval, redactor) }),
    meta: redactMeta(result.meta, redactor),
  });
}

function redactBlock(block: ContentBlock, redactor: Redactor): ContentBlock {
  if (block.type !== "image" && block.type !== "audio") return texts(block, redactor);
  // Megabytes of an image are not searched.
  const { data: _, ...rest } = block;
  return changed(block, texts(rest, redactor) as Partial<ContentBlock>);
}

function redactMeta(meta: CallMeta, redactor: Redactor): CallMeta {
  const { warnings, repairs } = meta;
  if (warnings === undefined && repairs === undefined) return meta;
  return changed(meta, {
    ...(warnings && { warnings: each(warnings, redactor.text) }),
    ...(repairs && { repairs: each(repairs, redactor.text) }),
  });
}

/** The message about a hidden field quotes its value. */
function hideReceived(issue: Issue): Issue {
  const { suggestion: _, ...rest } = issue;
  return { ...rest, message: `${issue.path} must be ${issue.expected}, but it is ${redactedMark}.`, received: redactedMark };
}

function concernsHiddenField(issue: Issue, redactor: Redactor): boolean {
  return issue.path.split("/").some((part) => redactor.isHidden(part.replaceAll("~1", "/").replaceAll("~0", "~")));
}

/** Redacts the values of a part of a result; its own fields, such as `type`, are not taken for named ones. */
function texts<Part extends object>(part: Part, redactor: Redactor): Part {
  const redacted: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(part)) redacted[key] = typeof value === "string" ? redactor.text(value) : redactor.value(value);
  return changed(part, redacted as Partial<Part>);
}

function each<Item>(items: readonly Item[], redact: (item: Item) => Item): readonly Item[] {
  const redacted = items.map(redact);
  return redacted.every((item, index) => item === items[index]) ? items : redacted;
}

/** Returns the same object if no field changes. */
function changed<Value extends object>(value: Value, fields: Partial<Value>): Value {
  for (const key of Object.keys(fields) as (keyof Value)[]) if (fields[key] !== value[key]) return { ...value, ...fields };
  return value;
}
