import { isOutside, shownState } from '@kitlane/display/harm'
import { limitsText, rawText, unitText, valueText } from '@kitlane/display/report-text'
import { textIn } from '../../../domain/translations/sentences.ts'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { BiomarkerText } from '../../catalogue/text-schema.ts'
import {
  findingWord,
  judgedPhase,
  sampleWords,
  stepsIn,
  valueWordsOf,
  verdictWords,
} from '../../reports/render/words.ts'
import { isUsable, type Report } from '../../reports/schema.ts'
import { gauge, laboratoryChanges, steps, trend, verdictMark } from './drawings.ts'
import { english, inEnglish, named } from './layout.ts'

export type Entry = Report['biomarker'][number]

/** The value, without its unit. */
const valueWords = (t: Translator, entry: Entry): string => valueText(entry, valueWordsOf(t))

export const fullValue = (t: Translator, entry: Entry): string =>
  `${valueWords(t, entry)} ${unitText(entry.displayUnit)}`.trim()

const limitWords = (t: Translator, limits: Parameters<typeof limitsText>[0], displayUnit: string): string =>
  limitsText(limits, displayUnit, t)

/** What is normal of a value: its range, or the findings that are expected; empty where nothing says so. */
function normalWords(t: Translator, { ranges, displayUnit, finding, expected }: Entry): string {
  if (ranges.inRange) return limitWords(t, ranges.inRange, displayUnit)
  return finding && expected
    ? t.either(expected.values.map((value) => valueWordsOf(t).finding({ ...finding, value })))
    : ''
}

export const anchor = ({ id }: Entry) => `value-${id}`

/** Without annotations of the unit, such as {ratio}; what it is divided by stays: {1.73_m2}. */
const asWritten = (entry: Entry) =>
  rawText(entry)
    .replace(/(\/?)\{([^}]*)\}/g, (_, per: string, words: string) => per && `/${words.replaceAll('_', ' ')}`)
    .replace(/m2$/, 'm²')
    .trim()

/** Where a value lies, for its mark. */
export function sideOf(entry: Entry) {
  if (!isOutside({ state: shownState(entry) })) return 'within'
  const [side] = entry.interpretation
  return side === 'L' ? 'low' : side === 'H' ? 'high' : 'outside'
}

const verdictOf = (t: Translator, entry: Entry): Html =>
  html`<span class="verdict v-${shownState(entry)}">${verdictMark(sideOf(entry))}${verdictWords(t, entry)}</span>`

const preliminaryOf = (t: Translator, { preliminary }: Entry): Part =>
  preliminary && html`<p class="small">${t('value.preliminary')}</p>`

const numberOf = (t: Translator, entry: Entry): Html =>
  html`<span class="number" dir="ltr">${isUsable(entry) ? html`${valueWords(t, entry)} <span class="unit">${unitText(entry.displayUnit)}</span>` : asWritten(entry) || '–'}</span>`

/** Where a value lies; `isLarge`: with its number and the limits. */
function drawing(t: Translator, entry: Entry, isLarge: boolean): Part {
  const { simpleLabel, displayUnit, ranges, result } = entry
  const words = t('value.drawn', {
    name: t.nameOf(simpleLabel),
    verdict: verdictWords(t, entry),
    value: fullValue(t, entry),
    normal: normalWords(t, entry),
  })
  const placed = stepsIn(t, entry)
  if (placed.length > 0) return steps(placed, words)
  return gauge(t, ranges, result, words, isLarge && displayUnit !== 'titer' ? valueWords(t, entry) : undefined)
}

const normals = { lab: 'value.normalLab', age: 'value.normalAge' } as const

/** What is normal, and for whom. */
function normalOf(t: Translator, entry: Entry, range: string): string {
  const { ranges, phases: [phase] = [] } = entry
  if (ranges.source === 'phase' && phase) return t('value.normalPhase', { range, phase: judgedPhase(t, phase, entry) })
  const isSourced = ranges.inRange && ranges.source in normals
  return t(isSourced ? normals[ranges.source as keyof typeof normals] : 'value.normal', { range })
}

const asideOf = (t: Translator, { simpleLabel: name }: Entry): Html =>
  html`<span class="aside">${t('value.of', { name: t.nameOf(name) })}</span>`

/** A value that needs attention, with all its texts; `isFolded`: that is opened first. */
export function story(t: Translator, entry: Entry, isFolded: boolean): Html {
  const range = normalWords(t, entry)
  const folded = html`${range && html`<p class="hint">${t('value.normal', { range })}</p>`}<details class="more"><summary>${t('value.more')}${asideOf(t, entry)}</summary><div class="folded">${about(t, entry)}</div></details>`
  return html`<article class="value story" id="${anchor(entry)}">
<div class="value-head"><h3>${named(t, entry.simpleLabel)}</h3>${numberOf(t, entry)}</div>
${verdictOf(t, entry)}
${preliminaryOf(t, entry)}
${drawing(t, entry, true)}
${isFolded ? folded : about(t, entry)}
</article>`
}

/** A value that is as it should be: one line, and its story when it is opened. */
export function line(t: Translator, entry: Entry): Html {
  return html`<details class="line" id="${anchor(entry)}"><summary><span class="line-row"><span class="line-name">${named(t, entry.simpleLabel)}</span> ${numberOf(t, entry)}</span>
<span class="line-row"><span class="line-gauge">${drawing(t, entry, false)}</span> ${verdictOf(t, entry)}</span>${entry.preliminary && html`<span class="small">${t('value.preliminary')}</span>`}</summary>
<div class="folded">${about(t, entry)}</div></details>`
}

/** Why it has no verdict, or what to be careful about. */
function noteOf(t: Translator, { note, noteKept }: Entry): Part {
  if (!note) return null
  const said = stored(note, noteKept)
  return html`<p class="small"${english(t, said)}>${textIn(t.language, said)}</p>`
}

const heading = (text: string): Html => html`<h4>${text}</h4>`

function about(t: Translator, entry: Entry): Html {
  const { text } = entry
  const range = normalWords(t, entry)
  return html`${range && html`<p class="hint">${normalOf(t, entry, range)}</p>`}
${noteOf(t, entry)}
${overTime(t, entry)}
${text && explanation(t, text)}
<details class="more"><summary>${t(text ? 'value.howMeasuredAndSource' : 'value.howMeasured')}${asideOf(t, entry)}</summary><div class="folded small">${facts(t, entry)}</div></details>`
}

/** What the catalogue says, in English; a text that says nothing of a point has no heading for it. */
function explanation(t: Translator, { what, moves, ask }: BiomarkerText): Html {
  const questions = ask.map((one) => html`<li>${one}</li>`)
  return html`${heading(t('value.what'))}<p${english(t)}>${what}</p>${heading(t('value.moves'))}<p${english(t)}>${moves}</p>${
    questions.length > 0 && html`${heading(t('value.ask'))}<ul${english(t)}>${questions}</ul>`
  }`
}

/** The same person's values: a line, what happened to it in words, and a table for those who do not see it. */
function overTime(t: Translator, entry: Entry): Part {
  const { historic, historicFindings, ranges, simpleLabel, displayUnit } = entry
  if (historicFindings.length > 1) {
    const items = historicFindings.map(({ value, timestamp }) => {
      const point = { date: t.date(timestamp), value: findingWord(t, value) }
      return html`<li>${t('value.pointOfTime', point)}</li>`
    })
    return html`${heading(t('value.resultsOverTime'))}<ul>${items}</ul>`
  }
  if (historic.length < 2) return null
  const unit = unitText(displayUnit)
  const others = laboratoryChanges(historic).map(({ before, after }) => {
    const names = { before: before.laboratory ?? '', after: after.laboratory ?? '' }
    return html`<p class="hint">${t('value.otherLaboratory', { date: t.date(after.timestamp), ...names })}</p>`
  })
  const hasNames = historic.some(({ laboratory }) => laboratory)
  const rows = historic.map(
    ({ result, timestamp, laboratory }) =>
      html`<tr><td>${t.date(timestamp)}</td><td><bdi dir="ltr">${t.number(result)} ${unit}</bdi></td>${hasNames && html`<td>${laboratory ?? t('value.table.notKnown')}</td>`}</tr>`,
  )
  return html`${heading(t('value.valuesOverTime'))}${trend(t, historic, ranges.inRange, t.nameOf(simpleLabel))}
${ranges.inRange && html`<p class="hint">${t('value.shaded')}</p>`}${others}
<details class="more"><summary>${t('value.table')}${asideOf(t, entry)}</summary><div class="folded"><table><thead><tr><th scope="col">${t('value.table.day')}</th><th scope="col">${t('value.table.value')}</th>${hasNames && html`<th scope="col">${t('value.table.laboratory')}</th>`}</tr></thead><tbody>${rows}</tbody></table></div></details>`
}

function facts(t: Translator, entry: Entry): Html {
  const { label, type, ranges, displayUnit, text, said: words } = entry
  const laboratoryWords = [
    words?.method && t('value.method', { method: words.method }),
    words?.laboratory && t('value.measuredBy', { laboratory: words.laboratory }),
    words?.comment,
    sampleWords(t, entry),
  ].filter((part) => part !== undefined && part !== '')
  const source = text && inEnglish(t, text.source)
  const sourced =
    source &&
    (text.reviewer
      ? t.rich('value.reviewedBy', { source, reviewer: text.reviewer })
      : t.rich('value.notReviewed', { source }))
  const shown: [string, Part][] = [
    [t('value.name'), named(t, label)],
    [t('value.cameAbout'), type === 'calculated' && t('value.calculated')],
    [t('value.best'), ranges.optimal && html`<bdi dir="ltr">${limitWords(t, ranges.optimal, displayUnit)}</bdi>`],
    [t('value.laboratorySays'), laboratoryWords.length > 0 && laboratoryWords.join(' ')],
    [t('value.asWritten'), type === 'measured' && html`<bdi dir="ltr">${asWritten(entry)}</bdi>`],
    [t('value.source'), sourced],
  ]
  return html`<dl class="facts">
${shown.filter(([, value]) => value).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`
}

/** A value that was received and that nothing judges, with the reason. */
export function withoutVerdict(t: Translator, entry: Entry): Html {
  const shown = isUsable(entry) ? fullValue(t, entry) : asWritten(entry) || '–'
  return html`<article class="value" id="${anchor(entry)}"><div class="value-head"><h3>${named(t, entry.simpleLabel)}</h3><span class="number" dir="ltr">${shown}</span></div>
${!isUsable(entry) && shown !== '–' && html`<p class="hint">${t('value.asWritten')}</p>`}
${preliminaryOf(t, entry)}
${noteOf(t, entry)}</article>`
}
