// The trunk both ways, and digits, as stories.
import { describe, expect, it } from 'vitest';
import { company, talking } from './company.rig.ts';

describe('the trunk', () => {
  it('carries a user out, with the user number shown, and costs money', () => {
    const { rig, phones, network } = company();
    const calling = phones[0].dial('+442079460123');
    rig.pass(0);
    expect(network.call.session.invite.uri).toBe('sip:+442079460123@network.phone.example;user=phone');
    expect(network.call.session.invite.headers.get('From')).toContain(`sip:${rig.customer.numbers[0]}@`);
    network.call.ring();
    network.call.answer();
    rig.pass(60_000);
    calling.hangUp();
    rig.pass(0);
    expect([...rig.store.cdrs.list(rig.customer.customerId)].at(-1)).toMatchObject({
      type: 'O',
      destination: 'out',
      context: 'PSTN_CALL',
      rate: 0.02,
      charge: 0.02,
      billsec: 60,
    });
  });

  it.each([486, 480, 603, 503, 404])('a %i from the network is call.failed', (status) => {
    const { rig, phones, network } = company();
    const calling = phones[0].dial('+442079460123');
    rig.pass(0);
    network.call.session.reject(status);
    rig.pass(0);
    expect(calling.log.at(-1)).toBe(String(status));
    expect(rig.eventNames()).toEqual(['call.initial INITIAL', 'call.failed FAILED']);
  });

  it('brings an outsider to the user of a number, without asking for a password', () => {
    const { rig, phones, network, exts } = company();
    const calling = network.dial(rig.customer.numbers[1] ?? '', { from: '"Sender" <sip:+442079469999@network>' });
    rig.pass(0);
    phones[1].call.answer();
    rig.pass(0);
    expect(calling.session.state).toBe('confirmed');
    expect(rig.exchange.liveCalls(rig.customer.customerId)[0]?.record).toMatchObject({
      src: '+442079469999',
      src_name: 'Sender',
      src_id: '',
      dst: exts[1],
      context: 'PSTN_CALL',
      destination: 0,
    });
  });

  it('refuses a number that nobody has', () => {
    const { rig, network } = company();
    const calling = network.dial('+442079469990');
    rig.pass(0);
    expect(calling.log).toEqual(['404']);
  });
});

describe('digits', () => {
  it('raise an event and reach the other party', () => {
    const { rig, call, phones } = talking();
    const outcome = call.send('INFO', [], 'Signal=5\r\nDuration=160\r\n', 'application/dtmf-relay');
    rig.pass(0);
    expect(outcome).toMatchObject([{ status: 200 }]);
    expect(rig.events.at(-1)).toMatchObject({ kind: 'dtmf', digit: '5', by: 'caller' });
    expect(phones[1].call.log).toContain('INFO');
  });

  it.each([
    ['Signal=X', 'application/dtmf-relay', 400],
    ['hello', 'text/plain', 415],
  ])('that are none get an answer that says so: %s', (body, type, status) => {
    const { rig, call } = talking();
    const outcome = call.send('INFO', [], body, type);
    rig.pass(0);
    expect(outcome).toMatchObject([{ status }]);
  });
});
