// Puts words to the members of schemas: copies, for the schemas themselves also word the refusals of requests. Knows no route.

type Schema = Readonly<Record<string, unknown>>;

/** The words of a member; undefined when there are none. */
export type WordsOf = (member: string) => string | undefined;

/** A copy of the schema with words at each member of the object, or of the objects that an array holds. */
export function described(schema: object, wordsOf: WordsOf): object {
  const { properties, items } = schema as { properties?: Record<string, Schema>; items?: object };
  if (properties === undefined) return items === undefined ? schema : { ...schema, items: described(items, wordsOf) };
  const members = Object.entries(properties).map(([name, member]) => [name, withWords(member, wordsOf(name))] as const);
  return { ...schema, properties: Object.fromEntries(members) };
}

/** What the field means, then what its schema says of form, unit and codes. */
function withWords(schema: Schema, words: string | undefined): Schema {
  const { description } = schema;
  const parts = [words, description].filter((part) => part !== undefined);
  return parts.length === 0 ? schema : { ...schema, description: parts.join('; ') };
}
