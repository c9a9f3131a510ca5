// What a person is told when a command cannot go on: one sentence and a status, never a stack trace.
import { CommanderError } from 'commander';

/** Something in the command itself is wrong: a flag, a file, a combination. */
export class UsageError extends Error {}

/** 0: help or version was asked for; 2: the command is wrong; 1: it could not be carried out. */
export function errorStatus(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof UsageError ? 2 : 1;
}

export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `pbxsim: ${message}`;
}
