import { createCommerceTools } from "@toolrack/tools";
import { createSampleShop } from "./_sample-shop.ts";
import type { OpenPack } from "./pack.ts";

export const open: OpenPack = ({ sample, ...config }) =>
  createCommerceTools({ ...config, ...(sample === true && { session: createSampleShop() }) });
