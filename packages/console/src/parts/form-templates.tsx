import type {
  ArrayFieldItemTemplateProps,
  ArrayFieldTemplateProps,
  FieldTemplateProps,
  MultiSchemaFieldTemplateProps,
  ObjectFieldTemplateProps,
} from "@rjsf/utils";
import { isValidElement, type ReactNode } from "react";

/** A field with its name, what it means and what is wrong with it. */
function Field(props: FieldTemplateProps): ReactNode {
  const { id, label, required, hidden, children, rawDescription, rawErrors = [], displayLabel, schema, uiSchema } = props;
  if (hidden === true) return <div hidden>{children}</div>;
  // It shows all of that itself.
  if (uiSchema?.["ui:field"] === "json") return children;
  const isPlain = schema.type !== "object" && schema.type !== "array";
  return (
    <div className="field">
      {displayLabel === true && isPlain && uiSchema?.["ui:widget"] !== "switch" && (
        <label htmlFor={id}>
          {label}
          {required === true && <span className="soft small"> required</span>}
        </label>
      )}
      {rawDescription !== undefined && rawDescription !== "" && isPlain && <p className="soft small">{rawDescription}</p>}
      {children}
      {rawErrors.length > 0 && (
        <ul className="field-errors" id={`${id}__error`}>
          {[...new Set(rawErrors)].map((error) => (
            <li key={error}>{error}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ObjectFields({ title, description, properties, fieldPathId, schema, onAddProperty }: ObjectFieldTemplateProps): ReactNode {
  const fields = properties.map(({ content, name }) => <div key={name}>{content}</div>);
  if (fieldPathId.path.length === 0) return <div className="fields">{fields}</div>;
  return (
    <fieldset className="fields">
      <legend>{title}</legend>
      {description !== undefined && description !== "" && <p className="soft small">{description}</p>}
      {fields}
      {schema.additionalProperties !== undefined && schema.additionalProperties !== false && (
        <p className="buttons">
          <button type="button" onClick={() => onAddProperty()}>
            Add a name<span className="only-read"> to {title}</span>
          </button>
        </p>
      )}
    </fieldset>
  );
}

function List({ title, schema, items, canAdd, onAddClick, required }: ArrayFieldTemplateProps): ReactNode {
  return (
    <fieldset className="fields">
      <legend>
        {title}
        {required === true && <span className="soft small"> required</span>}
      </legend>
      {schema.description !== undefined && <p className="soft small">{schema.description}</p>}
      {items}
      {canAdd === true && (
        <p className="buttons">
          <button type="button" onClick={onAddClick}>
            Add one<span className="only-read"> to {title}</span>
          </button>
        </p>
      )}
    </fieldset>
  );
}

function ListItem({ children, buttonsProps, index, hasToolbar }: ArrayFieldItemTemplateProps): ReactNode {
  return (
    <div className="list-item">
      {children}
      {hasToolbar && buttonsProps.hasRemove === true && (
        <button type="button" onClick={buttonsProps.onRemoveItem}>
          Remove<span className="only-read"> number {index + 1}</span>
        </button>
      )}
    </div>
  );
}

/** One of several forms. The choice needs its own label for screen readers. */
function OneOfSeveral({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps): ReactNode {
  return (
    <div className="fields">
      {isValidElement<{ readonly id?: string }>(selector) && (
        <label className="small soft" htmlFor={selector.props.id}>
          One of several forms
        </label>
      )}
      {selector}
      {optionSchemaField}
    </div>
  );
}

export const templates: object = {
  FieldTemplate: Field,
  ObjectFieldTemplate: ObjectFields,
  ArrayFieldTemplate: List,
  ArrayFieldItemTemplate: ListItem,
  MultiSchemaFieldTemplate: OneOfSeveral,
};
