import { shownState } from '@kitlane/display/harm'
import { unitText } from '@kitlane/display/report-text'
import { type Change, changesSince } from '@kitlane/display/story'
import type { Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { findingWord, verdictWithin } from '../../reports/render/words.ts'
import { verdictMark } from './drawings.ts'
import { inEnglish } from './layout.ts'
import { anchor, sideOf } from './value.ts'
import { type Entry, fullValue } from './value-words.ts'

/** What crossed a limit since the person's last values. */
export function changed(t: Translator, entries: readonly Entry[]): Part {
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
  const name = html`<a href="#${anchor(entry)}">${inEnglish(t, entry.simpleLabel)}</a>`
  if (kind === 'new' || !before) return html`<li>${name}</li>`
  const was = before.result === undefined ? findingWord(t, before.value ?? '') : t.number(before.result)
  const then = `${was} ${unitText(entry.displayUnit)}`.trim()
  const date = t.date(before.timestamp)
  if (kind === 'open') return html`<li>${t.rich('report.changed.was', { name, then, date })}</li>`
  const now = { now: fullValue(t, entry), verdict: verdictWithin(t, entry) }
  return html`<li><span class="v-${shownState(entry)}">${verdictMark(sideOf(entry))}</span> ${t.rich('report.changed.now', { name, then, date, ...now })}</li>`
}
