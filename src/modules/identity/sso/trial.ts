import type { Sentence } from '@kitlane/display/sentence'
import { AppError } from '../../../domain/errors.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { Egress } from '../../../platform/egress/client.ts'
import type { SignedIn } from '../../../platform/http/caller.ts'
import type { Role } from '../rules.ts'
import { administers } from '../sessions.ts'
import type { Open } from '../sign-in.ts'
import { lockUser } from '../user-queries.ts'
import { type Claims, shownClaims } from './claims.ts'
import { recordConnection } from './connections.ts'
import { lockMembership } from './link-queries.ts'
import { reasonOf } from './provider.ts'
import { type ConnectionRow, selectConnection } from './queries.ts'
import { join, readReturn, refused, startSignIn } from './sign-in.ts'

/** Who tries: a session, and the cookie that says what it may do. */
export interface Trier {
  session: SignedIn
  cookie: string | undefined
}

/** What a sign-in would do. */
export interface Trial {
  claims: { name: string; value: string }[]
  person?: { email: string; role: Role; roleNow?: Role }
  stopped?: { reason: string; message: string | Sentence }
}

async function findOwn(tx: SystemTx, connectionId: string, { cookie }: Trier): Promise<ConnectionRow> {
  const row = await selectConnection(tx, connectionId)
  if (!row || cookie === undefined || !(await administers(tx, cookie, row.side))) {
    throw new AppError('CONNECTION_NOT_FOUND', 'There is no such single sign-on that you administer')
  }
  return row
}

/** Begins a trial of a connection by one of its administrators. @throws CONNECTION_NOT_FOUND, PROVIDER_UNAVAILABLE, SSO_REFUSED */
export async function startTrial(open: Open, egress: Egress, trier: Trier, connectionId: string) {
  await open((tx) => findOwn(tx, connectionId, trier))
  return startSignIn(open, egress, connectionId, trier.session.userId)
}

/** Carries what came of a transaction that is taken back. */
class TakenBack extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('a trial was taken back')
    this.outcome = outcome
  }
}
type Outcome = AppError | { userId: string; email: string; role: Role }

/** Signs in as far as the session, says what came of it, and takes it all back. @throws CONNECTION_NOT_FOUND, SSO_FAILED */
export async function finishTrial(
  open: Open,
  egress: Egress,
  trier: Trier,
  returned: { query: string; secret: string },
): Promise<Trial> {
  const { connectionId, claims } = await readReturn(open, egress, { ...returned, trialOf: trier.session.userId })
  const outcome = claims instanceof AppError ? claims : await outcomeOf(open, trier, connectionId, claims)
  return open(async (tx) => {
    const { side } = await findOwn(tx, connectionId, trier)
    const stopped = outcome instanceof AppError && { reason: reasonOf(outcome), message: outcome.said }
    const details = { outcome: stopped ? stopped.reason : 'let in' }
    await recordConnection(tx, side, 'sso.tried', connectionId, details)
    const shown = claims instanceof AppError ? [] : shownClaims(claims)
    if (outcome instanceof AppError) return { claims: shown, ...(stopped && { stopped }) }
    const { userId, email, role } = outcome
    const roleNow = (await lockMembership(tx, userId, side))?.role
    return { claims: shown, person: { email, role, ...(roleNow && { roleNow }) } }
  })
}

async function outcomeOf(open: Open, trier: Trier, connectionId: string, claims: Claims): Promise<Outcome> {
  const tried = open(async (tx): Promise<never> => {
    const connection = await findOwn(tx, connectionId, trier)
    const joined = await join(tx, connection, claims)
    if ('refusal' in joined) throw new TakenBack(refused(joined.refusal))
    const user = await lockUser(tx, joined.userId)
    const membership = await lockMembership(tx, joined.userId, connection.side)
    if (!user || !membership) throw new Error('a person who joined is not there')
    throw new TakenBack({ userId: user.id, email: user.email, role: membership.role })
  })
  return tried.catch((err: unknown) => {
    if (err instanceof TakenBack) return err.outcome
    throw err
  })
}
