import { unitText } from '@kitlane/display/report-text'
import type { Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Conversion, ShownUnits } from '../../reports/units/in-units.ts'
import { unitSystems } from '../../reports/units/systems.ts'
import type { Paper } from '../paper.ts'
import { inEnglish } from './layout.ts'

/** In which units the values are, the way to others, and what was converted by which factor. */
export function unitsChoice({ t, query }: Paper, { system, converted, kept, isChoice }: ShownUnits): Part {
  if (!isChoice && kept.length === 0) return null
  const links = unitSystems.map((one) =>
    one === system
      ? html`<li><strong class="language" aria-current="true">${t(`units.${one}`)}</strong></li>`
      : html`<li><a class="language" href="?${String(new URLSearchParams({ ...query, units: one }))}">${t(`units.${one}`)}</a></li>`,
  )
  const rows = converted.map(
    (one) => html`<tr><td>${inEnglish(t, one.simpleLabel)}</td><td>${formula(t, one)}</td></tr>`,
  )
  const names = kept.map(({ simpleLabel }) => simpleLabel)
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
