import { validateValue } from "@toolrack/json-schema";

/**
 * Each judge is made for a draft and the documents that schemas may refer to, and answers a function from a schema to a check.
 * `format` is left unchecked, as the suite's required tests want it.
 */
export async function toolrackJudge({ remotes, dialect }) {
  return (schema) => (data) => validateValue(schema, data, { remotes, dialect, formats: false }).ok;
}

export async function ajvJudge({ remotes, dialect }) {
  const { Ajv } = await import("ajv");
  const { Ajv2020 } = await import("ajv/dist/2020.js");
  const Judge = dialect === "2020-12" ? Ajv2020 : Ajv;
  return (schema) => {
    const ajv = new Judge({ strict: false, ownProperties: true, validateFormats: false, validateSchema: false, logger: false });
    for (const [uri, document] of Object.entries(remotes)) {
      try {
        ajv.addSchema(document, uri);
      } catch {
        // Documents of other drafts name themselves in ways that ajv does not take.
      }
    }
    return ajv.compile(schema);
  };
}

const draft07 = "http://json-schema.org/draft-07/schema#";

export async function typeboxJudge({ remotes, dialect }) {
  const { Compile, Meta } = await import("typebox/schema");
  const { default: Format } = await import("typebox/format");
  Format.Clear();
  const context = { ...remotes, ...Meta };
  const named = (schema) => (typeof schema === "object" && dialect === "draft-07" ? { $schema: draft07, ...schema } : schema);
  return (schema) => {
    const validator = Compile(context, named(schema));
    return (data) => validator.Check(data);
  };
}
