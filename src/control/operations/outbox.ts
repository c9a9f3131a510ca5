// The outbox: mails that a real system would have sent, and what is attached to them. Knows no way of sending.
import { failure, success } from '../../kernel/errors.ts';
import { isoText } from '../../kernel/time.ts';
import { pdfOf } from '../../media/pdf.ts';
import type { Mail } from '../../store/outbox.ts';
import { faxSheets } from '../fax-sheets.ts';
import { type ControlRow, FileAnswer, idIn, row } from '../row.ts';
import { listOf } from '../shapes.ts';

const PDF = 'application/pdf';

export const outboxRows: readonly ControlRow[] = [
  row({
    id: 'listOutbox',
    method: 'GET',
    path: '/outbox',
    summary: 'Emails that a real system would have sent: second-factor codes, resets, confirmations.',
    success: 200,
    answer: listOf('Mail'),
    errors: [],
    handle: (_input, { outbox }) => {
      const data = outbox.list().map((mail) => ({ ...mail, at: isoText(mail.at), ...attachmentOf(mail) }));
      return success({ data, total: data.length });
    },
  }),
  row({
    id: 'readAttachment',
    method: 'GET',
    path: '/outbox/{id}/attachment',
    summary: 'What is attached to an email: of a fax a PDF, a sheet for each page.',
    success: 200,
    file: PDF,
    errors: [404],
    handle: ({ path }, { outbox }) => {
      const mail = outbox.list().find(({ id }) => id === idIn(path.id));
      if (mail === undefined) return failure('not_found', `There is no mail ${path.id}.`);
      if (mail.kind !== 'fax') return failure('not_found', `Nothing is attached to mail ${path.id}.`);
      const name = mail.filename ?? 'fax.pdf';
      return success(new FileAnswer(pdfOf(name, faxSheets(mail)), PDF, name));
    },
  }),
];

function attachmentOf({ id, kind }: Mail): { readonly attachment?: string } {
  return kind === 'fax' ? { attachment: `/_sim/outbox/${id}/attachment` } : {};
}
