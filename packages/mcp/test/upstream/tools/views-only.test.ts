import { expect, it } from "vitest";
import { isForViewsOnly } from "../../../src/upstream/tools/views-only.ts";

it.each<[meta: unknown, isForViews: boolean]>([
  [undefined, false],
  [{}, false],
  [null, false],
  [{ ui: { resourceUri: "ui://shop/cart" }, "ui/resourceUri": "ui://shop/cart" }, false],
  [{ ui: { visibility: ["model", "app"] } }, false],
  [{ ui: { visibility: ["model"] } }, false],
  [{ ui: { visibility: "model" } }, false],
  [{ "openai/visibility": "public" }, false],
  [{ ui: { visibility: ["app"] } }, true],
  [{ ui: { visibility: ["app"], resourceUri: "ui://shop/cart" }, "ui/resourceUri": "ui://shop/cart" }, true],
  [{ ui: { visibility: "app" } }, true],
  [{ ui: { visibility: [] } }, true],
  [{ ui: { visibility: null } }, true],
  [{ "openai/visibility": "private" }, true],
])("TD8: _meta %j is for views only: %s", (meta, isForViews) => {
  expect(isForViewsOnly({ name: "refresh", ...(meta !== undefined && { _meta: meta }) })).toBe(isForViews);
});
