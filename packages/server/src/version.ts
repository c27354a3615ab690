/** The version of all packages: they are released together. */
export const version = "0.1.0";
