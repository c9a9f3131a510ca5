// pbxsim openapi: prints the document.
import { openApiDocument } from '../contract/openapi.ts';

export function printOpenApi(options: { readonly server?: string }): void {
  const document = openApiDocument(options.server === undefined ? {} : { serverUrl: options.server });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
