import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";

/** The bundle is CommonJS inside a package that calls itself a module, so it is evaluated by hand. */
function load() {
  const require = createRequire(import.meta.url);
  const file = new URL("./node_modules/@mlc-ai/web-xgrammar/lib/index.js", import.meta.url).pathname;
  const bundle = { exports: {} };
  new Function("exports", "module", "require", "__filename", "__dirname", readFileSync(file, "utf8")).call(
    globalThis,
    bundle.exports,
    bundle,
    require,
    file,
    dirname(file),
  );
  return bundle.exports;
}

const { Grammar, Testings } = load();

/** A question has a grammar, or a schema for the engine's own converter, or a structural tag. */
async function read({ grammar, schema, structuralTag }) {
  if (grammar !== undefined) return Grammar.fromEBNF(grammar);
  return schema !== undefined ? Grammar.fromJSONSchema(JSON.stringify(schema)) : Grammar.fromStructuralTag(structuralTag);
}

process.on("message", async (question) => {
  try {
    const judge = await read(question);
    const accepted = [];
    for (const text of question.texts) accepted.push(await Testings.isGrammarAcceptString(judge, text));
    process.send({ ok: true, accepted });
  } catch (error) {
    process.send({ ok: false, reason: String(error?.message ?? error).split("\n")[0] });
  }
});
