import type { SystemTx } from '../../platform/database/tx.ts'
import { NEW_DEVICE_EMAIL, newDevice, queueAccountEmail } from './account-emails.ts'
import { countAccountEmails } from './account-link-queries.ts'
import { EMAIL_LIMITS } from './rules.ts'
import { selectUser } from './user-queries.ts'

/**
 * Tells the owner of an account that it signed in from a browser that it does not know. The first sign-in of all is no
 * news. A script that keeps no cookies is always new, so an address gets only so many an hour.
 */
export async function mailNewDevice(
  tx: SystemTx,
  userId: string,
  place: { browser: string; network: string },
): Promise<void> {
  const account = await selectUser(tx, userId)
  if (!account?.signedInAt) return
  const since = new Date(tx.now.getTime() - EMAIL_LIMITS.windowMs)
  const count = await countAccountEmails(tx, account.email, NEW_DEVICE_EMAIL, since)
  if (count >= EMAIL_LIMITS.newDevice) return
  const url = `${tx.context.publicUrl ?? ''}/app/account`
  await queueAccountEmail(tx, { content: newDevice({ ...place, at: tx.now }), to: account.email, url })
}
