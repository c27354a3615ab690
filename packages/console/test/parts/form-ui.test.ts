import type { WidgetProps } from "@rjsf/utils";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { uiFor } from "../../src/parts/form-ui.ts";
import { widgets } from "../../src/parts/form-widgets.tsx";

const level = { type: "integer", minimum: 1, maximum: 9 } as const;

describe("the form of a tool", () => {
  // row: H22
  it("gives each kind of property its widget, also inside of objects and lists", () => {
    const properties = {
      level,
      ratio: { type: "number", minimum: 0, maximum: 1 },
      year: { type: "integer", minimum: 0, maximum: 3_000 },
      least: { type: "integer", minimum: 0 },
      isOn: { type: "boolean" },
      apiKey: { type: "string" },
      essay: { type: "string", maxLength: 5_000 },
      content: { type: "string" },
      newText: { type: "string", description: "What replaces it." },
      page: { type: "string", contentMediaType: "text/html" },
      code: { type: "string", maxLength: 8 },
      text: { const: "short", type: "string" },
      context: { type: "string" },
      anything: {},
    } as const;
    const ui = {
      level: { "ui:widget": "slider" },
      ratio: { "ui:widget": "slider" },
      year: {},
      least: {},
      isOn: { "ui:widget": "switch" },
      apiKey: { "ui:widget": "secret" },
      essay: { "ui:widget": "textarea" },
      content: { "ui:widget": "textarea" },
      newText: { "ui:widget": "textarea" },
      page: { "ui:widget": "textarea" },
      code: {},
      text: {},
      context: {},
      anything: { "ui:field": "json" },
    };
    expect(uiFor({ type: "object", properties }, [])).toEqual(ui);
    const nested = { inside: { type: "object", properties }, list: { type: "array", items: level } } as const;
    expect(uiFor({ type: "object", properties: nested }, [])).toEqual({ inside: ui, list: { items: ui.level } });
  });

  it("has every widget that it names", () => {
    expect(Object.keys(widgets)).toEqual(expect.arrayContaining(["slider", "switch", "secret"]));
  });

  const drawSlider = (value?: number): string => {
    const props = { id: "level", value, schema: level, required: true, disabled: false, onChange: vi.fn() };
    return renderToStaticMarkup(createElement(widgets["slider"]!, props as unknown as WidgetProps));
  };

  it("draws a number between two others as a field and a slider with its bounds and its value", () => {
    expect(drawSlider(4)).toMatch(/<input id="level" type="number" min="1" max="9" step="1"[^>]* value="4"/);
    expect(drawSlider(4)).toMatch(/<input type="range"[^>]* min="1" max="9" step="1"[^>]* value="4"/);
  });

  it("shows no value for a required number that is not set", () => {
    const drawn = drawSlider();
    expect(drawn).toMatch(/<input id="level" type="number"[^>]* value=""/);
    expect(drawn).not.toContain("<output");
  });

  it("takes a typed minimum as a value, and an emptied field as none", () => {
    const onChange = vi.fn();
    const props = { id: "level", value: undefined, schema: level, required: true, disabled: false, onChange };
    const drawn = widgets["slider"]!(props as unknown as WidgetProps) as ReactElement<{ children: ReactElement<FieldProps>[] }>;
    const [field] = drawn.props.children;
    for (const value of ["1", ""]) field!.props.onChange({ target: { value } });
    expect(onChange.mock.calls).toEqual([[1], [undefined]]);
  });
});

interface FieldProps {
  readonly onChange: (event: { readonly target: { readonly value: string } }) => void;
}
