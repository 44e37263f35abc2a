import { needsZip } from '@kitlane/display/postal-address'
import type { MessageKey, Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Page, PageAnswer } from '../../../platform/http/pages.ts'
import { plain } from '../../emails/layout.ts'
import { Address } from '../../orders/address-schema.ts'
import type { Paper } from '../paper.ts'
import { type Addressee, addresseeOf, maybeFindRetest, orderRetest, type Retest } from '../retest/find.ts'
import { countryField, type Filled, field } from '../view/fields.ts'
import { address as emailWords, inEnglish, page, problemList, titleOf, tokenField } from '../view/layout.ts'
import { leaveForm } from '../view/reader.ts'
import { missing, personal, wantedReport } from './reader.ts'

const path = '/r/reports/:reportID/retest'

const pathOf = ({ reportId }: Retest) => `/r/reports/${reportId}/retest`

/** How the panel is ordered again, and that a provider refused it the last time. */
const howWords = ({ t, name }: Paper, { declinedAt }: Retest): Html => {
  const business = plain(name)
  const declined = declinedAt && t('retest.declined', { date: t.date(declinedAt.toISOString()), business })
  return html`${declined && html`<p>${declined}</p>`}<p>${t('retest.how', { business })}</p>`
}

/** What leads from a report to ordering its test again. */
export function retestLink(paper: Paper, retest: Retest): Html {
  const { t } = paper
  const path = pathOf(retest)
  if (retest.open) {
    const ordered = t('retest.ordered', { date: t.date(retest.open.at.toISOString()) })
    return html`<h2>${t('retest.title')}</h2><p>${ordered} <a href="${path}">${t('retest.see')}</a></p>`
  }
  return html`<h2>${t('retest.title')}</h2>${howWords(paper, retest)}
<a class="button" href="${path}">${t('retest.title')}</a>`
}

interface Ordering {
  token: string
  filled: Filled
  retest: Retest
  addressee: Addressee
}

/** The fields of the address, with what they are called. */
const addressFields = [
  ['street1', 'register.addressLine1', 'address-line1'],
  ['street2', 'register.addressLine2', 'address-line2'],
  ['zip', 'register.zip', 'postal-code'],
  ['city', 'register.city', 'address-level2'],
  ['state', 'register.state', 'address-level1'],
  ['country', 'register.country', 'country'],
] as const satisfies readonly (readonly [keyof Address, MessageKey, string])[]

type Typed = Readonly<Record<string, string>>

/** What earlier releases wrote for the state where parcels carry none. */
const NO_STATE = '-'

/** An address as fields hold it. */
const typedAddress = (address: Partial<Address>): Record<string, string> =>
  Object.fromEntries(
    addressFields.map(([name]) => [name, address[name] === NO_STATE ? '' : (address[name] ?? '').slice(0, 1000)]),
  )

/** The address that was typed, or what is wrong with it, by field. */
function readAddress(form: Typed, t: Translator): { address: Address } | { problems: ReadonlyMap<string, string> } {
  // Without a country it would be the United States.
  const parsed = Address.safeParse({ ...form, country: form.country ?? '' })
  if (parsed.success) return { address: parsed.data }
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]))
  return {
    problems: new Map(
      addressFields.flatMap(([name, label]): [string, string][] =>
        wrong.has(name) ? [[name, t('retest.problem', { field: t(label) })]] : [],
      ),
    ),
  }
}

/** What is ordered and where it goes, before it is ordered. */
function retestPage({ token, filled, retest, addressee }: Ordering): Html {
  const { paper, typed, problems } = filled
  const { t } = paper
  const title = t('retest.title')
  const { street1, city, zip, country } = typed
  const isKnown = problems.size === 0 && Boolean(street1 && city && country && (zip || !needsZip(country)))
  const facts: [string, Part][] = [
    [t('retest.panel'), inEnglish(t, retest.panel)],
    [t('register.check.name'), `${addressee.firstName} ${addressee.lastName}`],
    ...(isKnown ? [[t('register.check.address'), addressWords(paper, typed)] satisfies [string, Part]] : []),
  ]
  const fields = addressFields.map(([name, label, autocomplete]) =>
    name === 'country' ? countryField(filled) : field(filled, { name, label: t(label), autocomplete }),
  )
  return page({
    title: titleOf(paper, title, problems),
    paper,
    foot: leaveForm(paper, token),
    body: html`${problemList(paper, problems)}<h1>${title}</h1>
${howWords(paper, retest)}
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
<form method="post" action="${pathOf(retest)}" novalidate>${tokenField(token)}
${isKnown ? html`<details><summary>${t('retest.change')}</summary><div class="folded">${fields}</div></details>` : fields}
<button class="button">${t('retest.order')}</button>
</form>
<a class="back" href="/r/reports/${retest.reportId}">${t('share.back')}</a>`,
  })
}

function addressWords({ t }: Paper, { street1, street2, zip, city, state, country }: Filled['typed']): Part {
  const name = new Intl.DisplayNames([t.language], { type: 'region' }).of(country ?? '')
  return [street1, street2, `${zip} ${city}`.trim(), state, name].filter(Boolean).join(', ')
}

/** After it was ordered, and whenever the page is opened again. */
function orderedPage(paper: Paper, token: string, retest: Retest, addressee: Addressee): Html {
  const { t, name } = paper
  const { at, isPending } = retest.open ?? { at: new Date(0), isPending: false }
  const title = t(isPending ? 'retest.pending' : 'retest.done')
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>
<p>${t('retest.ordered', { date: t.date(at.toISOString()) })} ${t(isPending ? 'retest.pending.next' : 'retest.done.next', { business: plain(name) })}</p>
${addressee.email && !isPending && html`<p>${t.rich('retest.done.mail', { email: emailWords(addressee.email) })}</p>`}
<a class="button quiet" href="/r">${t('page.backToKit')}</a>`,
  })
}

/** Where credits do not cover it and nothing was ordered. */
function refusedPage(paper: Paper, token: string, { hasContact, reportId }: Retest): Html {
  const { t, name } = paper
  const title = t('retest.refused')
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>
<p>${t(hasContact ? 'retest.refused.told' : 'retest.refused.ask', { business: plain(name) })}</p>
<a class="back" href="/r/reports/${reportId}">${t('share.back')}</a>`,
  })
}

/** Where a person orders the test of a report again. */
export const retestPages: readonly Page[] = [
  {
    method: 'GET',
    path,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const retest = await maybeFindRetest(tx, customerId, wantedReport(request).reportId)
        if (!retest) return missing(paper)
        const token = request.formToken()
        const image = paper.logoUrl
        const addressee = await addresseeOf(tx, retest, [paper.t.language])
        if (retest.open) return { html: orderedPage(paper, token, retest, addressee), image }
        if (request.query.refused !== undefined) return { html: refusedPage(paper, token, retest), image }
        const filled = { paper, typed: typedAddress(addressee.address), problems: new Map<string, string>() }
        return { html: retestPage({ token, filled, retest, addressee }), image }
      })
      return answer ?? { to: '/r' }
    },
  },
  {
    method: 'POST',
    path,
    async handler(request) {
      const answer = await personal(request, async (tx, { customerId }, paper): Promise<PageAnswer> => {
        const { reportId } = wantedReport(request)
        const retest = await maybeFindRetest(tx, customerId, reportId)
        if (!retest) return missing(paper)
        const to = `/r/reports/${reportId}/retest`
        if (retest.open) return { to }
        const addressee = await addresseeOf(tx, retest, [paper.t.language])
        const read = readAddress(request.form, paper.t)
        // No address has what was typed: the page is shown at once.
        const shown = (problems: ReadonlyMap<string, string>): PageAnswer => {
          const filled = { paper, typed: typedAddress(request.form), problems }
          const html = retestPage({ token: request.formToken(), filled, retest, addressee })
          return { html, status: 400, image: paper.logoUrl }
        }
        if ('problems' in read) return shown(read.problems)
        const { firstName, lastName, email, phone } = addressee
        const recipient = { firstName, lastName, email, ...(phone && { phone }), address: read.address }
        const retested = await orderRetest(tx, retest, recipient)
        if (typeof retested === 'object') return shown(new Map([[retested.wrong, paper.t('address.notOffered')]]))
        return retested === 'ordered' ? { to } : { to: `${to}?refused` }
      })
      return answer ?? { to: '/r' }
    },
  },
]
