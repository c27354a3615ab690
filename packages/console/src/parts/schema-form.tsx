import Form from "@rjsf/core/lib/components/Form.js";
import type { ErrorSchema, FieldTemplateProps, ObjectFieldTemplateProps, RJSFSchema, UiSchema, WidgetProps } from "@rjsf/utils";
import { type ReactNode, useMemo } from "react";
import { validator } from "./validator.ts";
import "./schema-form.css";

export interface SchemaFormProps {
  readonly schema: RJSFSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly onSubmit: (value: unknown) => void;
  /** Names of properties that hold secrets: typed unseen. */
  readonly secrets?: readonly string[];
  /** What the server found wrong, by JSON pointer. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  readonly children: ReactNode;
}

/** A form for any schema: text, number, slider, switch, choice, secret, and JSON for what has no form of its own. Checked as one types. */
export default function SchemaForm({ schema, value, onChange, onSubmit, secrets = [], issues = [], children }: SchemaFormProps): ReactNode {
  const uiSchema = useMemo(() => uiFor(schema, secrets), [schema, secrets]);
  const extraErrors = useMemo(() => toErrors(issues), [issues]);
  return (
    <Form
      className="schema-form"
      schema={schema}
      uiSchema={uiSchema}
      formData={value}
      validator={validator}
      widgets={widgets}
      templates={templates}
      liveValidate="onChange"
      showErrorList={false}
      noHtml5Validate
      extraErrors={extraErrors}
      onChange={({ formData }) => onChange(formData)}
      onSubmit={({ formData }) => onSubmit(formData)}
    >
      {children}
    </Form>
  );
}

/** Says which property gets which widget, where the schema alone does not. */
function uiFor(schema: RJSFSchema, secrets: readonly string[]): UiSchema {
  const ui: UiSchema = {};
  for (const [name, given] of Object.entries(schema.properties ?? {})) {
    const part = typeof given === "boolean" ? {} : given;
    const { type, minimum, maximum, format } = part;
    const isSecret =
      secrets.includes(name) ||
      format === "password" ||
      /(^|_|-)(secret|password|token|api_?key)$/i.test(name.replaceAll(/([a-z])([A-Z])/g, "$1_$2"));
    if (isSecret) ui[name] = { "ui:widget": "password" };
    else if (type === "boolean") ui[name] = { "ui:widget": "switch" };
    else if ((type === "integer" || type === "number") && minimum !== undefined && maximum !== undefined && maximum - minimum <= 1_000)
      ui[name] = { "ui:widget": "slider" };
    else if (type === "string" && (part.maxLength ?? 0) > 200) ui[name] = { "ui:widget": "textarea" };
    else if (
      type === undefined &&
      part.enum === undefined &&
      part.anyOf === undefined &&
      part.oneOf === undefined &&
      part.$ref === undefined
    )
      ui[name] = { "ui:field": "json" };
    else if (type === "object" && part.properties === undefined) ui[name] = { "ui:field": "json" };
  }
  return ui;
}

function Slider({ id, value, schema, required, disabled, onChange }: WidgetProps): ReactNode {
  const { minimum = 0, maximum = 100, multipleOf, type } = schema;
  const step = multipleOf ?? (type === "integer" ? 1 : (maximum - minimum) / 100);
  return (
    <div className="slider">
      <input
        id={id}
        type="range"
        min={minimum}
        max={maximum}
        step={step}
        disabled={disabled ?? false}
        value={value ?? minimum}
        onChange={({ target }) => onChange(Number(target.value))}
      />
      <output htmlFor={id}>{value ?? (required === true ? minimum : "not set")}</output>
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

const widgets = { slider: Slider, switch: Toggle };

function Field({ id, label, required, hidden, children, rawDescription, rawErrors, displayLabel, schema }: FieldTemplateProps): ReactNode {
  if (hidden === true) return <div hidden>{children}</div>;
  return (
    <div className="field">
      {displayLabel === true && schema.type !== "boolean" && (
        <label htmlFor={id}>
          {label}
          {required === true && <span className="soft small"> required</span>}
        </label>
      )}
      {rawDescription !== undefined && schema.type !== "object" && <p className="soft small">{rawDescription}</p>}
      {children}
      {rawErrors !== undefined && rawErrors.length > 0 && (
        <ul className="field-errors" id={`${id}__error`}>
          {[...new Set(rawErrors)].map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ObjectFields({ title, properties, fieldPathId }: ObjectFieldTemplateProps): ReactNode {
  const isRoot = fieldPathId.path.length === 0;
  const fields = properties.map(({ content, name }) => <div key={name}>{content}</div>);
  if (isRoot) return <div className="fields">{fields}</div>;
  return (
    <fieldset className="fields">
      <legend>{title}</legend>
      {fields}
    </fieldset>
  );
}

const templates = { FieldTemplate: Field, ObjectFieldTemplate: ObjectFields };

/** [{ path: "/tags/0", message }] → { tags: { 0: { __errors: [message] } } } */
function toErrors(issues: SchemaFormProps["issues"] = []): ErrorSchema {
  const root: Record<string, unknown> = {};
  for (const { path, message } of issues) {
    let place = root;
    for (const part of path.split("/").slice(1)) place = (place[part] ??= {}) as Record<string, unknown>;
    place["__errors"] = [...((place["__errors"] as string[] | undefined) ?? []), message];
  }
  return root as ErrorSchema;
}
