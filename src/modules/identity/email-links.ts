import { AppError } from '../../domain/errors.ts'
import { newOpaqueId, newSecret } from '../../domain/ids.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import * as businesses from '../businesses/service.ts'
import { queueAccountEmail } from './account-emails.ts'
import { deleteDevicesOf } from './attempt-queries.ts'
import { placeOfMailbox } from './attempts.ts'
import { invitation, passwordReset } from './email-texts.ts'
import { type Granter, isPerson, refuseToGiveRole } from './grants.ts'
import { canonicalEmail, EMAIL_LIMITS, LINK_MS, type LinkKind, type Role } from './rules.ts'
import { selectMemberships } from './session-queries.ts'
import { type Browser, begin, type NewSession } from './sessions.ts'
import { authenticate, checkCode, newPasswordHash, type Open, setPassword } from './sign-in.ts'
import { type Account, lockById, markVerified, selectByEmailHash, selectById } from './sign-in-queries.ts'
import {
  acceptMembership,
  countAccountEmails,
  findOrInsertUser,
  type LinkRow,
  lockMember,
  putLink,
  putMembership,
  type Side,
  selectLink,
  selectMemberByEmail,
  setUserName,
  takeLink,
} from './user-queries.ts'
import { type Member, recordOnSide, shownMember } from './users.ts'

export const RESET_JOB = 'accounts.write-reset'

const notValid = () =>
  new AppError('LINK_NOT_VALID', 'This link was used, has expired or is not whole: ask for a new one')

const pages: Record<LinkKind, string> = { invitation: 'invitation', reset: 'reset' }
const emailKinds: Record<LinkKind, string> = { invitation: 'invitation', reset: 'password_reset' }
const urlOf = (tx: SystemTx, kind: LinkKind, secret: string) =>
  `${tx.context.publicUrl ?? ''}/app/${pages[kind]}#${secret}`

/** Makes a link. `mailedOnly`: nobody but the address sees it. */
async function makeLink(
  tx: SystemTx,
  kind: LinkKind,
  userId: string,
  { side, mailedOnly }: { side: Side; mailedOnly: boolean },
): Promise<string> {
  const secret = newSecret()
  const expiresAt = new Date(tx.now.getTime() + LINK_MS[kind])
  await putLink(tx, { hash: sha256(secret), kind, userId, side, mailedOnly, expiresAt })
  return secret
}

/**
 * Invites somebody to a side with a role that holds nothing that the granter lacks. They are e-mailed a link. Where there
 * is no mail server a person who invites sees it instead, and hands it over. Inviting again makes a new link.
 * @throws USER_EXISTS where they have accepted already, FORBIDDEN, FEATURE_NOT_ENABLED, RATE_LIMITED
 */
export async function invite(
  tx: SystemTx,
  { email, role, side }: { email: string; role: Role; side: Side },
  granter: Granter,
): Promise<{ member: Member; invitationUrl?: string }> {
  refuseToGiveRole(granter, role)
  const mailedOnly = tx.context.sendsMail
  if (!mailedOnly && !isPerson(granter)) {
    throw new AppError(
      'FEATURE_NOT_ENABLED',
      'There is no mail server: somebody who is signed in must invite, and hand the link over',
    )
  }
  const known = await selectMemberByEmail(tx, side, email)
  if (known?.acceptedAt) throw new AppError('USER_EXISTS', 'A user with this e-mail address exists already')
  const { id } = await findOrInsertUser(tx, newOpaqueId('usr'), canonicalEmail(email))
  const account = await lockById(tx, id)
  if (!account) throw new Error('an invited user is gone')
  if (mailedOnly && (await isEmailLimitReached(tx, account, 'invitation'))) {
    throw new AppError(
      'RATE_LIMITED',
      `This address got ${EMAIL_LIMITS.invitation} invitations within an hour: wait an hour before you send it another`,
      { extra: { retryAfterSeconds: EMAIL_LIMITS.windowMs / 1000 } },
    )
  }
  await putMembership(tx, { userId: id, side, role, acceptedAt: null })
  const secret = await makeLink(tx, 'invitation', id, { side, mailedOnly })
  const business = side === null ? undefined : await businesses.find(tx, side)
  const invitationUrl = urlOf(tx, 'invitation', secret)
  // To the account's address, not to what was typed: two spellings may be one account and two mailboxes.
  await queueAccountEmail(tx, { content: invitation(business?.name), to: account.email, url: invitationUrl, secret })
  await recordOnSide(tx, side, 'user.invited', id, role)
  const member = await lockMember(tx, side, id)
  if (!member) throw new Error('an invited user is gone')
  return { member: shownMember(member), ...(!mailedOnly && { invitationUrl }) }
}

/** Asks for an e-mail with a link to choose a new password. No answer shows whether the account exists: a job looks. */
export async function requestReset(tx: SystemTx, email: string): Promise<void> {
  await tx.enqueue(RESET_JOB, { account: sha256(canonicalEmail(email)).toString('hex') })
}

/** Whether an address got as many e-mails of a kind within the hour as it may. The account is locked. */
async function isEmailLimitReached(tx: SystemTx, { email }: Account, kind: LinkKind): Promise<boolean> {
  const since = new Date(tx.now.getTime() - EMAIL_LIMITS.windowMs)
  return (await countAccountEmails(tx, email, emailKinds[kind], since)) >= EMAIL_LIMITS[kind]
}

/** Queues that e-mail, if the account exists, may sign in and has not got too many. */
export async function writeReset(tx: SystemTx, emailHash: string): Promise<void> {
  const found = await selectByEmailHash(tx, emailHash)
  const account = found && (await lockById(tx, found.id))
  if (!account || account.disabledAt || (await selectMemberships(tx, account.id)).length === 0) return
  if (await isEmailLimitReached(tx, account, 'reset')) return
  const secret = await makeLink(tx, 'reset', account.id, { side: null, mailedOnly: true })
  const url = urlOf(tx, 'reset', secret)
  await queueAccountEmail(tx, { content: passwordReset(), to: account.email, url, secret })
}

export interface LinkInfo {
  kind: LinkKind
  email: string
  hasPassword: boolean
  totpEnabled: boolean
  business?: { name: string }
}

async function read(tx: SystemTx, secret: string): Promise<{ link: LinkRow; account: Account }> {
  const link = await selectLink(tx, sha256(secret))
  const account = link && (await selectById(tx, link.userId))
  if (!link || !account || account.disabledAt) throw notValid()
  return { link, account }
}

/** Whom a link is for, so that the page can say so. @throws LINK_NOT_VALID */
export async function describeLink(tx: SystemTx, secret: string): Promise<LinkInfo> {
  const { link, account } = await read(tx, secret)
  return {
    kind: link.kind,
    email: account.email,
    hasPassword: link.kind === 'reset' ? account.passwordHash !== null : asksPassword(link, account),
    totpEnabled: account.passwordHash !== null && account.totpEnabled,
    ...(link.businessName !== null && { business: { name: link.businessName } }),
  }
}

export interface Acceptance {
  token: string
  name?: string | undefined
  password: string
  code?: string | undefined
}

/**
 * Whether an invitation asks for the account's password. A link that others may have seen opens nobody's account. Where
 * the address was never verified, the password may be that of somebody who took the address: whoever follows a link that
 * went to the address alone chooses a new one.
 */
const asksPassword = ({ kind, mailedOnly }: LinkRow, { passwordHash, isVerified }: Account): boolean =>
  kind === 'invitation' && passwordHash !== null && (isVerified || !mailedOnly)

/**
 * Takes an invitation or a reset, and signs in. Following a link that went to the address alone verifies it.
 * @throws LINK_NOT_VALID, SIGN_IN_FAILED, CODE_REQUIRED, RATE_LIMITED, VALIDATION_FAILED
 */
export async function accept(open: Open, given: Acceptance, from: Browser): Promise<NewSession> {
  const { link, account } = await open((tx) => read(tx, given.token))
  const proves = asksPassword(link, account)
  if (proves) await authenticate(open, { ...given, email: account.email }, from, 'may be new')
  else if (account.totpEnabled) await checkCode(open, account, given.code, placeOfMailbox)
  const hash = proves ? undefined : await newPasswordHash(given.password, account.email, 'password')
  return open(async (tx) => {
    const taken = await takeLink(tx, sha256(given.token))
    const now = taken && (await lockById(tx, taken.userId))
    // Another link may have given the account a password meanwhile.
    if (!now || now.passwordHash !== account.passwordHash) throw notValid()
    if (hash) {
      await setPassword(tx, account.id, hash, `user:${account.id}`)
      await deleteDevicesOf(tx, account.id)
    }
    if (taken.mailedOnly) await markVerified(tx, account.id)
    if (given.name !== undefined && account.name === null) await setUserName(tx, account.id, given.name)
    if (taken.kind === 'invitation') {
      if (!(await acceptMembership(tx, account.id, taken.side))) throw notValid()
      const actor = { ...tx.actor, name: `user:${account.id}` }
      await recordOnSide({ ...tx, actor }, taken.side, 'user.accepted', account.id)
    }
    return begin(tx, account.id, from)
  })
}
