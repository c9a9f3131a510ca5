// The choices as a page: each with its id as an anchor, so that the reference can link to it. Knows no HTTP.

import type { Choice } from '../contract/choice.ts';
import { choices } from '../contract/choices.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}

function article({ id, topic, unspecified, ours, why, operations = [], accepts = [] }: Choice): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Open', unspecified],
    ['Here', ours],
    ['Because', why],
    ['As good', accepts.join('; ')],
    ['Shows in', operations.join(', ')],
  ];
  const list = rows
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `<dt>${label}</dt><dd>${escaped(text)}</dd>`);
  return `<article id="${id}"><h2>${id}: ${escaped(topic)}</h2><dl>${list.join('')}</dl></article>`;
}

/** The whole page. */
export function choicesPage(): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>pbxsim: choices</title>
<link rel="icon" href="favicon-32x32.png" type="image/png">
<link rel="stylesheet" href="page.css">
</head>
<body>
<main class="choices">
<h1>Choices</h1>
<p>What the specification leaves open or says twice, and what this simulator does there. Another implementation may do
otherwise. <a href="./">Back to the reference.</a></p>
${choices.map(article).join('\n')}
</main>
</body>
</html>
`;
}
