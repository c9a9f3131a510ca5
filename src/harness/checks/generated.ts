// The checks that follow from the contract's rows: of each operation its success, body, fields, pages, aftermath and refusals. Knows no target.
import { clauseIdOf, fieldClauseId } from '../../contract/clauses/clause-ids.ts';
import { aftermathOf, isOfOneCustomer, isPaged, refusalsOf } from '../../contract/clauses/generated.ts';
import { publishedFields, recordsIn } from '../../contract/clauses/published-fields.ts';
import { clauseById } from '../../contract/clauses.ts';
import type { Operation } from '../../contract/operation.ts';
import { type OperationId, operations } from '../../contract/operations.ts';
import type { Bench, Check } from '../conform/check.ts';
import { type Finding, met, unevaluable, violated } from '../conform/finding.ts';
import type { Touch } from '../target/what-it-takes.ts';
import { aftermathFinding } from './aftermath.ts';
import { bodyFinding } from './answers.ts';
import { fieldFinding } from './fields.ts';
import { filterFinding, limitFinding, pageFinding, totalFinding } from './paging.ts';
import { refusalFinding, tenantFinding, unchangedFinding } from './refusals.ts';
import { recordsOf, succeeds, trialOf } from './trial.ts';

type Judge = (bench: Bench, operation: Operation) => Promise<Finding>;

/** `GET /users/{id}`. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** The check that everything else about an operation comes after. */
export function successCheckId(operation: Operation): string {
  return `${nameOf(operation)} ${operation.success[0] ?? 200}`;
}

/** What the operations of the Calls module do to people's phones, and which cost money. */
const dialling: Readonly<Partial<Record<OperationId, readonly Touch[]>>> = {
  createCall: ['dial'],
  getCall: ['read', 'dial'],
  getCallTrace: ['read', 'dial'],
  listCallMonitors: ['read', 'dial'],
  updateCall: ['dial'],
  deleteCall: ['dial'],
  createWebcall: ['dial', 'spend'],
  createLeadCall: ['dial', 'spend'],
  createSms: ['spend'],
  login: ['read'],
  loginTwoFactor: ['read'],
  logout: ['read'],
};

function effectsOf({ id, effect }: Operation): readonly Touch[] {
  return dialling[id] ?? [effect];
}

/** Operations of one lane change the same lists. */
function laneOf({ path, module }: Operation): string {
  if (module === 'calls') return 'calls';
  if (module === 'auth') return 'auth';
  return path.split('/')[1] ?? path;
}

function canBeJudged(clause: string): boolean {
  return clauseById(clause)?.untestable === undefined;
}

function checksOf(operation: Operation): Check[] {
  const name = nameOf(operation);
  const success = successCheckId(operation);
  const usual = { operation: operation.id, effects: effectsOf(operation), lane: laneOf(operation) };
  const check = (id: string, clause: string, run: Judge, after: readonly string[] = [success]): Check => ({
    ...{ id, clause, ...usual, after },
    run: (bench) => run(bench, operation),
  });
  const resource = recordsIn(operation);
  const fields = resource === undefined ? [] : publishedFields(resource);
  const aftermath = aftermathOf(operation);
  const refusals = refusalsOf(operation);
  return [
    check(success, clauseIdOf(operation, operation.success[0] ?? 200), successFinding, []),
    check(`${name} body`, clauseIdOf(operation, 'BODY'), async (bench) =>
      bodyFinding(operation, (await trialOf(bench, operation)).answer),
    ),
    ...fields.map((field) =>
      check(`${name} field ${field.name}`, fieldClauseId(resource ?? 'users', field.name), async (bench) =>
        fieldFinding(field, recordsOf(operation, (await trialOf(bench, operation)).answer)),
      ),
    ),
    ...(isPaged(operation)
      ? [
          check(`${name} limit`, clauseIdOf(operation, 'LIMIT'), limitFinding),
          check(`${name} total`, clauseIdOf(operation, 'TOTAL'), totalFinding),
          check(`${name} page`, clauseIdOf(operation, 'PAGE'), pageFinding),
          check(`${name} filter`, clauseIdOf(operation, 'FILTER'), filterFinding),
        ]
      : []),
    ...(aftermath === undefined || !canBeJudged(clauseIdOf(operation, aftermath))
      ? []
      : [
          check(`${name} ${aftermath.toLowerCase()}`, clauseIdOf(operation, aftermath), (bench) =>
            aftermathFinding(bench, operation, aftermath),
          ),
        ]),
    ...refusals.map((status) => ({
      ...check(`${name} ${status}`, clauseIdOf(operation, status), (bench) => refusalFinding(bench, operation, status)),
      ...(status === 403 ? { needs: ['restricted user' as const] } : {}),
    })),
    ...(isOfOneCustomer(operation)
      ? [
          {
            ...check(`${name} tenant`, clauseIdOf(operation, 'TENANT'), tenantFinding),
            needs: ['other customer' as const],
          },
        ]
      : []),
    ...(operation.effect === 'read' || !canBeJudged(clauseIdOf(operation, 'REFUSED'))
      ? []
      : [
          check(`${name} unchanged`, clauseIdOf(operation, 'REFUSED'), (bench) =>
            unchangedFinding(bench, operation, refusals),
          ),
        ]),
  ];
}

/** Operations whose bodies are not shown, or hold words and references that are not: nobody can know a right one. */
const openBodies: ReadonlySet<OperationId> = new Set([
  ...([
    'createCallLabel',
    'updateCallLabel',
    'createQueueGroup',
    'updateQueueGroup',
    'createCallMeBackButton',
  ] as const),
  ...([
    'updateCdrs',
    'updateVoiceMessages',
    'createRoutingRule',
    'createReportSchedule',
    'updateTrackedDdis',
    'updateUsers',
  ] as const),
]);

const successFinding: Judge = async (bench, operation) => {
  const { answer } = await trialOf(bench, operation);
  const { status, text } = answer;
  if (operation.success.includes(status)) return met();
  if (succeeds(operation, status)) return met(`Answered ${status}; the status is published as unknown.`);
  if (status === 400 && openBodies.has(operation.id))
    return unevaluable(
      `What a right body holds is not published, and the one that was tried is refused: ${text.slice(0, 200)}`,
    );
  return violated(
    `A right request is answered ${status}.`,
    operation.success.join(' or '),
    `${status} ${text.slice(0, 300)}`,
  );
};

/** Those of what reads first, then of what writes, last of what destroys. */
export const generatedChecks: readonly Check[] = (['read', 'write', 'destroy'] as const).flatMap((effect) =>
  operations.filter((operation) => operation.effect === effect).flatMap(checksOf),
);
