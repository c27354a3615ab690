// Importing @toolrack/server/typescript lets this process import TypeScript: node --import toolrack/typescript --test tools.test.ts

import { allowTypeScript } from "./javascript/allow-typescript.ts";

allowTypeScript();
