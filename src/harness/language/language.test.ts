// biome-ignore-all lint/suspicious/noTemplateCurlyInString: scenarios write ${name}
// What authors of scenario files are told: every mistake with its line and column, before any traffic.
import { describe, expect, it } from 'vitest';
import { loadDocuments, loadYaml, repeatedIds } from './load.ts';
import { problemText } from './problem.ts';
import { scenario } from './scenario.ts';

const HEAD = ['id: busy', 'title: A busy phone', 'requires: Busy is told at once', 'spec: [States]'];

/** Files by path; what cannot be read rejects. */
async function problemsOf(lines: readonly string[], others: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const files: Readonly<Record<string, string>> = { 'a.yaml': lines.join('\n'), ...others };
  const built = await loadYaml('a.yaml', (path) =>
    files[path] === undefined ? Promise.reject(new Error('none')) : Promise.resolve(files[path]),
  );
  return built.problems.map(problemText);
}

const withSteps = (...steps: readonly string[]): Promise<string[]> =>
  problemsOf([
    ...HEAD,
    'phones:',
    '  anna: {user: first}',
    '  bob: {outside: "+442079460911"}',
    'webhooks:',
    '  all: {events: [call_state_change]}',
    'steps:',
    ...steps,
  ]);

describe('one slip', () => {
  const STEPS = [
    'steps:',
    '  - { phone: anna, do: call, to: bob, capture: {call_id: call} }',
    '  - { live_call: "${call}" }',
  ];
  const phones = ['phones: {anna: {user: first}, bob: {user: second}}'];
  const whole = [...HEAD, ...phones, ...STEPS, '  - { cdr: "${call}" }'];
  const slip = (from: string, to: string): Promise<string[]> => problemsOf(whole.map((line) => line.replace(from, to)));

  it('is none in the file as it should be', async () => {
    expect(await problemsOf(whole)).toEqual([]);
  });

  it('of syntax is told where it is, and nothing of what the parser makes of the rest', async () => {
    expect(await slip('- { phone', '- phone')).toEqual([
      expect.stringMatching(/^a\.yaml:7:\d+: expected YAML: one name for each line;/),
    ]);
    expect(await slip('steps:', 'steps')).toEqual([
      'a.yaml:6:1: expected YAML: a name, a colon and a space, as in "title: Busy"',
    ]);
    expect(await slip('  - { live', '\t- { live')).toEqual([
      'a.yaml:8:1: expected YAML: lines are indented by spaces, not by tabs',
    ]);
  });

  it('in a step is not told again of what the step would have captured', async () => {
    expect(await slip('do: call', 'does: call')).toEqual([
      expect.stringMatching(/^a\.yaml:7:5: steps\/0: expected a step with one of /),
    ]);
    expect(await slip('to: bob', 'too: bob')).toEqual([
      expect.stringMatching(/^a\.yaml:7:\d+: steps\/0\/too: unknown: too, .*did you mean to\?$/),
    ]);
  });

  it('that many lines show is told once, with the lines', async () => {
    const ringing = [
      '  - { phone: ann, is: idle }',
      '  - { phone: anna, is: idle }',
      '  - { phone: ann, is: idle }',
      '  - { phone: ann, do: hang_up }',
    ];
    expect(await problemsOf([...HEAD, ...phones, 'steps:', ...ringing])).toEqual([
      'a.yaml:7:14: steps/0/phone: unknown: ann, expected one of anna, bob; did you mean anna? (and 2 more like it, in lines 9, 10)',
    ]);
    expect(await problemsOf([...HEAD, 'matrix:', '  steps:', '    - { wait: 1s }', '    - { wait: 2s }'])).toEqual([
      'a.yaml:7:7: matrix/steps/0: expected a value, found {"wait":"1s"} (and 1 more like it)',
    ]);
  });
});

describe('the shape of a scenario file', () => {
  it('is YAML, and a break in it has a place', async () => {
    expect(await problemsOf(['id: busy', 'title: [a'])).toEqual([
      'a.yaml:2:10: expected YAML: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ]);
  });

  it('has each name once', async () => {
    expect(await problemsOf([...HEAD, 'steps: [{wait: 1s}]', 'title: Again'])).toEqual([
      'a.yaml:6:1: expected each name once, found it again',
    ]);
  });

  it('names clauses of the catalogue alone', async () => {
    expect(await problemsOf([...HEAD, 'clauses: [EVT-HOLD]', 'steps: [{wait: 1s}]'])).toEqual([]);
    const none = 'no_clauses: Nothing of the specification is judged';
    expect(await problemsOf([...HEAD, none, 'steps: [{wait: 1s}]'])).toEqual([]);
    expect(await problemsOf([...HEAD, 'clauses: [EVT-HOLD]', none, 'steps: [{wait: 1s}]'])).toEqual([
      'a.yaml:6:1: no_clauses: expected clauses or why there are none, not both',
    ]);
    expect(await problemsOf([...HEAD, 'clauses: [EVT-HELD]', 'steps: [{wait: 1s}]'])).toEqual([
      'a.yaml:5:11: clauses/0: unknown: EVT-HELD; did you mean EVT-HOLD?: pbxsim clauses lists them',
    ]);
  });

  it('says what is missing and what nobody knows', async () => {
    expect(
      await problemsOf([
        'id: busy',
        'titel: A busy phone',
        'requires: It is told',
        'spec: [States]',
        'steps: [{wait: 1s}]',
      ]),
    ).toEqual([
      'a.yaml:1:1: expected a member title: a sentence',
      'a.yaml:2:1: titel: unknown: titel, expected one of id, title, requires, spec, clauses, no_clauses, tags, drivers, drivers_reason, phones, webhooks, matrix, steps, finally; did you mean title?',
    ]);
  });

  it('says what a value should be', async () => {
    expect(await problemsOf([...HEAD.slice(1), 'id: Busy Phone', 'tags: calls', 'steps: [{wait: soon}]'])).toEqual([
      'a.yaml:4:5: id: expected words in small letters with - between, found "Busy Phone"',
      'a.yaml:5:7: tags: expected array, found "calls"',
    ]);
    expect(await problemsOf([...HEAD, 'steps:', '  - wait: soon'])).toEqual([
      'a.yaml:6:11: steps/0/wait: expected a duration such as 250ms, 5s, 15m, 2h or 1d, found "soon"',
    ]);
  });

  it('has steps that are each of one kind', async () => {
    const kinds =
      'do, is, when_called, rest, configure, fault, live_call, cdr, recording, sip, events, wait, include, parallel';
    expect(await withSteps('  - sleep: 1s', '  - {wait: 1s, rest: ping}')).toEqual([
      `a.yaml:11:5: steps/0: expected a step with one of ${kinds}, found none of them`,
      `a.yaml:12:5: steps/1: expected a step with one of ${kinds}, found rest and wait`,
    ]);
  });

  it('names the mistake inside the alternative that was meant', async () => {
    expect(await withSteps('  - events:', '      rings: {event: call.ring, count: 1}', '    until: rings')).toEqual([
      'a.yaml:12:22: steps/0/events/rings/event: expected one of call.initial, call.ringing, call.missed, call.connected, call.failed, call.hangup, call.hold, call.unhold, sms.received, call.dtmf, found "call.ring"',
    ]);
  });
});

describe('the meaning of a scenario file', () => {
  it('calls operations of the contract, with what they take', async () => {
    expect(
      await withSteps(
        '  - rest: getCal',
        '  - rest: getCall',
        '  - rest: listCalls',
        '    query: {sort: id}',
        '  - rest: ping',
        '    body: {}',
        '    expect: {status: 404}',
        '  - rest: createCall',
        '    body: {to: [1]}',
      ),
    ).toEqual([
      'a.yaml:11:11: steps/0/rest: unknown: getCal; did you mean getCall?: an operation id of the contract',
      'a.yaml:12:5: steps/1: expected path: {id: ...}: /calls/{id} needs it',
      'a.yaml:14:13: steps/2/query/sort: unknown: sort, expected page, limit, filter, group_by',
      'a.yaml:16:11: steps/3/body: expected no body: ping takes none',
      'a.yaml:17:22: steps/3/expect/status: ping never answers 404, expected one of 200, 401, 403',
      'a.yaml:19:16: steps/4/body/to: expected E.164 number (with or without +) or extension, found [1]',
    ]);
  });

  it('uses names after they are captured, and only known ones', async () => {
    expect(
      await withSteps(
        '  - cdr: ${call}',
        '  - {phone: anna, do: call, to: bob, capture: {call_id: call}}',
        '  - cdr: ${call}',
        '  - cdr: ${anna.name}',
        '  - cdr: ${first.id}',
        '  - {phone: ben, do: hold}',
        '  - {phone: anna, do: call, to: bobb}',
      ),
    ).toEqual([
      'a.yaml:11:10: steps/0/cdr: nothing is captured as call before this step, expected a captured name, or a fact such as first.id',
      'a.yaml:14:10: steps/3/cdr: unknown: anna.name, expected anna.number, anna.ext, anna.user_id, anna.customer_id',
      'a.yaml:16:13: steps/5/phone: unknown: ben, expected one of anna, bob',
      'a.yaml:17:33: steps/6/to: unknown: bobb, expected one of anna, bob; did you mean bob?',
    ]);
  });

  it('does not know in one branch what another captures, and knows all of it afterwards', async () => {
    expect(
      await withSteps(
        '  - parallel:',
        '      - - {phone: anna, do: call, to: bob, capture: {call_id: call}}',
        '      - - cdr: ${call}',
        '  - cdr: ${call}',
      ),
    ).toEqual([
      'a.yaml:13:16: steps/0/parallel/1/0/cdr: nothing is captured as call before this step, expected a captured name, or a fact such as first.id',
    ]);
  });

  it('lets phones do what they can', async () => {
    expect(
      await withSteps(
        '  - {phone: anna, do: call}',
        '  - {phone: anna, do: hold, to: bob}',
        '  - {phone: bob, do: register}',
        '  - {phone: anna, do: text, to: bob, message: hello}',
      ),
    ).toEqual([
      'a.yaml:11:5: steps/0: expected a member to: call needs it',
      'a.yaml:12:29: steps/1/to: expected no to: hold does not take it',
      'a.yaml:13:22: steps/2/do: expected the phone of a user to register, and bob is not',
      'a.yaml:14:23: steps/3/do: expected somebody outside to text, and anna is not',
    ]);
  });

  it('orders expected events, and bounds absence', async () => {
    expect(
      await withSteps(
        '  - events: {up: call.connected, down: call.hangup}',
        '    order: up < dwon',
        '    until: down',
        '  - events: {up: call.connected, down: call.hangup}',
        '    order: [up < down, down < up]',
        '    until: later',
        '  - events: {up: call.connected}',
        '    none: [call.missed]',
        '  - events: {up: call.connected}',
        '    others: allow',
      ),
    ).toEqual([
      'a.yaml:12:12: steps/0/order: unknown: dwon, expected one of up, down',
      'a.yaml:15:12: steps/1/order: expected an order, but up comes before itself',
      'a.yaml:16:12: steps/1/until: unknown: later, expected one of up, down',
      'a.yaml:17:5: steps/2: expected until (the last of the events) or quiet (a duration): absence needs an end',
    ]);
  });

  it('does not keep a real target waiting', async () => {
    expect(await withSteps('  - wait: 15m')).toEqual([
      'a.yaml:11:11: steps/0/wait: expected drivers: [sim] with drivers_reason for a wait of 15m, or at most 60s',
    ]);
    expect(await problemsOf([...HEAD, 'drivers: [sim]', 'steps: [{wait: 15m}]'])).toEqual([
      'a.yaml:5:10: drivers: expected drivers_reason: why only sim',
    ]);
  });

  it('knows what cannot be done with every phone, and what belongs together', async () => {
    const steps = [
      '  - {phone: anna, do: hold, by: UPDATE}',
      '  - {phone: anna, do: call, to: bob, expires: 30s}',
      '  - {phone: anna, when_called: redirect}',
      '  - {phone: anna, when_called: {on_call: busy, to: bob}}',
      '  - {fault: delay, method: BYE, direction: in}',
      '  - {fault: drop, method: BYE, direction: in, by: 1s}',
    ];
    expect((await withSteps(...steps)).map((problem) => problem.replace(/^[^ ]+ /, ''))).toEqual([
      'steps/0/by: expected drivers: [sim] with drivers_reason for by',
      'steps/1/expires: expected no expires: call does not take it',
      'steps/1/expires: expected drivers: [sim] with drivers_reason for expires',
      'steps/2/when_called: expected to: redirect needs it',
      'steps/3/when_called: expected no to',
      'steps/4: expected a member by: how late',
      'steps/5: expected no by: drop does not take it',
    ]);
  });

  it('knows matchers', async () => {
    expect(
      await withSteps('  - rest: ping', '    expect: {body: {/a: {$like: x}, /b: {$matches: "("}, c: 1}}'),
    ).toEqual(['a.yaml:12:58: steps/0/expect/body/c: expected a JSON pointer such as /data/id, found c']);
    expect(await withSteps('  - rest: ping', '    expect: {body: {/a: {$like: x}, /b: {$matches: "("}}}')).toEqual([
      'a.yaml:12:25: steps/0/expect/body//a: unknown: $like, expected one of $one_of, $matches, $at_least, $at_most, $type, $size, $absent, $not',
      'a.yaml:12:41: steps/0/expect/body//b: $matches: expected a regular expression',
    ]);
  });
});

describe('one scenario from several files', () => {
  const fragment = [
    'fragment: Somebody calls',
    'parameters: [whom]',
    'steps:',
    '  - {phone: anna, do: call, to: "${with.whom}"}',
  ].join('\n');
  const including = (line: string): readonly string[] => [...HEAD, 'phones: {anna: {user: first}}', 'steps:', line];

  it('takes the steps of a fragment with their own places', async () => {
    const files: Readonly<Record<string, string>> = {
      'calls/a.yaml': including('  - {include: ../shared/call.yaml, with: {whom: "102"}}').join('\n'),
      'shared/call.yaml': fragment,
    };
    const { plans } = await loadYaml('calls/a.yaml', (path) => Promise.resolve(files[path] ?? ''));
    expect(plans[0]?.steps).toEqual([
      {
        kind: 'do',
        step: { phone: 'anna', do: 'call', to: '102' },
        number: '1.1',
        place: { file: 'shared/call.yaml', line: 4, column: 5 },
      },
    ]);
  });

  it('reports mistakes where they are', async () => {
    expect(await problemsOf(including('  - include: none.yaml'))).toEqual([
      'a.yaml:7:14: steps/0/include: expected a fragment at none.yaml, and none can be read there',
    ]);
    expect(await problemsOf(including('  - {include: b.yaml, with: {who: "1"}}'), { 'b.yaml': fragment })).toEqual([
      'a.yaml:7:5: steps/0: expected with: {whom: ...}: the fragment needs it',
      'a.yaml:7:30: steps/0/with/who: unknown: who, the fragment takes whom',
    ]);
  });

  it('ends when fragments include each other', async () => {
    const loop = 'fragment: For ever\nsteps: [{include: b.yaml}]';
    expect(await problemsOf(including('  - include: b.yaml'), { 'b.yaml': loop })).toEqual([
      'b.yaml:2:19: steps/0/include: expected at most 8 fragments within each other',
    ]);
  });
});

describe('a matrix', () => {
  const lines = [
    ...HEAD,
    'phones: {anna: {user: first}, ben: {user: second}}',
    'matrix: {who: [anna, ben], digit: ["1", "#"]}',
    'steps:',
    '  - {phone: "${matrix.who}", do: digits, digits: "${matrix.digit}"}',
  ];

  it('makes a scenario of each combination', async () => {
    const { plans } = await loadYaml('a.yaml', () => Promise.resolve(lines.join('\n')));
    expect(plans.map(({ id, steps }) => [id, steps[0]?.step])).toEqual([
      ['busy[who=anna,digit=1]', { phone: 'anna', do: 'digits', digits: '1' }],
      ['busy[who=anna,digit=#]', { phone: 'anna', do: 'digits', digits: '#' }],
      ['busy[who=ben,digit=1]', { phone: 'ben', do: 'digits', digits: '1' }],
      ['busy[who=ben,digit=#]', { phone: 'ben', do: 'digits', digits: '#' }],
    ]);
  });

  it('is checked for every value, each mistake told once', async () => {
    const wrong = lines.map((line) => line.replace('[anna, ben]', '[anna, cleo]'));
    expect(await problemsOf(wrong)).toEqual(['a.yaml:8:13: steps/0/phone: unknown: cleo, expected one of anna, ben']);
  });
});

describe('a scenario in TypeScript', () => {
  const document = scenario({
    id: 'busy',
    title: 'A busy phone',
    requires: 'Busy is told at once',
    spec: ['States'],
    phones: { anna: { user: 'first' } },
    steps: [{ phone: 'anna', do: 'call', to: '102' }],
  });
  const noFiles = (): Promise<string> => Promise.reject(new Error('none'));

  it('becomes the same plan as its YAML', async () => {
    const yaml = [...HEAD, 'phones: {anna: {user: first}}', 'steps: [{phone: anna, do: call, to: "102"}]'].join('\n');
    const [written] = (await loadYaml('a', () => Promise.resolve(yaml))).plans;
    const [typed] = (await loadDocuments('a', [document], noFiles)).plans;
    expect(typed).toEqual({ ...written, steps: [{ ...written?.steps[0], place: { file: 'a' } }] });
  });

  it('is checked like it', async () => {
    const { problems } = await loadDocuments('a.ts', [{ ...document, phones: {} }], noFiles);
    expect(problems.map(problemText)).toEqual(['a.ts: steps/0/phone: unknown: anna, the scenario has no phones']);
  });

  it('has an id of its own', async () => {
    const { plans } = await loadDocuments('a.ts', [document, document], noFiles);
    expect(repeatedIds(plans).map(problemText)).toEqual(['a.ts: id: expected an id of its own, busy is in a.ts']);
  });
});
