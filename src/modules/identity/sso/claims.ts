import { domainToASCII } from 'node:url'
import type { Refusal } from './rules.ts'

/** What a provider says of a person, with a verified source, not yet interpreted. */
export interface Claims {
  sub: string
  email?: unknown
  email_verified?: unknown
  name?: unknown
  [claim: string]: unknown
}

type Fields = Record<string, unknown>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A domain as it is compared: in lower case, and in Punycode where it has other letters than ASCII. */
export function asciiDomain(domain: string): string {
  const lower = domain.toLowerCase()
  return /^[\u0021-\u007e]*$/.test(lower) ? lower : domainToASCII(lower)
}

/** The part of an address after its last @, as domains are compared. */
export const domainOf = (email: string): string => asciiDomain(email.slice(email.lastIndexOf('@') + 1))

/** An address whose domain is in ASCII, as people may not have typed it. */
export const asciiAddress = (email: string): string =>
  email.includes('@') ? `${email.slice(0, email.lastIndexOf('@'))}@${domainOf(email)}` : email

/** A claim by its name, which may have dots (Auth0), or by a path of names (`realm_access.roles` of Keycloak). */
function claimAt(claims: Fields, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  for (let at = path.indexOf('.'); at > 0; at = path.indexOf('.', at + 1)) {
    const head = path.slice(0, at)
    const inner = Object.hasOwn(claims, head) ? claims[head] : undefined
    const found = isObject(inner) ? claimAt(inner, path.slice(at + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * The groups of a claim: a list or one text. OneLogin puts several into one text with semicolons, some providers send
 * objects, and Keycloak writes a group of the top level with a slash. Undefined where the provider sends none.
 */
export function groupsOf(claims: Claims, path: string): string[] | undefined {
  const value = claimAt(claims, path)
  if (typeof value === 'string') return [value, ...value.split(';').map((one) => one.trim())].flatMap(spellings)
  return Array.isArray(value) ? value.flatMap(namesOf).flatMap(spellings) : undefined
}

const namesOf = (group: unknown): string[] =>
  (isObject(group) ? [group.id, group.value, group.name, group.displayName, group.display] : [group]).filter(
    (one): one is string => typeof one === 'string',
  )

const spellings = (name: string): string[] => (/^\/[^/]+$/.test(name) ? [name, name.slice(1)] : [name])

/** Whether Entra ID left the groups out because a person has too many (over 200 in a token). */
export const hasTooManyGroups = (claims: Claims, path: string): boolean =>
  (isObject(claims._claim_names) && Object.hasOwn(claims._claim_names, path)) ||
  (path === 'groups' && saysYes(claims.hasgroups))

const is = (claim: unknown, text: string): boolean =>
  (typeof claim === 'boolean' || typeof claim === 'string') && String(claim).toLowerCase() === text

/** Some providers send the text "true" or "True". */
const saysYes = (claim: unknown): boolean => is(claim, 'true')

const ENTRA_HOSTS = new Set([
  ...['login.microsoftonline.com', 'login.microsoftonline.us', 'login.partner.microsoftonline.cn', 'sts.windows.net'],
])
/** The tenant of personal accounts, which anybody can make. */
const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'
const SHARED_TENANTS = new Set(['common', 'organizations', 'consumers', '%7btenantid%7d', PERSONAL_TENANT])

const tenantOf = (issuer: string): string | undefined => {
  const { hostname, pathname } = new URL(issuer)
  return ENTRA_HOSTS.has(hostname) ? pathname.split('/')[1]?.toLowerCase() : undefined
}

/** Whether an issuer stands for every tenant of Entra ID, or for the personal accounts. */
export const isSharedTenant = (issuer: string): boolean => SHARED_TENANTS.has(tenantOf(issuer) ?? '')

/** What a discovery document calls its issuer, with the tenant of the issuer that was entered in the place for one. */
export const ownTenantIn = (found: string, entered: string): string =>
  isSharedTenant(entered) ? found : found.replace('{tenantid}', tenantOf(entered) ?? '{tenantid}')

/**
 * Whether one tenant of Entra ID says this. It sends no email_verified, and often no email: its administrators make the
 * accounts, so it is believed for the domains that the operator verified for it.
 */
const isOwnTenant = (issuer: string, { tid }: Claims): boolean =>
  typeof tid === 'string' && tid.toLowerCase() === tenantOf(issuer) && !isSharedTenant(issuer)

/** Entra ID says no by xms_edov where the domain of `email` is not one of the tenant. */
const isDenied = ({ email_verified, xms_edov }: Claims): boolean =>
  is(email_verified, 'false') || is(xms_edov, 'false') || xms_edov === 0 || xms_edov === '0'

const addressOf = (claim: unknown): string | undefined => {
  const text = typeof claim === 'string' ? claim.trim() : ''
  return /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(text) && text.length <= 254 ? text : undefined
}

/** The address that a provider vouches for, if it is of a domain that was verified; else why not. */
export function vouchedEmail(
  claims: Claims,
  { verified, issuer }: { verified: readonly string[]; issuer: string },
): { email: string } | { refusal: Refusal } {
  const isTenant = isOwnTenant(issuer, claims)
  const names = isTenant ? [claims.preferred_username, claims.upn] : []
  const email = [claims.email, ...names].map(addressOf).find((one) => one !== undefined)
  if (email === undefined) return { refusal: 'email_missing' }
  if (!saysYes(claims.email_verified) && (!isTenant || isDenied(claims))) return { refusal: 'email_not_verified' }
  const domain = domainOf(email)
  if (!verified.includes(domain)) return { refusal: 'domain_not_verified' }
  return { email: `${email.slice(0, email.lastIndexOf('@')).toLowerCase()}@${domain}` }
}

/** What an ID token and the userinfo endpoint say together. An address and the word on it come from one place. */
export function completed(claims: Claims, more: Fields): Claims {
  const isWhole = (one: Fields) => one.email !== undefined && one.email_verified !== undefined
  const source = !isWhole(claims) && (isWhole(more) || claims.email === undefined) ? more : claims
  // A no of either counts.
  const isRefused = [claims, more].some((one) => is(one.email_verified, 'false'))
  return { ...more, ...claims, email: source.email, email_verified: isRefused ? false : source.email_verified }
}

// They link a token to a session or a message, and say nothing of the person.
const OF_PROTOCOL = new Set([
  ...['nonce', 'at_hash', 'c_hash', 's_hash', 'sid', 'jti', 'uti', 'rh', 'aio', 'session_state', '_claim_sources'],
])
/** As long as a name, an address or a few groups: what is longer is cut. */
const SHOWN = { claims: 60, name: 100, value: 500 }

/** Claims as texts, for who sets a provider up: without what belongs to the protocol, and without tokens. */
export const shownClaims = (claims: Claims): { name: string; value: string }[] =>
  Object.entries(claims)
    .filter(([name, value]) => value !== undefined && !OF_PROTOCOL.has(name) && !SECRET.test(name))
    .slice(0, SHOWN.claims)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return { name: cut(name, SHOWN.name), value: cut(text.replace(TOKEN, '…'), SHOWN.value) }
    })

const SECRET = /token|secret|passw|credential|csrf|key/i
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]*/g

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text)
