/**
 * `node bench/trust/train.mjs DIR [definition|result]` learns the weights of the scanner and writes them to packages/core/src/scan/learned.
 * DIR holds benign.jsonl, hostile.jsonl and results.jsonl; real.jsonl ({ source, tool, plain? }; plain: not written for models) and harmless.jsonl ({ text }) are used if they are there.
 * The sentences of bench/trust/unseen and those made from bench/trust/learn/phrases.mjs are added. The files named held-… and bench/trust/held are not read.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { readData } from "./learn/data.mjs";
import { asShipped, levelsOf, modelOf, scoresOf } from "./learn/fit.mjs";
import { loadScanner } from "./learn/scanner.mjs";

const [folder, kind] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder with benign.jsonl, hostile.jsonl and results.jsonl.");
const scanner = await loadScanner();
const target = fileURLToPath(new URL("../../packages/core/src/scan/learned/", import.meta.url));
const folds = 5;

for (const [name, data] of Object.entries(readData(folder, scanner, kind === undefined ? undefined : [kind]))) {
  const scored = [];
  for (let part = 0; part < folds; part++) {
    const isLeft = ({ group }) => group === part;
    const model = modelOf(data, scanner, { isOther: (row) => !isLeft(row) });
    scored.push(scoresOf(name, data.negatives.filter(isLeft), model, scanner));
  }
  const { bias, danger, warning, weights } = asShipped(modelOf(data, scanner), levelsOf(data, scored));
  const lines = weights.match(/.{1,200}/g).join("\n");
  writeFileSync(
    `${target}${name}-weights.ts`,
    `import type { LearnedModel } from "./model.ts";\n\n/** Made by bench/trust/train.mjs. */\nexport const ${name}Model: LearnedModel = {\n  bias: ${bias},\n  danger: ${danger},\n  warning: ${warning},\n  weights: \`\n${lines}\n\`,\n};\n`,
  );
  console.log(JSON.stringify({ name, danger, warning }));
}
