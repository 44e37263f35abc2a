import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { type Language, type MessageKey, maybeFindLanguage } from '../../../domain/translations/translator.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import type { PageAnswer, PageRequest, SetCookie } from '../../../platform/http/pages.ts'
import * as audit from '../../audit/service.ts'
import * as customers from '../../customers/service.ts'
import * as emails from '../../emails/service.ts'
import { newLink } from '../../emails/templates.ts'
import { hasEnded, SHARE } from '../../links/rules.ts'
import * as links from '../../links/service.ts'
import { chosenLanguage, speechOf } from '../language.ts'
import { type Paper, paperOf } from '../paper.ts'
import type { KnownPerson } from '../queries.ts'
import { EXAMPLE_EMAIL } from '../registration/form.ts'
import { troublePage } from '../view/error-page.ts'
import type { Filled } from '../view/fields.ts'

const SESSION_SECONDS = 30 * 60
const PROBLEMS: Record<string, [field: string, message: MessageKey]> = {
  email: ['email', 'problem.email'],
  noDay: ['dateOfBirth', 'problem.noSuchDay'],
  otherDay: ['dateOfBirth', 'problem.otherDay'],
  forWhom: ['forWhom', 'problem.forWhom'],
  tooMany: ['forWhom', 'problem.tooManyLinks'],
  phone: ['phone', 'problem.phone'],
  stopped: ['phone', 'problem.stopped'],
}

// The address says which: a form answers with an address, so that Back never asks to send it again. What was typed is in none.
export const filledOf = (paper: Paper, { query }: PageRequest): Filled => {
  const problem = Object.hasOwn(PROBLEMS, query.problem ?? '') ? PROBLEMS[query.problem ?? ''] : undefined
  const shownProblem = problem && ([problem[0], paper.t(problem[1], { example: EXAMPLE_EMAIL })] as const)
  return { paper, typed: {}, problems: new Map(shownProblem ? [shownProblem] : []) }
}

export type Reader = links.FoundSession & { secret: string }

/** Whose pages they are: `reader` came by a personal link, `guest` by a link to one report. */
export type Visit = 'reader' | 'guest'

export const sessionCookie = (name: Visit, value: string | undefined): SetCookie => ({
  name,
  value,
  maxAgeSeconds: SESSION_SECONDS,
})

/** The visit that this browser is on; undefined when it has ended, also with its link where that leads to one report. */
export async function visitOf(request: PageRequest, name: Visit): Promise<Reader | undefined> {
  const cookie = request.cookie(name)
  if (!cookie) return undefined
  const secret = name === 'guest' ? `${SHARE}${cookie}` : cookie
  return request.asSystem(async (tx) => {
    const found = await links.findSession(tx, secret)
    if (!found || (found.share !== null) !== (name === 'guest')) return undefined
    if (name === 'guest' && hasEnded(found, tx.now)) return undefined
    return { ...found, secret }
  })
}

export const inRealmOf = <T>(
  request: PageRequest,
  { realm, customerId, share }: Reader,
  work: (tx: Tx) => Promise<T>,
): Promise<T> => request.inRealm(realm, share ? `share:${share.id}` : `recipient:${customerId}`, work)

/** What a page about a person shows: only for the person who came by their link and gave their date of birth. */
export async function personal<T>(
  request: PageRequest,
  work: (tx: Tx, reader: Reader, paper: Paper) => Promise<T>,
  name: Visit = 'reader',
): Promise<T | undefined> {
  const reader = await visitOf(request, name)
  if (!reader?.isVerified) return undefined
  return inRealmOf(request, reader, async (tx) => work(tx, reader, await paperFor(request, tx, reader)))
}

/** The paper in the language of the person who reads. A choice of the person tested is saved with them: e-mails then come in it. */
export async function paperFor(
  request: PageRequest,
  tx: Tx,
  { customerId, isVerified, share }: Reader,
): Promise<Paper> {
  // A doctor who was given a link reads in a language of their own.
  if (share) return paperOf(tx, speechOf(request))
  const saved = await customers.languageOf(tx, customerId)
  const chosen = chosenLanguage(request)
  if (isVerified && chosen !== undefined && chosen !== saved) await customers.saveLanguage(tx, customerId, chosen)
  return paperOf(tx, speechOf(request, saved))
}

const Version = z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined)

/** The report, and its version, that an address names. */
export const wantedReport = ({ params, query }: PageRequest) => ({
  reportId: normalizeId((params.reportID ?? '').slice(0, 64)),
  version: Version.parse(query.version),
})

export const missing = (paper: Paper): PageAnswer => ({
  html: troublePage('notFound', paper),
  status: 404,
  image: paper.logoUrl,
})

export const NEW_LINK_JOB = 'recipient.send-link'
const PLACE = 'jobs.recipient.send-link'

/**
 * Queues the sending of a link: the same work for every e-mail. The input of a job is not encrypted, so the e-mail is sealed.
 * `language`: of the page, for people who have none yet.
 */
export async function requestLink(tx: SystemTx, email: string, language: Language): Promise<void> {
  await tx.enqueue(NEW_LINK_JOB, { sealed: tx.context.seal(email, PLACE).toString('base64'), language })
}

export const openLinkRequest = (tx: SystemTx, sealed: string): string =>
  tx.context.open(Buffer.from(sealed, 'base64'), PLACE)

/** Sends a person a new link to their pages, at most 5 a day. @throws Error without PUBLIC_URL */
export async function sendNewLink(
  tx: Tx,
  { customerId, email, firstName }: Omit<KnownPerson, 'realm'>,
  languageChoice?: string,
): Promise<void> {
  if (!tx.context.publicUrl) throw new Error('PUBLIC_URL is needed for a link')
  if (!(await links.mayRenew(tx, customerId))) return
  const link = { customerId, isRenewal: true }
  const language = maybeFindLanguage([await customers.languageOf(tx, customerId), languageChoice])
  await emails.queue(tx, [{ content: newLink, language, to: email, name: firstName, link }])
  await audit.record(tx, [{ action: 'customer.link_sent', objectType: 'customer', objectId: String(customerId) }])
}
