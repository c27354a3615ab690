import { makeHonest, makeOrders } from "./make-orders.mjs";
import { carry } from "./carriers.mjs";
import { groupOf, ownRows, plant, rowsOf } from "./rows.mjs";

/** Orders about tools are what pages and READMEs say to people: they are not learned for results. */
const aboutTools = new Set(["preempt", "preference", "cross-tool-redirect", "package-install"]);

/**
 * What the weights are learned from, as features of sentences. A bag is a text of which at least one sentence is an order:
 * { kind, author, disguise?, key, weight, sentences }. `key` is the same for one sentence in several disguises.
 * `author` is "cases", "own" (bench/trust/unseen) or "made" (by patterns).
 */
export function readData(folder, scanner, kinds = ["definition", "result"]) {
  const read = readerOf(folder, scanner);
  const benign = rowsOf(folder, "benign");
  // Operations of APIs and steps of workflows are described more plainly than tools that were written for models.
  const real = benign.filter(({ hard }) => !hard).concat(rowsOf(folder, "real"));
  const of = { definition: () => definitionData(folder, read, benign, real), result: () => resultData(folder, read, real) };
  return Object.fromEntries(kinds.map((kind) => [kind, of[kind]()]));
}

function definitionData(folder, read, benign, real) {
  const negatives = real.map(({ source = "", tool, plain }) => ({
    source,
    isLoud: plain !== true,
    group: groupOf(source, 5),
    sentences: read.tool(tool),
    weight: 1,
  }));
  const honest = [
    ...ownRows("honest").map((row) => [row, 20]),
    ...makeHonest(3000, 2).map((row) => [row, 2]),
    ...benign.filter(({ hard }) => hard).map(({ id, tool }) => [{ text: tool.description, id }, 10]),
  ].map(([{ text, id }, weight], index) => ({ id, group: groupOf(text, 5), weight, sentences: read.planted(text, index) }));
  const bags = [
    ...ownRows("hostile").map((row, index) => ({
      author: "own",
      kind: row.class,
      key: row.text,
      weight: 5,
      sentences: read.planted(row.text, index),
    })),
    ...rowsOf(folder, "hostile")
      .filter(({ path, want }) => path && want === "danger")
      .map(({ id, tool, path, base, disguise, class: kind }) => ({
        id,
        author: "cases",
        kind,
        disguise,
        weight: 5,
        ...read.added(tool, path, base),
      })),
    ...makeOrders(800, 1).map(({ text, class: kind }, index) => ({
      author: "made",
      kind,
      key: text,
      weight: 0.25,
      sentences: read.planted(text, index),
    })),
  ].filter(({ sentences }) => sentences.length > 0);
  return { negatives, honest, bags, shares: { usual: [0.007, 0.028], loud: [0.01, 0.05] } };
}

function resultData(folder, read, real) {
  const rows = rowsOf(folder, "results");
  const negatives = [
    ...rows.filter(({ label }) => label === "benign").map(({ text }) => [text, 6, true]),
    ...rowsOf(folder, "harmless").map(({ text }) => [text, 1]),
    ...real.filter((_, index) => index % 4 === 0).map(({ tool }) => [String(tool.description ?? ""), 0.5]),
  ].map(([text, weight, isLoud]) => ({ isLoud, group: groupOf(text, 5), weight, sentences: read.result(text) }));
  for (const [index, { text }] of ownRows("harmless-results").entries())
    negatives.push({ isLoud: true, group: groupOf(text, 5), weight: 10, sentences: read.carried(text, index) });
  const honest = makeHonest(2000, 3).map(({ text }, index) => ({ group: -1, weight: 1, sentences: read.carried(inWords(text), index) }));
  const bags = [
    ...ownRows("hostile-results").map((row, index) => ({
      author: "own",
      kind: row.class,
      key: row.text,
      weight: 15,
      sentences: read.carried(row.text, index),
    })),
    ...rows
      .filter(({ label, disguise }) => label === "hostile" && isReadable(disguise))
      .map(({ id, text, disguise, class: kind }) => ({
        id,
        author: "cases",
        kind,
        disguise,
        key: text,
        weight: 6,
        sentences: read.result(text),
      })),
    ...ownRows("hostile")
      .filter(({ class: kind }) => !aboutTools.has(kind))
      .map(({ text, class: kind }, index) => ({
        author: "own",
        kind,
        key: text,
        weight: 1.5,
        sentences: read.carried(inWords(text), index),
      })),
    ...makeOrders(300, 4)
      .filter(({ class: kind }) => !aboutTools.has(kind))
      .map(({ text, class: kind }, index) => ({
        author: "made",
        kind,
        key: text,
        weight: 0.3,
        sentences: read.carried(inWords(text), index),
      })),
  ].filter(({ sentences }) => sentences.length > 0);
  return { negatives, honest, bags, shares: { usual: [0.01, 0.05], loud: [0.03, 0.15] } };
}

/** Reads texts into sentences, and each sentence into its features. */
function readerOf(folder, scanner) {
  const bases = rowsOf(folder, "benign").filter(({ hard }) => !hard);
  const featuresOf = (text, part, sentence) => {
    const place = scanner.placeOf(sentence, part, text);
    const features = [];
    scanner.visitFeatures(sentence, place, (feature) => features.push(feature));
    const signs = sentence.hits.length > 1 ? scanner.signsOf(sentence, place, scanner.learnedRules) : [];
    scanner.visitSigns(signs, (feature) => features.push(feature));
    features.families = scanner.countFamilies(sentence, place) + (signs.length > 0 ? 1 : 0);
    return features;
  };
  const inPart = (text, part, test = () => true) =>
    part.sentences
      .filter((sentence) => sentence.words.length > 3 && test(part.text.slice(sentence.start, sentence.end), sentence))
      .map((sentence) => featuresOf(text, part, sentence));
  const textAt = (tool, path) => scanner.readScannedTool(tool).texts.find((one) => one.path === path);
  return {
    tool: (tool) =>
      scanner
        .readScannedTool(tool)
        .texts.filter(({ role }) => role !== "name" && role !== "property-name")
        .flatMap((text) => inPart(text, text.parts[0])),
    result: (raw) => {
      const text = scanner.readScannedResult(raw);
      return inPart(text, text.parts[0]);
    },
    /** A sentence of our own in a mail, a page or a file: what stands around it says nothing about it. */
    carried: (raw, index) => {
      const { text: whole, start } = carry(raw, index);
      const text = scanner.readScannedResult(whole);
      return inPart(text, text.parts[0], (_, sentence) => sentence.end > start && sentence.start < start + raw.length - 1);
    },
    /** A sentence of our own in a real tool. */
    planted: (raw, index) => {
      const { tool, words, path } = plant(raw, bases[(index * 37) % bases.length].tool, index);
      const text = textAt(tool, path);
      if (text === undefined) return [];
      const [part] = text.parts;
      const start = part.text.indexOf(words.slice(0, 12));
      return inPart(text, part, (_, sentence) => sentence.end > start && sentence.start < start + words.length - 1);
    },
    /** The sentences at a pointer that are not in the tool it was made from; those that were hidden in it, if there are some. */
    added: (tool, path, base) => {
      const text = textAt(tool, path);
      if (text === undefined) return { key: "", sentences: [] };
      const original = inOneLine(JSON.stringify(bases.find(({ id }) => id === base)?.tool ?? "").replaceAll("\\n", " "));
      const isNew = (raw) => !original.includes(JSON.stringify(inOneLine(raw.trim())).slice(1, 30));
      const hidden = text.parts.slice(1).filter(({ sentences }) => sentences.some(({ words }) => words.length > 3));
      const parts = hidden.length > 0 ? hidden : [text.parts[0]];
      const added = parts.flatMap((part) =>
        part.sentences.map((one) => part.text.slice(one.start, one.end)).filter((raw) => part !== text.parts[0] || isNew(raw)),
      );
      return {
        key: added.join(" "),
        sentences: parts.flatMap((part) => inPart(text, part, (raw) => part !== text.parts[0] || isNew(raw))),
      };
    },
  };
}

function inOneLine(text) {
  return text.replaceAll(/\s+/g, " ");
}

function inWords(text) {
  return text.replaceAll("`{p}`", "the notes").replaceAll("{p}", "notes").replaceAll("{t}", "this_tool").replaceAll("{o}", "send_email");
}

function isReadable(disguise) {
  return !/homoglyph|base64|hex|tag|zero|bidi|entities|split|typo|confusable/.test(disguise);
}
