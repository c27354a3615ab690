import { createRunCode } from "../programs/run-code.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = (_config, { programs }) => (programs === undefined ? [] : [createRunCode(programs)]);
