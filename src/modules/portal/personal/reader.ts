import { z } from 'zod'
import { normalizeId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { PageAnswer, PageRequest, SetCookie } from '../../../platform/http/pages.ts'
import { hasEnded, SHARE } from '../../links/rules.ts'
import * as links from '../../links/service.ts'
import { type Paper, paperOf } from '../paper.ts'
import { troublePage } from '../view/error-page.ts'

const SESSION_SECONDS = 30 * 60
const PROBLEMS: Record<string, [field: string, sentence: string]> = {
  email: ['email', 'This is not a complete e-mail address. It looks like name@example.com.'],
  noDay: ['dateOfBirth', 'There is no such day. Give the day, the month, and the year with four digits, such as 1985.'],
  otherDay: ['dateOfBirth', 'This is not the date that was given when the kit was registered. Please check it.'],
  forWhom: ['forWhom', 'Write for whom the link is, such as Dr. Jones.'],
  tooMany: ['forWhom', 'Ten links to this report are open. End one of them first.'],
}

// The address says which: a form answers with an address, so that Back never asks to send it again. What was typed is in none.
export const filledOf = ({ query }: PageRequest) => {
  const problem = Object.hasOwn(PROBLEMS, query.problem ?? '') ? PROBLEMS[query.problem ?? ''] : undefined
  return { typed: {}, problems: new Map(problem ? [problem] : []) }
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

/** What a page about a person shows: only for whoever came by their link and said their date of birth. */
export async function personal<T>(
  request: PageRequest,
  work: (tx: Tx, reader: Reader, paper: Paper) => Promise<T>,
  name: Visit = 'reader',
): Promise<T | undefined> {
  const reader = await visitOf(request, name)
  if (!reader?.isVerified) return undefined
  return inRealmOf(request, reader, async (tx) => work(tx, reader, await paperOf(tx)))
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
