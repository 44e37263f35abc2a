import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import { normalizeId } from '../../../domain/ids.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import type { Attempts } from '../../../platform/http/attempts.ts'
import { email as emailField } from '../../../platform/http/fields.ts'
import type { Page, PageAnswer, PageRequest, SetCookie } from '../../../platform/http/pages.ts'
import { withdrawable } from '../../kits/consent/schema.ts'
import { hasEnded } from '../../links/rules.ts'
import * as links from '../../links/service.ts'
import { PDF } from '../../reports/render/negotiate.ts'
import { reportPdf } from '../../reports/render/print.ts'
import { type Paper, paperOf } from '../paper.ts'
import { readDate } from '../registration/form.ts'
import { givenConsentPage, withdrawPage } from '../view/consent.ts'
import { troublePage } from '../view/error-page.ts'
import {
  askPage,
  birthPage,
  endedPage,
  homePage,
  leftPage,
  lockedPage,
  sentPage,
  signedOutPage,
} from '../view/reader.ts'
import { reportPage } from '../view/report.ts'
import { viewConsent, withdrawOwnConsent } from './consent.ts'
import { requestLink } from './new-link.ts'
import { viewHome, viewPrintable, viewReport } from './views.ts'

const SESSION_SECONDS = 30 * 60
const session = (value: string | undefined): SetCookie => ({ name: 'reader', value, maxAgeSeconds: SESSION_SECONDS })

// The address says which: a form answers with an address, so that Back never asks to send it again. What was typed is in none.
const problems: Record<string, [field: string, sentence: string]> = {
  email: ['email', 'This is not a complete e-mail address. It looks like name@example.com.'],
  noDay: ['dateOfBirth', 'There is no such day. Give the day, the month, and the year with four digits, such as 1985.'],
  otherDay: ['dateOfBirth', 'This is not the date that was given when the kit was registered. Please check it.'],
}

const filledOf = ({ query }: PageRequest) => {
  const problem = Object.hasOwn(problems, query.problem ?? '') ? problems[query.problem ?? ''] : undefined
  return { typed: {}, problems: new Map(problem ? [problem] : []) }
}

type Reader = links.FoundSession & { secret: string }

async function readerOf(request: PageRequest): Promise<Reader | undefined> {
  const secret = request.cookie('reader')
  const found = secret && (await request.asSystem((tx) => links.findSession(tx, secret)))
  return found ? { ...found, secret } : undefined
}

const inRealm = <T>(request: PageRequest, { realm, customerId }: Reader, work: (tx: Tx) => Promise<T>): Promise<T> =>
  request.inRealm(realm, `recipient:${customerId}`, work)

/** What a page about a person shows: only for whoever came by their link and said their date of birth. */
async function personal<T>(
  request: PageRequest,
  work: (tx: Tx, reader: Reader, paper: Paper) => Promise<T>,
): Promise<T | undefined> {
  const reader = await readerOf(request)
  if (!reader?.isVerified) return undefined
  return inRealm(request, reader, async (tx) => work(tx, reader, await paperOf(tx)))
}

const Version = z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined)
const wanted = ({ params, query }: PageRequest) => ({
  reportId: normalizeId((params.reportID ?? '').slice(0, 64)),
  version: Version.parse(query.version),
})

const What = z.enum(withdrawable)
const kitOf = ({ params }: PageRequest) => normalizeId((params.kitID ?? '').slice(0, 64))

const missing = (paper: Paper): PageAnswer => ({
  html: troublePage('notFound', paper),
  status: 404,
  image: paper.logoUrl,
})

/** The pages for whoever is tested, reached by a personal link. `asked` counts links asked for. */
export function readerPages(asked: Attempts): Page[] {
  return [
    {
      method: 'GET',
      path: '/r/:token',
      async handler(request) {
        const token = request.params.token ?? ''
        const link = /^[\w-]{43}$/.test(token) && (await request.asSystem((tx) => links.findLink(tx, token)))
        if (!link) return { html: endedPage(), status: 404 }
        return request.inRealm(link.realm, 'recipient', async (tx): Promise<PageAnswer> => {
          if (hasEnded(link, tx.now)) {
            const paper = await paperOf(tx)
            return { html: endedPage(paper), status: 404, image: paper.logoUrl }
          }
          return { to: '/r', cookies: [session(await links.beginSession(tx, token))] }
        })
      },
    },
    {
      method: 'GET',
      path: '/r',
      async handler(request) {
        const reader = await readerOf(request)
        if (!reader) return { html: request.query.left === undefined ? signedOutPage() : leftPage() }
        const standing = reader.isVerified
          ? 'open'
          : await request.asSystem((tx) => links.stateOfSession(tx, reader, request.ip))
        return inRealm(request, reader, async (tx): Promise<PageAnswer> => {
          const paper = await paperOf(tx)
          const shown = { image: paper.logoUrl }
          if (standing !== 'open')
            return { html: standing === 'locked' ? lockedPage(paper) : endedPage(paper), ...shown }
          const token = request.formToken()
          if (!reader.isVerified) return { html: birthPage(paper, token, filledOf(request)), ...shown }
          return { html: homePage({ paper, token, ...(await viewHome(tx, reader.customerId)) }), ...shown }
        })
      },
    },
    {
      method: 'POST',
      path: '/r',
      async handler(request) {
        const reader = await readerOf(request)
        if (!reader || reader.isVerified) return { to: '/r' }
        return checkBirth(request, reader)
      },
    },
    {
      method: 'GET',
      path: '/r/reports/:reportID',
      async handler(request) {
        const answer = await personal(request, async (tx, { customerId }, paper) => {
          const report = await viewReport(tx, customerId, wanted(request))
          if (!report) return missing(paper)
          return { html: reportPage(paper, request.formToken(), report), image: paper.logoUrl }
        })
        return answer ?? { to: '/r' }
      },
    },
    {
      method: 'GET',
      path: '/r/reports/:reportID/pdf',
      async handler(request) {
        const found = await personal(request, async (tx, { customerId }, paper) => ({
          printable: await viewPrintable(tx, customerId, wanted(request), paper),
          paper,
        }))
        if (!found) return { to: '/r' }
        if (!found.printable) return missing(found.paper)
        // Drawn once the transaction is over: it takes a while.
        const body = await reportPdf(found.printable)
        return { document: { contentType: PDF, body, fileName: `report-${found.printable.report.id}.pdf` } }
      },
    },
    {
      method: 'GET',
      path: '/r/kits/:kitID/consent',
      async handler(request) {
        const answer = await personal(request, async (tx, { customerId }, paper) => {
          const given = await viewConsent(tx, customerId, kitOf(request))
          if (!given) return missing(paper)
          const isDone = request.query.done !== undefined
          return { html: givenConsentPage(paper, request.formToken(), given, isDone), image: paper.logoUrl }
        })
        return answer ?? { to: '/r' }
      },
    },
    {
      method: 'GET',
      path: '/r/kits/:kitID/consent/:what',
      async handler(request) {
        const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
          const what = What.safeParse(request.params.what)
          const given = what.success && (await viewConsent(tx, customerId, kitOf(request)))
          if (!given) return missing(paper)
          if (!given[what.data]) return { to: `/r/kits/${given.kitId}/consent` }
          return { html: withdrawPage(paper, request.formToken(), what.data, given), image: paper.logoUrl }
        })
        return answer ?? { to: '/r' }
      },
    },
    {
      method: 'POST',
      path: '/r/kits/:kitID/consent/:what',
      async handler(request) {
        const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
          const what = What.safeParse(request.params.what)
          const kitId = kitOf(request)
          if (!what.success || !(await withdrawOwnConsent(tx, customerId, kitId, what.data))) return missing(paper)
          return { to: `/r/kits/${kitId}/consent?done` }
        })
        return answer ?? { to: '/r' }
      },
    },
    {
      method: 'POST',
      path: '/r/leave',
      async handler(request) {
        const reader = await readerOf(request)
        if (reader) await inRealm(request, reader, (tx) => links.endSession(tx, reader.secret))
        return { to: '/r?left', cookies: [session(undefined)] }
      },
    },
    {
      method: 'GET',
      path: '/r/new',
      handler: async (request) => ({ html: askPage(request.formToken(), filledOf(request)) }),
    },
    {
      method: 'POST',
      path: '/r/new',
      async handler(request) {
        const read = emailField.safeParse(request.form.email ?? '')
        if (!read.success) return { to: '/r/new?problem=email' }
        if (await asked.isSpent(request.ip)) throw new AppError('RATE_LIMITED', 'Too many links were asked for')
        await asked.count(request.ip)
        await request.asSystem((tx) => requestLink(tx, read.data))
        return { to: '/r/sent' }
      },
    },
    { method: 'GET', path: '/r/sent', handler: async () => ({ html: sentPage() }) },
  ]
}

async function checkBirth(request: PageRequest, reader: Reader): Promise<PageAnswer> {
  const date = readDate(request.form)
  if (!z.iso.date().safeParse(date).success) return { to: '/r?problem=noDay' }
  // Over all realms: wrong dates count by network, whichever business they are about.
  const verdict = await request.asSystem((tx) =>
    links.checkDateOfBirth(
      { ...tx, realm: reader.realm, actor: { ...tx.actor, name: `recipient:${reader.customerId}` } },
      reader,
      { dateOfBirth: date, ip: request.ip },
    ),
  )
  if (verdict.is === 'right') return { to: '/r', cookies: [session(verdict.secret)] }
  if (verdict.is !== 'wrong') return { to: '/r' }
  return { to: '/r?problem=otherDay' }
}
