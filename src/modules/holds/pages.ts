import { normalizeId } from '@kitlane/display/short-id'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import type { MessageKey } from '../../domain/translations/translator.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { type Html, html } from '../../platform/http/html.ts'
import type { Page, PageAnswer, PageRequest } from '../../platform/http/pages.ts'
import * as audit from '../audit/service.ts'
import { type KitRow, selectKitsByIds } from '../kits/queries.ts'
import { consent } from '../kits/register.ts'
import type { RegisterInput } from '../kits/schema.ts'
import { hasEnded } from '../links/rules.ts'
import * as links from '../links/service.ts'
import { speechOf } from '../portal/language.ts'
import { neutralPaper, type Paper, paperOf } from '../portal/paper.ts'
import { checkBirth } from '../portal/personal/birth.ts'
import { filledOf, inRealmOf, paperFor, type Reader, sessionCookie, visitOf } from '../portal/personal/reader.ts'
import { consentTextFor, shownText } from '../portal/registration/consent.ts'
import { readDate } from '../portal/registration/form.ts'
import { consentWords } from '../portal/view/consent.ts'
import { dateField, type Filled, field, tickField } from '../portal/view/fields.ts'
import { code, page, problemList, titleOf, tokenField } from '../portal/view/layout.ts'
import { birthPage, endedPage, leaveForm, lockedPage, signedOutPage } from '../portal/view/reader.ts'
import type { Waiting } from '../portal/words.ts'
import { type ActionCode, hasResults } from './decision.ts'
import { type HoldRow, selectOfCustomer } from './queries.ts'
import { HOLD_PATH, requiredOf } from './record.ts'
import { giveName, mend } from './service.ts'

const PATH = '/h'
const Name = z.object({ firstName: z.string().trim().min(1).max(100), lastName: z.string().trim().min(1).max(100) })

type Typed = Readonly<Record<string, string>>
type Question = Extract<ActionCode, 'giveCollectionDate' | 'confirmName' | 'consent'>

/** Each question, and how it is asked of a parent or guardian. */
const questions: Readonly<Record<Question, readonly [MessageKey, MessageKey]>> = {
  consent: ['held.consent', 'held.consent.ward'],
  confirmName: ['held.name', 'held.name.ward'],
  giveCollectionDate: ['held.date', 'held.date'],
}
const questionText = (question: Question, kit: KitRow): MessageKey => questions[question][isForWard(kit) ? 1 : 0]
const isQuestion = (code: ActionCode): code is Question => code in questions

/** What a person is asked about a kit: one thing on a page. */
interface Asked {
  row: HoldRow
  kit: KitRow
  question: Question
}

/** The first thing that is asked, and whether others wait for somebody else. */
async function nextQuestion(tx: Tx, customerId: number): Promise<{ asked?: Asked; rest: readonly ActionCode[] }> {
  const rows = await selectOfCustomer(tx, customerId)
  const kitIds = rows.map(({ kitId }) => kitId)
  const kits = await selectKitsByIds(tx, kitIds)
  const all = rows.flatMap((row) => requiredOf(row).map((one) => ({ row, one })))
  for (const { row, one } of all) {
    const kit = kits.find(({ id }) => id === row.kitId)
    if (kit && isQuestion(one.code)) return { asked: { row, kit, question: one.code }, rest: [] }
  }
  return { rest: all.map(({ one }) => one.code) }
}

/** What the held samples of a person wait for, for the page of their kits. */
export async function waitingOf(tx: Tx, customerId: number): Promise<ReadonlyMap<string, Waiting>> {
  const rows = await selectOfCustomer(tx, customerId)
  const kits = await selectKitsByIds(
    tx,
    rows.map(({ kitId }) => kitId),
  )
  return new Map(
    rows.flatMap((row) => {
      const kit = kits.find(({ id }) => id === row.kitId)
      return kit ? [[kit.id, waiting(row, kit)] as const] : []
    }),
  )
}

function waiting(row: HoldRow, kit: KitRow): Waiting {
  const codes = requiredOf(row).map(({ code }) => code)
  const asked = codes.filter(isQuestion).map((code) => questionText(code, kit))
  const isAsked = asked.length > 0
  // What has results is not thrown away.
  const until = hasResults(row.kit) ? undefined : row.discardAt
  return {
    title: isAsked ? 'held.title' : 'held.onHold',
    texts: [
      ...(isAsked && until ? (['held.asked'] as const) : []),
      ...(until ? (['held.until'] as const) : []),
      ...(codes.includes('approveName') ? (['held.name.waits'] as const) : []),
      ...(codes.includes('identifySample') ? (['held.other'] as const) : []),
    ],
    until,
    questions: asked,
    ...(isAsked && { path: PATH }),
  }
}

/** Whoever answers for somebody else, as parent or guardian. */
const isForWard = ({ registration }: KitRow): boolean =>
  (registration as Partial<RegisterInput> | null)?.guardian !== undefined

const nameOf = ({ registration }: KitRow): Typed => {
  const { firstName = '', lastName = '' } = (registration ?? {}) as Partial<RegisterInput>
  return { firstName, lastName }
}

async function fieldsOf(tx: Tx, request: PageRequest, { kit, question }: Asked, filled: Filled): Promise<Html> {
  const { t } = filled.paper
  if (question === 'giveCollectionDate')
    return dateField(filled, t(questionText(question, kit)), t('held.date.hint'), false)
  if (question === 'confirmName') {
    const filledIn = (part: string) => (isForWard(kit) ? {} : { autocomplete: `${part}-name` })
    return html`<h2>${t(questionText(question, kit))}</h2><p>${t('held.name.why')}</p>
${field(filled, { name: 'firstName', label: t('register.firstName'), ...filledIn('given') })}
${field(filled, { name: 'lastName', label: t('register.lastName'), ...filledIn('family') })}`
  }
  const { text } = await consentTextFor(tx, kit.id, [t.language, ...request.languages])
  return html`<h2>${t(questionText(question, kit))}</h2>${consentWords(filled.paper, text)}
<input type="hidden" name="consentVersion" value="${text.id}">
${tickField(filled, 'consentToTesting', t('register.consent.testing'))}`
}

async function questionPage(tx: Tx, request: PageRequest, asked: Asked, filled: Filled): Promise<Html> {
  const { paper, problems } = filled
  const { t } = paper
  const { row, kit, question } = asked
  const { firstName, lastName } = nameOf(kit)
  const token = request.formToken()
  const title = t('held.title')
  return page({
    title: titleOf(paper, title, problems),
    paper,
    foot: leaveForm(paper, token),
    body: html`${problemList(paper, problems, (name) => (name === 'dateOfBirth' ? 'day' : name))}<h1>${title}</h1>
<p>${t.rich('held.kit', { kit: code(row.kitId) })}. ${t('held.until', { date: t.date(row.discardAt.toISOString()) })}</p>
${isForWard(kit) && html`<p>${t('held.ward', { name: `${firstName} ${lastName}` })}</p>`}
<form method="post" action="${PATH}" novalidate>${tokenField(token)}
<input type="hidden" name="kit" value="${row.kitId}"><input type="hidden" name="question" value="${question}">
${await fieldsOf(tx, request, asked, filled)}
<button class="button">${t('held.send')}</button>
</form>`,
  })
}

function donePage(paper: Paper, token: string, rest: readonly ActionCode[]): Html {
  const { t } = paper
  const title = t('held.none')
  const text = rest.includes('approveName') ? 'held.name.waits' : rest.length > 0 ? 'held.other' : 'held.none.text'
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>\n<p>${t(text)}</p>\n<a class="button quiet" href="/r">${t('page.backToKit')}</a>`,
  })
}

/** The answer to a question, or what is wrong with it, by field. */
async function answer(
  tx: Tx,
  { kit, question }: Asked,
  form: Typed,
  { t }: Paper,
): Promise<ReadonlyMap<string, string> | undefined> {
  if (question === 'confirmName') {
    const name = Name.safeParse(form)
    if (!name.success) return new Map([['firstName', t('held.name.problem')]])
    await giveName(tx, kit.id, name.data)
    return undefined
  }
  if (question === 'giveCollectionDate') {
    const collectedDate = z.iso.date().safeParse(readDate(form))
    const refused = new Map([['dateOfBirth', t('held.date.problem')]])
    if (!collectedDate.success) return refused
    try {
      await mend(tx, kit.id, { collectedDate: collectedDate.data }, 'person')
      return undefined
    } catch (err) {
      if (err instanceof AppError && err.code === 'VALIDATION_FAILED') return refused
      throw err
    }
  }
  const text = await shownText(tx, kit.id, form.consentVersion ?? '')
  if (form.consentToTesting !== 'yes' || !text) return new Map([['consentToTesting', t('held.consent.problem')]])
  const registered = kit.registration as RegisterInput
  const { firstName, lastName, relation } = { relation: undefined, ...registered, ...registered.guardian }
  const agreed = { consentToTesting: true as const, consentForResearch: false, consentVersion: text.id }
  await consent(tx, kit.id, { firstName, lastName, email: kit.registeredEmail ?? '', relation, ...agreed })
  return undefined
}

const shown = (paper: Paper, one: Html, status = 200): PageAnswer => ({ html: one, status, image: paper.logoUrl })

async function showNext(request: PageRequest, tx: Tx, reader: Reader, paper: Paper): Promise<PageAnswer> {
  const { asked, rest } = await nextQuestion(tx, reader.customerId)
  if (!asked) return shown(paper, donePage(paper, request.formToken(), rest))
  await audit.record(tx, [{ action: 'kit.hold_viewed', objectType: 'kit', objectId: asked.kit.id }])
  const typed = asked.question === 'confirmName' ? nameOf(asked.kit) : {}
  return shown(paper, await questionPage(tx, request, asked, { paper, typed, problems: new Map() }))
}

/** A question that somebody has answered meanwhile is not asked again: the page goes on with the next one. */
async function takeAnswer(request: PageRequest, tx: Tx, reader: Reader, paper: Paper): Promise<PageAnswer> {
  const { asked } = await nextQuestion(tx, reader.customerId)
  const { kit = '', question, ...form } = request.form
  if (!asked || asked.kit.id !== normalizeId(kit.slice(0, 64)) || asked.question !== question) return { to: PATH }
  const typed = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, value.slice(0, 200)]))
  try {
    const problems = await answer(tx, asked, typed, paper)
    if (!problems) return { to: PATH }
    return shown(paper, await questionPage(tx, request, asked, { paper, typed, problems }), 422)
  } catch (err) {
    if (err instanceof AppError && err.code === 'ILLEGAL_TRANSITION') return { to: PATH }
    throw err
  }
}

/** A link begins a visit. Opening it changes nothing: programs that check mail open every link. */
async function openLink(request: PageRequest): Promise<PageAnswer> {
  const token = request.params.secret ?? ''
  const link = /^[\w-]{43}$/.test(token) && (await request.asSystem((tx) => links.findLink(tx, token)))
  const speech = speechOf(request)
  if (!link) return { html: endedPage(neutralPaper(speech)), status: 404 }
  return request.inRealm(link.realm, 'recipient', async (tx): Promise<PageAnswer> => {
    const paper = await paperOf(tx, speech)
    if (hasEnded(link, tx.now)) return shown(paper, endedPage(paper), 404)
    return { to: PATH, cookies: [sessionCookie('reader', await links.beginSession(tx, token))] }
  })
}

async function show(request: PageRequest): Promise<PageAnswer> {
  const reader = await visitOf(request, 'reader')
  if (!reader) return { html: signedOutPage(neutralPaper(speechOf(request))) }
  const standing = reader.isVerified
    ? 'open'
    : await request.asSystem((tx) => links.stateOfSession(tx, reader, request.ip))
  return inRealmOf(request, reader, async (tx): Promise<PageAnswer> => {
    const paper = await paperFor(request, tx, reader)
    if (standing !== 'open') return shown(paper, standing === 'locked' ? lockedPage(paper) : endedPage(paper))
    if (!reader.isVerified) return shown(paper, birthPage(request.formToken(), filledOf(paper, request), PATH))
    return showNext(request, tx, reader, paper)
  })
}

async function take(request: PageRequest): Promise<PageAnswer> {
  const reader = await visitOf(request, 'reader')
  if (!reader) return { to: PATH }
  if (!reader.isVerified) return checkBirth(request, reader, { name: 'reader', path: PATH })
  return inRealmOf(request, reader, async (tx) => takeAnswer(request, tx, reader, await paperFor(request, tx, reader)))
}

/** Where a person mends what their sample waits for. */
export const holdPages: readonly Page[] = [
  { method: 'GET', path: `${HOLD_PATH}:secret`, handler: openLink },
  { method: 'GET', path: PATH, handler: show },
  { method: 'POST', path: PATH, handler: take },
]
