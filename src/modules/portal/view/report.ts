import { originFacts } from '@kitlane/display/origin'
import {
  conditionText,
  dateText,
  LOINC_NOTICE,
  rangesNotice,
  SCORE_NOTICE,
  thenText,
  unitText,
  valueText,
  withdrawnText,
} from '@kitlane/display/report-text'
import { byHarm, type Change, changesSince, isOutside, isUrgent, openingText } from '@kitlane/display/story'
import { upToItself } from '@kitlane/display/trend'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Report } from '../../reports/schema.ts'
import type { Paper } from '../paper.ts'
import { everydayVerdict } from '../words.ts'
import { ring, verdictMark } from './drawings.ts'
import { page } from './layout.ts'
import { anchor, type Entry, line, sideOf, story, withoutVerdict } from './value.ts'

export interface ShownReport {
  paper: Paper
  report: Report
  /** Of the person. */
  firstName: string | null
  /** Below which address the report, its versions and its PDF are. */
  base: string
  /** Above all else, such as for whom a shared report is. */
  above?: Part
  /** What can be done next. */
  next?: Part
  foot: Part
}

/** A report for the person: what matters first, then what changed, then the rest by part of the body. */
export function reportPage({ paper, report: whole, firstName, base, above, next, foot }: ShownReport): Html {
  const report = upToItself(whole)
  const { details, biomarker, axes } = report
  const judged = byHarm(biomarker.filter(({ state }) => state !== 'unknown'))
  const harmful = judged.filter((entry) => isOutside(entry) || isUrgent(entry))
  const fine = biomarker.filter((entry) => entry.state !== 'unknown' && !harmful.includes(entry))
  const unjudged = byHarm(biomarker.filter(({ state }) => state === 'unknown'))
  const date = dateText(details.collectedDate ?? details.resultedDate ?? details.publishedDate)
  const query = details.version < details.latestVersion ? `?version=${details.version}` : ''
  return page({
    title: 'Your report',
    paper,
    foot,
    body: html`${above}<h1>${above ? 'Results' : firstName ? `${firstName}, your results` : 'Your results'} of ${date}</h1>
<p class="lead">${openingText(report)}</p>
${urgentNote(harmful.filter((entry) => isUrgent(entry) && !entry.withdrawn))}
${notices(report)}
${noteOf(report)}
${harmful.length > 0 && html`<h2>What needs attention</h2>${glance(harmful)}${key}${harmful.map((entry, index) => story(entry, index >= OPEN_STORIES))}`}
${changed(biomarker)}
${(unjudged.length > 0 || report.unassessed.length > 0) && html`<h2>What could not be judged</h2>`}
${unjudged.map(withoutVerdict)}
${unassessed(report.unassessed)}
${fine.length > 0 && html`<h2>In the normal range</h2>${harmful.length === 0 && key}<p class="hint">Open a line to read what it is and how it was before.</p>`}
${[...Map.groupBy(fine, ({ category }) => category.name)].map(([name, entries]) => html`<h3 class="part">${name}</h3>${entries.map(line)}`)}
${scores(axes, biomarker)}
${next}
<h2>To keep</h2>
<a class="button quiet" href="${base}/${report.id}/pdf${query}">Save as PDF</a>
${judged.length > 0 && meaning}
${changes(report)}
${versions(report, base)}
${origin(report)}
${!above && html`<a class="back" href="/r">Back to your kit</a>`}
<p class="hint">${rangesNotice(report.biomarker)} ${LOINC_NOTICE}</p>`,
  })
}

function notices({ details, labParamsError }: Report): Part {
  const { version, latestVersion, vendorStatus, reason } = details
  const texts = [
    vendorStatus === 'corrected' && 'This report was corrected by the laboratory.',
    version < latestVersion && `This is an older version (${version}). Version ${latestVersion} counts.`,
    version === latestVersion && vendorStatus === 'partial' && 'More results of this sample are still to come.',
    version > 1 && reason && `Why there is a version ${version}: ${reason}`,
    ...(details.withdrawn ?? []).map(withdrawnText),
    ...labParamsError.map(conditionText),
  ].filter((text) => typeof text === 'string' && text !== '')
  return texts.length > 0 && html`<div class="note warn">${texts.map((text) => html`<p>${text}</p>`)}</div>`
}

// The text of all of them would hide how few values they are.
const OPEN_STORIES = 3

/** What lies outside, at a glance. */
const glance = (harmful: readonly Entry[]): Part =>
  harmful.length > 1 &&
  html`<ul class="changes">${harmful.map((entry) => html`<li><span class="v-${entry.state}">${verdictMark(sideOf(entry))}</span> <a href="#${anchor(entry)}">${entry.simpleLabel}</a>: ${everydayVerdict(entry).toLowerCase()}</li>`)}</ul>`

function urgentNote(urgent: readonly Entry[]): Part {
  if (urgent.length === 0) return null
  const names = new Intl.ListFormat('en').format(urgent.map(({ simpleLabel }) => simpleLabel))
  const words = urgent.some(({ finding }) => finding)
    ? 'results that a doctor should look at soon'
    : 'so far outside the normal range that a doctor should look at it soon'
  return html`<div class="note bad"><h2>Please talk to a doctor today</h2><p>${names}: ${words}, even if you feel well. If you feel ill, call the emergency number.</p></div>`
}

/** What a clinician wrote, with the name. */
function noteOf({ note, details }: Report): Part {
  if (!note) return null
  const paragraphs = note.text.split(/\n\s*\n/).map((one) => html`<p>${one}</p>`)
  const older = note.version < details.version && `, about version ${note.version}`
  return html`<section class="note letter"><h2>A note with this report</h2>${paragraphs}<p class="small">${note.author}, ${dateText(note.date)}${older}</p></section>`
}

const titles = {
  worse: 'Worse',
  still: 'Outside as before',
  open: 'Could not be judged this time',
  better: 'Better',
  new: 'New',
} as const

/** What crossed a limit since the person's last values. */
function changed(entries: readonly Entry[]): Part {
  const { since, changes } = changesSince(entries)
  if (since === undefined) return null
  const kinds = [...Map.groupBy(changes, ({ kind }) => kind)]
  return html`<h2>What changed since ${dateText(since)}</h2>
${changes.length === 0 && html`<p>No value crossed a limit, and none lies outside.</p>`}
${kinds.map(([kind, some]) => html`<h3 class="part">${titles[kind]}</h3><ul class="changes">${some.map(changeItem)}</ul>`)}
<p class="hint">A value is listed when it crossed a limit, by the ranges of this report. Smaller moves are usual from one day to the next.</p>`
}

function changeItem({ kind, entry, before }: Change<Entry>): Html {
  const link = html`<a href="#${anchor(entry)}">${entry.simpleLabel}</a>`
  if (kind === 'new') return html`<li>${link}</li>`
  const unit = unitText(entry.displayUnit)
  const then = before && `${before.result ?? before.value} ${unit}`.trim()
  const when = before && dateText(before.timestamp)
  if (kind === 'open') return html`<li>${link}: was ${then} on ${when}</li>`
  return html`<li><span class="v-${entry.state}">${verdictMark(sideOf(entry))}</span> ${link}: ${then} on ${when}, now ${`${valueText(entry)} ${unit}`.trim()} – ${everydayVerdict(entry).toLowerCase()}</li>`
}

type Axis = Report['axes'][number]

/** A ring for each part that can be scored, with the worst value in it; the others in one line. */
function scores(axes: readonly Axis[], entries: readonly Entry[]): Part {
  const scored = axes.filter(({ result }) => result !== null)
  const others = axes.filter(({ result }) => result === null).map(({ category }) => category)
  if (scored.length === 0) return null
  return html`<h2>By part of your health</h2><ul class="scores">${scored.map((axis) => score(axis, entries))}</ul>
<p class="hint">From 0 to 100; higher is better. Below each stands what lies outside, which an average could hide. ${SCORE_NOTICE}${others.length > 0 && ` Too little was measured for: ${others.join(', ')}.`}</p>`
}

function score({ category, result }: Axis, entries: readonly Entry[]): Html {
  const [worst] = byHarm(entries.filter((entry) => entry.category.name === category && isOutside(entry)))
  return html`<li>${ring(result ?? 0)}${category}<span class="aside">: ${result} of 100</span>${worst && html`<span class="worst v-${worst.state}">${worst.simpleLabel}: ${everydayVerdict(worst).toLowerCase()}</span>`}</li>`
}

const swatch = (zone: string) =>
  html`<svg viewBox="0 0 16 12" aria-hidden="true"><rect class="z-${zone}" width="16" height="12"/></svg>`
const key = html`<ul class="key"><li>${swatch('optimal')}best</li><li>${swatch('good')}normal</li><li>${swatch('fair')}a little outside</li><li>${swatch('poor')}outside</li></ul>`

function origin({ origin: known }: Report): Part {
  const facts = originFacts(known ?? { laboratories: [], specimens: [], notes: [] })
  return html`<h2>Laboratory and sample</h2><dl class="facts">${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`
}

/** What the laboratory sent and nobody here could judge, as it was sent. */
function unassessed(results: Report['unassessed']): Part {
  if (results.length === 0) return null
  return html`<p>The laboratory sent these, too. They could not be assessed here: ask your doctor or the laboratory what they mean.</p>
${results.map(sentValue)}`
}

const sentValue = ({ name, value, unit, range, flag, reason }: Report['unassessed'][number]) =>
  html`<div class="value"><div class="value-head"><h3>${name || 'No name'}</h3><span class="number">${value || '–'} <span class="unit">${unit}</span></span></div>
${range && html`<p class="hint">Range of the laboratory: ${range}</p>`}
${flag && html`<p class="hint">Mark of the laboratory: ${flag}</p>`}
<p class="small">${reason}.</p></div>`

const meaning = html`<h2>What it means to be outside</h2>
<p>For most values the normal range is where those of 95 of 100 healthy people lie; for some, such as cholesterol, it is what experts advise. So a value outside need not mean that something is wrong: food, sleep, sport, medicines and the time of day play a part, and any test can be wrong.</p>
<p>A report is not a diagnosis. Please show it to a doctor, above all if a value is far outside or you feel unwell, and do not change a treatment on your own.</p>`

function changes({ details: { changes: all = [], version } }: Report): Part {
  if (all.length === 0) return null
  const rows = all.map(
    ({ label, before, after }) =>
      html`<tr><td>${label}</td><td>${thenText(before)}</td><td>${thenText(after)}</td></tr>`,
  )
  return html`<h2>What was corrected</h2><table><thead><tr><th scope="col">Value</th><th scope="col">Version ${version - 1}</th><th scope="col">Version ${version}</th></tr></thead><tbody>${rows}</tbody></table>`
}

function versions({ id, details: { version, latestVersion } }: Report, base: string): Part {
  if (latestVersion === 1) return null
  const others = Array.from({ length: latestVersion }, (_, index) => latestVersion - index).filter(
    (one) => one !== version,
  )
  return html`<h2>Versions</h2><p>This is version ${version} of ${latestVersion}.</p>
<ul>${others.map((one) => html`<li><a href="${base}/${id}?version=${one}">Version ${one}${one === latestVersion && ', the newest'}</a></li>`)}</ul>`
}
