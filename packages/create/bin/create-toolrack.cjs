#!/usr/bin/env node
"use strict";
const path = require("node:path");

// `npm create toolrack my-tools` is `toolrack init my-tools`: the template is in the command.
const manifest = require.resolve("toolrack/package.json");
process.argv.splice(2, 0, "init");
require(path.join(path.dirname(manifest), require(manifest).bin.toolrack));
