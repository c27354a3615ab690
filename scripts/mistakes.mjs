import { loadSource } from "./reference/load-source.mjs";
import { noticeMistakes } from "./reference/mistakes.mjs";

// `npm run mistakes`: what notices each mistake of packages/core/test/mistakes, and with which sentence.
const rows = await noticeMistakes(loadSource);
for (const { subject, title, compiler, caught } of rows) {
  console.log(`\n${subject}: ${title}`);
  if (compiler !== undefined) console.log(`  compiler    ${compiler}`);
  console.log(caught === undefined ? "  NOBODY      it ends as a quiet success" : `  ${caught.by.padEnd(11)} ${caught.sentence}`);
}
const quiet = rows.filter(({ caught }) => caught === undefined);
const by = (name) => rows.filter(({ caught }) => caught?.by === name).length;
const seen = rows.filter(({ compiler }) => compiler !== undefined).length;
console.log(
  `\n${rows.length} mistakes: the compiler sees ${seen}; definitions notice ${by("definition")}, calls ${by("call")}, nobody ${quiet.length}.`,
);
if (quiet.length > 0) process.exitCode = 1;
