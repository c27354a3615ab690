import { honestPatterns } from "./honest-phrases.mjs";
import { families, patterns } from "./phrases.mjs";

/** Numbers from 0 to 1 that are the same on every machine. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** So many different sentences of each class, made from the patterns. */
export function makeOrders(perClass, seed = 1) {
  const random = randomFrom(seed);
  return Object.entries(patterns).flatMap(([kind, list]) => {
    const texts = new Set();
    for (let tries = 0; texts.size < perClass && tries < perClass * 4; tries++) texts.add(expand(list[tries % list.length], random));
    return Array.from(texts, (text) => ({ class: kind, style: "made", text }));
  });
}

/** So many different honest sentences. */
export function makeHonest(count, seed = 1) {
  const random = randomFrom(seed);
  const texts = new Set();
  for (let tries = 0; texts.size < count && tries < count * 4; tries++)
    texts.add(expand(honestPatterns[tries % honestPatterns.length], random));
  return Array.from(texts, (text) => ({ text }));
}

function expand(pattern, random) {
  let text = pattern;
  for (let depth = 0; depth < 8; depth++) {
    const next = text
      .replaceAll(/\[([^[\]A-Z/][^[\]]*)\]/g, (_, inner) => (random() < 0.5 ? inner : ""))
      .replaceAll(/\(([^()]*\|[^()]*)\)/g, (_, inner) => pick(inner, random))
      .replaceAll(/<([a-z]+)>/g, (all, name) => (Object.hasOwn(families, name) ? pick(families[name], random) : all));
    if (next === text) break;
    text = next;
  }
  text = text
    .replaceAll("¦", "|")
    .replaceAll(/ +/g, " ")
    .replaceAll(/ ([,.;])(?= |$)/g, "$1")
    .replaceAll(/you (is|has|needs) /g, (_, verb) => `you ${{ is: "are", has: "have", needs: "need" }[verb]} `);
  return text.trim().charAt(0).toUpperCase() + text.trim().slice(1);
}

function pick(list, random) {
  const all = list.split("|");
  return all[Math.floor(random() * all.length)];
}
