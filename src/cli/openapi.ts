// pbxsim openapi: prints the document.
import { openApiDocument } from '../contract/openapi.ts';
import { UsageError } from './errors.ts';

export function printOpenApi(options: { readonly server?: string }): void {
  const { server } = options;
  if (server !== undefined && !(URL.canParse(server) && /^https?:/i.test(server)))
    throw new UsageError(`--server ${server} is no URL: expected one such as https://api.example.net.`);
  const document = openApiDocument(options.server === undefined ? {} : { serverUrl: options.server });
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
