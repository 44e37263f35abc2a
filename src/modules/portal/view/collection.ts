import { Phase } from '@kitlane/lab-reader/facts/schema'
import type { MessageKey } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { isKnown, type KnownQuestion, type PanelQuestion } from '../../catalogue/question-schema.ts'
import { medicines } from '../../collection/questions.ts'
import type { Paper } from '../paper.ts'
import { choiceField, dateField, type Filled, field, selectField, tickField } from './fields.ts'
import { code, english, page, problemList, titleOf, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

/** The name of a question's field. */
export const fieldOf = (id: string): string => `q_${id}`

export interface CollectionForm extends Filled {
  kitId: string
  /** Of a ward. */
  ward: string | undefined
  token: string
  questions: readonly PanelQuestion[]
  /** Zones, by what they are called. */
  zones: readonly (readonly [zone: string, name: string])[]
  /** Of a time that clocks showed twice. */
  offsets: readonly string[]
  isSaved: boolean
}

/** Where a person says when their sample was taken, and answers what is asked of it. */
export function collectionPage(form: CollectionForm): Html {
  const { paper, problems, kitId, ward, token, questions, zones, offsets, isSaved } = form
  const { t } = paper
  const title = t('collection.title')
  const [only] = zones.length === 1 ? zones : []
  return page({
    title: titleOf(paper, title, problems),
    paper,
    foot: leaveForm(paper, token),
    body: html`${problemList(paper, problems, (name) => (name === 'dateOfBirth' ? 'day' : name))}<h1>${title}</h1>
${isSaved && html`<p class="note" role="status">${t('collection.saved')}</p>`}
<p>${t.rich('held.kit', { kit: code(kitId) })}</p>
${ward && html`<p>${t('held.ward', { name: ward })}</p>`}
<p>${t('collection.why')}</p>
<form method="post" action="/r/kits/${kitId}/collection" novalidate>${tokenField(token)}
${dateField(form, t('held.date'), t('held.date.hint'), false)}
${field(form, { name: 'time', label: t('collection.time'), hint: t('collection.time.hint'), type: 'time' })}
${
  only
    ? html`<input type="hidden" name="zone" value="${only[0]}"><p class="hint">${t('collection.zone.is', { zone: only[1] })}</p>`
    : selectField(form, { name: 'zone', label: t('collection.zone') }, zones)
}
${field(form, { name: 'otherZone', label: t('collection.zone.other'), hint: t('collection.zone.other.hint'), list: Intl.supportedValuesOf('timeZone') })}
${
  offsets.length > 1 &&
  choiceField(form, 'offset', t('collection.twice'), '', [
    [offsets[0] ?? '', t('collection.twice.first')],
    [offsets[1] ?? '', t('collection.twice.second')],
  ])
}
${questions.map((question) => questionField(form, question))}
<button class="button">${t('collection.save')}</button>
</form>
<a class="back" href="/r">${t('page.backToKit')}</a>`,
  })
}

/** What somebody sees who comes too late, or too early. */
export function closedPage(paper: Paper, token: string): Html {
  const { t } = paper
  const title = t('collection.title')
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>\n<p>${t('collection.closed')}</p>\n<a class="button quiet" href="/r">${t('page.backToKit')}</a>`,
  })
}

const labelOf = ({ t }: Paper, text: string, isRequired: boolean): string =>
  isRequired ? text : t('collection.optional', { text })

function questionField(form: CollectionForm, question: PanelQuestion): Part {
  const { paper } = form
  const { id, isRequired, type, text = {}, choices = [] } = question
  const { t } = paper
  if (isKnown(id)) return knownField(form, id, isRequired)
  const said = (words: Readonly<Record<string, string>>) => words[t.language] ?? words.en ?? ''
  const [name, label] = [fieldOf(id), labelOf(paper, said(text), isRequired)]
  const asked =
    type === 'choice'
      ? choiceField(
          form,
          name,
          label,
          '',
          choices.map((one) => [one.id, said(one.text)] as const),
        )
      : field(form, {
          ...{ name, label },
          ...(type === 'date' && { type: 'date' }),
          ...(type === 'number' && { inputmode: 'numeric' }),
        })
  return Object.hasOwn(text, t.language) ? asked : html`<div${english(t)}>${asked}</div>`
}

function knownField(form: CollectionForm, id: KnownQuestion, isRequired: boolean): Html {
  const { paper } = form
  const { t } = paper
  const key: MessageKey = `collection.${id}`
  const [name, label] = [fieldOf(id), labelOf(paper, t(key), isRequired)]
  const yesOrNo = [
    ['yes', t('collection.yes')],
    ['no', t('collection.no')],
  ] as const
  if (id === 'fasting')
    return html`${choiceField(form, name, label, '', yesOrNo)}
${field(form, { name: `${name}_hours`, label: t('collection.fasting.hours'), inputmode: 'numeric' })}`
  if (id === 'pregnant') return choiceField(form, name, label, '', yesOrNo)
  if (id === 'cyclePhase') {
    const phases = Phase.options.map((phase) => [phase, t.capital(t(`phase.name.${phase}`))] as const)
    return choiceField(form, name, label, t('collection.cyclePhase.hint'), phases)
  }
  if (id === 'cycleDay') return field(form, { name, label, hint: t('collection.cycleDay.hint'), inputmode: 'numeric' })
  if (id === 'timeOfLastDose')
    return html`${field(form, { name, label, type: 'date' })}
${field(form, { name: `${name}_time`, label: labelOf(paper, t('collection.time'), false), type: 'time' })}`
  const problem = form.problems.get(name)
  return html`<fieldset class="field${problem && ' is-bad'}" id="${name}"><legend>${label}</legend>${problem && html`<span class="problem">${problem}</span>`}
${medicines.map((one) => tickField(form, `${name}_${one}`, t(`collection.medication.${one}`)))}
${field(form, { name: `${name}_other`, label: t('collection.medication.other'), hint: t('collection.medication.other.hint') })}
</fieldset>`
}
