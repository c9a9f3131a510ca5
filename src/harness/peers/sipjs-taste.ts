// Answers as sip.js can take them: it knows one challenge, of MD5, and no port in a Via of its own. Changes nothing that a user would see.

/** `text` without the challenges that sip.js fails on, unless there is no other, and without the port of the top Via. */
export function asSipjsTakes(text: string): string {
  if (!text.startsWith('SIP/2.0 ')) return text;
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return text;
  const lines = text.slice(0, end).split('\r\n');
  return withoutViaPort(withMd5Only(lines)).join('\r\n') + text.slice(end);
}

// RFC 8760, 2.6: a server offers several algorithms, one challenge each. sip.js reads one of them and gives up unless it is MD5.
function withMd5Only(lines: readonly string[]): readonly string[] {
  const kept = lines.filter((line) => !isChallenge(line) || isMd5(line));
  return kept.some(isChallenge) ? kept : lines;
}

function isChallenge(line: string): boolean {
  return /^(?:www|proxy)-authenticate\s*:/i.test(line);
}

function isMd5(line: string): boolean {
  const algorithm = /[\s,]algorithm\s*=\s*"?([\w-]+)/i.exec(line)?.[1] ?? 'MD5';
  return algorithm.toUpperCase() === 'MD5';
}

function withoutViaPort(lines: readonly string[]): readonly string[] {
  const top = lines.findIndex((line) => /^(?:via|v)\s*:/i.test(line));
  return lines.map((line, index) =>
    index === top ? line.replace(/^([^:]+:\s*SIP\s*\/\s*2\.0\s*\/\s*\w+\s+(?:\[[^\]]*\]|[^\s;:,]+)):\d+/i, '$1') : line,
  );
}
