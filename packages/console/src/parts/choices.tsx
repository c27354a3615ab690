import type { WidgetProps } from "@rjsf/utils";
import type { ReactNode } from "react";
import { ask } from "../api/client.ts";
import { useChange } from "../api/use-api.ts";

/**
 * A value whose choices a tool knows: `"x-options-from": "list_models"` names it. It is called only when the button is pressed:
 * opening a form calls nothing. Any other value can be typed as well.
 */
export function Choices({ id, value, schema, onChange }: WidgetProps): ReactNode {
  const tool = String(schema["x-options-from"]);
  const load = useChange(async () => {
    const result = await ask("POST /tools/{name}/call", { params: { name: tool }, body: { input: {} } });
    return readChoices(result.data ?? result.content.split("\n"));
  }, []);
  return (
    <>
      <div className="choices">
        <input
          id={id}
          list={`${id}__choices`}
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
        />
        <button type="button" disabled={load.isPending} onClick={() => load.mutate(undefined)}>
          Ask {tool} for choices
        </button>
      </div>
      <datalist id={`${id}__choices`}>
        {load.data?.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </datalist>
      <p className="small soft" role="status">
        {load.data !== undefined && `${load.data.length} choices: ${showSome(load.data.map((choice) => choice.value))}`}
        {load.error?.message}
      </p>
    </>
  );
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** ["a"], [{ value: "a", label: "A" }] or { options: […] } → choices; anything else → none. */
function readChoices(data: unknown): readonly Choice[] {
  const list = Array.isArray(data) ? data : ((data as { readonly options?: unknown } | undefined)?.options ?? []);
  if (!Array.isArray(list)) return [];
  const seen = new Map<string, Choice>();
  for (const one of list.slice(0, 1_000)) {
    const { value, label = value } = (typeof one === "object" && one !== null ? one : { value: one }) as Record<string, unknown>;
    if (value !== undefined && value !== "") seen.set(String(value), { value: String(value), label: String(label) });
  }
  return [...seen.values()];
}

function showSome(values: readonly string[]): string {
  return values.slice(0, 8).join(", ") + (values.length > 8 ? " …" : "");
}
