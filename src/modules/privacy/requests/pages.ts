import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Page, PageAnswer, PageRequest } from '../../../platform/http/pages.ts'
import { plain } from '../../emails/layout.ts'
import type { Paper } from '../../portal/paper.ts'
import { missing, personal } from '../../portal/personal/reader.ts'
import { DATA_PATH } from '../../portal/view/home.ts'
import { page, tokenField } from '../../portal/view/layout.ts'
import { leaveForm } from '../../portal/view/reader.ts'
import type { DataRequestRow } from './queries.ts'
import { answerBy, copyUntil, DAYS_OF_A_COPY, DAYS_TO_ANSWER, type RequestKind, requestKinds } from './rules.ts'
import { copyFor, requestData, requestsOf } from './service.ts'

const kindOf = ({ params }: PageRequest): RequestKind | undefined => requestKinds.find((kind) => kind === params.kind)

/** Where a person asks for a copy of their data or for its erasure, and reads the answer. */
export const dataPages: readonly Page[] = [
  {
    method: 'GET',
    path: DATA_PATH,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const requests = await requestsOf(tx, customerId)
        return { html: dataPage(paper, request.formToken(), requests, tx.now), image: paper.logoUrl }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'GET',
    path: `${DATA_PATH}/copy/file`,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const copy = await copyFor(tx, customerId)
        if (!copy) return missing(paper)
        const body = JSON.stringify(copy, null, 2)
        return { document: { contentType: 'application/json; charset=utf-8', body, fileName: 'my-data.json' } }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'GET',
    path: `${DATA_PATH}/:kind`,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const kind = kindOf(request)
        if (!kind) return missing(paper)
        const requests = await requestsOf(tx, customerId)
        if (requests.some((one) => one.kind === kind && one.status === 'open')) return { to: DATA_PATH }
        return { html: askPage(paper, request.formToken(), kind), image: paper.logoUrl }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path: `${DATA_PATH}/:kind`,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const kind = kindOf(request)
        if (!kind) return missing(paper)
        await requestData(tx, customerId, kind)
        return { to: DATA_PATH }
      })
      return answer ?? { to: '/r' }
    },
  },
]

/** What a person can ask for about their data, and what became of what they asked for. */
function dataPage(paper: Paper, token: string, requests: readonly DataRequestRow[], now: Date): Html {
  const { t } = paper
  const title = t('data.title')
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>
<p>${t('data.intro', { business: plain(paper.name), days: DAYS_TO_ANSWER })}</p>
${requestKinds.map((kind) => section(paper, kind, requests, now))}
<a class="back" href="/r">${t('page.backToKit')}</a>`,
  })
}

/** The newest request of a kind, with its answer, and how to make one where none is open. */
function section(paper: Paper, kind: RequestKind, requests: readonly DataRequestRow[], now: Date): Html {
  const { t } = paper
  const last = requests.find((one) => one.kind === kind)
  return html`<h2>${t(`data.${kind}`)}</h2>
<p>${t(`data.${kind}.what`)}</p>
${last && html`<div class="note">${standing(paper, last, now)}</div>`}
${last?.status !== 'open' && html`<a class="button quiet" href="${DATA_PATH}/${kind}">${t(`data.${kind}.ask`)}</a>`}`
}

function standing({ t, name }: Paper, request: DataRequestRow, now: Date): Part {
  const { kind, status, requestedAt, closedAt, reason } = request
  const business = plain(name)
  const day = (date: Date) => t.date(date.toISOString())
  if (status === 'open' || closedAt === null)
    return html`<p>${t('data.open', { date: day(requestedAt), business, by: day(answerBy(requestedAt)) })}</p>`
  if (status === 'refused')
    return html`<p>${t('data.refused', { date: day(closedAt), business })}</p><p><bdi>${reason}</bdi></p><p>${t('data.refused.next')}</p>`
  const until = kind === 'copy' ? copyUntil(request, now) : undefined
  if (!until) return html`<p>${t('data.copy.over', { date: day(closedAt) })}</p>`
  return html`<p>${t('data.copy.ready', { date: day(until) })}</p>
<p><a class="button" href="${DATA_PATH}/copy/file">${t('data.copy.download')}</a></p>`
}

/** What follows, before a person asks. */
function askPage(paper: Paper, token: string, kind: RequestKind): Html {
  const { t } = paper
  const title = t(`data.${kind}.ask`)
  const points = [
    t('data.follows.decides', { business: plain(paper.name), days: DAYS_TO_ANSWER }),
    ...(kind === 'copy'
      ? [t('data.follows.copy', { days: DAYS_OF_A_COPY })]
      : [t('data.follows.erasure'), t('data.follows.erasure.kept'), t('data.follows.erasure.first')]),
  ]
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>
<p>${t('data.follows')}</p>
<ul>${points.map((point) => html`<li>${point}</li>`)}</ul>
<form method="post" action="${DATA_PATH}/${kind}">${tokenField(token)}
<button class="button">${title}</button>
</form>
<a class="back" href="${DATA_PATH}">${t('consent.leave')}</a>`,
  })
}
