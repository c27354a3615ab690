import { measureWithPeers } from "../lib/peers.mjs";
import { toTable } from "../lib/table.mjs";

const at = (file) => new URL(file, import.meta.url);
const ajv = { name: "ajv", file: at("./ajv-speed.mjs"), needs: ["ajv"] };
const ajvOwn = { name: "ajv, own properties only", file: at("./ajv-own-properties.mjs"), needs: ["ajv"] };
const ajvAll = { name: "ajv, every fault listed", file: at("./ajv-all-errors.mjs"), needs: ["ajv"] };
const typebox = { name: "typebox", file: at("./typebox-speed.mjs"), needs: ["typebox"] };
const toolrack = { name: "Toolrack", file: at("./toolrack-speed.mjs") };
const toolrackValue = { name: "Toolrack, by validateValue", file: at("./toolrack-value.mjs") };
const toolrackMessages = { name: "Toolrack, every message read", file: at("./toolrack-messages.mjs") };

/** The same three jobs by each engine; ajv is the unit. */
export async function speedTables() {
  const caption = {
    first: "The first check of a schema nobody has seen: read, compile, check a valid value",
    valid: "A valid object of six fields with a nested list, compiled",
    invalid: "A wrong one with three faults (unit: ajv, which stops at the first)",
  };
  const listed = { ...toolrack, name: "Toolrack, every fault listed", target: 5 };
  return [
    await measured(caption.first, "first", [{ ...toolrack, target: 0.25 }, typebox]),
    await measured(caption.valid, "valid", [{ ...toolrack, target: 1 }, toolrackValue, ajvOwn, typebox]),
    await measured(caption.invalid, "invalid", [listed, toolrackMessages, ajvAll, { ...typebox, name: "typebox, every fault listed" }]),
  ];
}

async function measured(caption, job, subjects) {
  return toTable(caption, await measureWithPeers({ unit: ajv, subjects, setting: { job } }));
}
