// What the HTML report does when somebody clicks: filters, unpacks the evidence, shows a timeline and the bytes of a request. Text of a
// script for browsers.

/** Puts text into elements as text alone, whatever a target has answered. */
export const PAGE_SCRIPT = `
'use strict';
const words = document.getElementById('words');
const chosen = new Set();
const canUnpack = 'DecompressionStream' in window;
let unpacking;

/** The rows of the timeline by their seq, unpacked when somebody first asks; none, and the page says why, when that cannot be. */
function evidence() {
  unpacking ??= unpacked().catch((error) => {
    if (canUnpack) missing('The requests, deliveries and SIP messages in this file cannot be unpacked (' + error + '): it is not as it was written.');
    return new Map();
  });
  return unpacking;
}

async function unpacked() {
  const text = atob(document.getElementById('evidence').textContent);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const rows = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).json();
  return new Map(rows.map((row) => [row.seq, row]));
}

function missing(why) {
  const place = document.getElementById('packed');
  place.textContent = why;
  place.hidden = false;
}

if (!canUnpack) missing('The requests, deliveries and SIP messages of this run, and its timeline, cannot be shown: they are packed in this file, and this browser cannot unpack them (it has no DecompressionStream). Chrome and Edge from 80, Firefox from 113 and Safari from 16.4 can. Verdicts and messages are all below.');

function filter() {
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const area of document.querySelectorAll('.area')) {
    let any = false;
    for (const check of area.querySelectorAll('.check')) {
      const text = check.firstElementChild.textContent.toLowerCase();
      const fits = (chosen.size === 0 || chosen.has(check.dataset.verdict)) && wanted.every((word) => text.includes(word));
      check.hidden = !fits;
      if (fits) { shown += 1; any = true; }
    }
    area.hidden = !any;
  }
  document.getElementById('shown').textContent = shown + ' shown';
}

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  return made;
}

function buttonOf(row, text) {
  const button = element('button', text);
  button.type = 'button';
  button.dataset.seq = row.seq;
  return button;
}

async function show(seq) {
  const row = (await evidence()).get(seq);
  if (row === undefined) return;
  const dialog = document.getElementById('exchange');
  dialog.querySelector('div').replaceChildren(...row.parts.flatMap(([title, text]) => [element('h3', title), element('pre', text)]));
  if (!dialog.open) dialog.showModal();
}

/** The requests of a check, when it is opened. */
async function list(check) {
  const place = check.querySelector('.exchanges');
  const seqs = place.dataset.seqs.split(' ').filter(Boolean);
  if (seqs.length === 0 || place.childElementCount > 0) return;
  const rows = await evidence();
  const known = seqs.filter((seq) => rows.has(seq)).map((seq) => rows.get(seq));
  const none = element('span', 'What was sent and received cannot be shown: the reason is above.', 'hint');
  place.replaceChildren(...(known.length === 0 ? [none] : known.map((row) => buttonOf(row, row.line))));
}

async function timeline() {
  const rows = [...(await evidence()).values()];
  const list = document.querySelector('#timeline ol');
  if (list.childElementCount > 0) return;
  const end = Math.max(1, ...rows.map((row) => row.at + row.ms));
  list.append(...rows.map((row) => {
    const item = element('li');
    const button = buttonOf(row, row.line + (row.operation ? '   ' + row.operation : ''));
    const track = element('span');
    const bar = element('i', undefined, row.kind === 'request' ? 's' + Math.floor(row.status / 100) : row.kind);
    item.className = row.kind;
    bar.style.marginLeft = (100 * row.at / end) + '%';
    bar.style.width = (100 * row.ms / end) + '%';
    track.append(bar);
    item.append(button, track, element('span', Math.round(row.at) + ' ms'));
    return item;
  }));
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button === null) return;
  if (button.dataset.seq !== undefined) show(button.dataset.seq);
  if (button.dataset.verdict !== undefined) {
    const verdict = button.dataset.verdict;
    if (!chosen.delete(verdict)) chosen.add(verdict);
    button.setAttribute('aria-pressed', String(chosen.has(verdict)));
    filter();
  }
  if (button.dataset.view !== undefined) {
    for (const view of document.querySelectorAll('main')) view.hidden = view.id !== button.dataset.view;
    for (const each of document.querySelectorAll('nav button')) each.setAttribute('aria-pressed', String(each === button));
    if (button.dataset.view === 'timeline') timeline();
  }
});
// It does not bubble.
document.addEventListener('toggle', ({ target }) => {
  if (target.open && target.classList.contains('check')) list(target);
}, true);
words.addEventListener('input', filter);
filter();
`;
