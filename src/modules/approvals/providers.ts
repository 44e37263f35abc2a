import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import type { EmailContent } from '../emails/layout.ts'
import { queueOperatorEmail } from '../emails/operator-emails.ts'
import { countAccountEmails } from '../identity/account-link-queries.ts'
import { administratorsOf } from '../identity/members.ts'
import {
  deleteProvider,
  lockNotices,
  type ProviderRow,
  selectProvider,
  selectProviders,
  selectWaiting,
  upsertProvider,
  type WaitingRow,
} from './queries.ts'
import { mayApprove, quietSince } from './rules.ts'
import type { Provider, ProviderChange, ProviderInput } from './schema.ts'

const shown = ({ createdAt, changedAt, ...row }: ProviderRow): Provider => ({
  ...row,
  createdDate: createdAt.toISOString(),
  changedDate: changedAt.toISOString(),
})

export const list = async (tx: SystemTx): Promise<Provider[]> => (await selectProviders(tx)).map(shown)

/** @throws PROVIDER_NOT_FOUND */
export async function findProvider(tx: SystemTx, idOrNpi: string): Promise<ProviderRow> {
  const found = await selectProvider(tx, idOrNpi)
  if (!found) throw new AppError('PROVIDER_NOT_FOUND', 'There is no such provider')
  return found
}

/** @throws VALIDATION_FAILED for the NPI or the e-mail of another provider */
export function add(tx: SystemTx, input: ProviderInput): Promise<Provider> {
  return save(tx, 'provider.added', { ...input, id: newOpaqueId('prv'), createdAt: tx.now, changedAt: tx.now })
}

/** Changes a provider from now on. What they approved stays as it is. @throws PROVIDER_NOT_FOUND; VALIDATION_FAILED as `add` */
export async function change(tx: SystemTx, id: string, changes: ProviderChange): Promise<Provider> {
  const sent = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  return save(tx, 'provider.changed', { ...(await findProvider(tx, id)), ...sent, changedAt: tx.now })
}

async function save(tx: SystemTx, action: audit.AuditAction, row: ProviderRow): Promise<Provider> {
  const taken = await upsertProvider(tx, row)
  if (taken) refuse([{ message: 'Another provider has it', path: taken }])
  const { id, npi, email, licensedIn, isActive } = row
  await audit.recordSystem(tx, [
    {
      action,
      objectType: 'provider',
      objectId: id,
      details: { npi, email, licensedIn: licensedIn.join(' '), isActive },
    },
  ])
  return shown(row)
}

/** @throws PROVIDER_NOT_FOUND */
export async function remove(tx: SystemTx, id: string): Promise<void> {
  const { npi, id: own } = await findProvider(tx, id)
  await deleteProvider(tx, own)
  await audit.recordSystem(tx, [
    { action: 'provider.removed', objectType: 'provider', objectId: own, details: { npi } },
  ])
}

/**
 * Writes to each active provider who is licensed where orders wait, and to the operator of those for which nobody is: at once for the
 * first, and again while some still wait. The e-mails themselves say when somebody was last written to, so that a crash sends none twice.
 */
export async function notifyOfWaiting(tx: SystemTx, operatorEmail: string | undefined): Promise<void> {
  await lockNotices(tx)
  const waiting = await selectWaiting(tx, { isReal: true })
  if (waiting.length === 0) return
  const providers = (await selectProviders(tx)).filter(({ isActive }) => isActive)
  for (const provider of providers) {
    const own = waiting.filter(({ recipient }) => mayApprove(provider, recipient.address))
    await notify(tx, provider.email, own, ordersWait)
  }
  const nobodys = waiting.filter(
    ({ recipient: { address } }) => address && !providers.some((provider) => mayApprove(provider, address)),
  )
  const readers = operatorEmail ? [operatorEmail] : (await administratorsOf(tx, null)).map(({ email }) => email)
  for (const reader of nobodys.length > 0 ? readers : []) await notify(tx, reader, nobodys, nobodyIsLicensed)
}

async function notify(
  tx: SystemTx,
  to: string,
  orders: readonly WaitingRow[],
  contentOf: (count: number) => EmailContent,
): Promise<void> {
  const [oldest] = orders
  if (!oldest) return
  const content = contentOf(orders.length)
  if ((await countAccountEmails(tx, to, content.kind, quietSince(tx.now, oldest.createdAt))) > 0) return
  await queueOperatorEmail(tx, { content, to })
}

const button = {
  label: 'Open the queue',
  path: '/app/operator/approvals',
  without: 'Sign in and open Approvals.',
}
const ordersWaiting = (count: number): string => (count === 1 ? '1 order waits' : `${count} orders wait`)

/** No name and nothing of health: an e-mail passes many hands. */
const ordersWait = (count: number): EmailContent => ({
  kind: 'approvals_waiting',
  subject: `${ordersWaiting(count)} for you`,
  title: `${ordersWaiting(count)} for a provider`,
  paragraphs: [
    `${ordersWaiting(count)} for a provider who is licensed where you are. Nothing is sent before somebody approves.`,
  ],
  button,
})

const nobodyIsLicensed = (count: number): EmailContent => ({
  kind: 'approvals_nobody_licensed',
  subject: `${ordersWaiting(count)}, and no provider is licensed there`,
  title: 'No provider is licensed there',
  paragraphs: [
    `${ordersWaiting(count)} for a provider in a state where nobody who is active is licensed. The queue shows which. Add a provider, or a licence that one of them has.`,
  ],
  button,
})
