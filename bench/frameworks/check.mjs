import { isDeepStrictEqual } from "node:util";
import { loadCore } from "../lib/core.mjs";
import { createSetting } from "./setting.mjs";

/**
 * Lets one framework run a scripted model over our tools. Its module exports `converse({ core, tools, call, calls, signal })`: it gives
 * the framework our tools, has a model make the calls, and answers `shown`, the tools as the model saw them ({ name, description, schema }),
 * and `answers`, what the model was told ({ id, text, failed? }; without `failed` where the framework knows only text).
 * Answers a list of `{ what, ok, found }`.
 */
export async function checkFramework(file) {
  const { converse } = await import(file);
  const setting = await createSetting();
  const run = new AbortController();
  const { shown, answers } = await converse({ ...setting, core: await loadCore("vendors"), signal: run.signal });
  run.abort();
  const [valid, invalid, failing] = answers;
  const same = (what, found, wanted) => ({ what, ok: isDeepStrictEqual(found, wanted), found: JSON.stringify(found) });
  const told = (what, answer, text) => ({
    what,
    ok: answer?.text.includes(text) === true && answer.failed !== false,
    found: JSON.stringify(answer),
  });
  const sees = (key) => [shown.map((tool) => tool[key]), setting.shown.map((tool) => tool[key])];
  return [
    same("the model sees both tools by legal names", ...sees("name")),
    same("the model sees our descriptions", ...sees("description")),
    same("the model sees our schemas", ...sees("schema")),
    same(
      "every call is answered once, in order",
      answers.map(({ id }) => id),
      setting.calls.map(({ id }) => id),
    ),
    same(
      "a valid call brings the handler's data",
      { data: readJson(valid?.text), failed: valid?.failed === true },
      { data: { read: "a/b.txt" }, failed: false },
    ),
    same("the handler gets the arguments and the id of the call, and only the valid ones", setting.handled, [
      { callId: "call_valid", input: { mode: "text", ...setting.calls[0].input } },
    ]),
    told("an invalid call is refused with our message", invalid, setting.refusal),
    told("a thrown error is told", failing, "The disk is read-only."),
    same(
      "cancelling the run cancels every call",
      setting.signals.map((signal) => signal?.aborted),
      [true, true, true],
    ),
  ];
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
