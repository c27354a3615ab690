// node --import toolrack/typescript: lets Node import TypeScript, as the server does with modules.
import "@toolrack/server/typescript";
