import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { AppError } from '../../platform/errors.ts'
import { newOpaqueId, newSecret } from '../../platform/ids.ts'
import * as businesses from '../businesses/service.ts'
import { queueAccountLetter } from '../emails/account-letters.ts'
import { invitation, passwordReset } from './letters.ts'
import { canonicalEmail, LINK_MS, type LinkKind, type Role } from './rules.ts'
import { selectMemberships } from './session-queries.ts'
import { begin, type NewSession } from './sessions.ts'
import { authenticate, checkCode, newPasswordHash, type Open, setPassword } from './sign-in.ts'
import { type Account, selectByEmailHash, selectById } from './sign-in-queries.ts'
import {
  acceptMembership,
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
const urlOf = (tx: SystemTx, kind: LinkKind, secret: string) =>
  `${tx.local.publicUrl ?? ''}/app/${pages[kind]}#${secret}`

async function makeLink(tx: SystemTx, kind: LinkKind, userId: string, side: Side): Promise<string> {
  const secret = newSecret()
  const expiresAt = new Date(tx.now.getTime() + LINK_MS[kind])
  await putLink(tx, { hash: sha256(secret), kind, userId, side, expiresAt })
  return secret
}

/**
 * Invites somebody to a side with a role. They are e-mailed a link, which the inviter sees too: a small installation has
 * no mail server. Inviting again makes a new link. @throws USER_EXISTS where they have accepted already
 */
export async function invite(
  tx: SystemTx,
  { email, role, side }: { email: string; role: Role; side: Side },
): Promise<{ member: Member; invitationUrl: string }> {
  const known = await selectMemberByEmail(tx, side, email)
  if (known?.acceptedAt) throw new AppError('USER_EXISTS', 'A user with this e-mail address exists already')
  const { id } = await findOrInsertUser(tx, newOpaqueId('usr'), canonicalEmail(email))
  await putMembership(tx, { userId: id, side, role, acceptedAt: null })
  const secret = await makeLink(tx, 'invitation', id, side)
  const business = side === null ? undefined : await businesses.find(tx, side)
  const invitationUrl = urlOf(tx, 'invitation', secret)
  await queueAccountLetter(tx, { letter: invitation(business?.name), to: email, url: invitationUrl, secret })
  await recordOnSide(tx, side, 'user.invited', id, role)
  const member = await lockMember(tx, side, id)
  if (!member) throw new Error('an invited user is gone')
  return { member: shownMember(member), invitationUrl }
}

/** Asks for a letter with a link to choose a new password. Nothing tells whether the account exists: a job looks. */
export async function requestReset(tx: SystemTx, email: string): Promise<void> {
  await tx.enqueue(RESET_JOB, { account: sha256(canonicalEmail(email)).toString('hex') })
}

/** Writes that letter, if the account exists and may sign in. */
export async function writeReset(tx: SystemTx, emailHash: string): Promise<void> {
  const account = await selectByEmailHash(tx, emailHash)
  if (!account || account.disabledAt || (await selectMemberships(tx, account.id)).length === 0) return
  const secret = await makeLink(tx, 'reset', account.id, null)
  const url = urlOf(tx, 'reset', secret)
  await queueAccountLetter(tx, { letter: passwordReset(), to: account.email, url, secret })
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
    hasPassword: account.passwordHash !== null,
    totpEnabled: account.passwordHash !== null && account.totpEnabled,
    ...(link.businessName !== null && { business: { name: link.businessName } }),
  }
}

export interface Acceptance {
  token: string
  name?: string | undefined
  password: string
  code?: string | undefined
  ip: string
}

/**
 * Takes an invitation or a reset, and signs in. Whoever has a password already proves it: an invitation is known to the
 * inviter too, and must not open another one's account. @throws LINK_NOT_VALID, SIGN_IN_FAILED, CODE_REQUIRED,
 * RATE_LIMITED, VALIDATION_FAILED
 */
export async function accept(open: Open, given: Acceptance, cookie: string | undefined): Promise<NewSession> {
  const { link, account } = await open((tx) => read(tx, given.token))
  const proves = link.kind === 'invitation' && account.passwordHash !== null
  if (proves) await authenticate(open, { ...given, email: account.email }, 'may be new')
  else if (account.totpEnabled) await checkCode(open, account, given)
  const hash = proves ? undefined : await newPasswordHash(given.password, account.email, 'password')
  return open(async (tx) => {
    const taken = await takeLink(tx, sha256(given.token))
    if (!taken) throw notValid()
    if (hash) await setPassword(tx, account.id, hash, `user:${account.id}`)
    if (given.name !== undefined && account.name === null) await setUserName(tx, account.id, given.name)
    if (taken.kind === 'invitation') {
      if (!(await acceptMembership(tx, account.id, taken.side))) throw notValid()
      const actor = { ...tx.actor, name: `user:${account.id}` }
      await recordOnSide({ ...tx, actor }, taken.side, 'user.accepted', account.id)
    }
    return begin(tx, account.id, cookie)
  })
}
