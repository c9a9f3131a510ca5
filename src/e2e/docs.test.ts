// /docs in a real browser: found, opened, tried out, and nothing asked of any other machine.
import { describe, expect, it } from 'vitest';
import { Simulator } from '../simulator.ts';
import { BrowserTab, interop } from './browser.ts';

/** Types into a field as React notices it. */
const type = (field: string, text: string) =>
  `(() => { const field = document.querySelector('${field}');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${text}');
    return field.dispatchEvent(new Event('input', { bubbles: true })); })()`;
const click = (button: string) => `(() => { document.querySelector('${button}').click(); return true; })()`;
const textOf = (place: string) => `document.querySelector('${place}').textContent`;
const open = '.opblock.is-open';

describe.runIf(interop)('the reference in a browser', () => {
  it('lists the operations, opens the one that a link names, shows its example, tries it out with credentials, and searches', async () => {
    await using simulator = new Simulator({ seed: 1 });
    const url = await simulator.listenHttp(0);
    const [user] = simulator.world.customers[0]?.users ?? [];
    await using tab = await BrowserTab.open();

    await tab.go(`${url}/docs`);
    expect(await tab.see(textOf('.opblock-summary-description'))).toContain('Exchange email and password');
    expect(await tab.see('[...reference.specSelectors.taggedOperations().keys()].join()')).toBe(
      'auth,calls,storage,settings,customer,history,callmeback,reports,events',
    );

    await tab.go(`${url}/docs/?2#/customer/getMe`);
    expect(await tab.see(textOf(`${open} .opblock-description`))).toContain('A good first request.');
    expect(await tab.see(textOf(`${open} .responses-table .example`))).toContain('"balance": 250');

    await tab.see(click('.auth-wrapper .authorize'));
    await tab.see(type('#auth-basic-username', String(user?.user_id)));
    await tab.see(type('#auth-basic-password', user?.api_key ?? ''));
    await tab.see(click('.auth-btn-wrapper .authorize'));
    await tab.see(click('.auth-btn-wrapper .btn-done'));
    await tab.see(click(`${open} .execute`));
    expect(await tab.see(textOf(`${open} .live-responses-table tbody .response-col_status`))).toBe('200');
    const answer = await tab.see(textOf(`${open} .live-responses-table .response-col_description .microlight`));
    expect(JSON.parse(String(answer))).toMatchObject({ data: [{ id: String(user?.user_id) }], total: 1 });

    // The box finds operations by words of their method, path, id and summary.
    await tab.see(type('.operation-filter-input', 'delete hang'));
    const found = `[...document.querySelectorAll('.opblock-summary-path[data-path^="/"]')].map((row) => row.dataset.path)`;
    expect(await tab.see(`${found}.length === 1 && ${found}[0]`)).toBe('/calls/{id}');

    const asked = new Set(tab.requested.map((address) => new URL(address).origin));
    expect([...asked]).toEqual([url]);
    expect(tab.complaints).toEqual([]);
  }, 90_000);
});
