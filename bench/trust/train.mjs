/**
 * `node bench/trust/train.mjs DIR` learns the weights of the scanner and writes them to packages/core/src/scan/learned.
 * DIR holds benign.jsonl, hostile.jsonl and results.jsonl; real.jsonl ({ source, tool }) and harmless.jsonl ({ text }) are used if they are there.
 * The sentences of bench/trust/unseen and those made from bench/trust/learn/phrases.mjs are added. The files named held-… are not read.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeHonest, makeOrders } from "./learn/make-orders.mjs";
import { encode, learn, shorten } from "./learn/regression.mjs";
import { groupOf, ownRows, plant, rowsOf } from "./learn/rows.mjs";
import { loadScanner } from "./learn/scanner.mjs";

const folder = process.argv[2];
if (folder === undefined) throw new Error("Name the folder with benign.jsonl, hostile.jsonl and results.jsonl.");
const scanner = await loadScanner();
const settings = { keep: 22_000, scale: scanner.scale };
const target = fileURLToPath(new URL("../../packages/core/src/scan/learned/", import.meta.url));

const real = rowsOf(folder, "benign")
  .filter(({ hard }) => !hard)
  .concat(rowsOf(folder, "real"));
const bases = rowsOf(folder, "benign").filter(({ hard }) => !hard);
const cases = rowsOf(folder, "hostile").filter(({ path, disguise, want }) => path && want === "danger" && readable(disguise));

const aboutTools = new Set(["preempt", "preference", "cross-tool-redirect", "package-install"]);

const definitions = fit("definition", definitionData());
const results = fit("result", resultData());
console.log(JSON.stringify({ definitions, results }));

function definitionData() {
  const negatives = real.map(({ source, tool }) => ({ group: groupOf(source ?? "", 4), sentences: sentencesOfTool(tool) }));
  const honest = [
    ...ownRows("honest").map((row) => [row, 20]),
    ...makeHonest(3000, 2).map((row) => [row, 2]),
    ...rowsOf(folder, "benign")
      .filter(({ hard }) => hard)
      .map(({ tool }) => [{ text: tool.description }, 10]),
  ].map(([{ text }, weight], index) => ({ weight, sentences: plantedSentences(text, index) }));
  const bags = [
    ...ownRows("hostile").map((row, index) => ({
      group: groupOf(row.text, 4),
      kind: row.class,
      weight: 5,
      sentences: plantedSentences(row.text, index),
    })),
    ...cases.map(({ tool, path, base, class: kind }) => ({ kind, weight: 5, sentences: sentencesAt(tool, path, base) })),
    ...makeOrders(800, 1).map(({ text, class: kind }, index) => ({ kind, weight: 0.6, sentences: plantedSentences(text, index) })),
  ].filter(({ sentences }) => sentences.length > 0);
  return { negatives, honest, bags, shares: [0.009, 0.04] };
}

function resultData() {
  const texts = [
    ...rowsOf(folder, "results")
      .filter(({ label }) => label === "benign")
      .map(({ text }) => [text, 12]),
    ...rowsOf(folder, "harmless").map(({ text }) => [text, 1]),
    ...ownRows("harmless-results").map(({ text }) => [text, 20]),
    ...real.filter((_, index) => index % 4 === 0).map(({ tool }) => [String(tool.description ?? ""), 0.5]),
  ];
  const negatives = texts.map(([text, weight]) => ({ group: groupOf(text, 4), weight, sentences: sentencesOfResult(text) }));
  const honest = makeHonest(2000, 3).map(({ text }) => ({ weight: 1, sentences: sentencesOfResult(inWords(text)) }));
  const bags = [
    ...ownRows("hostile-results").map((row) => ({
      group: groupOf(row.text, 4),
      kind: row.class,
      weight: 6,
      sentences: sentencesOfResult(row.text),
    })),
    ...rowsOf(folder, "results")
      .filter(({ label, disguise }) => label === "hostile" && readable(disguise))
      .map(({ text, class: kind }) => ({ kind, weight: 3, sentences: sentencesOfResult(text) })),
    ...ownRows("hostile")
      .filter(({ class: kind }) => !aboutTools.has(kind))
      .map(({ text, class: kind }) => ({ kind, weight: 1.5, sentences: sentencesOfResult(inWords(text)) })),
    ...makeOrders(300, 4)
      .filter(({ class: kind }) => !aboutTools.has(kind))
      .map(({ text, class: kind }) => ({ kind, weight: 0.3, sentences: sentencesOfResult(inWords(text)) })),
  ].filter(({ sentences }) => sentences.length > 0);
  return { negatives, honest, bags, shares: [0.01, 0.05], alarming: [0.03, 0.12] };
}

/** Learns from three quarters of the sources to choose the levels at the last one, then from all. Prints what was found of the texts left out. */
function fit(name, { negatives, honest, bags, shares, alarming }) {
  const space = scanner.featureSpace;
  const othersOf = (rows) => unique(rows.flatMap(({ sentences, weight = 1 }) => sentences.map((one) => [one, weight])));
  const modelOf = (some, others) =>
    shorten(learn(some, others, { space }), [...some.flatMap(({ sentences }) => sentences), ...others.map(([one]) => one)], settings);
  const levels = [];
  const found = { own: [0, 0, 0] };
  for (let left = 0; left < 4; left++) {
    const model = modelOf(
      bags.filter(({ group }) => group !== left),
      [...othersOf(negatives.filter(({ group }) => group !== left)), ...othersOf(honest)],
    );
    const best = (sentences) => sentences.reduce((most, one) => Math.max(most, scoreOf(model, one)), -99);
    const scores = negatives
      .filter(({ group }) => group === left)
      .map(({ sentences }) => best(sentences))
      .toSorted((a, b) => b - a);
    // Texts that were chosen because they sound alarming count as much as all others together.
    const loud = negatives
      .filter(({ group, weight }) => group === left && weight >= 12)
      .map(({ sentences }) => best(sentences))
      .toSorted((a, b) => b - a);
    const level = shares.map((share, index) => {
      const usual = scores[Math.floor(scores.length * share)];
      return alarming === undefined ? usual : (usual + loud[Math.floor(loud.length * alarming[index])]) / 2;
    });
    levels.push(level);
    for (const { sentences } of bags.filter(({ group }) => group === left)) {
      found.own[2]++;
      const score = (one) => scoreOf(model, one);
      if (sentences.some((one) => one.families > 0 && score(one) >= level[0])) found.own[0]++;
      if (sentences.some((one) => score(one) >= level[1] + scanner.beyond[name][Math.min(one.families, 2)])) found.own[1]++;
    }
  }
  const others = [...othersOf(negatives), ...othersOf(honest)];
  const model = modelOf(bags, others);
  const [danger, warning] = [0, 1].map(
    (index) => Math.round((levels.reduce((sum, level) => sum + level[index], 0) / levels.length) * 20) / 20,
  );
  const lines = encode(model.weights)
    .match(/.{1,138}/g)
    .join("\n");
  writeFileSync(
    `${target}${name}-weights.ts`,
    `import type { LearnedModel } from "./model.ts";\n\n/** Made by bench/trust/train.mjs. */\nexport const ${name}Model: LearnedModel = {\n  bias: ${model.bias},\n  danger: ${danger},\n  warning: ${warning},\n  weights: \`\n${lines}\n\`,\n};\n`,
  );
  return {
    danger,
    warning,
    levels,
    leftOut: { danger: found.own[0] / found.own[2], warning: found.own[1] / found.own[2], of: found.own[2] },
  };
}

function scoreOf({ weights, bias }, sentence) {
  return sentence.reduce((sum, feature) => sum + weights[feature], bias) / settings.scale;
}

/** The same sentence stands in hundreds of tools: it counts a few times at most. */
function unique(items) {
  const seen = new Map();
  for (const [sentence, weight] of items) {
    const key = sentence.join();
    const known = seen.get(key);
    if (known === undefined) seen.set(key, [sentence, weight, weight]);
    else known[1] = Math.min(known[1] + weight, 6 * known[2]);
  }
  return Array.from(seen.values(), ([sentence, weight]) => [sentence, weight]);
}

function featuresOf(text, part, sentence) {
  const place = scanner.placeOf(sentence, part, text);
  const features = [];
  scanner.visitFeatures(sentence, place, (feature) => features.push(feature));
  const signs = sentence.hits.length > 1 ? scanner.signsOf(sentence, place, scanner.learnedRules) : [];
  scanner.visitSigns(signs, (feature) => features.push(feature));
  features.families = scanner.countFamilies(sentence, place) + (signs.length > 0 ? 1 : 0);
  return features;
}

function sentencesOf(text, test = () => true) {
  const [part] = text.parts;
  return part.sentences
    .filter((sentence) => sentence.words.length > 3 && test(part.text.slice(sentence.start, sentence.end), sentence))
    .map((sentence) => featuresOf(text, part, sentence));
}

function sentencesOfTool(tool) {
  return scanner
    .readScannedTool(tool)
    .texts.filter(({ role }) => role !== "name" && role !== "property-name")
    .flatMap((text) => sentencesOf(text));
}

function sentencesOfResult(text) {
  return sentencesOf(scanner.readScannedResult(text));
}

function plantedSentences(text, index) {
  const { tool, words, path } = plant(text, bases[(index * 37) % bases.length].tool, index);
  return sentencesAt(tool, path, undefined, words);
}

/** The sentences at a pointer that are not in the tool it was made from, or that are among the given words. */
function sentencesAt(tool, path, base, words) {
  const text = scanner.readScannedTool(tool).texts.find((one) => one.path === path);
  if (text === undefined) return [];
  const original =
    base === undefined ? undefined : inOneLine(JSON.stringify(bases.find(({ id }) => id === base)?.tool ?? "").replaceAll("\\n", " "));
  const start = words === undefined ? 0 : text.parts[0].text.indexOf(words.slice(0, 12));
  return sentencesOf(text, (raw, sentence) =>
    words === undefined
      ? !original?.includes(JSON.stringify(inOneLine(raw.trim())).slice(1, 30))
      : sentence.end > start && sentence.start < start + words.length - 1,
  );
}

function inOneLine(text) {
  return text.replaceAll(/\s+/g, " ");
}

function inWords(text) {
  return text.replaceAll("`{p}`", "the notes").replaceAll("{p}", "notes").replaceAll("{t}", "this_tool").replaceAll("{o}", "send_email");
}

function readable(disguise) {
  return !/homoglyph|base64|hex|tag|zero|bidi|entities|split|typo|confusable/.test(disguise);
}
