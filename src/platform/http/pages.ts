import formbody from '@fastify/formbody'
import { latinDigits } from '@kitlane/display/text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { newSecret } from '../../domain/ids.ts'
import { constantTimeEqual, sha256 } from '../crypto.ts'
import type { Database, Realm, SystemTx, Tx } from '../database/tx.ts'
import type { Logger } from '../log.ts'
import { type PortsOf, type RealmPorts, realmPorts } from '../ports/realm-ports.ts'
import { languagesOf } from './accept.ts'
import { toAppError } from './error-body.ts'
import type { Html } from './html.ts'
import { RequestCounts } from './request-counts.ts'
import { originOf } from './request-id.ts'
import type { SharedCounts } from './shared-counts.ts'

/** The request of a page, and access to the database. */
export interface PageRequest {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, string>>
  /** The fields of a form; the last one counts if a name comes twice. */
  form: Readonly<Record<string, string>>
  ip: string
  /** What the browser asks for, the most wanted first. */
  languages: readonly string[]
  /** A secret of this browser: forms are bound to it, and drafts are found by it. Asking for it sets the cookie. */
  visitor(): string
  /** What a form must send as `token`. */
  formToken(): string
  cookie(name: string): string | undefined
  asSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>
  inRealm<T>(realm: Realm, actor: string, work: (tx: Tx) => Promise<T>): Promise<T>
  /** What talks to other systems: between transactions. */
  portsOf(realm: Realm): RealmPorts
}

export interface SetCookie {
  name: string
  /** Undefined: the cookie is removed. */
  value: string | undefined
  maxAgeSeconds: number
}

export type PageAnswer = { cookies?: readonly SetCookie[]; headers?: Readonly<Record<string, string>> | undefined } & (
  | {
      html: Html
      status?: number
      /** The one image of another host that the page shows. */
      image?: string | null
      /** What the page takes from elsewhere; nothing without it. */
      allows?: Allowed
    }
  | { to: string }
  | { document: { contentType: string; body: string | Buffer; fileName?: string; isForever?: boolean } }
)

/** What a page's security policy allows beyond styles and images of this service, by directive. */
export type Allowed = Readonly<
  Partial<Record<'script-src' | 'frame-src' | 'connect-src' | 'worker-src' | 'manifest-src', readonly string[]>>
>

/** A page for people, which works without a script unless it says so: one address, one method. */
export interface Page {
  method: 'GET' | 'POST'
  path: string
  /** A POST that a mail program may send, too: what it may do is in its address. */
  isOneClick?: boolean
  handler(request: PageRequest): Promise<PageAnswer>
}

export type Trouble = 'expiredForm' | 'tooMuch' | 'notFound' | 'failed'

export interface PagesOptions {
  pages: readonly Page[]
  trouble(kind: Trouble, request: PageRequest): Html
  /** Who acts, for the audit. */
  actor: string
  database: Database
  portsOf: PortsOf
  /** Whether the service is reached by https: cookies are then never sent over http. */
  isHttps: boolean
  /** Counts of requests, shared between nodes. */
  counts?: SharedCounts | undefined
  log: Logger
}

const FORM_LIMIT_BYTES = 64 * 1024
const VISIT_SECONDS = 2 * 3600
const PER_MINUTE = 900

/** Puts pages on Fastify: forms, cookies, one-time checks against other sites, and a policy that lets no script run but those a page names. */
export async function registerPages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const { pages, trouble, log } = options
  await app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: FORM_LIMIT_BYTES })
    const counts = new RequestCounts('pages', options.counts)
    scope.addHook('onRequest', async (request, reply) => {
      protect(reply)
      if ((await counts.add(request.ip, PER_MINUTE)).count > PER_MINUTE)
        throw new AppError('RATE_LIMITED', 'Too many pages in a minute')
    })
    scope.setErrorHandler((err, request, reply) => {
      const error = toAppError(err)
      const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`
      if (error.status >= 500) log.error({ err, requestId: request.id, route }, 'a page failed')
      if (error.status === 503) reply.header('retry-after', '10')
      const html = trouble(kindOf(error), read(request, reply, options))
      return send(reply, { html, status: error.status }, options)
    })
    for (const page of pages) {
      scope.route({
        method: page.method,
        url: page.path,
        handler: (request, reply) => answer(page, request, reply, options),
      })
    }
  })
}

function kindOf({ status }: AppError): Trouble {
  if (status === 403) return 'expiredForm'
  if (status === 429) return 'tooMuch'
  return status < 500 ? 'notFound' : 'failed'
}

const policy = (image?: string | null, allows: Allowed = {}) =>
  [
    "default-src 'none'",
    ...Object.entries(allows).map(([directive, sources]) => `${directive} ${sources.join(' ')}`),
    "style-src 'self'",
    `img-src 'self'${image ? ` ${imageSource(image)}` : ''}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The address of one image as a policy names it: without a query, and with what would end the directive encoded. */
function imageSource(image: string): string {
  const { origin, pathname } = new URL(image)
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
}

function protect(reply: FastifyReply): void {
  reply.headers({
    'content-security-policy': policy(),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  })
}

async function answer(page: Page, request: FastifyRequest, reply: FastifyReply, options: PagesOptions) {
  const pageRequest = read(request, reply, options)
  if (page.method === 'POST' && !page.isOneClick) refuseForeign(request, pageRequest)
  return send(reply, await page.handler(pageRequest), options)
}

function read(request: FastifyRequest, reply: FastifyReply, options: PagesOptions): PageRequest {
  const name = cookieName('visit', options)
  let visit = request.cookies[name]
  const visitor = () => {
    if (!visit || !/^[\w-]{43}$/.test(visit)) visit = newSecret()
    setCookie(reply, { name: 'visit', value: visit, maxAgeSeconds: VISIT_SECONDS }, options)
    return visit
  }
  const actor = (actorName: string) => ({ name: actorName, ...originOf(request) })
  return {
    params: texts(request.params),
    query: texts(request.query),
    form: texts(request.body),
    ip: request.ip,
    languages: languagesOf(request.headers['accept-language']),
    visitor,
    formToken: () => tokenOf(visitor()),
    cookie: (wanted) => request.cookies[cookieName(wanted, options)],
    asSystem: (work) => options.database.asSystem(actor(options.actor), work),
    inRealm: (realm, actorName, work) => options.database.inRealm(realm, actor(actorName), work),
    portsOf: (realm) => realmPorts(options.database, options.portsOf, realm, actor(options.actor)),
  }
}

/** A hash of the cookie, so that the page's source does not reveal the cookie. */
const tokenOf = (visitor: string): string => sha256(`form ${visitor}`).toString('base64url')

function refuseForeign(request: FastifyRequest, { form, visitor }: PageRequest): void {
  const site = request.headers['sec-fetch-site']
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  if (isForeign || !constantTimeEqual(form.token ?? '', tokenOf(visitor()))) {
    throw new AppError('FORBIDDEN', 'The form is not one that this browser was given')
  }
}

/** What a person typed, with the digits that all of this service reads. */
function texts(values: unknown): Record<string, string> {
  const pairs = Object.entries((values ?? {}) as Record<string, unknown>).map(([name, value]) => {
    const last: unknown = Array.isArray(value) ? value.at(-1) : value
    return [name, typeof last === 'string' ? latinDigits(last) : ''] as const
  })
  return Object.fromEntries(pairs)
}

// The prefix makes browsers refuse a cookie that a neighbouring host sets.
const cookieName = (name: string, { isHttps }: PagesOptions) => `${isHttps ? '__Host-' : ''}kitlane-${name}`

function setCookie(reply: FastifyReply, { name, value, maxAgeSeconds }: SetCookie, options: PagesOptions): void {
  reply.setCookie(cookieName(name, options), value ?? '', {
    path: '/',
    httpOnly: true,
    // Lax: the cookie must come along when a link in a web mailer is followed.
    sameSite: 'lax',
    secure: options.isHttps,
    maxAge: value === undefined ? 0 : maxAgeSeconds,
  })
}

function send(reply: FastifyReply, page: PageAnswer, options: PagesOptions): FastifyReply {
  for (const one of page.cookies ?? []) setCookie(reply, one, options)
  reply.headers(page.headers ?? {})
  if ('to' in page) return reply.code(303).header('location', page.to).send()
  if ('document' in page) {
    const { contentType, body, fileName, isForever } = page.document
    if (fileName) reply.header('content-disposition', `attachment; filename="${fileName}"`)
    if (isForever) reply.header('cache-control', 'public, max-age=31536000, immutable')
    return reply.type(contentType).send(body)
  }
  return reply
    .code(page.status ?? 200)
    .header('content-security-policy', policy(page.image, page.allows))
    .type('text/html; charset=utf-8')
    .send(page.html.text)
}
