import { byHarm, harmOf, isHarmful, needsAttention, shownState } from '@kitlane/display/harm'
import { originFacts } from '@kitlane/display/origin'
import { LOINC_NOTICE, unitText, valueText } from '@kitlane/display/report-text'
import { type Change, changesSince, openingOf } from '@kitlane/display/story'
import { upToItself } from '@kitlane/display/trend'
import { factOf } from '@kitlane/lab-reader/identify/reasons'
import type { Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { emptyOrigin } from '../../reports/origin/rules.ts'
import * as renderWords from '../../reports/render/words.ts'
import type { Report } from '../../reports/schema.ts'
import { type Conversion, inUnits, type ShownUnits } from '../../reports/units/in-units.ts'
import { type UnitSystem, unitSystems } from '../../reports/units/systems.ts'
import type { Paper } from '../paper.ts'
import { ring, verdictMark } from './drawings.ts'
import { english, inEnglish, named, page } from './layout.ts'
import { anchor, type Entry, fullValue, line, sideOf, story, withoutVerdict } from './value.ts'

export interface ShownReport {
  paper: Paper
  report: Report
  units: UnitSystem
  /** Of the person. */
  firstName: string | null
  /** Below which address the report, its versions and its PDF are. */
  base: string
  /** Above all else, such as for whom a shared report is. */
  above?: Part
  /** What can be done next. */
  next?: Part
  /** Where it can be kept on the device: how that stands, and what a copy says of itself. */
  copy?: { section: Html; note: Html }
  foot: Part
}

/** What a reader must know of this version and its sample. */
function notices(t: Translator, { details, labParamsError }: Report): Part {
  const { version, latestVersion: latest, vendorStatus, reason, personCorrected = [] } = details
  const withdrawn = (details.withdrawn ?? []).map(({ label, withdrawnDate, reason }) => {
    const values = { date: t.date(withdrawnDate), reason: inEnglish(t, reason) }
    return t.rich('report.withdrawn', { name: t.nameOf(label), ...values })
  })
  const texts: Part[] = [
    vendorStatus === 'corrected' && t('report.corrected'),
    version < latest && t('report.older', { version, latest }),
    version === latest && vendorStatus === 'partial' && t('report.partial'),
    version > 1 && Boolean(reason) && t.rich('report.why', { version, reason: inEnglish(t, reason) }),
    ...personCorrected.map(({ field, date }) => t(`report.person.${field}`, { date: t.date(date) })),
    ...withdrawn,
    ...labParamsError.flatMap((code) => (renderWords.isRecall(code) ? [] : renderWords.conditionWords(t, code))),
  ].filter(Boolean)
  return texts.length > 0 && html`<div class="note warn">${texts.map((text) => html`<p>${text}</p>`)}</div>`
}

/** Where the results come from. */
function origin(t: Translator, { origin: known = emptyOrigin, details }: Report): Part {
  const facts = originFacts({ ...known, collectedSaid: details.collectedSaid }, renderWords.originWords(t))
  const rows = facts.map(([name, text]) => html`<div><dt>${name}</dt><dd><bdi>${text}</bdi></dd></div>`)
  return html`<h2>${t('report.origin')}</h2><dl class="facts">${rows}</dl>`
}

/** What the laboratory sent and nobody here could judge, as it was sent. */
function unassessed(t: Translator, results: Report['unassessed']): Part {
  if (results.length === 0) return null
  return html`<p>${t('report.unassessed')}</p>
${results.map((one) => sentValue(t, one))}`
}

function sentValue(t: Translator, { name, value, unit, range, flag, reason }: Report['unassessed'][number]): Html {
  const fact = renderWords.factWords(t, reason)
  return html`<div class="value"><div class="value-head"><h3>${name || t('report.unassessed.noName')}</h3><span class="number" dir="ltr">${value || '–'} <span class="unit">${unit}</span></span></div>
<p class="hint">${t('value.asWritten')}</p>
${range && html`<p class="hint">${t('report.unassessed.range', { range })}</p>`}
${flag && html`<p class="hint">${t('report.unassessed.flag', { flag })}</p>`}
<p class="small"${fact === factOf(reason) && english(t)}>${fact}.</p></div>`
}

/** The same values in another version. */
function corrections(t: Translator, { details: { changes: all = [], version, previous = version - 1 } }: Report): Part {
  if (all.length === 0) return null
  const rows = all.map(
    ({ label, before, after }) =>
      html`<tr><td>${named(t, label)}</td><td>${thenWords(t, before)}</td><td>${thenWords(t, after)}</td></tr>`,
  )
  const heads = [
    t('report.corrections.value'),
    t('report.version', { version: previous }),
    t('report.version', { version }),
  ]
  return html`<h2>${t('report.corrections')}</h2><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
}

type Then = NonNullable<Report['details']['changes']>[number]['before']

/** A value of another version. */
function thenWords(t: Translator, value: Then): Part {
  if (!value) return t('report.corrections.notReported')
  const text = valueText(value, renderWords.valueWordsOf(t))
  if (text === '') return t('report.corrections.notUsable')
  return html`<bdi dir="ltr">${`${text} ${unitText(value.displayUnit)}`.trim()}</bdi>`
}

/** The other versions of a report. */
function versions(t: Translator, { id, details }: Report, base: string): Part {
  const { version, latestVersion, versions: all } = details
  const others = all.filter((one) => one !== version).toReversed()
  if (others.length === 0) return null
  const items = others.map((one) => {
    const name = t(one === latestVersion ? 'report.versionNewest' : 'report.version', { version: one })
    return html`<li><a href="${base}/${id}?version=${one}">${name}</a></li>`
  })
  return html`<h2>${t('report.versions')}</h2><p>${t('report.versions.this', { version, latest: latestVersion })}</p>
<ul>${items}</ul>`
}

/** A report for the person: what matters first, then what changed, then the rest by part of the body. */
export function reportPage({
  paper,
  report: whole,
  units: system,
  firstName,
  base,
  above,
  next,
  copy,
  foot,
}: ShownReport): Html {
  const { t } = paper
  const { report, units } = inUnits(upToItself(whole), system)
  const { details, biomarker, axes } = report
  const harmful = byHarm(biomarker).filter(needsAttention)
  const fine = biomarker.filter((entry) => harmOf(entry) === 'inRange')
  const unjudged = biomarker.filter((entry) => harmOf(entry) === 'notJudged')
  const day = details.collectedDate ?? details.resultedDate ?? details.publishedDate
  const heading = { date: day === undefined ? '' : t.date(day) }
  const isOlder = details.version < details.latestVersion
  const query = String(new URLSearchParams({ ...(isOlder && { version: String(details.version) }), units: system }))
  const parts = [...Map.groupBy(fine, ({ category }) => category.name)]
  return page({
    title: t('report.title'),
    paper,
    foot,
    ...(copy && { isApp: true, script: '/r/page.js' }),
    body: html`${copy?.note}${above}<h1>${above ? t('report.headingShared', heading) : firstName ? t('report.headingName', { name: firstName, ...heading }) : t('report.heading', heading)}</h1>
${report.labParamsError.some(renderWords.isRecall) && html`<div class="note bad"><h2>${t('report.recalled.title')}</h2><p>${t('report.recalled')}</p></div>`}
<p class="lead">${renderWords.openingWords(t, openingOf(report))}</p>
${t.language !== 'en' && html`<p class="hint">${t('report.english')} ${t('report.names')}</p>`}
${urgentNote(t, report)}
${notices(t, report)}
${noteOf(t, report)}
${unitsChoice(paper, units)}
${harmful.length > 0 && html`<h2>${t('report.attention')}</h2>${glance(t, harmful.filter(isHarmful))}${key(t)}${harmful.map((entry, index) => story(t, entry, index >= OPEN_STORIES))}`}
${changed(t, biomarker)}
${fine.length > 0 && html`<h2>${t('report.fine')}</h2>${harmful.length === 0 && key(t)}<p class="hint">${t('report.fine.how')}</p>`}
${parts.map(([name, entries]) => html`<h3 class="part">${named(t, name)}</h3>${entries.map((entry) => line(t, entry))}`)}
${(unjudged.length > 0 || report.unassessed.length > 0) && html`<h2>${t('report.unjudged')}</h2>`}
${unjudged.map((entry) => withoutVerdict(t, entry))}
${unassessed(t, report.unassessed)}
${scores(t, axes, biomarker)}
${next}
<h2>${t('report.keep')}</h2>
<a class="button quiet" data-online href="${base}/${report.id}/pdf?${query}">${t('report.pdf')}</a>
${copy?.section}
${harmful.length + fine.length > 0 && html`<h2>${t('report.meaning')}</h2>\n<p>${t('report.meaning.range')}</p>\n<p>${t('report.meaning.doctor')}</p>`}
${corrections(t, report)}
${versions(t, report, base)}
${origin(t, report)}
${!above && html`<a class="back" href="/r">${t('page.backToKit')}</a>`}
<p class="hint">${renderWords.rangesWords(t, report.biomarker)} ${inEnglish(t, LOINC_NOTICE)}</p>`,
  })
}

// The text of all of them would hide how few values they are.
const OPEN_STORIES = 3

/** What lies outside, at a glance. */
const glance = (t: Translator, harmful: readonly Entry[]): Part =>
  harmful.length > 1 &&
  html`<ul class="changes">${harmful.map((entry) => html`<li><span class="v-${shownState(entry)}">${verdictMark(sideOf(entry))}</span> ${t.rich('report.glance', { name: linkToValue(t, entry), verdict: renderWords.verdictWithin(t, entry) })}</li>`)}</ul>`

const linkToValue = (t: Translator, entry: Entry): Html =>
  html`<a href="#${anchor(entry)}">${named(t, entry.simpleLabel)}</a>`

function urgentNote(t: Translator, report: Report): Part {
  const urgent = renderWords.urgentWords(t, report)
  return urgent && html`<div class="note bad"><h2>${urgent.title}</h2><p>${urgent.text}</p></div>`
}

/** What a clinician wrote, with the name. */
function noteOf(t: Translator, { note, details }: Report): Part {
  if (!note) return null
  const paragraphs = note.text.split(/\n\s*\n/).map((one) => html`<p dir="auto">${one}</p>`)
  const by = { author: note.author, date: t.date(note.date), version: note.version }
  const isOlder = note.version < details.version
  return html`<section class="note letter"><h2>${t('report.note')}</h2>${paragraphs}<p class="small">${t(isOlder ? 'report.note.byOlder' : 'report.note.by', by)}</p></section>`
}

type Axis = Report['axes'][number]

/** A ring for each part that can be scored, with the worst value in it; the others in one line. */
function scores(t: Translator, axes: readonly Axis[], entries: readonly Entry[]): Part {
  const scored = axes.filter(({ result }) => result !== null)
  const others = axes.filter(({ result }) => result === null).map(({ category }) => t.nameOf(category))
  if (scored.length === 0) return null
  const names = others.join(', ')
  return html`<h2>${t('report.scores')}</h2><ul class="scores">${scored.map((axis) => score(t, axis, entries))}</ul>
<p class="hint">${t('report.scores.how')} ${t('report.scores.notice')}${others.length > 0 && html` ${t.rich('report.scores.others', { names })}`}</p>`
}

function score(t: Translator, { category, result }: Axis, entries: readonly Entry[]): Html {
  const [worst] = byHarm(entries.filter((entry) => entry.category.name === category && isHarmful(entry)))
  const worstText =
    worst && t('report.glance', { name: t.nameOf(worst.simpleLabel), verdict: renderWords.verdictWithin(t, worst) })
  // A high average would hide it.
  const isUrgent = renderWords.urgentOf(entries).some((entry) => entry.category.name === category)
  const number = isUrgent
    ? html`${named(t, category)}<span class="worst">${t('report.scores.critical')}</span>`
    : html`${ring(result ?? 0)}${named(t, category)}<span class="aside">${t('report.scores.of', { score: result ?? 0 })}</span>`
  return html`<li>${number}${worst && html`<span class="worst v-${shownState(worst)}">${worstText}</span>`}</li>`
}

const swatch = (zone: string) =>
  html`<svg viewBox="0 0 16 12" aria-hidden="true"><rect class="z-${zone}" width="16" height="12"/></svg>`

const key = (t: Translator): Html =>
  html`<ul class="key"><li>${swatch('optimal')}${t('report.key.best')}</li><li>${swatch('good')}${t('report.key.normal')}</li><li>${swatch('fair')}${t('report.key.slight')}</li><li>${swatch('poor')}${t('report.key.outside')}</li></ul>`

/** What crossed a limit since the person's last values. */
function changed(t: Translator, entries: readonly Entry[]): Part {
  const { since, changes } = changesSince(entries)
  if (since === undefined) return null
  const kinds = [...Map.groupBy(changes, ({ kind }) => kind)]
  const lists = kinds.map(
    ([kind, some]) =>
      html`<h3 class="part">${t(`report.changed.${kind}`)}</h3><ul class="changes">${some.map((change) => changeItem(t, change))}</ul>`,
  )
  return html`<h2>${t('report.changed', { date: t.date(since) })}</h2>
${changes.length === 0 && html`<p>${t('report.changed.nothing')}</p>`}
${lists}
<p class="hint">${t('report.changed.how')}</p>`
}

function changeItem(t: Translator, { kind, entry, before }: Change<Entry>): Html {
  const name = html`<a href="#${anchor(entry)}">${named(t, entry.simpleLabel)}</a>`
  if (kind === 'new' || !before) return html`<li>${name}</li>`
  const was = before.result === undefined ? renderWords.findingWord(t, before.value ?? '') : t.number(before.result)
  const then = `${was} ${unitText(entry.displayUnit)}`.trim()
  const date = t.date(before.timestamp)
  if (kind === 'open') return html`<li>${t.rich('report.changed.was', { name, then, date })}</li>`
  const now = { now: fullValue(t, entry), verdict: renderWords.verdictWithin(t, entry) }
  return html`<li><span class="v-${shownState(entry)}">${verdictMark(sideOf(entry))}</span> ${t.rich('report.changed.now', { name, then, date, ...now })}</li>`
}

/** In which units the values are, the way to others, and what was converted by which factor. */
function unitsChoice({ t, query }: Paper, { system, converted, unconverted, isChoice }: ShownUnits): Part {
  if (!isChoice && unconverted.length === 0) return null
  const links = unitSystems.map((one) =>
    one === system
      ? html`<li><strong class="language" aria-current="true">${t(`units.${one}`)}</strong></li>`
      : html`<li><a class="language" href="?${String(new URLSearchParams({ ...query, units: one }))}">${t(`units.${one}`)}</a></li>`,
  )
  const rows = converted.map((one) => html`<tr><td>${named(t, one.simpleLabel)}</td><td>${formula(t, one)}</td></tr>`)
  const names = unconverted.map(({ simpleLabel }) => t.nameOf(simpleLabel))
  return html`<section class="units">${isChoice && html`<nav aria-label="${t('units.title')}"><span class="units-title" aria-hidden="true">${t('units.title')}</span><ul class="languages">${links}</ul></nav>`}
<p class="hint">${t(`units.${system}.how`)}${names.length > 0 && html` ${t('units.kept', { names: t.list(names), count: names.length })}`}</p>
${rows.length > 0 && html`<details class="more"><summary>${t('units.converted', { count: rows.length })}</summary><div class="folded"><p class="small">${t('units.rounded')}</p><table><thead><tr><th scope="col">${t('report.corrections.value')}</th><th scope="col">${t('units.factor')}</th></tr></thead><tbody>${rows}</tbody></table></div></details>`}</section>`
}

/** `mmol/L = mg/dL × 0.05551`, in every language alike. */
function formula(
  t: Translator,
  { from, to, factor, offset }: Pick<Conversion, 'from' | 'to' | 'factor' | 'offset'>,
): Html {
  const number = (x: number) => t.number(Number(Math.abs(x).toPrecision(4)))
  const shift = offset === 0 ? '' : ` ${offset < 0 ? '−' : '+'} ${number(offset)}`
  return html`<bdi dir="ltr">${unitText(to) || '1'} = ${unitText(from) || '1'} × ${number(factor)}${shift}</bdi>`
}
