import { AppError } from '../../domain/errors.ts'
import { newOpaqueId } from '../../domain/ids.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import * as businesses from '../businesses/service.ts'
import { invitation, queueAccountEmail } from './account-emails.ts'
import { isEmailLimitReached, makeLink } from './account-links.ts'
import { type Granter, isPerson, refuseToGiveRole } from './grants.ts'
import { lockMember, putMembership, type Side, selectMemberByEmail } from './member-queries.ts'
import { type Member, recordOnSide, shownMember } from './members.ts'
import { canonicalEmail, EMAIL_LIMITS, type Role } from './rules.ts'
import { refuseEnforced } from './sso/enforcement.ts'
import { findOrInsertUser, lockUser } from './user-queries.ts'

/**
 * Invites somebody to a side with a role that holds nothing that the granter lacks. They are e-mailed a link. Where there
 * is no mail server a person who invites sees it instead, and hands it over. Inviting again makes a new link.
 * @throws USER_EXISTS where they have accepted already, SSO_REQUIRED, FORBIDDEN, FEATURE_NOT_ENABLED, RATE_LIMITED
 */
export async function invite(
  tx: SystemTx,
  { email, role, side }: { email: string; role: Role; side: Side },
  granter: Granter,
): Promise<{ member: Member; invitationUrl?: string }> {
  refuseToGiveRole(granter, role)
  const mailedOnly = tx.context.settings.smtpUrl !== undefined
  if (!mailedOnly && !isPerson(granter)) {
    throw new AppError(
      'FEATURE_NOT_ENABLED',
      'There is no mail server: somebody who is signed in must invite, and hand the link over',
    )
  }
  await refuseEnforced(tx, side, email)
  const known = await selectMemberByEmail(tx, side, email)
  if (known?.acceptedAt) throw new AppError('USER_EXISTS', 'A user with this e-mail address exists already')
  // It would become one that ends with the access, with a role that the business did not give.
  if (known && known.supportAccessId === null && granter.support) {
    throw new AppError('FORBIDDEN', 'The business invited this address itself: only its administrators invite it again')
  }
  const { id } = await findOrInsertUser(tx, newOpaqueId('usr'), canonicalEmail(email))
  const account = await lockUser(tx, id)
  if (!account) throw new Error('an invited user is gone')
  if (mailedOnly && (await isEmailLimitReached(tx, account, 'invitation'))) {
    throw new AppError(
      'RATE_LIMITED',
      `This address got ${EMAIL_LIMITS.invitation} invitations within an hour: wait an hour before you send it another`,
      { extra: { retryAfterSeconds: EMAIL_LIMITS.windowMs / 1000 } },
    )
  }
  await putMembership(tx, { userId: id, side, role, acceptedAt: null, supportAccessId: granter.support?.id ?? null })
  const link = await makeLink(tx, 'invitation', id, { side, mailedOnly })
  const business = side === null ? undefined : await businesses.find(tx, side)
  // To the account's address, not to what was typed: two spellings may be one account and two mailboxes.
  await queueAccountEmail(tx, { ...link, content: invitation(business?.name), to: account.email })
  await recordOnSide(tx, side, 'user.invited', id, role)
  const member = await lockMember(tx, side, id)
  if (!member) throw new Error('an invited user is gone')
  return { member: shownMember(member), ...(!mailedOnly && { invitationUrl: link.url }) }
}
