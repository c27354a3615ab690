import type { WidgetProps } from "@rjsf/utils";
import { createElement } from "react";
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

  it("draws a number between two others as a slider with its bounds and its value", () => {
    const props = { id: "level", value: 4, schema: level, required: false, disabled: false, onChange: vi.fn() };
    const drawn = renderToStaticMarkup(createElement(widgets["slider"]!, props as unknown as WidgetProps));
    expect(drawn).toMatch(/<input id="level" type="range" min="1" max="9" step="1"[^>]* value="4"/);
    expect(drawn).toContain('<output for="level">4</output>');
  });
});
