// Whether a response is what the published document says. Knows no operation's meaning.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../contract/openapi.ts';
import type { Operation } from '../../contract/operation.ts';
import type { RestAnswer } from '../run/rest-client.ts';

const DOCUMENT = 'https://pbxsim.test/openapi.json';

interface Published {
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Answer>> }>>>
  >;
}
interface Answer {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

export class ResponseSchemas {
  readonly #document = openApiDocument() as Published;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor() {
    this.#ajv.addSchema({ $id: DOCUMENT, ...this.#document });
  }

  /** What is wrong with the answer's media type and body; undefined when nothing is. */
  problemOf({ path, method }: Operation, { status, headers, text, body }: RestAnswer): string | undefined {
    const verb = method.toLowerCase();
    const published = this.#document.paths[path]?.[verb]?.responses[status];
    if (published === undefined) return `the status ${status} is not published`;
    const answer = this.#resolved(published);
    const [mediaType] = Object.keys(answer.content ?? {});
    if (mediaType === undefined) return text === '' ? undefined : 'expected no body';
    const type = String(headers['content-type'] ?? 'none');
    if (!type.startsWith(mediaType)) return `expected the media type ${mediaType}, got ${type}`;
    if (mediaType !== 'application/json') return text === '' ? 'expected a file, got nothing' : undefined;
    if (body === undefined) return 'the body is no JSON';
    const place = published.$ref ?? `#/${['paths', path, verb, 'responses', String(status)].map(escaped).join('/')}`;
    const validate = this.#validatorAt(`${place}/content/${escaped(mediaType)}/schema`);
    return validate(body) ? undefined : this.#ajv.errorsText(validate.errors, { dataVar: 'body' });
  }

  /** Errors are written once, below `components`. */
  #resolved(published: Answer): Answer {
    const name = published.$ref?.split('/').at(-1);
    return name === undefined ? published : (this.#document.components.responses[name] ?? {});
  }

  #validatorAt(pointer: string): ValidateFunction {
    const known = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: DOCUMENT + pointer });
    this.#compiled.set(pointer, known);
    return known;
  }
}

/** A part of a JSON pointer within a URI (RFC 6901, 6). */
function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
