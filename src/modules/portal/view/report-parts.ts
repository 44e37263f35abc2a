import { originFacts } from '@kitlane/display/origin'
import { unitText, valueText } from '@kitlane/display/report-text'
import { factOf } from '@kitlane/lab-reader/identify/reasons'
import type { Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { conditionWords, factWords, originWords, valueWordsOf } from '../../reports/render/words.ts'
import type { Report } from '../../reports/schema.ts'
import { english, inEnglish } from './layout.ts'

/** What a reader must know of this version and its sample. */
export function notices(t: Translator, { details, labParamsError }: Report): Part {
  const { version, latestVersion: latest, vendorStatus, reason } = details
  const withdrawn = (details.withdrawn ?? []).map(({ label, withdrawnDate, reason }) => {
    const values = { date: t.date(withdrawnDate), reason: inEnglish(t, reason) }
    return t.rich('report.withdrawn', { name: label, ...values })
  })
  const texts: Part[] = [
    vendorStatus === 'corrected' && t('report.corrected'),
    version < latest && t('report.older', { version, latest }),
    version === latest && vendorStatus === 'partial' && t('report.partial'),
    version > 1 && Boolean(reason) && t.rich('report.why', { version, reason: inEnglish(t, reason) }),
    ...withdrawn,
    ...labParamsError.map((code) => conditionWords(t, code)),
  ].filter(Boolean)
  return texts.length > 0 && html`<div class="note warn">${texts.map((text) => html`<p>${text}</p>`)}</div>`
}

/** Where the results come from. */
export function origin(t: Translator, { origin: known }: Report): Part {
  const facts = originFacts(known ?? { laboratories: [], specimens: [], notes: [] }, originWords(t))
  const rows = facts.map(([name, text]) => html`<div><dt>${name}</dt><dd><bdi>${text}</bdi></dd></div>`)
  return html`<h2>${t('report.origin')}</h2><dl class="facts">${rows}</dl>`
}

/** What the laboratory sent and nobody here could judge, as it was sent. */
export function unassessed(t: Translator, results: Report['unassessed']): Part {
  if (results.length === 0) return null
  return html`<p>${t('report.unassessed')}</p>
${results.map((one) => sentValue(t, one))}`
}

function sentValue(t: Translator, { name, value, unit, range, flag, reason }: Report['unassessed'][number]): Html {
  const fact = factWords(t, reason)
  return html`<div class="value"><div class="value-head"><h3>${name || t('report.unassessed.noName')}</h3><span class="number" dir="ltr">${value || '–'} <span class="unit">${unit}</span></span></div>
${range && html`<p class="hint">${t('report.unassessed.range', { range })}</p>`}
${flag && html`<p class="hint">${t('report.unassessed.flag', { flag })}</p>`}
<p class="small"${fact === factOf(reason) && english(t)}>${fact}.</p></div>`
}

/** The same values in another version. */
export function corrections(t: Translator, { details: { changes: all = [], version } }: Report): Part {
  if (all.length === 0) return null
  const rows = all.map(
    ({ label, before, after }) =>
      html`<tr><td>${label}</td><td>${thenWords(t, before)}</td><td>${thenWords(t, after)}</td></tr>`,
  )
  const heads = [
    t('report.corrections.value'),
    t('report.version', { version: version - 1 }),
    t('report.version', { version }),
  ]
  return html`<h2>${t('report.corrections')}</h2><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`
}

type Then = NonNullable<Report['details']['changes']>[number]['before']

/** A value of another version. */
function thenWords(t: Translator, value: Then): Part {
  if (!value) return t('report.corrections.notReported')
  const text = valueText(value, valueWordsOf(t))
  if (text === '') return t('report.corrections.notUsable')
  return html`<bdi dir="ltr">${`${text} ${unitText(value.displayUnit)}`.trim()}</bdi>`
}

/** The other versions of a report. */
export function versions(t: Translator, { id, details: { version, latestVersion } }: Report, base: string): Part {
  if (latestVersion === 1) return null
  const others = Array.from({ length: latestVersion }, (_, index) => latestVersion - index).filter(
    (one) => one !== version,
  )
  const items = others.map((one) => {
    const name = t(one === latestVersion ? 'report.versionNewest' : 'report.version', { version: one })
    return html`<li><a href="${base}/${id}?version=${one}">${name}</a></li>`
  })
  return html`<h2>${t('report.versions')}</h2><p>${t('report.versions.this', { version, latest: latestVersion })}</p>
<ul>${items}</ul>`
}
