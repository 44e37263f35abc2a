import { text } from '../../../platform/http/fields.ts'
import type { Page, PageAnswer, PageRequest } from '../../../platform/http/pages.ts'
import { hasEnded, SHARE } from '../../links/rules.ts'
import * as links from '../../links/service.ts'
import * as shares from '../../links/shares.ts'
import { listShares, openedShare } from '../../links/shares.ts'
import { PDF } from '../../reports/render/negotiate.ts'
import { reportPdf } from '../../reports/render/print.ts'
import { speechOf, unitsOf } from '../language.ts'
import { neutralPaper, paperOf } from '../paper.ts'
import { reportPage } from '../view/report.ts'
import { endedSharePage, guestBirthPage, guestFoot, lockedSharePage, sharedWith, sharePage } from '../view/share.ts'
import { checkBirth } from './birth.ts'
import { filledOf, inRealmOf, missing, personal, type Reader, sessionCookie, visitOf, wantedReport } from './reader.ts'
import { isPublishedReport, unreadable, viewPrintable, viewReport } from './views.ts'

const ended = (request: PageRequest): PageAnswer => ({
  html: endedSharePage(neutralPaper(speechOf(request))),
  status: 404,
})

async function showShared(request: PageRequest, guest: Reader & { share: NonNullable<Reader['share']> }) {
  const { share, customerId } = guest
  return inRealmOf(request, guest, async (tx): Promise<PageAnswer> => {
    const paper = await paperOf(tx, speechOf(request))
    const wanted = { reportId: share.reportId, version: wantedReport(request).version }
    const found = await viewReport(tx, customerId, wanted)
    const known = (await listShares(tx, customerId, share.reportId)).find(({ id }) => id === share.id)
    if (!known) return missing(paper)
    if (!found) return unreadable(tx, customerId, share.reportId, paper)
    await openedShare(tx, share.id)
    const { report, owner } = found
    const above = sharedWith(paper, owner, known)
    const shown = { paper, report, units: unitsOf(request), firstName: owner.firstName, base: '/s/reports', above }
    return { html: reportPage({ ...shown, foot: guestFoot(paper, request.formToken()) }), image: paper.logoUrl }
  })
}

/** The pages of somebody to whom a person gave a link to one report. They ask for the person's date of birth, as the person's own do. */
export const guestPages: readonly Page[] = [
  {
    method: 'GET',
    path: '/s/:token',
    async handler(request) {
      const token = request.params.token ?? ''
      const secret = `${SHARE}${token}`
      const link = /^[\w-]{43}$/.test(token) && (await request.asSystem((tx) => links.findLink(tx, secret)))
      if (!link) return ended(request)
      return request.inRealm(link.realm, 'guest', async (tx): Promise<PageAnswer> => {
        if (hasEnded(link, tx.now)) return ended(request)
        return { to: '/s', cookies: [sessionCookie('guest', await links.beginSession(tx, secret))] }
      })
    },
  },
  {
    method: 'GET',
    path: '/s',
    async handler(request) {
      const guest = await visitOf(request, 'guest')
      if (!guest?.share) return ended(request)
      if (guest.isVerified) return showShared(request, { ...guest, share: guest.share })
      const standing = await request.asSystem((tx) => links.stateOfSession(tx, guest, request.ip))
      if (standing === 'ended') return ended(request)
      return inRealmOf(request, guest, async (tx): Promise<PageAnswer> => {
        const paper = await paperOf(tx, speechOf(request))
        if (standing === 'locked') return { html: lockedSharePage(paper), image: paper.logoUrl }
        return { html: guestBirthPage(request.formToken(), filledOf(paper, request)), image: paper.logoUrl }
      })
    },
  },
  {
    method: 'POST',
    path: '/s',
    async handler(request) {
      const guest = await visitOf(request, 'guest')
      if (!guest || guest.isVerified) return { to: '/s' }
      return checkBirth(request, guest, { name: 'guest', path: '/s' })
    },
  },
  {
    method: 'GET',
    path: '/s/reports/:reportID',
    async handler(request) {
      const guest = await visitOf(request, 'guest')
      if (!guest?.isVerified || guest.share?.reportId !== wantedReport(request).reportId) return { to: '/s' }
      return showShared(request, { ...guest, share: guest.share })
    },
  },
  {
    method: 'GET',
    path: '/s/reports/:reportID/pdf',
    async handler(request) {
      const wanted = wantedReport(request)
      const look = async (...[tx, guest, paper]: Parameters<Parameters<typeof personal>[1]>) =>
        guest.share?.reportId === wanted.reportId ? viewPrintable(tx, guest.customerId, wanted, paper) : undefined
      const printable = await personal(request, look, 'guest')
      if (!printable) return { to: '/s' }
      const fileName = `report-${printable.report.id}.pdf`
      return {
        document: {
          contentType: PDF,
          body: await reportPdf({ ...printable, units: unitsOf(request), language: speechOf(request).t.language }),
          fileName,
        },
      }
    },
  },
  {
    method: 'POST',
    path: '/s/leave',
    async handler(request) {
      const guest = await visitOf(request, 'guest')
      if (guest) await inRealmOf(request, guest, (tx) => links.endSession(tx, guest.secret))
      return { to: '/s', cookies: [sessionCookie('guest', undefined)] }
    },
  },
]

// Long enough to copy it. It is in the cookie, since an address would end up in histories and logs.
const SHOWN_SECONDS = 600
const COOKIE = 'new-share'
const forWhom = text(120)

/** Where a person makes, sees and ends links to a report. */
export const sharePages: readonly Page[] = [
  {
    method: 'GET',
    path: '/r/reports/:reportID/share',
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        if (!(await isPublishedReport(tx, customerId, reportId)) || !tx.context.publicUrl) return missing(paper)
        const all = await shares.listShares(tx, customerId, reportId)
        const [madeId, secret] = (request.cookie(COOKIE) ?? '').split('.')
        const made = all.find(({ id, expiresAt }) => id === madeId && expiresAt > tx.now)
        const shown = made && secret ? { ...made, url: `${tx.context.publicUrl}/s/${secret}` } : undefined
        const around = { token: request.formToken(), filled: filledOf(paper, request), reportId, now: tx.now }
        return {
          html: sharePage({ ...around, shares: all, made: shown }),
          image: paper.logoUrl,
        }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: '/r/reports/:reportID/share',
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        if (!(await isPublishedReport(tx, customerId, reportId)) || !tx.context.publicUrl) return missing(paper)
        const path = `/r/reports/${reportId}/share`
        const named = forWhom.safeParse(request.form.forWhom ?? '')
        if (!named.success) return { to: `${path}?problem=forWhom` }
        const days = request.form.days === '30' ? 30 : 7
        const made = await shares.share(tx, { customerId, reportId, forWhom: named.data, days })
        if (!made) return { to: `${path}?problem=tooMany` }
        const cookie = { name: COOKIE, value: `${made.id}.${made.secret}`, maxAgeSeconds: SHOWN_SECONDS }
        return { to: path, cookies: [cookie] }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: '/r/reports/:reportID/share/:shareID/end',
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        await shares.revokeShare(tx, customerId, reportId, (request.params.shareID ?? '').slice(0, 64))
        return { to: `/r/reports/${reportId}/share` }
      })
      return answer ?? { to: '/r' }
    },
  },
]
