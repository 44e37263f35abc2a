import { placedSteps } from '@kitlane/display/finding'
import { saidText } from '@kitlane/display/origin'
import { dateText, expectedText, limitsText, rawText, unitText, valueText } from '@kitlane/display/report-text'
import { isOutside } from '@kitlane/display/story'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { BiomarkerText } from '../../catalogue/text-schema.ts'
import { isUsable, type Report } from '../../reports/schema.ts'
import { everydayVerdict } from '../words.ts'
import { gauge, laboratoryChanges, steps, trend, verdictMark } from './drawings.ts'

export type Entry = Report['biomarker'][number]

export const anchor = ({ id }: Entry) => `value-${id}`

/** Without annotations of the unit, such as {ratio}. */
const asWritten = (entry: Entry) =>
  rawText(entry)
    .replace(/\{[^}]*\}/g, '')
    .trim()

/** Where a value lies, for its mark. */
export function sideOf(entry: Entry) {
  if (!isOutside(entry)) return 'within'
  const [side] = entry.interpretation
  return side === 'L' ? 'low' : side === 'H' ? 'high' : 'outside'
}

const verdictOf = (entry: Entry): Html =>
  html`<span class="verdict v-${entry.state}">${verdictMark(sideOf(entry))}${everydayVerdict(entry)}</span>`

function normalOf(entry: Entry): string {
  const { ranges, displayUnit } = entry
  return ranges.inRange ? limitsText(ranges.inRange, displayUnit) : expectedText(entry)
}

/** Where a value lies; `isLarge`: with its number and the limits. */
function drawing(entry: Entry, isLarge: boolean): Part {
  const { simpleLabel, displayUnit, ranges, result } = entry
  const value = `${valueText(entry)} ${unitText(displayUnit)}`.trim()
  const words = `${simpleLabel}: ${everydayVerdict(entry)}. Value ${value}, normal ${normalOf(entry)}`
  const placed = placedSteps(entry, ranges.inRange)
  if (placed.length > 0) return steps(placed, words)
  return gauge(ranges, result, words, isLarge && displayUnit !== 'titer' ? valueText(entry) : undefined)
}

const whose = {
  lab: " (the laboratory's own range)",
  phase: ' (for the phase of your cycle)',
  age: ' (for your age)',
} as const

/** A value that needs attention, with all that is said of it; `isFolded`: that is opened first. */
export function story(entry: Entry, isFolded: boolean): Html {
  const { simpleLabel, displayUnit } = entry
  const normal = normalOf(entry)
  return html`<article class="value story" id="${anchor(entry)}">
<div class="value-head"><h3>${simpleLabel}</h3><span class="number">${valueText(entry)} <span class="unit">${unitText(displayUnit)}</span></span></div>
${verdictOf(entry)}
${drawing(entry, true)}
${isFolded ? html`${normal && html`<p class="hint">Normal: ${normal}</p>`}<details class="more"><summary>What it is, over time, what to ask<span class="aside">: ${simpleLabel}</span></summary><div class="folded">${about(entry)}</div></details>` : about(entry)}
</article>`
}

/** A value that is as it should be: one line, and its story when it is opened. */
export function line(entry: Entry): Html {
  const { simpleLabel, displayUnit } = entry
  return html`<details class="line" id="${anchor(entry)}"><summary><span class="line-row"><span class="line-name">${simpleLabel}</span> <span class="number">${valueText(entry)} <span class="unit">${unitText(displayUnit)}</span></span></span>
<span class="line-row"><span class="line-gauge">${drawing(entry, false)}</span> ${verdictOf(entry)}</span></summary>
<div class="folded">${about(entry)}</div></details>`
}

const heading = (text: string): Html => html`<h4>${text}</h4>`

function about(entry: Entry): Html {
  const { ranges, note, text } = entry
  const normal = normalOf(entry)
  const source = ranges.inRange && ranges.source in whose ? whose[ranges.source as keyof typeof whose] : ''
  return html`${normal && html`<p class="hint">Normal: ${normal}${source}</p>`}
${note && html`<p class="small">${note}</p>`}
${overTime(entry)}
${text && said(text)}
<details class="more"><summary>How it was measured${text && ', and where this text is from'}<span class="aside">: ${entry.simpleLabel}</span></summary><div class="folded small">${facts(entry)}</div></details>`
}

/** What the catalogue says; a text that says nothing of a point has no heading for it. */
const said = ({ what, moves, ask }: BiomarkerText): Html =>
  html`${heading('What it is')}<p>${what}</p>${heading('What can move it')}<p>${moves}</p>${
    ask.length > 0 && html`${heading('What to ask your doctor')}<ul>${ask.map((one) => html`<li>${one}</li>`)}</ul>`
  }`

/** The same person's values: a line, what happened to it in words, and a table for those who do not see it. */
function overTime(entry: Entry): Part {
  const { historic, historicFindings, ranges, simpleLabel, displayUnit } = entry
  if (historicFindings.length > 1) {
    const items = historicFindings.map(({ value, timestamp }) => html`<li>${dateText(timestamp)}: ${value}</li>`)
    return html`${heading('Your results over time')}<ul>${items}</ul>`
  }
  if (historic.length < 2) return null
  const unit = unitText(displayUnit)
  const others = laboratoryChanges(historic).map(
    ({ before, after }) =>
      html`<p class="hint">From ${dateText(after.timestamp)} on measured by ${after.laboratory}, before by ${before.laboratory} (dashed line): values of two laboratories can differ a little without a reason in you.</p>`,
  )
  const hasNames = historic.some(({ laboratory }) => laboratory)
  const rows = historic.map(
    ({ result, timestamp, laboratory }) =>
      html`<tr><td>${dateText(timestamp)}</td><td>${result} ${unit}</td>${hasNames && html`<td>${laboratory ?? 'not known'}</td>`}</tr>`,
  )
  return html`${heading('Your values over time')}${trend(historic, ranges.inRange, simpleLabel)}
${ranges.inRange && html`<p class="hint">Shaded: the normal range of this report.</p>`}${others}
<details class="more"><summary>The same as a table<span class="aside">: ${simpleLabel}</span></summary><div class="folded"><table><thead><tr><th scope="col">Day</th><th scope="col">Value</th>${hasNames && html`<th scope="col">Laboratory</th>`}</tr></thead><tbody>${rows}</tbody></table></div></details>`
}

function facts(entry: Entry): Html {
  const { label, type, ranges, displayUnit, text } = entry
  return html`<dl class="facts">
<div><dt>Name in the laboratory</dt><dd>${label}</dd></div>
${type === 'calculated' && html`<div><dt>How it came about</dt><dd>Calculated from your other values</dd></div>`}
${ranges.optimal && html`<div><dt>Best range</dt><dd>${limitsText(ranges.optimal, displayUnit)}</dd></div>`}
${saidText(entry) && html`<div><dt>What the laboratory says</dt><dd>${saidText(entry)}</dd></div>`}
${type === 'measured' && html`<div><dt>As the laboratory wrote it</dt><dd>${asWritten(entry)}</dd></div>`}
${text && html`<div><dt>Where the text is from</dt><dd>${text.source}. ${text.reviewer ? `Reviewed by ${text.reviewer}` : 'No clinician has reviewed it yet'}.</dd></div>`}
</dl>`
}

/** A value that was received and that nothing judges, with the reason. */
export function withoutVerdict(entry: Entry): Html {
  const shown = !isUsable(entry) ? asWritten(entry) || '–' : `${valueText(entry)} ${unitText(entry.displayUnit)}`
  return html`<article class="value" id="${anchor(entry)}"><div class="value-head"><h3>${entry.simpleLabel}</h3><span class="number">${shown}</span></div>
${entry.note && html`<p class="small">${entry.note}</p>`}</article>`
}
