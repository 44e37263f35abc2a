import type { MessageKey } from '../../../domain/translations/translator.ts'
import type { ProcessContext } from '../../../platform/database/process-context.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { PageRequest } from '../../../platform/http/pages.ts'
import type { Promised } from '../../catalogue/promises.ts'
import type { PanelText } from '../../catalogue/text-schema.ts'
import { whyNot } from '../../collection/service.ts'
import { canBePosted } from '../../kits/posting.ts'
import type { KitRow } from '../../kits/queries.ts'
import type { KitRecall } from '../../kits/recall-queries.ts'
import type { Paper } from '../paper.ts'
import type { ShownPanel } from '../personal/views.ts'
import { type HiddenReport, type ReportSummary, selectTurnaround } from '../queries.ts'
import * as words from '../words.ts'
import { code, english, inEnglish, page, strong, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

/** How many days a panel's reports usually take from the sample in the laboratory, in whole days; null: too few to say. */
type UsualTime = { medianDays: number; mostDays: number } | null

const DAY_MS = 86_400_000
const WINDOW_MS = 90 * DAY_MS
const FEWEST = 20
// It reads the reports of 90 days, and changes little in an hour.
const REFRESH_MS = 3_600_000
const known = new WeakMap<ProcessContext, Map<string, { at: number; usual: UsualTime }>>()

/**
 * For each panel of these kits: half of the reports of the last 90 days took no longer than `medianDays`, nine of ten no longer
 * than `mostDays`. Fewer than 20 reports give no estimate.
 */
export async function usualTimes(
  request: PageRequest,
  { now, context }: Tx,
  kits: readonly KitRow[],
): Promise<ReadonlyMap<string, UsualTime>> {
  const cached = known.get(context) ?? new Map<string, { at: number; usual: UsualTime }>()
  known.set(context, cached)
  const shown = new Map<string, UsualTime>()
  for (const kitType of new Set(kits.filter(({ status }) => status !== 'published').map((kit) => kit.kitType))) {
    const before = cached.get(kitType)
    const isFresh = before && Math.abs(now.getTime() - before.at) < REFRESH_MS
    const usual = isFresh ? before.usual : await measured(request, kitType, now)
    if (!isFresh) cached.set(kitType, { at: now.getTime(), usual })
    shown.set(kitType, usual)
  }
  return shown
}

async function measured(request: PageRequest, kitType: string, now: Date): Promise<UsualTime> {
  const since = new Date(now.getTime() - WINDOW_MS)
  const { count, medianDays, mostDays } = await request.asSystem((tx) => selectTurnaround(tx, kitType, since))
  if (count < FEWEST || medianDays === null || mostDays === null) return null
  return { medianDays: Math.max(1, Math.ceil(medianDays)), mostDays: Math.max(1, Math.ceil(mostDays)) }
}

type Picture = PanelText['steps'][number]['picture']

// Lines only, in the text's color: they are seen in light, dark and in print. The text beside them says the same.
const shapes: Record<Exclude<Picture, 'none'>, Part> = {
  leaflet: html`<path d="M14 8h26l10 10v38H14zM40 8v10h10"/><path d="M22 28h20M22 36h20M22 44h12"/>`,
  wash: html`<path d="M12 16h22v8h8a6 6 0 0 1 6 6v4"/><path d="M20 16V8h8v8M12 12v16"/><path class="pic-accent" d="M48 40c4 6 5 8 5 10a5 5 0 0 1-10 0c0-2 1-4 5-10z"/>`,
  sample: html`<path d="M24 8h16M26 8v38a6 6 0 0 0 12 0V8"/><path class="pic-accent" d="M26 28h12v18a6 6 0 0 1-12 0z"/><path d="M42 28h8"/>`,
  label: html`<path d="M20 8h16M22 8v38a6 6 0 0 0 12 0V8"/><path class="pic-accent" d="M22 20h12v16H22z"/><path d="M40 50l3-9 11-15 5 4-11 15z"/>`,
  post: html`<path d="M12 26a10 10 0 0 1 20 0v26H12z"/><path d="M22 16h22a10 10 0 0 1 10 10v26H32"/><path class="pic-accent" d="M36 30h12M42 24l6 6-6 6"/><path d="M28 52v8"/>`,
}

/** A drawing for a step; nothing where the step has none. */
const pictureOf = (picture: Picture): Part =>
  picture === 'none' ? null : html`<svg class="picture" viewBox="0 0 64 64" aria-hidden="true">${shapes[picture]}</svg>`

/** Where a person asks for their data: privacy/requests/pages.ts. */
export const DATA_PATH = '/r/data'

interface Home {
  paper: Paper
  token: string
  now: Date
  firstName: string | null
  /** Newest first. */
  kits: readonly KitRow[]
  /** By kit type. */
  panels: ReadonlyMap<string, ShownPanel>
  usual: ReadonlyMap<string, UsualTime>
  /** By the ID of the kit. */
  promised: ReadonlyMap<string, Promised>
  /** Those whose consent was taken back. */
  takenBack: ReadonlyMap<string, { isArrived: boolean }>
  waiting: ReadonlyMap<string, words.Waiting>
  recalled: ReadonlyMap<string, KitRecall>
  /** When samples were taken, as the person said. */
  collected: ReadonlyMap<string, string>
  reports: readonly ReportSummary[]
  /** Those that could be read before. */
  hidden: readonly HiddenReport[]
}

export const TEXTS_PATH = '/r/texts'

export function homePage(home: Home): Html {
  const { paper, token, firstName, kits, reports } = home
  const { t } = paper
  const others = reports.filter(({ kitId }) => !kits.some(({ id }) => id === kitId))
  const otherReport = (report: ReportSummary) =>
    html`<h2>${others.length > 1 ? t('home.reportOf', { date: reportDate(paper, report) }) : t('home.report')}</h2><p>${t('home.of', { date: reportDate(paper, report) })}</p>${reportLink(paper, report)}`
  return page({
    title: t('home.title'),
    paper,
    foot: leaveForm(paper, token),
    isApp: true,
    body: html`<h1>${firstName ? t('home.helloName', { name: firstName }) : t('home.hello')}</h1>
${kits.length + reports.length === 0 && html`<p>${t('home.nothing')}</p>`}
${kits.map((kit, index) => kitSection(kit, home, index === 0))}
${others.map(otherReport)}
${kits.length > 0 && html`<p><a href="${TEXTS_PATH}">${t('texts.link')}</a></p>`}
<p><a href="${DATA_PATH}">${t('home.data')}</a></p>`,
  })
}

const reportDate = ({ t }: Paper, { collectedDate, publishedAt }: ReportSummary) =>
  t.date(collectedDate ?? publishedAt.toISOString())

const reportLink = ({ t }: Paper, { id }: ReportSummary) =>
  html`<a class="button" href="/r/reports/${id}">${t('home.read')}</a>`

function kitSection(kit: KitRow, home: Home, isFirst: boolean): Html {
  const { paper, reports, panels, token } = home
  const { t } = paper
  const report = reports.find(({ kitId }) => kitId === kit.id)
  const isHidden = home.hidden.some(({ kitId }) => kitId === kit.id)
  const recall = words.recallText(kit, home.recalled.get(kit.id), { isReadable: report !== undefined, isHidden })
  const takenBack = home.takenBack.get(kit.id)
  // Results that the laboratory has go on to their report.
  const isTakenBack = takenBack !== undefined && (!takenBack.isArrived || kit.status === 'notStarted')
  const instead = recall ?? (isTakenBack ? words.withdrawnTextOf(takenBack) : undefined)
  const isStopped = instead !== undefined
  const waiting = isStopped || report ? undefined : home.waiting.get(kit.id)
  const panel = panels.get(kit.kitType)
  const toPost = !isStopped && canBePosted(kit)
  const steps = words.journeyOf(kit, report !== undefined).map(({ step, at, is }) => {
    const when = at ? html`<time datetime="${at.slice(0, 10)}">${t.date(at)}</time>` : null
    return html`<li class="${is}">${stepMark(is)}<span class="aside">${t(`way.${is}`)}</span>${t(`way.${step}`)}${when}</li>`
  })
  return html`<section class="kit"><h2>${panel ? inEnglish(t, panel.name) : t('home.yourKit')}</h2><p class="hint">${t.rich('home.kit', { kit: code(kit.id) })}</p>
<div class="note">${waiting ? waitingFor(paper, waiting) : standing(paper, kit, { instead, isHidden }, report)}${another(paper, kit)}${parcel(paper, kit)}</div>
${report && reportLink(paper, report)}
${toPost && panel && collecting(paper, panel)}
${!isStopped && whyNot(kit, 'person') === undefined && sampleTime(paper, kit, home.collected.get(kit.id))}
${toPost && postedForm(paper, kit, token)}
${!report && !takenBack && !isStopped && !isHidden && !waiting && html`${promised(kit, home)}${expected(kit, home)}`}
<details${isFirst && html` open`}><summary>${t('home.way')}</summary><div class="folded"><ol class="way">${steps}</ol></div></details>
<p><a href="/r/kits/${kit.id}/consent">${t('home.agreed')}</a></p></section>`
}

/** Done, now or still to come: distinguished by shape and in words. */
function stepMark(is: words.JourneyStep['is']): Html {
  if (is === 'todo')
    return html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle class="dot-todo" cx="12" cy="12" r="8"/></svg>`
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle class="dot-done" cx="12" cy="12" r="${is === 'now' ? 12 : 10}"/><path class="dot-tick" d="M7 12.5l3.5 3.5 6.5-8"/></svg>`
}

/** The report of the person counts until one of the carrier or the laboratory. */
function standing(
  { t }: Paper,
  kit: KitRow,
  { instead, isHidden }: { instead: words.KitText | undefined; isHidden: boolean },
  report: ReportSummary | undefined,
): Html {
  if (!instead && kit.postedAt !== null && words.awaitsSample(kit)) {
    const date = t.date(kit.postedAt.toISOString())
    return html`<h3>${t('home.posted')}</h3><p>${t('home.posted.when', { date })}</p>`
  }
  const { title, next } = instead ?? words.kitText(kit, { ...report, isHidden })
  return html`<h3>${t(title)}</h3><p>${t(next)}</p>`
}

/** What holds its sample up, and until when; with the way to answer where something is asked. */
function waitingFor({ t }: Paper, { title, texts, until, questions, path }: words.Waiting): Html {
  const date = until ? t.date(until.toISOString()) : ''
  return html`<h3>${t(title)}</h3>${texts.map((text) => html`<p>${t(text, { date })}</p>`)}
${questions.length > 0 && html`<ul>${questions.map((question) => html`<li>${t(question)}</li>`)}</ul>`}
${path && html`<a class="button" href="${path}">${t('held.answer')}</a>`}`
}

/** What was sent, or will be, in the place of a kit. */
const another = ({ t }: Paper, { replacedBy }: KitRow): Part =>
  replacedBy !== null && html`<p>${t.rich('home.another', { kit: code(replacedBy) })}</p>`

/** What to do before the sample, and how it is taken. */
function collecting({ t }: Paper, { fasting, morning, text }: ShownPanel): Html {
  const small = (name: string) => (t.language === 'en' ? name.toLowerCase() : t.nameOf(name))
  const list = (names: readonly string[]) => t.list(names.map(small))
  const before = [
    fasting.length > 0 && html`<li>${t.rich('home.fasting', { names: list(fasting), strong })}</li>`,
    morning.length > 0 && html`<li>${t.rich('home.morning', { names: list(morning), strong })}</li>`,
    html`<li>${t.rich('home.medicines', { strong })}</li>`,
  ]
  const isForeign = t.language !== 'en' && text !== undefined
  return html`<h3 class="part">${t('home.before')}</h3><ul>${before}</ul>
${
  text &&
  html`<h3 class="part">${t('home.how')}</h3><ol class="how">${text.steps.map(
    ({ picture, text }) => html`<li>${pictureOf(picture)}<span${english(t)}>${text}</span></li>`,
  )}</ol>`
}${isForeign && html`<p class="hint">${t('home.inEnglish')}</p>`}`
}

/** When the sample was taken, as the person said; or where they say it. */
const sampleTime = ({ t }: Paper, { id }: KitRow, collected: string | undefined): Html =>
  html`<p>${collected && t('collection.said', { date: t.date(collected) })} <a href="/r/kits/${id}/collection">${t(collected ? 'collection.change' : 'collection.link')}</a></p>`

const postedForm = ({ t }: Paper, { id }: KitRow, token: string): Html =>
  html`<form method="post" action="/r/kits/${id}/posted">${tokenField(token)}<button class="button">${t('home.post')}</button></form>
<p class="soft small">${t('home.post.when')}</p>`

/** Until when the operator promises the report, once the sample is there; or that it is late. */
function promised(kit: KitRow, { paper: { t }, promised, now }: Home): Part {
  const promise = promised.get(kit.id)
  if (!promise || kit.progress.kitRegistered === undefined || kit.progress.sampleRejected) return null
  const { days, ends } = promise
  if (kit.progress.sampleReceived === undefined)
    return html`<p class="soft small">${t('home.promise.before', { days })}</p>`
  const date = t.date(new Date(ends.getTime() - DAY_MS).toISOString())
  return html`<p><strong>${t(ends <= now ? 'home.promise.broken' : 'home.promise', { date })}</strong></p>`
}

/** When the report can be expected, from what reports of this panel took; or that nobody can say. */
function expected(kit: KitRow, { paper: { t }, usual, now }: Home): Part {
  const time = usual.get(kit.kitType)
  if (time === undefined || kit.progress.kitRegistered === undefined || kit.progress.sampleRejected) return null
  if (time === null) return html`<p class="soft small">${t('home.when.unknown')}</p>`
  const { medianDays: median, mostDays: most } = time
  const say = (key: 'before' | 'late' | 'usual') => {
    const messageKey: MessageKey = median === most ? `home.when.${key}Same` : `home.when.${key}`
    return html`<p class="soft small">${t(messageKey, { median, most })}</p>`
  }
  const received = kit.progress.sampleReceived
  if (received === undefined) return say('before')
  const dayAfter = (count: number) => new Date(Date.parse(received) + count * DAY_MS)
  if (dayAfter(most) < now) return say('late')
  const [from = '', to = ''] = [dayAfter(median), dayAfter(most)].map((date) => t.date(date.toISOString()))
  const likely = from === to ? t('home.when.by', { date: to }) : t('home.when.between', { from, to })
  return html`<p><strong>${likely}</strong></p>${say('usual')}`
}

/** Who carries it, while somebody does. */
function parcel({ t }: Paper, { kitStatus, sampleStatus, shipment }: KitRow): Part {
  const leg = kitStatus === 'inTransit' ? shipment.toUser : sampleStatus === 'inTransit' ? shipment.toLab : undefined
  if (!leg) return null
  return html`<p>${t.rich('home.parcel', { carrier: leg.carrier, number: code(leg.trackingNumber) })}</p>`
}
