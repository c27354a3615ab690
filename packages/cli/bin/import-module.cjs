"use strict";

// Stands in the bundle for the file of the same name: what toolrack.cjs compiles cannot import, this can.
exports.importModule = (url) => import(url);
