import { AppError } from '../../domain/errors.ts'
import type { MessageKey, Translator } from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { type Html, html } from '../../platform/http/html.ts'
import type { Page, PageAnswer, PageRequest } from '../../platform/http/pages.ts'
import { Address } from '../orders/address-schema.ts'
import { speechOf } from '../portal/language.ts'
import { neutralPaper, type Paper, paperOf } from '../portal/paper.ts'
import { countryField, field } from '../portal/view/fields.ts'
import { code, page, problemList, titleOf, tokenField } from '../portal/view/layout.ts'
import { choose } from './choose.ts'
import { choicesOf } from './decision.ts'
import { selectOfOrder, type UndeliveredRow } from './queries.ts'
import { ADDRESS_PATH } from './record.ts'
import { findByLink, maybeFindRow } from './service.ts'

type Typed = Readonly<Record<string, string>>
type Problems = ReadonlyMap<string, string>

// By the names of an address, as the API takes it.
const fields = [
  ['street1', 'register.addressLine1', 'address-line1', 'problem.longLine', 200],
  ['street2', 'register.addressLine2', 'address-line2', 'problem.longLine', 200],
  ['city', 'register.city', 'address-level2', 'problem.longCity', 100],
  ['state', 'register.state', 'address-level1', 'problem.longState', 100],
  ['zip', 'register.zip', 'postal-code', 'problem.longZip', 20],
  ['country', 'register.country', 'country-name', 'problem.longCountry', 60],
] as const

/** Where the kit goes, as the API takes it, or what is wrong with each field. */
function readAddress(typed: Typed, t: Translator): { address: Address } | { problems: Problems } {
  const parsed = Address.safeParse({ ...typed, street2: typed.street2 || undefined })
  const problems = new Map<string, string>()
  for (const { path, code: kind } of parsed.error?.issues ?? []) {
    const [name, , , tooLong, most] = fields.find(([one]) => one === path[0]) ?? fields[0]
    const isEmpty = !typed[name]?.trim()
    const words: MessageKey = isEmpty ? 'problem.needed' : kind === 'too_big' ? tooLong : 'problem.otherCountry'
    problems.set(name, t(words, { most }))
  }
  // A form has all fields: a country that was left empty is not the default of the API.
  if (!typed.country?.trim()) problems.set('country', t('problem.needed'))
  if (parsed.success && problems.size === 0) return { address: parsed.data }
  return {
    problems: new Map(
      fields.flatMap(([name]) => (problems.has(name) ? [[name, problems.get(name) ?? ''] as const] : [])),
    ),
  }
}

interface Form {
  paper: Paper
  kitId: string
  path: string
  token: string
  typed: Typed
  problems: Problems
  /** Somebody has said before where it goes. */
  isGiven?: boolean
}

function formPage({ paper, kitId, path, token, typed, problems, isGiven = false }: Form): Html {
  const { t } = paper
  const title = t('address.title')
  const filled = { paper, typed, problems }
  const labels = new Map<string, string>(fields.map(([name, label]) => [name, t(label)]))
  const named = new Map([...problems].map(([name, text]) => [name, `${labels.get(name)}: ${text}`] as const))
  const [line1, line2, ...place] = fields.map(([name, label, autocomplete]) =>
    name === 'country' ? countryField(filled) : field(filled, { name, label: t(label), autocomplete }),
  )
  return page({
    title: titleOf(paper, title, problems),
    paper,
    body: html`${problemList(paper, named)}<h1>${title}</h1>
<p>${t.rich('address.intro', { kit: code(kitId) })}</p>
${isGiven && html`<p><strong>${t('address.given')}</strong></p>`}
<form method="post" action="${path}" novalidate>${tokenField(token)}
${line1}
${line2}
<div class="pair">
${place}
</div>
<button class="button">${t('address.send')}</button>
</form>`,
  })
}

type Said = `address.${'done' | 'tooLate' | 'recalled' | 'packing' | 'notOffered'}` | 'stop.unknown'

const saidPage = (paper: Paper, key: Said): Html => {
  const title = paper.t(key)
  return page({ title, paper, body: html`<h1>${title}</h1>\n<p>${paper.t(`${key}.text`)}</p>` })
}

/** The box of the address. Opening the page changes nothing: programs that check mail open every link. */
async function withBox(request: PageRequest, work: (tx: Tx, row: UndeliveredRow, paper: Paper) => Promise<PageAnswer>) {
  const secret = request.params.secret ?? ''
  const found = /^[\w-]{43}$/.test(secret) && (await request.asSystem((tx) => findByLink(tx, secret)))
  if (!found) return { html: saidPage(neutralPaper(speechOf(request)), 'stop.unknown'), status: 404 }
  return request.inRealm(found.realm, 'recipient', async (tx) => {
    const paper = await paperOf(tx, speechOf(request))
    const named = await maybeFindRow(tx, found.kitId)
    // One e-mail asks about all boxes of an order: where the one that it names was recalled, it goes on for another one.
    const others = named?.isRecalled ? await selectOfOrder(tx, named.orderId) : []
    const row = others.find((one) => one.state !== 'waiting' && choicesOf(one).includes('sendAgain')) ?? named
    if (row && !row.isRecalled) return { ...(await work(tx, row, paper)), image: paper.logoUrl }
    return { html: saidPage(paper, row ? 'address.recalled' : 'address.tooLate'), image: paper.logoUrl }
  })
}

const formOf = (request: PageRequest, paper: Paper, kitId: string) => ({
  paper,
  kitId,
  path: `${ADDRESS_PATH}${request.params.secret}`,
  token: request.formToken(),
})

const showForm = (request: PageRequest): Promise<PageAnswer> =>
  withBox(request, async (_, row, paper) => {
    if (!choicesOf(row).includes('sendAgain')) return { html: saidPage(paper, 'address.tooLate') }
    const isGiven = row.state === 'awaitingBox' || row.state === 'readyToSend'
    return { html: formPage({ ...formOf(request, paper, row.kitId), typed: {}, problems: new Map(), isGiven }) }
  })

const takeForm = (request: PageRequest): Promise<PageAnswer> =>
  withBox(request, async (tx, { kitId }, paper) => {
    const typed = Object.fromEntries(fields.map(([name]) => [name, (request.form[name] ?? '').slice(0, 1000)]))
    const read = readAddress(typed, paper.t)
    if ('problems' in read)
      return { html: formPage({ ...formOf(request, paper, kitId), typed, problems: read.problems }), status: 422 }
    try {
      await choose(tx, kitId, { choice: 'sendAgain', recipientAddress: read.address })
    } catch (err) {
      const said = err instanceof AppError && refusals[err.code]
      if (!said) throw err
      return { html: saidPage(paper, said), status: 409 }
    }
    return { html: saidPage(paper, 'address.done') }
  })

const refusals: Readonly<Record<string, Said>> = {
  ORDER_PACKED: 'address.packing',
  ILLEGAL_TRANSITION: 'address.tooLate',
  ORDER_NOT_ALLOWED: 'address.notOffered',
}

/** Where the recipient of a box that came back says where it goes. */
export const addressPages: readonly Page[] = [
  { method: 'GET', path: `${ADDRESS_PATH}:secret`, handler: showForm },
  { method: 'POST', path: `${ADDRESS_PATH}:secret`, handler: takeForm },
]
