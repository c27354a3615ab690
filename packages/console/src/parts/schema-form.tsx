import Form from "@rjsf/core/lib/components/Form.js";
import type { ErrorSchema, RJSFSchema, WidgetProps } from "@rjsf/utils";
import { type ReactNode, useMemo } from "react";
import { Choices } from "./choices.tsx";
import { templates } from "./form-templates.tsx";
import { toFormSchema, uiFor } from "./form-ui.ts";
import { fields, widgets } from "./form-widgets.tsx";
import { SecretChoice } from "./secret-choice.tsx";
import { validator } from "./validator.ts";
import "./schema-form.css";

export interface SchemaFormProps {
  readonly schema: RJSFSchema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly onSubmit: (value: unknown) => void;
  /** For settings: secrets that the tool declares, to be named where the schema wants one. Otherwise secrets are typed, unseen. */
  readonly secrets?: readonly string[];
  /** What the server found wrong, by JSON pointer. */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  readonly children: ReactNode;
}

/** A form for any schema: text, number, slider, switch, choice, secret, and JSON for what has no form of its own. Checked as one types. */
export default function SchemaForm({ schema, value, onChange, onSubmit, secrets, issues, children }: SchemaFormProps): ReactNode {
  const shown = useMemo(() => toFormSchema(schema), [schema]);
  const uiSchema = useMemo(() => uiFor(shown, secrets ?? []), [shown, secrets]);
  const extraErrors = useMemo(() => toErrors(issues), [issues]);
  return (
    <Form
      className="schema-form"
      schema={shown}
      uiSchema={uiSchema}
      formData={value}
      formContext={{ secrets }}
      validator={validator}
      widgets={secrets === undefined ? plainWidgets : settingWidgets}
      fields={fields as never}
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

const plainWidgets: Record<string, (props: WidgetProps) => ReactNode> = { ...widgets, choices: Choices };
const settingWidgets: Record<string, (props: WidgetProps) => ReactNode> = { ...plainWidgets, secret: SecretChoice };

/** [{ path: "/tags/0", message }] → { tags: { 0: { __errors: [message] } } } */
function toErrors(issues: SchemaFormProps["issues"] = []): ErrorSchema {
  const root = Object.create(null) as Record<string, unknown>;
  for (const { path, message } of issues) {
    let place = root;
    for (const part of path.split("/").slice(1)) {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      place = (place[name] ??= Object.create(null)) as Record<string, unknown>;
    }
    place["__errors"] = [...((place["__errors"] as string[] | undefined) ?? []), message];
  }
  return root as ErrorSchema;
}
