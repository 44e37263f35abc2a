import { ADULT_AGE } from '../../../domain/age.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Realm, Tx } from '../../../platform/database/tx.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Page, PageAnswer, PageRequest } from '../../../platform/http/pages.ts'
import type { Attempts } from '../../../platform/http/shared-counts.ts'
import { maybeFindBoxOfKit } from '../../stock/find.ts'
import { speechOf } from '../language.ts'
import { neutralPaper, type Paper, paperOf } from '../paper.ts'
import { checkPage, detailsPage } from '../view/details.ts'
import { neutralTroublePage } from '../view/error-page.ts'
import { consentPage, donePage, enterPage, type Step, startPage } from '../view/kit.ts'
import { page } from '../view/layout.ts'
import { consentTextFor, personRuleOf, shownText } from './consent.ts'
import { type Reading, readDetails, typedFields } from './form.ts'
import * as register from './register.ts'

// What was right a moment ago, and is not any more.
const refusals: ReadonlySet<string> = new Set([
  'ILLEGAL_TRANSITION',
  'AGE_NOT_ALLOWED',
  'SEX_NOT_ALLOWED',
  'GUARDIAN_REQUIRED',
  'CONSENT_REQUIRED',
  'REGISTER_BY_PASSED',
  'KIT_RECALLED',
])

/** A page of a kit that exists. */
interface Held {
  kitId: string
  realm: Realm
  paper: Paper
  doorway: register.RegistrationStatus
  draft: register.Draft
}

/**
 * The pages for anyone who holds a box. `unknown` counts IDs that were guessed.
 * A form always answers with another address, which shows what is wrong: Back then never asks to send a form again.
 */
export function kitPages(unknown: Attempts): Page[] {
  /** Finds the kit of an address, or says why there is none. */
  async function enter(
    request: PageRequest,
    text: string,
    work: (held: Held, tx: Tx) => Promise<PageAnswer>,
  ): Promise<PageAnswer> {
    if (await unknown.isSpent(request.ip)) return { html: neutralTroublePage('tooMuch', request), status: 429 }
    const found = await register.findTypedKit(text, request.asSystem)
    const speech = speechOf(request)
    if (found.isGuess) await unknown.count(request.ip)
    if (found.is !== 'known') {
      return { html: enterPage(neutralPaper(speech), text, speech.t(`enter.${found.is}`)), status: 404 }
    }
    const { kitId, realm } = found
    return request.inRealm(realm, 'recipient', async (tx) => {
      const visitor = request.visitor()
      const [paper, doorway, draft] = [
        await paperOf(tx, speech),
        await register.findRegistrationStatus(tx, kitId),
        await register.readDraft(tx, kitId, visitor),
      ]
      return work({ kitId, realm, paper, doorway, draft }, tx)
    })
  }

  /** A step of the registration: only of a kit that can be registered. */
  const step = (
    method: 'GET' | 'POST',
    name: string,
    work: (held: Held, request: PageRequest, tx: Tx) => Promise<PageAnswer>,
  ): Page => ({
    method,
    path: `/k/:kitID${name}`,
    handler: (request) =>
      enter(request, request.params.kitID ?? '', async (held, tx) => {
        if (held.doorway === 'open') return work(held, request, tx)
        if (held.draft.done && held.doorway !== 'recalled') return { to: `/k/${held.kitId}/done` }
        return show(held, closedPage(held.doorway, held.paper))
      }),
  })

  return [
    {
      method: 'GET',
      path: '/k',
      handler: async (request) => {
        const text = request.query.kit
        const paper = neutralPaper(speechOf(request))
        if (text === undefined) return { html: enterPage(paper) }
        if (text.trim() === '') return { html: enterPage(paper, '', paper.t('enter.empty')) }
        return enter(request, text, async ({ kitId }) => ({ to: `/k/${kitId}` }))
      },
    },
    step('GET', '', async (held, _request, tx) => {
      const box = await maybeFindBoxOfKit(tx, held.kitId)
      return show(held, startPage(held.kitId, held.paper, box?.registerBy))
    }),
    step('GET', '/consent', async (held, request, tx) => {
      const { t } = held.paper
      const missing = new Map([['consentToTesting', t('register.consent.missing')]])
      const problems = request.query.problem === undefined ? undefined : missing
      const found = await consentTextFor(tx, held.kitId, wantedLanguages(held, request))
      return show(held, consentPage({ ...stepOf(held, request, ticked(held.draft), problems), ...found }))
    }),
    step('POST', '/consent', async (held, request, tx) => {
      const research = request.form.consentForResearch === 'yes'
      const text = await shownText(tx, held.kitId, request.form.consentVersion ?? '')
      if (request.form.consentToTesting !== 'yes' || !text) {
        await register.saveDraft(tx, held.kitId, request.visitor(), {
          ...held.draft,
          consent: undefined,
          wantsResearch: research,
        })
        const { text: usual } = await consentTextFor(tx, held.kitId, wantedLanguages(held, request))
        const chosen = text && text.language !== usual.language ? `&language=${text.language}` : ''
        return { to: `/k/${held.kitId}/consent?problem${chosen}` }
      }
      const consent = { version: text.id, research }
      const box = await register.boxOf(tx, held.kitId)
      await register.saveDraft(tx, held.kitId, request.visitor(), { ...held.draft, consent, box })
      return { to: `/k/${held.kitId}/details` }
    }),
    step('GET', '/details', async (held, request, tx) => {
      if (!held.draft.consent) return { to: `/k/${held.kitId}/consent` }
      const details = held.draft.details ?? {}
      const reading = await readingOf(tx, held)
      const read = request.query.problem === undefined ? undefined : readDetails(details, reading)
      const problems = read && 'problems' in read ? read.problems : undefined
      const isForMinors = reading.rule.minAge < ADULT_AGE
      return show(held, detailsPage({ ...stepOf(held, request, details, problems), isForMinors }))
    }),
    step('POST', '/details', async (held, request, tx) => {
      if (!held.draft.consent) return { to: `/k/${held.kitId}/consent` }
      const details = typedFields(request.form)
      await register.saveDraft(tx, held.kitId, request.visitor(), { ...held.draft, details })
      const isRight = 'input' in readDetails(details, await readingOf(tx, held))
      return { to: isRight ? `/k/${held.kitId}/check` : `/k/${held.kitId}/details?problem` }
    }),
    step('GET', '/check', async (held, request, tx) => {
      const { consent, details } = held.draft
      if (!consent || !details) return { to: `/k/${held.kitId}/details` }
      const read = readDetails(details, await readingOf(tx, held))
      if ('problems' in read) return { to: `/k/${held.kitId}/details?problem` }
      return show(held, checkPage(stepOf(held, request, details)))
    }),
    {
      method: 'POST',
      path: '/k/:kitID/check',
      handler: async (request) => {
        const answer = await finish(request)
        if (answer !== 'refused') return answer
        return enter(request, request.params.kitID ?? '', async (held) => show(held, refusedPage(held.paper), 409))
      },
    },
    {
      method: 'GET',
      path: '/k/:kitID/done',
      handler: (request) =>
        enter(request, request.params.kitID ?? '', async (held) =>
          held.draft.done && held.doorway !== 'recalled'
            ? show(held, donePage(held.kitId, held.paper, held.draft.done))
            : { to: `/k/${held.kitId}` },
        ),
    },
  ]

  /** Registers the kit. Sent twice, it is registered once and both see that it is done. */
  async function finish(request: PageRequest): Promise<PageAnswer | 'refused'> {
    const submit = step('POST', '/check', async (held, _request, tx) => {
      const { kitId, draft, paper } = held
      const read = draft.details && readDetails(draft.details, await readingOf(tx, held))
      if (!draft.consent || !read || 'problems' in read) return { to: `/k/${kitId}/details` }
      const visitor = request.visitor()
      const { language } = paper.t
      const given = { consent: draft.consent, box: draft.box, details: read.input }
      await register.registerFromDraft(tx, { kitId, visitor, language, ...given })
      return { to: `/k/${kitId}/done` }
    })
    try {
      return await submit.handler(request)
    } catch (err) {
      if (!(err instanceof AppError)) throw err
      if (err.code === 'KIT_ALREADY_REGISTERED') {
        return { to: `/k/${encodeURIComponent(request.params.kitID ?? '')}/done` }
      }
      if (refusals.has(err.code)) return 'refused'
      throw err
    }
  }
}

type Closed = Exclude<register.RegistrationStatus, 'open'>

/** A kit that cannot be registered, without a word of whose it is. */
function closedPage(why: Closed, paper: Paper): Html {
  const { t } = paper
  const reasons: Record<Closed, Part> = {
    registered: html`<p>${t('closed.registered.you')}</p>
<p>${t('closed.registered.lost')}</p>
<a class="button" href="/r/new">${t('entry.newLink')}</a>
<p class="hint">${t('closed.registered.other')}</p>`,
    canceled: html`<p>${t('closed.canceled.why')}</p>
<p>${t('closed.canceled.next')}</p>`,
    unpaid: html`<p>${t('closed.unpaid.why')}</p>
<p>${t('closed.unpaid.next')}</p>`,
    late: html`<p>${t('closed.late.why')}</p>
<p>${t('closed.late.next')}</p>`,
    recalled: html`<p>${t('closed.recalled.why')}</p>
<p>${t('closed.recalled.next')}</p>`,
    closed: html`<p>${t('closed.closed.why')}</p>`,
  }
  const title = t(`closed.${why}`)
  return page({ title, paper, body: html`<h1>${title}</h1>${reasons[why]}` })
}

/** Registering was refused for a reason that only a person can look into. */
function refusedPage(paper: Paper): Html {
  const { t } = paper
  const title = t('closed.refused')
  return page({ title, paper, body: html`<h1>${title}</h1>\n<p>${t('closed.refused.why')}</p>` })
}

const show = ({ paper }: Held, html: Html, status = 200): PageAnswer => ({ html, status, image: paper.logoUrl })

const stepOf = (
  { kitId, paper }: Held,
  request: PageRequest,
  typed: Readonly<Record<string, string>>,
  problems: ReadonlyMap<string, string> = new Map(),
): Step => ({ kitId, paper, token: request.formToken(), typed, problems })

const ticked = ({ consent, wantsResearch }: register.Draft): Record<string, string> => ({
  ...(consent && { consentToTesting: 'yes' }),
  ...((consent?.research ?? wantsResearch) && { consentForResearch: 'yes' }),
})

/** The language of the page first, then what the browser prefers: a text may be in languages that pages are not. */
const wantedLanguages = ({ paper }: Held, { query, languages }: PageRequest): string[] => [
  query.language ?? '',
  paper.t.language,
  ...languages,
]

const readingOf = async (tx: Tx, { kitId, paper }: Held): Promise<Reading> => ({
  today: tx.now.toISOString().slice(0, 10),
  rule: await personRuleOf(tx, kitId),
  t: paper.t,
})
