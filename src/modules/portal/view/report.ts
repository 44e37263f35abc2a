import { placedSteps } from '@kitlane/display/finding'
import { originFacts, saidText } from '@kitlane/display/origin'
import {
  conditionText,
  dateText,
  expectedText,
  LOINC_NOTICE,
  limitsText,
  rangesNotice,
  rawText,
  SCORE_NOTICE,
  thenText,
  unitText,
  valueText,
  withdrawnText,
} from '@kitlane/display/report-text'
import { upToItself } from '@kitlane/display/trend'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { isUsable, type Report } from '../../reports/schema.ts'
import type { Paper } from '../paper.ts'
import { everydayVerdict, isOutside, isUrgent } from '../words.ts'
import { gauge, ring, steps, trend, verdictMark } from './drawings.ts'
import { page } from './layout.ts'
import { leaveForm } from './reader.ts'

type Entry = Report['biomarker'][number]

export function reportPage(paper: Paper, token: string, whole: Report): Html {
  const report = upToItself(whole)
  const { details, biomarker, axes } = report
  const judged = biomarker.filter(({ state }) => state !== 'unknown')
  const unjudged = biomarker.filter(({ state }) => state === 'unknown')
  const groups = [...Map.groupBy(judged, ({ category }) => category.name)]
  const date = dateText(details.collectedDate ?? details.resultedDate ?? details.publishedDate)
  return page({
    title: 'Your report',
    paper,
    foot: leaveForm(token),
    body: html`<h1>Your report</h1>
<p class="soft">${details.collectedDate ? 'Sample of' : 'Of'} ${date}</p>
${notices(report)}
${inShort(judged.filter(({ withdrawn }) => !withdrawn))}
${scores(axes)}
${judged.length > 0 && html`<h2>Each value</h2>${key}`}
${groups.map(([name, entries]) => html`<h2>${name}</h2>${entries.map(value)}`)}
${unjudged.length > 0 && html`<h2>Values without a verdict</h2>${unjudged.map(withoutVerdict)}`}
${unassessed(report.unassessed)}
${judged.length > 0 && meaning}
${changes(report)}
${versions(report)}
${origin(report)}
<a class="button" href="/r/reports/${report.id}/pdf${details.version < details.latestVersion && `?version=${details.version}`}">Save as PDF</a>
<a class="back" href="/r">Back to your kit</a>
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

/** Without annotations of the unit, such as {ratio}. */
const asWritten = (entry: Entry) =>
  rawText(entry)
    .replace(/\{[^}]*\}/g, '')
    .trim()

const anchor = ({ id }: Entry) => `value-${id}`

/** How many are as they should be, and which are not. */
function inShort(judged: readonly Entry[]): Part {
  const outside = judged.filter(isOutside)
  const urgent = judged.filter(isUrgent)
  const inside = judged.length - outside.length
  const total = judged.length === 1 ? 'The one value' : `All ${judged.length} values`
  const sentence =
    outside.length === 0
      ? `${total} ${judged.length === 1 ? 'is' : 'are'} in the normal range.`
      : `${inside} of ${judged.length} ${judged.length === 1 ? 'value is' : 'values are'} in the normal range, ${outside.length} ${outside.length === 1 ? 'is' : 'are'} outside:`
  if (judged.length === 0) return null
  return html`${
    urgent.length > 0 &&
    html`<div class="note bad"><h2>Please talk to a doctor today</h2><p>${new Intl.ListFormat('en').format(urgent.map(({ simpleLabel }) => simpleLabel))}: ${urgent.some(({ finding }) => finding) ? 'results that' : 'so far outside the normal range that'} a doctor should look at ${urgent.some(({ finding }) => finding) ? 'soon' : 'it soon'}, even if you feel well. If you feel ill, call the emergency number.</p></div>`
  }<p>${sentence}</p>${
    outside.length > 0 &&
    html`<ul>${outside.map((entry) => html`<li><a href="#${anchor(entry)}">${entry.simpleLabel}</a>: ${everydayVerdict(entry).toLowerCase()}</li>`)}</ul>`
  }`
}

type Axis = Report['axes'][number]

/** A ring for each part that can be scored; the others in one line. */
function scores(axes: readonly Axis[]): Part {
  const scored = axes.filter(({ result }) => result !== null)
  const others = axes.filter(({ result }) => result === null).map(({ category }) => category)
  if (scored.length === 0) return null
  return html`<h2>By part of your health</h2><ul class="scores">${scored.map(score)}</ul>
<p class="hint">From 0 to 100; higher is better. ${SCORE_NOTICE}${others.length > 0 && ` Too little was measured for: ${others.join(', ')}.`}</p>`
}

const score = ({ category, result }: Axis) =>
  html`<li>${ring(result ?? 0)}${category}<span class="aside">: ${result} of 100</span></li>`

const swatch = (zone: string) =>
  html`<svg viewBox="0 0 16 12" aria-hidden="true"><rect class="z-${zone}" width="16" height="12"/></svg>`
const key = html`<ul class="key"><li>${swatch('optimal')}best</li><li>${swatch('good')}normal</li><li>${swatch('fair')}a little outside</li><li>${swatch('poor')}outside</li></ul>`

function sideOf(entry: Entry) {
  if (!isOutside(entry)) return 'within'
  const [side] = entry.interpretation
  return side === 'L' ? 'low' : side === 'H' ? 'high' : 'outside'
}

function value(entry: Entry): Html {
  const { simpleLabel, label, displayUnit, ranges, result, historic, state, type, note } = entry
  const verdict = everydayVerdict(entry)
  const unit = unitText(displayUnit)
  const expected = expectedText(entry)
  const normal = ranges.inRange ? limitsText(ranges.inRange, displayUnit) : expected
  const placed = placedSteps(entry, ranges.inRange)
  const words = `${simpleLabel}: ${verdict}. Value ${valueText(entry)} ${unit}, normal ${normal}`
  return html`<div class="value" id="${anchor(entry)}">
<div class="value-head"><h3>${simpleLabel}</h3><span class="number">${valueText(entry)} <span class="unit">${unit}</span></span></div>
<p class="verdict v-${state}">${verdictMark(sideOf(entry))}${verdict}</p>
${placed.length > 0 ? steps(placed, words) : gauge(ranges, result, words)}
${normal && html`<p class="hint">Normal: ${normal}</p>`}
${note && html`<p class="small">${note}</p>`}
<details><summary>More<span class="aside"> about ${simpleLabel}</span></summary><div class="folded small">
${historic.length > 1 && html`<h3>Your values over time</h3>${trend(historic, ranges.inRange, simpleLabel)}${ranges.inRange && html`<p class="hint">Shaded: the normal range.</p>`}`}
${entry.historicFindings.length > 1 && html`<h3>Your results over time</h3><ul>${entry.historicFindings.map(({ value, timestamp }) => html`<li>${dateText(timestamp)}: ${value}</li>`)}</ul>`}
<dl class="facts">
<div><dt>Name in the laboratory</dt><dd>${label}</dd></div>
${type === 'calculated' && html`<div><dt>How it came about</dt><dd>Calculated from your other values</dd></div>`}
${ranges.optimal && html`<div><dt>Best range</dt><dd>${limitsText(ranges.optimal, displayUnit)}</dd></div>`}
${saidText(entry) && html`<div><dt>What the laboratory says</dt><dd>${saidText(entry)}</dd></div>`}
${type === 'measured' && html`<div><dt>As the laboratory wrote it</dt><dd>${asWritten(entry)}</dd></div>`}
</dl></div></details>
</div>`
}

function withoutVerdict(entry: Entry): Html {
  const shown = !isUsable(entry) ? asWritten(entry) || '–' : `${valueText(entry)} ${unitText(entry.displayUnit)}`
  return html`<div class="value"><div class="value-head"><h3>${entry.simpleLabel}</h3><span class="number">${shown}</span></div>
${entry.note && html`<p class="small">${entry.note}</p>`}</div>`
}

function origin({ origin: known }: Report): Part {
  const facts = originFacts(known ?? { laboratories: [], specimens: [], notes: [] })
  return html`<h2>Laboratory and sample</h2><dl class="facts">${facts.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>`
}

/** What the laboratory sent and nobody here could judge, as it was sent. */
function unassessed(results: Report['unassessed']): Part {
  if (results.length === 0) return null
  return html`<h2>Not assessed</h2>
<p>The laboratory sent these, too. They could not be assessed here: ask your doctor or the laboratory what they mean.</p>
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
  return html`<h2>What changed</h2><table><thead><tr><th scope="col">Value</th><th scope="col">Version ${version - 1}</th><th scope="col">Version ${version}</th></tr></thead><tbody>${rows}</tbody></table>`
}

function versions({ id, details: { version, latestVersion } }: Report): Part {
  if (latestVersion === 1) return null
  const others = Array.from({ length: latestVersion }, (_, index) => latestVersion - index).filter(
    (one) => one !== version,
  )
  return html`<h2>Versions</h2><p>This is version ${version} of ${latestVersion}.</p>
<ul>${others.map((one) => html`<li><a href="/r/reports/${id}?version=${one}">Version ${one}${one === latestVersion && ', the newest'}</a></li>`)}</ul>`
}
