import type { OperatorEvent } from '../../../domain/operator-channels.ts'
import type { EmailContent } from '../../emails/layout.ts'
import type { AlarmRow } from './queries.ts'
import { type AlarmKind, networkSubject } from './rules.ts'

/** An alarm for other systems. A network address may be a person's, so that it stays here. */
export function eventOf({ id, kind, subject, amount, raisedAt }: AlarmRow): OperatorEvent {
  const caller = /^(token|user|operator):/.test(subject)
  const about = caller ? { caller: subject } : !subject.startsWith(networkSubject) && { about: subject }
  return { id, type: 'alarm.raised', at: raisedAt, data: { id, kind, amount, ...about } }
}

const titles: Record<AlarmKind, string> = {
  refusals: 'Many attempts were refused',
  mass_read: 'One caller read the data of many people',
  new_place: 'Somebody signed in from a new place',
  broken_seal: 'The audit was changed',
  access_review_due: 'A review of access is due',
}

const sentences: Record<AlarmKind, (amount: number) => string> = {
  refusals: (amount) => `${amount} attempts of one caller or network were refused within ten minutes.`,
  mass_read: (amount) => `One caller read the data of ${amount} people within an hour.`,
  new_place: () => 'A user signed in from a network that they had not used in 180 days.',
  broken_seal: () =>
    'The seals of the audit do not fit its entries. Keep the database as it is, and find out who wrote to it.',
  access_review_due: () => 'Nobody has confirmed in 90 days that everybody who has access should have it.',
}

/** An alarm as an e-mail. It names nobody. */
export const alarmEmail = ({ kind, amount }: AlarmRow): EmailContent => ({
  kind: 'alarm',
  subject: `Alarm: ${titles[kind]}`,
  title: titles[kind],
  paragraphs: [sentences[kind](amount), 'Sign in to see it, and acknowledge it there.'],
  button: { label: 'Open the alarms', path: '/app/operator/alarms' },
})
