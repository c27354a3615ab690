import {
  checkFields,
  type FieldKind,
  type FieldsOf,
  flag,
  isObject,
  method,
  objectWith,
  portWith,
  positive,
  text,
} from "@toolrack/core/internal";
import type { AgentOptions, ResumeOptions, RunOptions } from "./agent.ts";
import type { Budget } from "./budget/budget.ts";
import type { Criteria } from "./criteria/criteria.ts";
import type { Phase } from "./criteria/phases.ts";
import type { MessageOrigin } from "./message.ts";

/** Throws CONFIG_INVALID for an option that is unknown, missing or of the wrong kind. */
export function checkAgent(options: AgentOptions): void {
  checkFields(options, agentFields, { subject: "createAgent", word: "option" });
}

/** The same for the options of a single run. */
export function checkRun(options: RunOptions): void {
  checkFields(options, runFields, { subject: "run", word: "option" });
}

export function checkResume(options: ResumeOptions): void {
  checkFields(options, resumeFields, { subject: "resume", word: "option" });
}

const required = (kind: FieldKind): FieldKind => ({ ...kind, required: true });
const texts: FieldKind = {
  is: "a list of texts",
  test: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
const someText: FieldKind = { is: "a text that is not empty", test: (value) => typeof value === "string" && value !== "" };
const object: FieldKind = { is: "an object", test: isObject };

const budget = objectWith({
  turns: positive,
  tokens: positive,
  costUsd: positive,
  ms: positive,
  calls: positive,
  failuresInARow: positive,
} satisfies FieldsOf<Budget>);

const criteria = objectWith({ requiredTools: texts, artifacts: texts, signal: flag, check: method } satisfies FieldsOf<Criteria>);

const phaseFields = { name: required(someText), instructions: text, tools: texts, until: criteria } satisfies FieldsOf<Phase>;

const agentFields: FieldsOf<AgentOptions> = {
  name: required(someText),
  description: text,
  instructions: required(text),
  model: required(portWith("stream")),
  registry: required({
    is: "a registry, or a list of tools",
    test: (value) => Array.isArray(value) || (isObject(value) && typeof value["invoke"] === "function"),
  }),
  sessions: portWith("create", "get", "messages", "append", "update", "acquire", "renew", "release", "send", "takeInbox"),
  caller: object,
  budget,
  until: criteria,
  phases: {
    is: "a list of { name, instructions, tools, until }, each with a name of its own",
    test: (value) => Array.isArray(value) && value.every(isObject) && new Set(value.map(({ name }) => name)).size === value.length,
    fields: phaseFields,
  },
  artifacts: texts,
  context: method,
  settle: method,
  maxToolTokens: positive,
  searchAbove: positive,
  clock: portWith("now", "after"),
};

const resumeFields: FieldsOf<ResumeOptions> = {
  signal: portWith("addEventListener", "removeEventListener"),
  budget,
  approvals: { is: "a list of { digest, answer }", test: (value) => Array.isArray(value) && value.every(isObject) },
  parent: text,
};

const originKinds: ReadonlySet<unknown> = new Set<MessageOrigin["kind"]>(["person", "session", "schedule", "webhook", "agent", "system"]);

const runFields: FieldsOf<RunOptions> = {
  ...resumeFields,
  session: someText,
  from: {
    is: `{ kind, id }, of a kind among ${[...originKinds].join(", ")}`,
    test: (value) => isObject(value) && originKinds.has(value["kind"]) && (value["id"] === undefined || typeof value["id"] === "string"),
  },
  label: text,
};
