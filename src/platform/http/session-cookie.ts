import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Access, OperatorAccess, SignedIn } from './caller.ts'
import { originOf } from './request-id.ts'

/** The request that uses a session. */
export interface Call {
  requestId: string
  callerRequestId?: string
  ip: string
  /** `GET /orders/:orderID` */
  route: string
  /** Sent by a page on its own, such as a refresh each minute: it does not count as use of the session. */
  background: boolean
}

/** The realm that a person works in, as `Kitlane-Realm: <businessId>/live`. */
export interface NamedRealm {
  businessId: string
  mode: 'live' | 'sandbox'
}

/** Finds the access of a session's cookie; undefined when the session has ended. */
export interface Sessions {
  /** @throws FORBIDDEN for a business that the person is not of */
  enter(cookie: string, realm: NamedRealm, call: Call): Promise<Access | undefined>
  /** @throws FORBIDDEN for who is not of the operator's staff */
  operate(cookie: string, call: Call): Promise<OperatorAccess | undefined>
  find(cookie: string, call: Call): Promise<SignedIn | undefined>
}

/** The cookie's name and how browsers keep it. `__Host-` binds it to this host; browsers take that prefix over https only. */
export interface CookiePolicy {
  name: string
  /** The name of the cookie by which an account recognises a browser. It lets nobody in. */
  deviceName: string
  options: CookieSerializeOptions
  /** The service's address as browsers see it, if known; else the Host header counts. */
  origin: string | undefined
}

export function cookiePolicy(publicUrl: string | undefined): CookiePolicy {
  const secure = publicUrl?.startsWith('https:') ?? false
  const name = secure ? '__Host-kitlane' : 'kitlane'
  return {
    name,
    deviceName: `${name}-device`,
    options: { httpOnly: true, sameSite: 'strict', path: '/', secure },
    origin: publicUrl && new URL(publicUrl).origin,
  }
}

export const callOf = (request: FastifyRequest): Call => ({
  ...originOf(request),
  route: `${request.method} ${request.routeOptions.url ?? '*'}`,
  background: request.headers['kitlane-background'] === '1',
})

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses what another site's page makes a browser send: the browser names the site of a request, and a page cannot
 * change that. `known`: the request brings a session, so it must name the site. @throws CROSS_SITE
 */
export function refuseCrossSite(request: FastifyRequest, { origin }: CookiePolicy, known: boolean): void {
  if (READS.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  const from = request.headers.origin
  const own = origin ?? `${request.protocol}://${request.host}`
  const isOwn = site === undefined ? from === own || (from === undefined && !known) : site === 'same-origin'
  if (isOwn) return
  throw new AppError('CROSS_SITE', 'A change with a session must come from the dashboard itself, not from another site')
}

const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost|[\w.-]+\.localhost)$/

/** Where browsers find the dashboard: under PUBLIC_URL; without one, where a request of this machine found it. */
export function originOfDashboard(request: FastifyRequest, { origin }: CookiePolicy): string | undefined {
  const requestOrigin = `${request.protocol}://${request.host}`
  if (origin !== undefined || !URL.canParse(requestOrigin)) return origin
  const url = new URL(requestOrigin)
  return LOOPBACK.test(url.hostname) ? url.origin : undefined
}

/** @throws REALM_REQUIRED */
export function readRealm(request: FastifyRequest): NamedRealm {
  const [, businessId, mode] = /^([\w-]{1,64})\/(live|sandbox)$/.exec(String(request.headers['kitlane-realm'])) ?? []
  if (businessId && (mode === 'live' || mode === 'sandbox')) return { businessId, mode }
  throw new AppError('REALM_REQUIRED', 'Say which business, and live or sandbox: Kitlane-Realm: <businessId>/live', {
    details: [{ message: 'Kitlane-Realm: <businessId>/live or <businessId>/sandbox', path: 'Kitlane-Realm' }],
  })
}
