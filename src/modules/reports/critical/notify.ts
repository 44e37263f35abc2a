import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as emails from '../../emails/service.ts'
import { criticalWaits } from '../../emails/templates.ts'
import { contactsOf, USUAL_MINUTES } from './on-call.ts'
import { type DueCritical, lockDue, updateNotified } from './queries.ts'
import type { OnCallContact } from './schema.ts'

const MINUTE_MS = 60_000
/** The last contact is notified again at most this often, and this long. Then only the lists still show it. */
const AGAIN_MINUTES = 60
const FOR_DAYS = 7

/** Who is notified after the business's contacts; undefined: nobody. */
export interface OperatorContact {
  email: string
}

/**
 * Tells the next contact of each critical result that is due: one e-mail for what came together. Returns whether more may
 * be due. E-mails, notes and the next deadline are one transaction: a crash repeats all of it or nothing.
 */
export async function notifyDue(tx: SystemTx, operator?: OperatorContact): Promise<boolean> {
  const due = await lockDue(tx)
  const groups = Map.groupBy(due, ({ realm, subject, step }) => `${realm.id} ${step} ${subject}`)
  for (const rows of groups.values()) {
    const [first] = rows
    if (first) await notifyNext(within(tx, first.realm), rows, operator)
  }
  return due.length > 0
}

async function notifyNext(tx: Tx, rows: readonly DueCritical[], operator?: OperatorContact): Promise<void> {
  const contacts = await listOf(tx, operator)
  const { step = 0, kitId = null, reportId = null } = rows[0] ?? {}
  const contact = contacts[Math.min(step, contacts.length - 1)]
  const isLast = step >= contacts.length - 1
  const minutes = contact ? Math.max(contact.minutes, step >= contacts.length ? AGAIN_MINUTES : 0) : USUAL_MINUTES
  const at = tx.now.toISOString()
  if (contact) {
    const content = criticalWaits({ count: rows.length, kitId, reportId, minutes, page: pageOf(tx, contact, operator) })
    await emails.queue(tx, [{ content, to: contact.email, ...(kitId !== null && { kitId }) }])
    await audit.record(
      tx,
      rows.map(({ id }) => ({
        action: 'critical_result.told',
        objectType: 'critical_result',
        objectId: id,
        details: { step: step + 1 },
        words: { who: contact.email },
      })),
    )
  }
  for (const row of rows) {
    const notified = contact
      ? [...row.told, { step: step + 1, who: `${contact.name}, ${contact.email}`, at }]
      : row.told
    const until = row.raisedAt.getTime() + FOR_DAYS * 24 * 60 * MINUTE_MS
    const isOver = isLast && (tx.realm.mode === 'sandbox' || tx.now.getTime() >= until)
    const dueAt = isOver ? null : new Date(tx.now.getTime() + minutes * MINUTE_MS)
    await updateNotified(tx, { ...row, told: notified, step: contact ? step + 1 : step }, dueAt)
  }
}

async function listOf(tx: Tx, operator?: OperatorContact): Promise<OnCallContact[]> {
  const contacts = await contactsOf(tx)
  if (!operator || tx.realm.mode !== 'live') return contacts
  return [...contacts, { email: operator.email, name: 'The operator', minutes: USUAL_MINUTES }]
}

/** The page of the dashboard that the contact can open. */
function pageOf({ realm }: Tx, { email }: OnCallContact, operator?: OperatorContact): string {
  if (operator?.email === email) return '/app/operator/critical'
  return `/app/b/${realm.businessId}/${realm.mode}/reports/critical`
}
