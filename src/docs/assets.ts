// The files of the reference page, and where each comes from. Knows neither disk nor HTTP.

export interface Asset {
  /** Name below /docs/, and in the folder of assets of a built package. */
  readonly name: string;
  readonly mediaType: string;
  /** File within its origin. */
  readonly file: string;
  /** Ours, or from the development dependency swagger-ui-dist. */
  readonly origin: 'page' | 'swagger-ui-dist';
}

const html = 'text/html; charset=utf-8';
const css = 'text/css; charset=utf-8';
const script = 'text/javascript; charset=utf-8';
const text = 'text/plain; charset=utf-8';

function ours(name: string, mediaType: string): Asset {
  return { name, mediaType, file: name, origin: 'page' };
}

function theirs(name: string, mediaType: string, file = name): Asset {
  return { name, mediaType, file, origin: 'swagger-ui-dist' };
}

/** Everything that /docs may serve from disk; another name is 404. */
export const assets: readonly Asset[] = [
  ours('index.html', html),
  ours('page.css', css),
  ours('page.js', script),
  theirs('swagger-ui.css', css),
  theirs('swagger-ui-bundle.js', script),
  theirs('swagger-ui-bundle.js.LICENSE.txt', text),
  theirs('favicon-32x32.png', 'image/png'),
  theirs('LICENSE.txt', text, 'LICENSE'),
  theirs('NOTICE.txt', text, 'NOTICE'),
];
