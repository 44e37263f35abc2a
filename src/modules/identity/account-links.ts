import type { Sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import { newSecret } from '../../domain/ids.ts'
import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import { operatorKeyringOf } from '../../platform/sealing/sealed-columns.ts'
import { passwordReset, queueAccountEmail } from './account-emails.ts'
import { countAccountEmails, type LinkRow, putLink, selectLink, takeLink } from './account-link-queries.ts'
import { deleteDevicesOf } from './attempt-queries.ts'
import { acceptMembership, type Side } from './member-queries.ts'
import { recordOnSide } from './members.ts'
import { newPasswordHash, setPassword } from './passwords.ts'
import { canonicalEmail, EMAIL_LIMITS, hasSecondFactor, LINK_MS, type LinkKind, placeOfMailbox } from './rules.ts'
import { selectMemberships } from './session-queries.ts'
import { type Browser, beginSession, type NewSession } from './sessions.ts'
import { authenticate, checkCode, type Open } from './sign-in.ts'
import { enforcedFor, NO_RESET, orSingleSignOn, refuseEnforced } from './sso/enforcement.ts'
import * as userQueries from './user-queries.ts'

const notValid = () =>
  new AppError('LINK_NOT_VALID', 'This link was used, has expired or is not whole: ask for a new one')

const pages: Record<LinkKind, string> = { invitation: 'invitation', reset: 'reset' }
const emailKinds: Record<LinkKind, string> = { invitation: 'invitation', reset: 'password_reset' }

interface NewLink {
  secret: string
  /** Where it leads, with the secret. */
  url: string
}

/** Makes a link in place of those made before. `mailedOnly`: only the mailbox sees it. */
export async function makeLink(
  tx: SystemTx,
  kind: LinkKind,
  userId: string,
  { side, mailedOnly }: { side: Side; mailedOnly: boolean },
): Promise<NewLink> {
  const secret = newSecret()
  const expiresAt = new Date(tx.now.getTime() + LINK_MS[kind])
  await putLink(tx, { hash: sha256(secret), kind, userId, side, mailedOnly, expiresAt })
  return { secret, url: `${tx.context.publicUrl ?? ''}/app/${pages[kind]}#${secret}` }
}

/** Whether an address got as many e-mails of a kind within the hour as it may. The account is locked. */
export async function isEmailLimitReached(
  tx: SystemTx,
  { email }: userQueries.Account,
  kind: LinkKind,
): Promise<boolean> {
  const since = new Date(tx.now.getTime() - EMAIL_LIMITS.windowMs)
  return (await countAccountEmails(tx, email, emailKinds[kind], since)) >= EMAIL_LIMITS[kind]
}

interface LinkInfo {
  kind: LinkKind
  email: string
  hasPassword: boolean
  totpEnabled: boolean
  business?: { name: string }
}

async function readLink(tx: SystemTx, secret: string): Promise<{ link: LinkRow; account: userQueries.Account }> {
  const link = await selectLink(tx, sha256(secret))
  const account = link && (await userQueries.selectUser(tx, link.userId))
  if (!link || !account || account.disabledAt) throw notValid()
  return { link, account }
}

/** Whom a link is for, so that the page can say so. @throws LINK_NOT_VALID */
export async function describeLink(tx: SystemTx, secret: string): Promise<LinkInfo> {
  const { link, account } = await readLink(tx, secret)
  return {
    kind: link.kind,
    email: account.email,
    hasPassword: link.kind === 'reset' ? account.passwordHash !== null : asksPassword(link, account),
    totpEnabled: account.passwordHash !== null && hasSecondFactor(account),
    ...(link.businessName !== null && { business: { name: link.businessName } }),
  }
}

interface Acceptance {
  token: string
  name?: string | undefined
  password: string
  code?: string | undefined
}

/**
 * Whether an invitation asks for the account's password. A link that others may have seen opens nobody's account. Where
 * the address was never verified, the password may belong to somebody who took the address: a person who follows a link
 * that only the mailbox saw chooses a new one.
 */
const asksPassword = ({ kind, mailedOnly }: LinkRow, { passwordHash, isVerified }: userQueries.Account): boolean =>
  kind === 'invitation' && passwordHash !== null && (isVerified || !mailedOnly)

/** Refuses a link that would end in a session without any reach, since single sign-on is enforced. @throws SSO_REQUIRED */
async function refuseUseless(tx: SystemTx, link: LinkRow, { id, email }: userQueries.Account): Promise<void> {
  if (link.kind === 'invitation') return refuseEnforced(tx, link.side, email)
  if ((await selectMemberships(tx, id)).length === 0) throw await orSingleSignOn(tx, email, notValid())
}

/**
 * Takes an invitation or a reset, and signs in. Following a link that went to the address alone verifies it.
 * @throws LINK_NOT_VALID, SIGN_IN_FAILED, SSO_REQUIRED, CODE_REQUIRED, RATE_LIMITED, VALIDATION_FAILED
 */
export async function accept(open: Open, given: Acceptance, from: Browser): Promise<NewSession> {
  const { link, account } = await open((tx) => readLink(tx, given.token))
  await open((tx) => refuseUseless(tx, link, account))
  const proves = asksPassword(link, account)
  if (proves) await authenticate(open, { ...given, email: account.email }, from, 'may be new')
  else if (hasSecondFactor(account)) await checkCode(open, account, given.code, placeOfMailbox)
  const hash = proves ? undefined : await newPasswordHash(given.password, account.email, 'password')
  return open(async (tx) => {
    const taken = await takeLink(tx, sha256(given.token))
    const now = taken && (await userQueries.lockUser(tx, taken.userId))
    // Another link may have given the account a password meanwhile.
    if (!now || now.passwordHash !== account.passwordHash) throw notValid()
    if (hash) {
      await setPassword(tx, account.id, hash, `user:${account.id}`)
      await deleteDevicesOf(tx, account.id)
    }
    if (taken.mailedOnly) await userQueries.markVerified(tx, account.id)
    if (given.name !== undefined && account.name === null) await userQueries.setUserName(tx, account.id, given.name)
    if (taken.kind === 'invitation') {
      if (!(await acceptMembership(tx, account.id, taken.side))) throw notValid()
      const actor = { ...tx.actor, name: `user:${account.id}` }
      await recordOnSide({ ...tx, actor }, taken.side, 'user.accepted', account.id)
    }
    return beginSession(tx, account.id, from, hasSecondFactor(account) ? 'code' : 'password')
  })
}

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
  await queueFor(tx, await userQueries.selectUserByEmail(tx, email.toString()))
}

/** The same for what a version before asked. */
export const queueOldReset = async (tx: SystemTx, emailHash: string): Promise<void> =>
  queueFor(tx, await userQueries.selectUserByEmailHash(tx, emailHash))

async function queueFor(tx: SystemTx, found: userQueries.Account | undefined): Promise<void> {
  const account = found && (await userQueries.lockUser(tx, found.id))
  if (!account || account.disabledAt || (await selectMemberships(tx, account.id)).length === 0) return
  if (await isEmailLimitReached(tx, account, 'reset')) return
  const link = await makeLink(tx, 'reset', account.id, { side: null, mailedOnly: true })
  await queueAccountEmail(tx, { ...link, content: passwordReset(), to: account.email })
}
