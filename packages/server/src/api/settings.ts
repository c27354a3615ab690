import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { SourceConfig } from "../config/config.ts";
import { toShownSource } from "../config/shown-source.ts";
import type { Setting } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";

export interface SettingList {
  readonly settings: readonly Setting[];
  readonly problems: readonly string[];
}

/** Without a value if the file has none. */
export type ResetSetting = Pick<Setting, "key"> & Partial<Setting>;

export interface SettingAnswers {
  "GET /settings": SettingList;
  "PUT /settings/{key}": Setting;
  "DELETE /settings/{key}": ResetSetting;
}

const text = { type: "string" } as const;
const byKey = {
  type: "object",
  properties: { key: { type: "string", minLength: 1, maxLength: 200 } },
  required: ["key"],
  additionalProperties: false,
} as const;
const settingSchema = objectOf<Setting>({
  key: text,
  value: {},
  origin: { ...text, description: "toolrack.config.yaml:12, or the record and its version." },
});

const list = defineRoute({
  method: "GET",
  path: "/settings",
  id: "listSettings",
  group: "settings",
  summary: "List the settings in force, each with its line of the file or its record.",
  needs: ["curator", "admin"],
  answers: ok("The settings.", objectOf<SettingList>({ settings: listOf(settingSchema), problems: { type: "array", items: text } })),
  run: ({ rack }) => ({ body: { settings: rack.settings.list().map(toShown), problems: rack.settings.problems } }),
});

const set = defineRoute({
  method: "PUT",
  path: "/settings/{key}",
  id: "setSetting",
  group: "settings",
  summary: "Override one key of the file; null removes its value.",
  needs: ["admin"],
  params: byKey,
  body: { type: "object", properties: { value: {} }, required: ["value"], additionalProperties: false },
  answers: ok("The current setting.", settingSchema),
  run: async ({ rack, identity, params, body }) => ({
    body: toShown(await rack.settings.set(params.key, body.value, identity)),
  }),
});

const reset = defineRoute({
  method: "DELETE",
  path: "/settings/{key}",
  id: "resetSetting",
  group: "settings",
  summary: "Remove an override: the value of the file is in force again.",
  needs: ["admin"],
  params: byKey,
  answers: ok(
    "What holds now; without a value where the file says nothing.",
    objectOf<ResetSetting>({ key: text, value: {}, origin: text }, ["value", "origin"]),
  ),
  async run({ rack, identity, params }) {
    const now = await rack.settings.reset(params.key, identity);
    return { body: now === undefined ? { key: params.key } : toShown(now) };
  },
});

export const settingRoutes: RoutesOf<SettingAnswers> = [list, set, reset];

function toShown({ key, value, origin }: Setting): Setting {
  return { key, origin, value: key.startsWith("sources.") && value !== null ? toShownSource(value as SourceConfig) : value };
}
