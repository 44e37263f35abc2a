import { dateText } from '@kitlane/display/report-text'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { canBePosted } from '../../kits/posting.ts'
import type { KitRow } from '../../kits/queries.ts'
import type { Paper } from '../paper.ts'
import type { ShownPanel } from '../personal/panels.ts'
import type { UsualTime } from '../personal/turnaround.ts'
import type { ReportSummary } from '../queries.ts'
import { journeyOf, kitText, toPost as sampleText, withdrawnText } from '../words.ts'
import { stepMark } from './drawings.ts'
import { page, tokenField } from './layout.ts'
import { pictureOf } from './pictures.ts'
import { leaveForm } from './reader.ts'

export interface Home {
  paper: Paper
  token: string
  now: Date
  firstName: string | null
  /** Newest first. */
  kits: readonly KitRow[]
  /** By kit type. */
  panels: ReadonlyMap<string, ShownPanel>
  usual: ReadonlyMap<string, UsualTime>
  /** The IDs of those whose consent was taken back before the sample arrived. */
  stopped: ReadonlySet<string>
  reports: readonly ReportSummary[]
}

export function homePage(home: Home): Html {
  const { paper, token, firstName, kits, reports } = home
  const others = reports.filter(({ kitId }) => !kits.some(({ id }) => id === kitId))
  return page({
    title: 'Your kit and your report',
    paper,
    foot: leaveForm(token),
    body: html`<h1>${firstName ? `Hello ${firstName}` : 'Hello'}</h1>
${kits.length + reports.length === 0 && html`<p>There is nothing to show yet.</p>`}
${kits.map((kit, index) => kitSection(kit, home, index === 0))}
${others.map((report) => html`<h2>Report${others.length > 1 && ` of ${reportDate(report)}`}</h2>${reportLink(report)}`)}`,
  })
}

const reportDate = ({ collectedDate, publishedAt }: ReportSummary) =>
  dateText(collectedDate ?? publishedAt.toISOString())

const reportLink = (report: ReportSummary) =>
  html`<p>Of ${reportDate(report)}</p><a class="button" href="/r/reports/${report.id}">Read your report</a>`

function kitSection(kit: KitRow, home: Home, isFirst: boolean): Html {
  const { reports, stopped, panels, token } = home
  const isStopped = stopped.has(kit.id)
  const { title, next } = isStopped ? withdrawnText : saidOf(kit)
  const report = reports.find(({ kitId }) => kitId === kit.id)
  const panel = panels.get(kit.kitType)
  const toPost = !isStopped && canBePosted(kit)
  const steps = journeyOf(kit).map(({ label, at, is }) => {
    const when = at ? html`<time datetime="${at.slice(0, 10)}">${dateText(at)}</time>` : null
    const state = { done: 'Done: ', now: 'Now: ', todo: 'Still to come: ' }[is]
    return html`<li class="${is}">${stepMark(is)}<span class="aside">${state}</span>${label}${when}</li>`
  })
  return html`<section class="kit"><h2>${panel?.name ?? 'Your kit'}</h2><p class="hint">Kit <span class="code">${kit.id}</span></p>
<div class="note"><h3>${title}</h3><p>${next}</p>${parcel(kit)}</div>
${report && html`<a class="button" href="/r/reports/${report.id}">Read your report</a>`}
${toPost && panel && collecting(panel)}
${toPost && postedForm(kit, token)}
${!report && !isStopped && expected(kit, home)}
<details${isFirst && html` open`}><summary>Where it has been</summary><div class="folded"><ol class="way">${steps}</ol></div></details>
<p><a href="/r/kits/${kit.id}/consent">What you agreed to</a></p></section>`
}

/** What the person said counts until the carrier or the laboratory says more. */
function saidOf(kit: KitRow): { title: string; next: string } {
  const said = kitText(kit)
  if (kit.postedAt === null || said !== sampleText) return said
  return {
    title: 'You posted your sample',
    next: `You told us on ${dateText(kit.postedAt.toISOString())}. There is nothing that you need to do. We write to you when it has arrived in the laboratory.`,
  }
}

const list = (names: readonly string[]) => new Intl.ListFormat('en').format(names.map((name) => name.toLowerCase()))

/** What to do before the sample, and how it is taken. */
function collecting({ fasting, morning, text }: ShownPanel): Html {
  const before = [
    fasting.length > 0 &&
      html`<li><strong>Do not eat for 8 to 12 hours before.</strong> Drink water only. It matters for ${list(fasting)}. Do you have diabetes, or are you pregnant? Then ask your doctor before you fast.</li>`,
    morning.length > 0 &&
      html`<li><strong>Take it in the morning, before 10 o’clock.</strong> It matters for ${list(morning)}, which change over the day.</li>`,
    html`<li><strong>Take your medicines as always,</strong> and note which. Do not stop one without your doctor.</li>`,
  ]
  return html`<h3 class="part">Before your sample</h3><ul>${before}</ul>
${
  text &&
  html`<h3 class="part">How to take it</h3><ol class="how">${text.steps.map(
    ({ picture, text }) => html`<li>${pictureOf(picture)}<span>${text}</span></li>`,
  )}</ol>`
}`
}

const postedForm = ({ id }: KitRow, token: string): Html =>
  html`<form method="post" action="/r/kits/${id}/posted">${tokenField(token)}<button class="button">I posted it</button></form>
<p class="soft small">Press it once the sample is on its way.</p>`

const DAY_MS = 86_400_000
const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)

/** When the report can be expected, from what reports of this panel took; or that nobody can say. */
function expected(kit: KitRow, { usual, now }: Home): Part {
  const time = usual.get(kit.kitType)
  if (time === undefined || kit.progress.kitRegistered === undefined || kit.progress.sampleRejected) return null
  if (time === null)
    return html`<p class="soft small">When will the report be ready? There are too few reports of this kit in the last 90 days to give an honest date. We write to you.</p>`
  const { medianDays, mostDays } = time
  const how =
    medianDays === mostDays
      ? `within ${days(mostDays)} in nine of ten cases`
      : `within ${days(medianDays)} in half of the cases, and within ${days(mostDays)} in nine of ten`
  const received = kit.progress.sampleReceived
  if (received === undefined)
    return html`<p class="soft small">When will the report be ready? From the day on which your sample arrives in the laboratory, ${how} (last 90 days).</p>`
  const dayAfter = (count: number) => new Date(Date.parse(received) + count * DAY_MS)
  if (dayAfter(mostDays) < now)
    return html`<p class="soft small">It takes longer than usual: reports of this kit are ready ${how}. Your sample is not lost for that reason. Please ask us if you worry.</p>`
  const [likely, most] = [dayAfter(medianDays), dayAfter(mostDays)].map((date) => dateText(date.toISOString()))
  return html`<p><strong>Your report is likely to be ready ${likely === most ? `by ${most}` : `between ${likely} and ${most}`}.</strong></p><p class="soft small">Reports of this kit were ready ${how} (last 90 days). It is no promise.</p>`
}

/** Who carries it, while somebody does. */
function parcel({ kitStatus, sampleStatus, shipment }: KitRow): Part {
  const leg = kitStatus === 'inTransit' ? shipment.toUser : sampleStatus === 'inTransit' ? shipment.toLab : undefined
  return leg && html`<p>${leg.carrier}, number <span class="code">${leg.trackingNumber}</span></p>`
}
