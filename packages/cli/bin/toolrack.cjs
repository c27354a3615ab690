#!/usr/bin/env node
"use strict";
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const path = require("node:path");
const vm = require("node:vm");

// Runs the bundle in ../lib, and keeps what was compiled for the next start, which then takes a fraction of the time. Node's own cache
// does not exist before version 22, and after it keeps less: here it is all that has run until the process ends.

const lib = path.join(__dirname, "..", "lib");
// Beside the code: who can write there can change the command itself, and it goes when the package goes.
const kept = path.join(__dirname, "..", "node_modules", ".cache", "toolrack", `${process.version}-${process.arch}`);
const main = "main.cjs";

const outer = createRequire(path.join(lib, main));
const inner = Object.assign((wanted) => (wanted.startsWith("./") ? load(wanted.slice(2)) : outer(wanted)), outer);
const head = "(function (exports, require, module, __filename, __dirname) {";
const digestLength = 32;

/** File of the bundle → its module. */
const loaded = new Map();
/** What was compiled in this process. */
const compiled = [];

if (!fs.existsSync(path.join(lib, main))) {
  // This file is there before anything is built, so that installing the workspace puts the command into place.
  console.error("The command is not built yet. In a clone of the repository: npm run build");
  process.exitCode = 1;
} else if (process.sourceMapsEnabled) {
  // Only Node's own loader reads the maps.
  require(path.join(lib, main));
} else {
  process.once("exit", keep);
  load(main);
}

/** As `require` does, for the files of the bundle. */
function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const filename = path.join(lib, name);
  compile(name, filename).runInThisContext()(module.exports, inner, module, filename, lib);
  return module.exports;
}

function compile(name, filename) {
  const code = fs.readFileSync(filename);
  const cachedData = readKept(name, code);
  const script = new vm.Script(`${head}${code.toString()}\n})`, { filename, columnOffset: -head.length, cachedData });
  // Another build of Node, or other flags, cannot use it.
  if (cachedData === undefined || script.cachedDataRejected) compiled.push({ name, code, script });
  return script;
}

/** What was kept for exactly this code, if it is still what was written: V8 looks at the length of the code, and at no more. */
function readKept(name, code) {
  try {
    const bytes = fs.readFileSync(path.join(kept, name));
    const data = bytes.subarray(digestLength);
    return digest(code, data).equals(bytes.subarray(0, digestLength)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** What is written halfway, or by two at once, has the wrong digest, and is made anew. */
function keep() {
  try {
    if (compiled.length > 0) fs.mkdirSync(kept, { recursive: true });
    for (const { name, code, script } of compiled) {
      const data = script.createCachedData();
      fs.writeFileSync(path.join(kept, name), Buffer.concat([digest(code, data), data]));
    }
  } catch {
    // A folder that only others may write to: the command works all the same.
  }
}

function digest(code, data) {
  return createHash("sha256").update(code).update(data).digest();
}
