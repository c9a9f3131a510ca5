// Counts how often a variant has done anything: one that never does shows nothing by passing. Knows no variant.
import type { Answered } from '../../wires/http-client.ts';
import type { Act } from './mutant.ts';
import type { Variant } from './variants.ts';

export interface Watched {
  readonly variant: Variant;
  /** Requests, answers and deliveries that were not handed on as they came, and pauses. */
  readonly acted: () => number;
}

export function watched(variant: Variant): Watched {
  let count = 0;
  const { courier } = variant;
  return {
    acted: () => count,
    variant: {
      ...variant,
      begin: () => {
        const act = variant.begin();
        return async (passing) => {
          const { done, hasActed } = await watchedAct(act, passing);
          if (hasActed) count += 1;
          return done;
        };
      },
      ...(courier === undefined
        ? {}
        : {
            courier: () => {
              const carry = courier();
              return (post, handOn) =>
                carry(post, (other) => {
                  if (other.text !== post.text) count += 1;
                  handOn(other);
                });
            },
          }),
    },
  };
}

async function watchedAct(act: Act, passing: Parameters<Act>[0]): Promise<{ done: Answered; hasActed: boolean }> {
  let hasActed = false;
  let came: Answered | undefined;
  const done = await act({
    ...passing,
    pause: (ms) => {
      hasActed = true;
      return passing.pause(ms);
    },
    forward: async (asked) => {
      hasActed ||= asked.url !== passing.asked.url || asked.body !== passing.asked.body;
      came = await passing.forward(asked);
      return came;
    },
  });
  return { done, hasActed: hasActed || came === undefined || isOther(came, done) };
}

function isOther(came: Answered, done: Answered): boolean {
  if (!came.ok || !done.ok) return came !== done;
  return came.status !== done.status || came.text !== done.text || came.headers !== done.headers;
}
