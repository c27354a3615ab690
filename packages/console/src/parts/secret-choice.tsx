import type { WidgetProps } from "@rjsf/utils";
import { type ReactNode, useId, useState } from "react";
import { ask } from "../api/client.ts";
import { useApi, useChange } from "../api/use-api.ts";

/** Selects a secret by name: what is saved is "secret:<name>". A secret that is not set yet can be set here. */
export function SecretChoice({ id, value, registry, onChange }: WidgetProps): ReactNode {
  const declared = (registry.formContext as { readonly secrets?: readonly string[] } | undefined)?.secrets ?? [];
  const { data } = useApi("/secrets");
  const set = new Set(data?.secrets.map(({ name }) => name));
  const names = [...new Set([...declared, ...set])];
  const chosen = typeof value === "string" && value.startsWith("secret:") ? value.slice(7) : undefined;
  return (
    <>
      <select id={id} value={value ?? ""} onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}>
        <option value="">Choose a secret</option>
        {names.map((name) => (
          <option key={name} value={`secret:${name}`}>
            {name}
            {!set.has(name) && " (not set yet)"}
          </option>
        ))}
        {value !== undefined && !names.includes(chosen ?? "") && <option value={String(value)}>{chosen ?? "a literal value"}</option>}
      </select>
      {chosen !== undefined && data !== undefined && !set.has(chosen) && <SetSecret name={chosen} />}
    </>
  );
}

function SetSecret({ name }: { readonly name: string }): ReactNode {
  const id = useId();
  const [value, setValue] = useState("");
  const set = useChange(() => ask("PUT /secrets/{name}", { params: { name }, body: { value } }), ["/secrets", "/tools", "/configs"]);
  return (
    <div className="choices">
      <label className="only-read" htmlFor={id}>
        Value of {name}
      </label>
      <input
        id={id}
        type="password"
        autoComplete="off"
        placeholder={`Value of ${name}`}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <button type="button" disabled={value === "" || set.isPending} onClick={() => set.mutate(undefined)}>
        Set
      </button>
      {set.error !== null && <p role="alert">{set.error.message}</p>}
    </div>
  );
}
