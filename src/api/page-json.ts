// The JSON of a page of records. Texts of records are kept for a while: records never change in place. Knows no resource.
import type { Page } from '../store/query.ts';

/** Records whose text is kept; when there are more, all are forgotten. */
const TEXTS_KEPT = 20_000;

/** Most of the cost of a long page is writing out records that were written out before. */
export class PageWriter {
  #texts = new WeakMap<object, string>();
  #count = 0;

  /** `{data: [...], total}` */
  write({ items, total }: Page<object>): string {
    let data = '';
    for (const item of items) data += data === '' ? this.#textOf(item) : `,${this.#textOf(item)}`;
    return `{"data":[${data}],"total":${total}}`;
  }

  #textOf(record: object): string {
    const kept = this.#texts.get(record);
    if (kept !== undefined) return kept;
    if (this.#count >= TEXTS_KEPT) {
      this.#texts = new WeakMap();
      this.#count = 0;
    }
    const text = JSON.stringify(record);
    this.#texts.set(record, text);
    this.#count += 1;
    return text;
  }
}
