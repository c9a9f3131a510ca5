// How words about fields are written: one fragment for each field of a record, complete by its type. Knows no resource.

/** What each field of a record means: a fragment in small letters that a type, a unit or a code table may follow. */
export type Words<Record> = Readonly<{ [Field in keyof Record & string]: string }>;
