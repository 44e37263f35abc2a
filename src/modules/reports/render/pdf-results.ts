import { byHarm, harmOf, needsAttention, shownState } from '@kitlane/display/harm'
import { intervalText } from '@kitlane/display/interval'
import { limitsText, rawText, unitText, valueText } from '@kitlane/display/report-text'
import type { Interval } from '@kitlane/lab-reader/facts/schema'
import { textIn } from '../../../domain/translations/sentences.ts'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { MessageKey, Translator } from '../../../domain/translations/translator.ts'
import { ink, page } from '../../../platform/pdf/paper.ts'
import type { Sheet } from '../../../platform/pdf/sheet.ts'
import { isUsable, type Report, type ValueThen } from '../schema.ts'
import type { ShownUnits } from '../units/in-units.ts'
import { drawGauge, drawLegend, drawSparkline, drawSteps } from './charts.ts'
import { verdictColors } from './look.ts'
import { heading } from './pdf-head.ts'
import { factWords, findingWord, judgedPhase, sampleWords, stepsIn, valueWordsOf, verdictWords } from './words.ts'

type Entry = Report['biomarker'][number]

const columns = {
  name: { x: page.left, width: 138 },
  value: { right: 282 },
  gauge: { x: 296, width: 126 },
  spark: { x: 430, width: 44 },
  verdict: { x: 484, width: 71 },
} as const
const NAME_SIZE = 8.5
const VERDICT_SIZE = 7.5
const verdictWidth = columns.verdict.width - 8

/** The judged results: what needs attention by harm, then the rest by category, as on the pages of the person. */
export function drawResults(sheet: Sheet, entries: readonly Entry[]): void {
  const harmful = byHarm(entries).filter(needsAttention)
  const rest = entries.filter((entry) => harmOf(entry) === 'inRange')
  const groups = [...Map.groupBy(rest, ({ category }) => category.name)]
  if (harmful.length > 0) groups.unshift([sheet.t('report.attention'), harmful])
  for (const [index, [title, members]] of groups.entries()) {
    heading(sheet, sheet.t.nameOf(title), rowHeight(sheet, members[0]))
    if (index === 0) drawLegend(sheet, columns.gauge.x)
    for (const entry of members) drawRow(sheet, entry)
  }
}

/** Empty where it is the name of the laboratory. */
function everyday(t: Translator, { simpleLabel, label, type }: Entry): string {
  const name = t.nameOf(simpleLabel) === t.nameOf(label) ? '' : t.nameOf(simpleLabel)
  return type === 'calculated' ? t('pdf.calculated', { name }).trim() : name
}

function nameHeight(sheet: Sheet, entry: Entry): number {
  const { width } = columns.name
  const below = everyday(sheet.t, entry)
  return (
    sheet.measure(sheet.t.nameOf(entry.label), width, NAME_SIZE, 'bold') + (below ? sheet.measure(below, width, 7) : 0)
  )
}

/** Of a verdict: no word of it is broken, where the language has spaces between words. */
function verdictSize(sheet: Sheet, words: string): number {
  if (sheet.t.language === 'ja') return VERDICT_SIZE
  const longest = Math.max(...words.split(' ').map((word) => sheet.widthOf(word, VERDICT_SIZE, 'bold')))
  return VERDICT_SIZE * Math.min(1, (verdictWidth - 1) / longest)
}

/** Where the note of a row begins, below its verdict and its reference. */
function noteTop(sheet: Sheet, entry: Entry): number {
  const words = verdictWords(sheet.t, entry)
  const reference = sheet.measure(referenceText(sheet.t, entry), columns.verdict.x - columns.gauge.x, 6.5)
  return Math.max(28, 20 + reference, 5.5 + sheet.measure(words, verdictWidth, verdictSize(sheet, words), 'bold')) + 1
}

function noteOf(t: Translator, entry: Entry): string {
  const { preliminary, note, noteKept, ranges, phases: [phase] = [] } = entry
  const judged = ranges.source === 'phase' && phase && `${t.capital(judgedPhase(t, phase, entry))}.`
  const said = note && textIn(t.language, stored(note, noteKept))
  return [preliminary && t('value.preliminary'), judged, said].filter(Boolean).join(' ')
}

function rowHeight(sheet: Sheet, entry: Entry | undefined): number {
  if (!entry) return 0
  const note = noteOf(sheet.t, entry)
  const noteHeight = note ? sheet.measure(note, page.right - columns.gauge.x, 7) + 1 : 0
  return Math.max(nameHeight(sheet, entry) + 8, noteTop(sheet, entry) + noteHeight + 3)
}

function drawRow(sheet: Sheet, entry: Entry): void {
  const { ranges, result, displayUnit, historic } = entry
  const note = noteOf(sheet.t, entry)
  const { name, gauge, spark, verdict } = columns
  const height = rowHeight(sheet, entry)
  sheet.need(height)
  const top = sheet.y
  const { t } = sheet
  const label = t.nameOf(entry.label)
  const words = verdictWords(t, entry)
  const reference = referenceText(t, entry)
  sheet.block('P', 0, (y) => {
    sheet.write(label, name.x, y + 4, { width: name.width, size: NAME_SIZE, font: 'bold' })
    const below = y + 4 + sheet.measure(label, name.width, NAME_SIZE, 'bold')
    sheet.write(everyday(sheet.t, entry), name.x, below, { width: name.width, size: 7, color: ink.soft })
    drawValue(sheet, y + 4, valueText(entry, valueWordsOf(t)), unitText(displayUnit))
    sheet.artifact(() =>
      sheet.doc.circle(sheet.at(verdict.x + 2.5, 0), y + 10, 2.5).fill(verdictColors[shownState(entry)]),
    )
    const style = {
      width: verdictWidth,
      size: verdictSize(sheet, words),
      font: 'bold',
      color: verdictColors[shownState(entry)],
    } as const
    sheet.write(words, verdict.x + 8, y + 5.5, style)
    sheet.write(reference, gauge.x, y + 20, { width: verdict.x - gauge.x, size: 6.5, color: ink.soft })
    if (note)
      sheet.write(note, gauge.x, y + noteTop(sheet, entry), {
        width: page.right - gauge.x,
        size: 7,
        color: ink.warning,
      })
  })
  sheet.figure(`${label}: ${words}. ${reference}`, () => {
    const steps = stepsIn(t, entry)
    const box = { x: gauge.x, y: top + 8, width: gauge.width, height: 8 }
    if (steps.length > 0) drawSteps(sheet, { ...box, y: top + 6, height: 12 }, steps)
    else if (entry.finding === undefined) drawGauge(sheet, box, ranges, result)
  })
  if (historic.length > 1) {
    sheet.figure(t('pdf.seeChart', { name: label }), () =>
      drawSparkline(sheet, { x: spark.x, y: top + 4, width: spark.width, height: 14 }, historic),
    )
  }
  sheet.artifact(() => sheet.doc.rect(page.left, top + height - 0.5, page.width, 0.5).fill(ink.line))
  sheet.y = top + height
}

/** Value and unit on one line, set to the right: digits of several rows stand below each other. */
function drawValue(sheet: Sheet, y: number, value: string, unit: string): void {
  const unitWidth = unit ? sheet.widthOf(` ${unit}`, 7.5) : 0
  const valueWidth = sheet.widthOf(value, 10, 'bold') + 1
  const x = columns.value.right - unitWidth - valueWidth
  sheet.together(() =>
    sheet.fromLeft(x, unitWidth + valueWidth, () => {
      sheet.write(value, x, y, { width: valueWidth + 2, size: 10, font: 'bold' })
      if (unit) sheet.write(` ${unit}`, x + valueWidth, y + 2.3, { width: unitWidth + 4, size: 7.5 })
    }),
  )
}

const sources = {
  lab: 'pdf.source.lab',
  phase: 'pdf.source.phase',
  age: 'pdf.source.age',
  union: 'pdf.source.union',
} as const

function referenceText(t: Translator, entry: Entry): string {
  if (entry.finding) return findingReference(t, entry)
  const { ranges, displayUnit } = entry
  const { inRange, optimal, source } = ranges
  if (!inRange) return ''
  const whose = source in sources ? ` (${t(sources[source as keyof typeof sources])})` : ''
  const best = optimal ? `, ${t('pdf.optimal', { range: limitsOf(t, optimal, displayUnit) })}` : ''
  return `${t('pdf.reference', { range: limitsOf(t, inRange, displayUnit) })}${whose}${best}`
}

/** Without the unit, which stands beside the value. */
const limitsOf = (t: Translator, interval: Interval, displayUnit: string) =>
  displayUnit === 'titer' ? limitsText(interval, displayUnit, t) : intervalText(interval, t.number)

/** What is expected, and what was found before. */
function findingReference(t: Translator, { finding, expected, historicFindings }: Entry): string {
  const normal =
    finding && expected ? expected.values.map((value) => valueWordsOf(t).finding({ ...finding, value })) : []
  const whose = expected?.source === 'lab' ? ` (${t('pdf.source.lab')})` : ''
  const before = historicFindings.slice(0, -1).at(-1)
  const texts = [
    normal.length > 0 && `${t('pdf.expected', { values: t.either(normal) })}${whose}`,
    before && t('pdf.before', { value: findingWord(t, before.value), date: t.date(before.timestamp) }),
  ]
  return texts.filter(Boolean).join('. ')
}

/** How each value was measured, and what the laboratory noted beside it. */
export function drawLaboratoryWords(sheet: Sheet, entries: readonly Entry[]): void {
  const rows = entries.flatMap((entry): [string, string, string][] => {
    const { said } = entry
    const ofSample = sampleWords(sheet.t, entry)
    if (!said && ofSample === '') return []
    const method = [said?.method, said?.laboratory].filter(Boolean).join(', ')
    const note = [said?.comment, ofSample].filter(Boolean).join(' ')
    return [[sheet.t.nameOf(entry.label), method || '–', note]]
  })
  if (rows.length > 0)
    drawTable(sheet, sheet.t('pdf.methods'), headOf(sheet, 'pdf.test', 'pdf.methodLaboratory', 'origin.note'), rows)
}

/** What could not be judged or used, each with what the laboratory wrote and why. */
export function drawUnjudged(sheet: Sheet, entries: readonly Entry[]): void {
  const unjudged = entries.filter((entry) => harmOf(entry) === 'notJudged')
  if (unjudged.length === 0) return
  const rows = unjudged.map((entry): [string, string, string] => [
    sheet.t.nameOf(entry.label),
    givenText(sheet.t, entry),
    noteOf(sheet.t, entry),
  ])
  drawTable(sheet, sheet.t('pdf.unjudged'), headOf(sheet, 'pdf.test', 'pdf.result', 'pdf.reason'), rows)
}

/** What was received and not assessed, as it was sent, each with the reason. */
export function drawUnassessed(sheet: Sheet, results: Report['unassessed']): void {
  if (results.length === 0) return
  const { t } = sheet
  const rows = results.map((one): [string, string, string] => [
    one.name || t('report.unassessed.noName'),
    sentText(t, one),
    factWords(t, one.reason),
  ])
  drawTable(sheet, t('pdf.unassessed'), headOf(sheet, 'pdf.test', 'pdf.sent', 'pdf.reason'), rows)
}

function sentText(t: Translator, { value, unit, range, flag }: Report['unassessed'][number]): string {
  const beside = [range && t('pdf.range', { range }), flag && t('pdf.flagSent', { flag })].filter(Boolean).join(', ')
  return `${[value || '–', unit].filter(Boolean).join(' ')}${beside && ` (${beside})`}`
}

function givenText(t: Translator, entry: Entry): string {
  const given = rawText(entry)
  if (!isUsable(entry)) return given || '–'
  const shown = `${valueText(entry, valueWordsOf(t))} ${unitText(entry.displayUnit)}`.trim()
  const isAsGiven = entry.finding
    ? entry.rawResult === shown
    : entry.rawUnit === entry.unit || entry.type === 'calculated'
  return isAsGiven ? shown : t('pdf.given', { shown, given })
}

/** What is shown in another unit than the report's. */
export function drawConversions(sheet: Sheet, { converted }: ShownUnits): void {
  if (converted.length === 0) return
  const { t } = sheet
  const rows = converted.map(({ label, from, to, factor, offset }): [string, string, string] => {
    const number = (x: number) => t.number(Number(Math.abs(x).toPrecision(4)))
    const shift = offset === 0 ? '' : ` ${offset < 0 ? '–' : '+'} ${number(offset)}`
    return [
      t.nameOf(label),
      `${unitText(from)} → ${unitText(to)}`,
      `${unitText(to)} = ${unitText(from)} × ${number(factor)}${shift}`,
    ]
  })
  drawTable(sheet, t('pdf.converted'), headOf(sheet, 'pdf.test', 'pdf.unit', 'pdf.factor'), rows)
}

/** What differs from the version before. */
export function drawChanges(sheet: Sheet, { changes = [], version, previous = version - 1 }: Report['details']): void {
  if (changes.length === 0) return
  const { t } = sheet
  const rows = changes.map(({ label, before, after }): [string, string, string] => [
    t.nameOf(label),
    `${thenWords(t, before)} → ${thenWords(t, after)}`,
    before && after && before.state !== after.state ? `${verdictWords(t, before)} → ${verdictWords(t, after)}` : '',
  ])
  const title = t('pdf.changes', { version: previous })
  drawTable(sheet, title, headOf(sheet, 'pdf.test', 'pdf.result', 'pdf.verdict'), rows)
}

/** A value of another version. */
function thenWords(t: Translator, value: ValueThen | undefined): string {
  if (!value) return t('report.corrections.notReported')
  const text = valueText(value, valueWordsOf(t))
  return text === '' ? t('report.corrections.notUsable') : `${text} ${unitText(value.displayUnit)}`.trim()
}

/** What stands above the columns of a table. */
const headOf = ({ t }: Sheet, ...[first, second, third]: [MessageKey, MessageKey, MessageKey]): Row => [
  t(first),
  t(second),
  t(third),
]

type Row = readonly [string, string, string]
const tableColumns = [
  { x: page.left, width: 165, font: 'bold' },
  { x: 213, width: 140, font: 'regular' },
  { x: 361, width: 194, font: 'regular' },
] as const

function drawTable(sheet: Sheet, title: string, head: Row, rows: readonly Row[]): void {
  const heightOf = (row: Row) =>
    Math.max(...tableColumns.map(({ width, font }, index) => sheet.measure(row[index] ?? '', width, 8, font))) + 7
  heading(sheet, title, 14 + heightOf(rows[0] ?? head))
  const draw = (row: Row, color: string) =>
    sheet.block('P', heightOf(row), (y) => {
      for (const [index, { x, width, font }] of tableColumns.entries()) {
        sheet.write(row[index] ?? '', x, y + 3, { width, size: 8, font, color })
      }
    })
  draw(head, ink.soft)
  for (const row of rows) {
    draw(row, ink.text)
    sheet.artifact(() => sheet.doc.rect(page.left, sheet.y - 0.5, page.width, 0.5).fill(ink.line))
  }
}
