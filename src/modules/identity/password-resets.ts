import type { Sentence } from '@kitlane/display/sentence'
import type { SystemTx } from '../../platform/database/tx.ts'
import { operatorKeyringOf } from '../../platform/sealing/sealed-columns.ts'
import { passwordReset, queueAccountEmail } from './account-emails.ts'
import { isEmailLimitReached, makeLink } from './account-links.ts'
import { canonicalEmail } from './rules.ts'
import { selectMemberships } from './session-queries.ts'
import { enforcedFor, NO_RESET } from './sso/enforcement.ts'
import { type Account, lockUser, selectUserByEmail, selectUserByEmailHash } from './user-queries.ts'

export const RESET_JOB = 'accounts.mail-reset'
/** Requests queued by older releases (unkeyed hash). Older processes would take a job of that name and fail. */
export const OLD_RESET_JOB = 'accounts.write-reset'

/**
 * Asks for an e-mail with a link to choose a new password. No answer shows whether the account exists: a job looks. Returns
 * a sentence for a domain whose people need no password.
 */
export async function requestReset(tx: SystemTx, email: string): Promise<Sentence | undefined> {
  const keys = await operatorKeyringOf(tx)
  await tx.enqueue(RESET_JOB, { sealed: keys.seal(canonicalEmail(email), RESET_JOB).toString('base64') })
  return (await enforcedFor(tx, email)) && NO_RESET
}

/** Queues that e-mail, if the account exists, may sign in and has not got too many. */
export async function queueReset(tx: SystemTx, sealed: string): Promise<void> {
  const email = (await operatorKeyringOf(tx)).open(Buffer.from(sealed, 'base64'), RESET_JOB)
  await queueFor(tx, await selectUserByEmail(tx, email.toString()))
}

/** The same for what a version before asked. */
export const queueOldReset = async (tx: SystemTx, emailHash: string): Promise<void> =>
  queueFor(tx, await selectUserByEmailHash(tx, emailHash))

async function queueFor(tx: SystemTx, found: Account | undefined): Promise<void> {
  const account = found && (await lockUser(tx, found.id))
  if (!account || account.disabledAt || (await selectMemberships(tx, account.id)).length === 0) return
  if (await isEmailLimitReached(tx, account, 'reset')) return
  const link = await makeLink(tx, 'reset', account.id, { side: null, mailedOnly: true })
  await queueAccountEmail(tx, { ...link, content: passwordReset(), to: account.email })
}
