import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { passwordReset, queueAccountEmail } from './account-emails.ts'
import { isEmailLimitReached, makeLink } from './account-links.ts'
import { canonicalEmail } from './rules.ts'
import { selectMemberships } from './session-queries.ts'
import { lockUser, selectUserByEmailHash } from './user-queries.ts'

export const RESET_JOB = 'accounts.write-reset'

/** Asks for an e-mail with a link to choose a new password. No answer shows whether the account exists: a job looks. */
export async function requestReset(tx: SystemTx, email: string): Promise<void> {
  await tx.enqueue(RESET_JOB, { account: sha256(canonicalEmail(email)).toString('hex') })
}

/** Queues that e-mail, if the account exists, may sign in and has not got too many. */
export async function queueReset(tx: SystemTx, emailHash: string): Promise<void> {
  const found = await selectUserByEmailHash(tx, emailHash)
  const account = found && (await lockUser(tx, found.id))
  if (!account || account.disabledAt || (await selectMemberships(tx, account.id)).length === 0) return
  if (await isEmailLimitReached(tx, account, 'reset')) return
  const link = await makeLink(tx, 'reset', account.id, { side: null, mailedOnly: true })
  await queueAccountEmail(tx, { ...link, content: passwordReset(), to: account.email })
}
