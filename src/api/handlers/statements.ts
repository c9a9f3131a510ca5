// Statements: the API can only remove them, and nothing makes one (CHOICE-STATEMENTS).
import { nothing } from '../request.ts';

export const statementHandlers = { deleteAllStatements: () => nothing() };
