import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { AppError } from '../../../domain/errors.ts'
import { email as emailField } from '../../../platform/http/fields.ts'
import { type Html, html } from '../../../platform/http/html.ts'
import type { Allowed, Page, PageAnswer, PageRequest } from '../../../platform/http/pages.ts'
import type { Attempts } from '../../../platform/http/shared-counts.ts'
import { promisedOfKits } from '../../catalogue/promises.ts'
import { withdrawable } from '../../kits/consent/schema.ts'
import { sayPosted } from '../../kits/posting.ts'
import { hasEnded } from '../../links/rules.ts'
import * as links from '../../links/service.ts'
import { PDF } from '../../reports/render/negotiate.ts'
import { reportPdf } from '../../reports/render/print.ts'
import { speechOf, unitsOf } from '../language.ts'
import { copyCookie, keepsCopy } from '../offline/files.ts'
import { neutralPaper, type Paper, paperOf } from '../paper.ts'
import { maybeFindOwnKit, viewConsent, withdrawOwnConsent } from '../registration/consent.ts'
import { maybeFindRetest } from '../retest/find.ts'
import { givenConsentPage, withdrawPage } from '../view/consent.ts'
import { homePage, usualTimes } from '../view/home.ts'
import { tokenField } from '../view/layout.ts'
import {
  askPage,
  birthPage,
  endedPage,
  leaveForm,
  leftPage,
  lockedPage,
  sentPage,
  signedOutPage,
} from '../view/reader.ts'
import { reportPage } from '../view/report.ts'
import { shareLink } from '../view/share.ts'
import { checkBirth } from './birth.ts'
import { collectionPages } from './collection-pages.ts'
import { guestPages, sharePages } from './guest-pages.ts'
import {
  filledOf,
  inRealmOf,
  missing,
  paperFor,
  personal,
  requestLink,
  sessionCookie,
  visitOf,
  wantedReport,
} from './reader.ts'
import { retestLink, retestPages } from './retest-pages.ts'
import { textPages } from './text-pages.ts'
import { unreadable, viewHome, viewPrintable, viewReport } from './views.ts'

const What = z.enum(withdrawable)
// A report can be kept on the phone.
const APP: Allowed = { 'script-src': ["'self'"], 'worker-src': ["'self'"], 'manifest-src': ["'self'"] }
const kitOf = ({ params }: PageRequest) => normalizeId((params.kitID ?? '').slice(0, 64))

interface Keeping {
  token: string
  reportId: string
  isStored: boolean
  /** When the link ends, and the copy with it. */
  until: Date
}

/** Keeping the report on this device, or taking it away. Hidden where no script runs, since only a script can. */
function keepSection({ t }: Paper, { token, reportId, isStored, until }: Keeping): Html {
  const date = t.date(until.toISOString())
  return html`<section data-copy="${isStored ? 'yes' : 'no'}" data-until="${until.toISOString()}" data-online hidden>
<h2>${t('keep.title')}</h2>
<p>${t(isStored ? 'keep.kept' : 'keep.how', { date })}</p>
<form method="post" action="/r/reports/${reportId}/keep">${tokenField(token)}<input type="hidden" name="keep" value="${isStored ? 'no' : 'yes'}">
<button class="button quiet">${t(isStored ? 'keep.remove' : 'keep.keep')}</button></form>
</section>`
}

/** What stands above a copy that is read offline. */
const offlineNote = ({ t }: Paper, now: Date): Html =>
  html`<div class="note warn" role="status" data-offline hidden><p>${t('keep.offline', { date: t.date(now.toISOString()) })}</p></div>`

/** The pages for anyone who is tested, reached by a personal link. `linkRequests` counts requests for links. */
export function readerPages(linkRequests: Attempts): Page[] {
  return [
    {
      method: 'GET',
      path: '/r/:token',
      async handler(request) {
        const token = request.params.token ?? ''
        const link = /^[\w-]{43}$/.test(token) && (await request.asSystem((tx) => links.findLink(tx, token)))
        const speech = speechOf(request)
        if (!link) return { html: endedPage(neutralPaper(speech)), status: 404 }
        return request.inRealm(link.realm, 'recipient', async (tx): Promise<PageAnswer> => {
          if (hasEnded(link, tx.now)) {
            const paper = await paperOf(tx, speech)
            return { html: endedPage(paper), status: 404, image: paper.logoUrl }
          }
          return { to: '/r', cookies: [sessionCookie('reader', await links.beginSession(tx, token))] }
        })
      },
    },
    {
      method: 'GET',
      path: '/r',
      async handler(request) {
        const reader = await visitOf(request, 'reader')
        if (!reader) {
          const paper = neutralPaper(speechOf(request))
          return { html: request.query.left === undefined ? signedOutPage(paper) : leftPage(paper) }
        }
        const standing = reader.isVerified
          ? 'open'
          : await request.asSystem((tx) => links.stateOfSession(tx, reader, request.ip))
        return inRealmOf(request, reader, async (tx): Promise<PageAnswer> => {
          const paper = await paperFor(request, tx, reader)
          const shown = { image: paper.logoUrl }
          if (standing !== 'open')
            return { html: standing === 'locked' ? lockedPage(paper) : endedPage(paper), ...shown }
          const token = request.formToken()
          if (!reader.isVerified) return { html: birthPage(token, filledOf(paper, request)), ...shown }
          const home = await viewHome(tx, reader.customerId)
          const usual = await usualTimes(request, tx, home.kits)
          const promised = await promisedOfKits(tx, home.kits)
          return { html: homePage({ paper, token, now: tx.now, usual, promised, ...home }), ...shown, allows: APP }
        })
      },
    },
    {
      method: 'POST',
      path: '/r',
      async handler(request) {
        const reader = await visitOf(request, 'reader')
        if (!reader || reader.isVerified) return { to: '/r' }
        return checkBirth(request, reader, { name: 'reader', path: '/r' })
      },
    },
    {
      method: 'GET',
      path: '/r/reports/:reportID',
      async handler(request) {
        const answer = await personal(request, async (tx, reader, paper) => {
          const { customerId } = reader
          const found = await viewReport(tx, customerId, wantedReport(request))
          if (!found) return unreadable(tx, customerId, wantedReport(request).reportId, paper)
          const { report, owner } = found
          const shown = { paper, report, units: unitsOf(request), firstName: owner.firstName, base: '/r/reports' }
          const retest = await maybeFindRetest(tx, customerId, report.id)
          const next = [
            retest ? retestLink(paper, retest) : null,
            tx.context.publicUrl ? shareLink(paper, report.id) : null,
          ]
          const token = request.formToken()
          const keeping = { token, reportId: report.id, isStored: keepsCopy(request, reader), until: reader.expiresAt }
          const copy = { section: keepSection(paper, keeping), note: offlineNote(paper, tx.now) }
          const html = reportPage({ ...shown, next, copy, foot: leaveForm(paper, token) })
          return { html, image: paper.logoUrl, allows: APP }
        })
        return answer ?? { to: '/r' }
      },
    },
    {
      method: 'POST',
      path: '/r/reports/:reportID/keep',
      async handler(request) {
        const reader = await visitOf(request, 'reader')
        if (!reader?.isVerified) return { to: '/r' }
        const to = `/r/reports/${wantedReport(request).reportId}`
        return { to, cookies: [copyCookie(request.form.keep === 'yes' ? reader : undefined)] }
      },
    },
    {
      method: 'GET',
      path: '/r/reports/:reportID/pdf',
      async handler(request) {
        const found = await personal(request, async (tx, { customerId }, paper) => ({
          printable: await viewPrintable(tx, customerId, wantedReport(request), paper),
          paper,
        }))
        if (!found) return { to: '/r' }
        if (!found.printable) return missing(found.paper)
        // Drawn once the transaction is over: it takes a while.
        const body = await reportPdf({ ...found.printable, units: unitsOf(request), language: found.paper.t.language })
        return { document: { contentType: PDF, body, fileName: `report-${found.printable.report.id}.pdf` } }
      },
    },
    {
      method: 'POST',
      path: '/r/kits/:kitID/posted',
      async handler(request) {
        const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
          const kit = await maybeFindOwnKit(tx, customerId, kitOf(request))
          if (!kit) return missing(paper)
          await sayPosted(tx, kit)
          return { to: '/r' }
        })
        return answer ?? { to: '/r' }
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
        const reader = await visitOf(request, 'reader')
        if (reader) await inRealmOf(request, reader, (tx) => links.endSession(tx, reader.secret))
        return { to: '/r?left', cookies: [sessionCookie('reader', undefined), copyCookie(undefined)] }
      },
    },
    {
      method: 'GET',
      path: '/r/new',
      handler: async (request) => ({
        html: askPage(request.formToken(), filledOf(neutralPaper(speechOf(request)), request)),
      }),
    },
    {
      method: 'POST',
      path: '/r/new',
      async handler(request) {
        const read = emailField.safeParse(request.form.email ?? '')
        if (!read.success) return { to: '/r/new?problem=email' }
        if (await linkRequests.isSpent(request.ip)) throw new AppError('RATE_LIMITED', 'Too many links were requested')
        await linkRequests.count(request.ip)
        await request.asSystem((tx) => requestLink(tx, read.data, speechOf(request).t.language))
        return { to: '/r/sent' }
      },
    },
    ...collectionPages,
    ...retestPages,
    ...sharePages,
    ...textPages,
    ...guestPages,
    {
      method: 'GET',
      path: '/r/sent',
      handler: async (request) => ({ html: sentPage(neutralPaper(speechOf(request))) }),
    },
  ]
}
