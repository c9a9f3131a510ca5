// What the HTML report does when somebody clicks: filters, shows a timeline and the bytes of a request. Text of a script for browsers.

/** Puts text into elements as text alone, whatever a target has answered. */
export const PAGE_SCRIPT = `
'use strict';
const rows = JSON.parse(document.getElementById('exchanges').textContent);
const bySeq = new Map(rows.map((row) => [row.seq, row]));
const words = document.getElementById('words');
const chosen = new Set();

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

function show(seq) {
  const row = bySeq.get(seq);
  if (row === undefined) return;
  const dialog = document.getElementById('exchange');
  dialog.querySelector('div').replaceChildren(...row.parts.flatMap(([title, text]) => [element('h3', title), element('pre', text)]));
  dialog.showModal();
}

function timeline() {
  const list = document.querySelector('#timeline ol');
  if (list.childElementCount > 0) return;
  const end = Math.max(1, ...rows.map((row) => row.at + row.ms));
  list.append(...rows.map((row) => {
    const item = element('li');
    const button = element('button', row.line + (row.operation ? '   ' + row.operation : ''));
    button.type = 'button';
    button.dataset.seq = row.seq;
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
words.addEventListener('input', filter);
filter();
`;
