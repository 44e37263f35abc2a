import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as businesses from '../../businesses/service.ts'
import { type Granter, personOf, refuseToGiveRole } from '../grants.ts'
import type { Side } from '../member-queries.ts'
import { businessRoles, operatorRoles, type Role } from '../rules.ts'
import { selectAllScimUsers } from '../scim/queries.ts'
import { syncUser } from '../scim/sync.ts'
import { isSharedTenant } from './claims.ts'
import * as queries from './queries.ts'
import { type GroupRole, MAX_CONNECTIONS } from './rules.ts'

/** What an administrator sets; of a change, what is absent stays. */
export interface ConnectionChange {
  name?: string | undefined
  issuer?: string | undefined
  clientID?: string | undefined
  clientSecret?: string | undefined
  domains?: string[] | undefined
  groupClaim?: string | undefined
  groupRoles?: GroupRole[] | undefined
  enforced?: boolean | undefined
  /** The e-mail address of an administrator who may still use a password. */
  emergencyAccount?: string | null | undefined
}

export type NewConnection = ConnectionChange &
  Required<Pick<ConnectionChange, 'name' | 'issuer' | 'clientID' | 'clientSecret'>>

/** Where the client secret of a connection is sealed. */
export const secretPlaceOf = (connectionId: string): string => `sso_connections.client_secret/${connectionId}`

const notFound = () => new AppError('CONNECTION_NOT_FOUND', 'There is no such single sign-on')

const invalid = (message: string, path: string) =>
  new AppError('VALIDATION_FAILED', `${path}: ${message}`, { details: [{ message, path }] })

/**
 * Lets the people of a side sign in at their identity provider. The group table gives roles, so a caller needs all that
 * its roles hold. @throws VALIDATION_FAILED, FORBIDDEN, EMERGENCY_ACCOUNT_REQUIRED
 */
export async function createConnection(
  tx: SystemTx,
  side: Side,
  asked: NewConnection,
  granter: Granter,
): Promise<queries.ConnectionRow> {
  if ((await queries.selectConnections(tx, side)).length >= MAX_CONNECTIONS) {
    throw new AppError('VALIDATION_FAILED', `There are ${MAX_CONNECTIONS} connections already: change or remove one`)
  }
  const id = newOpaqueId('sso')
  const blank = {
    id,
    side,
    groupClaim: 'groups',
    groupRoles: [],
    isEnforced: false,
    emergencyUserId: null,
    setUpBy: [],
  }
  const empty = { name: '', issuer: '', clientId: '', clientSecret: Buffer.alloc(0) }
  await write(tx, { ...blank, ...empty, domains: [] }, withIssuer(asked), granter)
  return recordConnection(tx, side, 'sso.created', id)
}

/** @throws CONNECTION_NOT_FOUND, VALIDATION_FAILED, FORBIDDEN, EMERGENCY_ACCOUNT_REQUIRED */
export async function changeConnection(
  tx: SystemTx,
  side: Side,
  connectionId: string,
  asked: ConnectionChange,
  granter: Granter,
): Promise<queries.ConnectionRow> {
  const change = withIssuer(asked)
  const row = await findConnection(tx, side, connectionId)
  // Another provider may call other people by the same names.
  if (change.issuer !== undefined && change.issuer !== row.issuer) {
    await queries.forgetPeopleOf(tx, connectionId)
    await queries.takeBackDomains(tx, connectionId)
  }
  await write(tx, row, change, granter)
  const after = await queries.lockConnection(tx, connectionId)
  if (after) await syncAll(tx, after)
  return recordConnection(tx, side, 'sso.changed', connectionId, { fields: Object.keys(change).sort() })
}

/** Roles of all after the group table or the domains changed. */
async function syncAll(tx: SystemTx, connection: queries.ConnectionRow): Promise<void> {
  for (const row of await selectAllScimUsers(tx, connection.id)) await syncUser(tx, connection, row)
}

/** Removes a connection and ends its sessions. Roles that its groups gave stay. @throws CONNECTION_NOT_FOUND */
export async function removeConnection(tx: SystemTx, side: Side, connectionId: string): Promise<queries.ConnectionRow> {
  const row = await findConnection(tx, side, connectionId)
  const before = { issuer: row.issuer, clientID: row.clientId }
  await recordConnection(tx, side, 'sso.removed', connectionId, { before })
  await queries.deleteConnection(tx, connectionId)
  return row
}

type Before = Pick<
  queries.ConnectionRow,
  | 'id'
  | 'side'
  | 'name'
  | 'issuer'
  | 'clientId'
  | 'clientSecret'
  | 'groupClaim'
  | 'groupRoles'
  | 'isEnforced'
  | 'emergencyUserId'
  | 'domains'
  | 'setUpBy'
>

// Anyone who can get an address there would be let in.
const PUBLIC_MAIL = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'yahoo.com', 'ymail.com'],
  ...['icloud.com', 'me.com', 'mac.com', 'aol.com', 'gmx.com', 'gmx.net', 'gmx.de', 'web.de', 'mail.com', 'proton.me'],
  ...['protonmail.com', 'pm.me', 'fastmail.com', 'hey.com', 'zoho.com', 'yandex.com', 'qq.com', '163.com', '126.com'],
])

/** Whether anybody can get an address of this domain. */
const isPublicMail = (domain: string): boolean => PUBLIC_MAIL.has(domain)

/** The roles that a side gives: a business, or the operator (null). */
const rolesOfSide = (side: string | null): readonly Role[] => (side === null ? operatorRoles : businessRoles)

async function write(tx: SystemTx, before: Before, change: ConnectionChange, granter: Granter): Promise<void> {
  const { id, side } = before
  const issuer = change.issuer ?? before.issuer
  const problem = issuerProblem(tx, issuer)
  if (problem) throw invalid(problem, 'issuer')
  const groupRoles = change.groupRoles ?? before.groupRoles
  for (const [index, { role }] of groupRoles.entries()) {
    if (!rolesOfSide(side).includes(role))
      throw invalid('This role is not one of this side', `groupRoles.${index}.role`)
    refuseToGiveRole(granter, role)
  }
  const emergencyUserId = await emergencyUserOf(tx, before, change.emergencyAccount)
  const isEnforced = change.enforced ?? before.isEnforced
  if (isEnforced && emergencyUserId === null) {
    throw new AppError(
      'EMERGENCY_ACCOUNT_REQUIRED',
      'Name an administrator with a password as the emergency account first: otherwise nobody gets in while the provider fails',
    )
  }
  const clientSecret =
    change.clientSecret === undefined ? before.clientSecret : tx.context.seal(change.clientSecret, secretPlaceOf(id))
  await queries.putConnection(tx, {
    id,
    side,
    issuer,
    groupRoles,
    isEnforced,
    emergencyUserId,
    clientSecret,
    name: change.name ?? before.name,
    clientId: change.clientID ?? before.clientId,
    groupClaim: change.groupClaim ?? before.groupClaim,
    setUpBy: chooses(change) ? [...new Set([...before.setUpBy, personOf(granter)])] : before.setUpBy,
  })
  if (change.domains) {
    const open = change.domains.find(isPublicMail)
    if (open) throw invalid(`Anybody can get an address of ${open}: name a domain of your own`, 'domains')
    await queries.replaceDomains(tx, id, change.domains)
  }
}

/** Providers show the address of their discovery document, which begins with the issuer. */
const withIssuer = <C extends ConnectionChange>(change: C): C => {
  const issuer = change.issuer?.trim().replace(/\/\.well-known\/openid-configuration$/, '')
  return issuer === undefined ? change : { ...change, issuer }
}

/** Whether a change chooses who vouches for whom. */
const chooses = ({ issuer, clientID, clientSecret, domains }: ConnectionChange): boolean =>
  [issuer, clientID, clientSecret, domains].some((one) => one !== undefined)

function issuerProblem(tx: SystemTx, issuer: string): string | undefined {
  const problem = tx.context.urlProblem(issuer)
  if (problem) return problem
  const { search, hash } = new URL(issuer)
  if (search + hash !== '') return 'The issuer must have no query and no fragment'
  return isSharedTenant(issuer)
    ? 'Name your own tenant of Entra ID: https://login.microsoftonline.com/<tenant ID>/v2.0'
    : undefined
}

async function emergencyUserOf(
  tx: SystemTx,
  { side, emergencyUserId }: Before,
  email: string | null | undefined,
): Promise<string | null> {
  if (email === undefined) return emergencyUserId
  if (email === null) return null
  const found = await queries.selectAdministrator(tx, side, email)
  if (!found) throw invalid('This must be the address of an administrator who has a password', 'emergencyAccount')
  return found.id
}

/** @throws CONNECTION_NOT_FOUND */
async function findConnection(tx: SystemTx, side: Side, id: string): Promise<queries.ConnectionRow> {
  const row = await queries.lockConnection(tx, id)
  if (!row || row.side !== side) throw notFound()
  return row
}

/** Notes a change on the side that it is about, and returns the connection. */
export async function recordConnection(
  tx: SystemTx,
  side: Side,
  action: audit.AuditAction,
  id: string,
  details?: Record<string, unknown>,
): Promise<queries.ConnectionRow> {
  const entry = { action, objectType: 'sso_connection', objectId: id, ...(details && { details }) }
  if (side === null) await audit.recordSystem(tx, [entry])
  else await audit.record(within(tx, (await businesses.realmsOf(tx, side)).live), [entry])
  const row = await queries.lockConnection(tx, id)
  if (!row) throw notFound()
  return row
}

/**
 * Says that a domain belongs to the side that claims it, or no longer. Its people then get the roles of the group table, so
 * the caller needs all that these hold. @throws CONNECTION_NOT_FOUND, DOMAIN_TAKEN, FORBIDDEN
 */
export async function verifyDomain(
  tx: SystemTx,
  { connectionId, domain, isVerified }: { connectionId: string; domain: string; isVerified: boolean },
  granter: Granter,
): Promise<queries.ConnectionRow> {
  const row = await queries.lockConnection(tx, connectionId)
  if (!row) throw notFound()
  const needed = row.side === null ? 'staff' : 'access'
  if (!granter.scopes.has(needed)) throw new AppError('FORBIDDEN', `Your role or token lacks the scope ${needed}`)
  if (isVerified) {
    if (row.setUpBy.includes(personOf(granter))) {
      throw new AppError(
        'FORBIDDEN',
        'You set this single sign-on up: somebody else verifies its domains, or `kitlane sso verify-domain` does',
      )
    }
    for (const { role } of row.groupRoles) refuseToGiveRole(granter, role)
    const owner = await queries.selectConnectionOfDomain(tx, domain)
    if (owner && owner.id !== connectionId) {
      throw new AppError('DOMAIN_TAKEN', 'Another single sign-on has this domain: take it away there first')
    }
  }
  const verifiedAt = isVerified ? tx.now : null
  if (!(await queries.setDomainVerified(tx, { connectionId, domain, verifiedAt }))) throw notFound()
  const after = await queries.lockConnection(tx, connectionId)
  if (after) await syncAll(tx, after)
  return recordConnection(tx, row.side, isVerified ? 'sso.domain_verified' : 'sso.domain_refused', connectionId, {
    domain,
  })
}

/** Lets passwords in again, regardless of the provider: for the command line, when nobody gets in. @throws CONNECTION_NOT_FOUND */
export async function stopEnforcing(tx: SystemTx, connectionId: string): Promise<void> {
  const row = await queries.lockConnection(tx, connectionId)
  if (!row) throw notFound()
  await queries.setEnforced(tx, connectionId, false)
  await recordConnection(tx, row.side, 'sso.changed', connectionId, { fields: ['enforced'] })
}
