import type { JsonSchema } from "@toolrack/json-schema";
import { actionSchema } from "../workspace/actions.ts";

export interface BrowserInput {
  readonly action: BrowserAction;
  readonly targetUrl?: string;
  readonly targetId?: string;
  readonly kind?: ActKind;
  readonly ref?: string;
  readonly toRef?: string;
  readonly text?: string;
  readonly submit?: boolean;
  readonly key?: string;
  readonly values?: readonly string[];
  readonly fields?: readonly { readonly ref: string; readonly value: string }[];
  readonly fn?: string;
  readonly timeMs?: number;
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly maxChars?: number;
  readonly fullPage?: boolean;
  readonly paths?: readonly string[];
  readonly accept?: boolean;
  readonly profile?: string;
}

export type BrowserAction =
  | "status"
  | "start"
  | "stop"
  | "profiles"
  | "tabs"
  | "open"
  | "focus"
  | "close"
  | "navigate"
  | "snapshot"
  | "screenshot"
  | "pdf"
  | "console"
  | "upload"
  | "dialog"
  | "act";

export type ActKind = (typeof actKinds)[number];
const actKinds = ["click", "type", "press", "hover", "drag", "select", "fill", "resize", "wait", "evaluate", "back"] as const;

const ref = { type: "string", maxLength: 20, pattern: "^(?:f\\d{1,6})?e\\d{1,9}$" } as const;
const seen = ["profile", "targetId", "depth", "maxChars"];

export const browserSchema: JsonSchema = actionSchema({
  description:
    "open and navigate go to an address; snapshot shows the page as text with references such as e12; act does something with them; screenshot gives a picture, pdf a file in the workspace.",
  actions: {
    status: { takes: ["profile"] },
    start: { takes: ["profile"] },
    stop: { takes: ["profile"] },
    profiles: {},
    tabs: { takes: ["profile"] },
    open: { needs: ["targetUrl"], takes: ["profile", "depth", "maxChars"] },
    focus: { needs: ["targetId"], takes: ["profile", "depth", "maxChars"] },
    close: { takes: ["profile", "targetId"] },
    navigate: { needs: ["targetUrl"], takes: seen },
    snapshot: { takes: [...seen, "ref"] },
    screenshot: { takes: ["profile", "targetId", "ref", "fullPage"] },
    pdf: { takes: ["profile", "targetId"] },
    console: { takes: ["profile", "targetId"] },
    upload: { needs: ["ref", "paths"], takes: ["profile", "targetId"] },
    dialog: { needs: ["accept"], takes: ["profile", "targetId", "text"] },
    act: {
      needs: ["kind"],
      takes: [...seen, "ref", "toRef", "text", "submit", "key", "values", "fields", "fn", "timeMs", "width", "height"],
    },
  },
  properties: {
    targetUrl: { type: "string", minLength: 1, maxLength: 4_000, description: "The address, with http or https." },
    targetId: { type: "string", pattern: "^t\\d{1,9}$", description: "The tab; the one that was used last if absent." },
    kind: {
      type: "string",
      enum: [...actKinds],
      description:
        "What act does: click, hover (ref); type (ref, text, submit); press (key); drag (ref, toRef); select (ref, values); fill (fields); resize (width, height); wait (timeMs or text); evaluate (fn); back.",
    },
    ref: { ...ref, description: "An element of the last snapshot: e12, or f1e2 in a frame." },
    toRef: { ...ref, description: "Where something is dragged to." },
    text: { type: "string", maxLength: 20_000, description: "The text to type, to wait for, or to answer a dialog with." },
    submit: { type: "boolean", default: false, description: "Whether Enter is pressed after typing." },
    key: { type: "string", minLength: 1, maxLength: 40, description: "A key: Enter, ArrowDown, Control+a." },
    values: { type: "array", items: { type: "string", maxLength: 1_000 }, maxItems: 50, description: "What is selected." },
    fields: {
      type: "array",
      minItems: 1,
      maxItems: 50,
      items: {
        type: "object",
        properties: { ref, value: { type: "string", maxLength: 20_000 } },
        required: ["ref", "value"],
        additionalProperties: false,
      },
      description: "Elements of a form and their values.",
    },
    fn: { type: "string", minLength: 1, maxLength: 20_000, description: "JavaScript that runs in the page: () => document.title" },
    timeMs: { type: "integer", minimum: 0, maximum: 30_000, description: "How long to wait." },
    width: { type: "integer", minimum: 200, maximum: 4_000, description: "Of the view." },
    height: { type: "integer", minimum: 200, maximum: 4_000, description: "Of the view." },
    depth: { type: "integer", minimum: 1, maximum: 100, description: "How deep a snapshot goes." },
    maxChars: {
      type: "integer",
      minimum: 100,
      maximum: 80_000,
      default: 20_000,
      description: "At most this many characters of a snapshot.",
    },
    fullPage: { type: "boolean", default: false, description: "The whole page, and not only the view." },
    paths: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 1_000 },
      minItems: 1,
      maxItems: 10,
      description: "Files of the workspace to upload.",
    },
    profile: {
      type: "string",
      maxLength: 40,
      pattern: "^[a-z0-9][a-z0-9-]*$",
      description: "A browser beside the usual one, with cookies of its own: shop-b. The usual one if absent.",
    },
    accept: { type: "boolean", description: "Whether the next dialog is accepted." },
  },
});

const texts = { type: "array", items: { type: "string" } } as const;

export const browserOutput: JsonSchema = {
  type: "object",
  properties: {
    running: { type: "boolean" },
    tab: { type: "string", description: "The tab that was used." },
    url: { type: "string" },
    title: { type: "string" },
    status: { type: "integer", description: "Of the answer that brought the page." },
    tabs: {
      type: "array",
      items: {
        type: "object",
        properties: { tab: { type: "string" }, url: { type: "string" }, title: { type: "string" } },
        required: ["tab", "url", "title"],
      },
    },
    snapshot: { type: "string", description: "The page as text, with references." },
    truncated: { type: "boolean" },
    value: { description: "What evaluate returned." },
    console: texts,
    dialogs: { ...texts, description: "Dialogs of the page, and how they were answered." },
    downloads: {
      type: "array",
      items: {
        type: "object",
        properties: { url: { type: "string" }, suggestedFilename: { type: "string" }, path: { type: "string" }, error: { type: "string" } },
        required: ["url", "suggestedFilename"],
      },
    },
    closed: { type: "boolean" },
    path: { type: "string", description: "For pdf, the file in the workspace." },
    profiles: { ...texts, description: "The profiles that are open." },
  },
};
