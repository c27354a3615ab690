import type { FieldProps, WidgetProps } from "@rjsf/utils";
import { type ReactNode, useState } from "react";

/** A number between two others, typed or dragged. A range has no empty state, so only the field says whether there is a value. */
function Slider({ id, value, schema, disabled, onChange }: WidgetProps): ReactNode {
  const { minimum = 0, maximum = 100, multipleOf, type } = schema;
  const step = multipleOf ?? (type === "integer" ? 1 : (maximum - minimum) / 100);
  return (
    <div className="slider">
      <input
        id={id}
        type="number"
        min={minimum}
        max={maximum}
        step={type === "integer" ? step : (multipleOf ?? "any")}
        disabled={disabled ?? false}
        value={value ?? ""}
        onChange={({ target }) => onChange(target.value === "" ? undefined : Number(target.value))}
      />
      <input
        type="range"
        aria-hidden="true"
        tabIndex={-1}
        className={value === undefined ? "is-unset" : undefined}
        min={minimum}
        max={maximum}
        step={step}
        disabled={disabled ?? false}
        value={value ?? minimum}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </div>
  );
}

function Toggle({ id, value, label, disabled, onChange }: WidgetProps): ReactNode {
  return (
    <span className="toggle">
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={value === true}
        disabled={disabled ?? false}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

/** Something typed unseen. */
function Unseen({ id, value, disabled, onChange }: WidgetProps): ReactNode {
  return (
    <input
      id={id}
      type="password"
      autoComplete="off"
      disabled={disabled ?? false}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? undefined : target.value)}
    />
  );
}

/** A value that has no form of its own, as JSON. What is not JSON yet stays in the field and is not taken over. */
function JsonField({ formData, schema, name, required, fieldPathId, onChange, rawErrors }: FieldProps): ReactNode {
  const [text, setText] = useState(() => (formData === undefined ? "" : JSON.stringify(formData, null, 2)));
  const [problem, setProblem] = useState("");
  const { $id: id, path } = fieldPathId;
  const problems = [problem, ...(rawErrors ?? [])].filter((one) => one !== "");
  return (
    <div className="field">
      <label htmlFor={id}>
        {schema.title ?? name}
        {required === true && <span className="soft small"> required</span>}
      </label>
      <p className="soft small">{schema.description ?? "As JSON."}</p>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        placeholder={schema.type === "array" ? "[]" : "{}"}
        value={text}
        aria-describedby={`${id}__error`}
        onChange={({ target }) => {
          setText(target.value);
          try {
            onChange(target.value.trim() === "" ? undefined : JSON.parse(target.value), path);
            setProblem("");
          } catch (error) {
            setProblem(`Not valid JSON: ${(error as Error).message}`);
          }
        }}
      />
      <ul className="field-errors" id={`${id}__error`}>
        {problems.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
    </div>
  );
}

export const widgets: Readonly<Record<string, (props: WidgetProps) => ReactNode>> = { slider: Slider, switch: Toggle, secret: Unseen };
export const fields: Readonly<Record<string, (props: FieldProps) => ReactNode>> = { json: JsonField };
