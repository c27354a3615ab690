import { setTimeout as delay } from "node:timers/promises";
import { ToolError, ToolInputError } from "@toolrack/core";
import type { ActKind, BrowserInput } from "./browser-input.ts";
import type { BrowserTab } from "./tab.ts";

/** Does one thing in a page, as a person would. Answers what `evaluate` returned. */
export async function act(tab: BrowserTab, input: BrowserInput, signal: AbortSignal): Promise<{ readonly value?: unknown }> {
  const { page } = tab;
  const { kind, text, key, values, fields, fn, timeMs, width, height, submit } = input;
  const element = (name: "ref" | "toRef" = "ref") => tab.locate(needed(kind!, name, input[name]));
  switch (kind!) {
    case "click":
      await element().click();
      return {};
    case "hover":
      await element().hover();
      return {};
    case "type":
      await element().fill(needed("type", "text", text));
      if (submit === true) await element().press("Enter");
      return {};
    case "press":
      if (input.ref === undefined) await page.keyboard.press(needed("press", "key", key));
      else await element().press(needed("press", "key", key));
      return {};
    case "drag":
      await element().dragTo(element("toRef"));
      return {};
    case "select":
      await element().selectOption([...needed("select", "values", values)]);
      return {};
    case "fill":
      for (const field of needed("fill", "fields", fields)) await tab.locate(field.ref).fill(field.value);
      return {};
    case "resize":
      await page.setViewportSize({ width: needed("resize", "width", width), height: needed("resize", "height", height) });
      return {};
    case "back":
      await page.goBack({ waitUntil: "domcontentloaded" });
      return {};
    case "wait":
      if (text !== undefined)
        await page
          .getByText(text)
          .first()
          .waitFor({ timeout: timeMs ?? 10_000 });
      else await delay(needed("wait", "timeMs", timeMs), undefined, { signal });
      return {};
    case "evaluate":
      return { value: toValue(await page.evaluate(toScript(needed("evaluate", "fn", fn)))) };
  }
}

function needed<Value>(kind: ActKind, name: string, value: Value | undefined): Value {
  if (value !== undefined) return value;
  throw new ToolInputError(`"${kind}" needs "${name}".`);
}

/** A function is called, and any other expression is a value. */
function toScript(fn: string): string {
  return `(async () => { const made = (${fn.replace(/[;\s]+$/, "")}\n); return typeof made === "function" ? made() : made; })()`;
}

/** What is JSON, and short enough to be read. */
function toValue(value: unknown): unknown {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) return null;
  if (text.length > 100_000) throw new ToolError("RESULT_TOO_LARGE", `The page returned ${text.length} characters. Let it return less.`);
  return JSON.parse(text) as unknown;
}
