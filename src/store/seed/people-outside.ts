// The people whom a seeded company knows: contacts, who wrote to it, who chatted, who asked to be called. Knows no call.
import { chatStateCodes, codeOf, faxStatusCodes, faxTypeCodes } from '../../contract/codes.ts';
import { utcText } from '../../kernel/time.ts';
import { type Furnishing, make, userAt } from './furnish.ts';
import { outsideNumber } from './numbers.ts';
import { mailWord } from './people.ts';

const CONTACTS = 24;
const MESSAGES = 20;
const FAXES = 6;
const CHATS = 5;
const HOUR_MS = 3_600_000;

const TEXTS = [
  'Please call me back.',
  'My order has arrived, thank you.',
  'Is Friday at ten all right?',
  'See you at the fair.',
];

/** Contacts, SMS, faxes, and chats on the company's website, which is there already; the past lies in the weeks before. */
export function seedOutsiders(furnishing: Furnishing): void {
  for (let index = 0; index < CONTACTS; index += 1) seedContact(furnishing, index);
  for (let index = 0; index < MESSAGES; index += 1) seedSms(furnishing, index);
  for (const [name, text] of [
    ['Thanks', 'Thank you for your message, we call you back.'],
    ['Closed', 'We are open from Monday to Friday, 9 to 17.'],
  ] as const)
    make(furnishing, 'cannedresponses', { name, text, user_id: userAt(furnishing, 0) });
  enableFaxes(furnishing);
  for (let index = 0; index < FAXES; index += 1) seedFax(furnishing, index);
  for (let index = 0; index < CHATS; index += 1) seedChat(furnishing, index);
}

function seedContact(furnishing: Furnishing, index: number): void {
  const { invention } = furnishing;
  const first_name = invention.firstName();
  const last_name = invention.lastName();
  const company = index % 3 === 0 ? invention.companyName() : '';
  make(furnishing, 'contacts', {
    ...{
      type: company === '' ? 'contact' : 'company',
      first_name,
      last_name,
      company,
      tel: outsideNumber(index * 7 + 1),
    },
    email: `${mailWord(first_name)}.${mailWord(last_name)}@customers.example`,
    group_name: index % 2 === 0 ? 'Customers' : 'Suppliers',
    user_id: userAt(furnishing, index),
    global: index % 4 === 0,
  });
}

function seedSms(furnishing: Furnishing, index: number): void {
  const { ground, random } = furnishing;
  const user_id = userAt(furnishing, index);
  const own = ground.store.users.get(user_id)?.cli ?? '';
  const other = outsideNumber((index % 5) * 7 + 1);
  const isOut = index % 2 === 0;
  make(furnishing, 'sms', {
    ...(isOut
      ? { from: own, to: other, type: 'out', result: 'delivered' }
      : { from: other, to: own, type: 'in', result: 'received' }),
    message: TEXTS[random.int(TEXTS.length)] ?? '',
    created_at: ago(furnishing, (MESSAGES - index) * 9 * HOUR_MS),
    user_id,
  });
}

/** The first user's number is for people and for machines. */
function enableFaxes({ ground: { store }, users }: Furnishing): void {
  const user = store.users.get(users[0]?.user_id ?? 0);
  const [ddi] = store.ddis.find('e164', user?.cli ?? '');
  if (ddi !== undefined) store.ddis.update(ddi.id, { fax_enabled: true, fax_email: user?.email ?? '' });
}

function seedFax(furnishing: Furnishing, index: number): void {
  const { ground, random } = furnishing;
  const own = ground.store.users.get(userAt(furnishing, 0))?.cli ?? '';
  const other = outsideNumber(index * 11 + 3);
  const isOut = index % 2 === 0;
  const pages = 1 + random.int(5);
  make(furnishing, 'faxes', {
    ...(isOut ? { from: own, to: other } : { from: other, to: own }),
    type: codeOf(faxTypeCodes, isOut ? 'out' : 'in'),
    ...{ pages, status: codeOf(faxStatusCodes, isOut ? 'sent' : 'received'), charge: isOut ? pages * 0.05 : 0 },
    filename: `fax-${index + 1}.pdf`,
    created_at: ago(furnishing, (FAXES - index) * 50 * HOUR_MS),
  });
}

function seedChat(furnishing: Furnishing, index: number): void {
  const { ground, invention, random } = furnishing;
  const operator = userAt(furnishing, index);
  const [website] = ground.store.callmebackwebsites.list(ground.customerId);
  const name = `${invention.firstName()} ${invention.lastName()}`;
  const startedAgo = (CHATS - index) * 30 * HOUR_MS;
  const chat = make(furnishing, 'chats', {
    ...{
      operator_id: operator,
      website_id: website?.id ?? 0,
      state: codeOf(chatStateCodes, 'closed'),
      duration: 60 + random.int(600),
    },
    ...{
      operator_ua: 'Mozilla/5.0',
      visitor_ua: 'Mozilla/5.0',
      visitor_ip: `192.0.2.${index + 1}`,
      visitor_id: random.token(12),
    },
    ...{ visitor_city: 'London', visitor_country: 'GB', visitor_geo: '51.5,-0.1', visitor_name: name },
    ...{ visitor_email: `${mailWord(name)}@visitors.example`, visitor_referer: 'https://search.example/' },
    created_at: ago(furnishing, startedAgo),
  });
  const operatorName = ground.store.users.get(operator)?.first_name ?? '';
  for (const [turn, message] of ['Hello, do you deliver on Saturdays?', 'Good morning! Yes, until noon.'].entries())
    make(furnishing, 'chatmsgs', {
      ...{ chat_id: chat.id, user_id: operator, message },
      ...(turn === 0 ? { from: name, to: operatorName } : { from: operatorName, to: name }),
      created_at: ago(furnishing, startedAgo - turn * 20_000),
    });
}

function ago({ ground }: Furnishing, ms: number): string {
  return utcText(ground.nowMs - ms);
}
