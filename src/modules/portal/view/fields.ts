import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Paper } from '../paper.ts'
import { countries, countryCode } from '../retest/rules.ts'

export interface Filled {
  paper: Paper
  typed: Readonly<Record<string, string>>
  problems: ReadonlyMap<string, string>
}

export interface FieldSpec {
  name: string
  label: string
  hint?: string
  type?: 'text' | 'email' | 'tel' | 'time' | 'date' | 'datetime-local'
  autocomplete?: string
  inputmode?: 'numeric' | 'text'
  /** What it suggests while somebody types. */
  list?: readonly string[]
  /** No capital letters, no corrections: a code. */
  isCode?: boolean
}

/** Ids of what explains a field, for readers of the screen. */
const describedBy = (name: string, hint: Part, problem: Part) => {
  const ids = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(' ')
  return ids && html` aria-describedby="${ids}"`
}
const hintAndProblem = ({ t }: Paper, name: string, hint: string | undefined, problem: string | undefined) =>
  html`${
    hint && html`<span class="hint" id="${name}-hint">${hint}</span>`
  }${problem && html`<span class="problem" id="${name}-problem"><span class="aside">${t('page.error', { title: '' })}</span>${problem}</span>`}`

// Such values are read from left to right in any language.
const directionOf = ({ type, isCode }: FieldSpec) => (type === 'email' || type === 'tel' || isCode) && html` dir="ltr"`

export function field({ paper, typed, problems }: Filled, spec: FieldSpec): Html {
  const { name, label, hint, type = 'text', autocomplete = 'off', inputmode, isCode, list } = spec
  const problem = problems.get(name)
  return html`<div class="field${problem && ' is-bad'}">
<label for="${name}">${label}</label>${hintAndProblem(paper, name, hint, problem)}
<input id="${name}" name="${name}" type="${type}" value="${typed[name] ?? ''}" autocomplete="${autocomplete}"${directionOf(spec)}${
    inputmode && html` inputmode="${inputmode}"`
  }${list && html` list="${name}-list"`}${isCode && html` autocapitalize="characters" spellcheck="false"`}${problem && html` aria-invalid="true"`}${describedBy(name, hint, problem)}>${
    list && html`<datalist id="${name}-list">${list.map((one) => html`<option value="${one}"></option>`)}</datalist>`
  }
</div>`
}

type Options = readonly (readonly [value: string, label: string])[]

/** One of many. */
export function selectField(
  { paper, typed, problems }: Filled,
  spec: Pick<FieldSpec, 'name' | 'label' | 'autocomplete'>,
  options: Options,
): Html {
  const { name, label, autocomplete = 'off' } = spec
  const problem = problems.get(name)
  const rows = options.map(
    ([value, words]) => html`<option value="${value}"${value === typed[name] && html` selected`}>${words}</option>`,
  )
  return html`<div class="field${problem && ' is-bad'}"><label for="${name}">${label}</label>${hintAndProblem(paper, name, undefined, problem)}<select id="${name}" name="${name}" autocomplete="${autocomplete}"${problem && html` aria-invalid="true"`}${describedBy(name, '', problem)}><option value="">–</option>${rows}</select></div>`
}

/** The country of an address by its name. What earlier pages let people type is found in the list. */
export function countryField(filled: Filled): Html {
  const { t } = filled.paper
  const country = countryCode(filled.typed.country, [t.language, 'en'])
  const spec = { name: 'country', label: t('register.country'), autocomplete: 'country' }
  return selectField({ ...filled, typed: { ...filled.typed, country } }, spec, countries(t.language))
}

/** Day, month and year: nobody scrolls a calendar to 1957, and a named month cannot be taken for a day. */
export function dateField({ paper, typed, problems }: Filled, label: string, hint: string, isBirth = true): Html {
  const { t } = paper
  const problem = problems.get('dateOfBirth')
  const bad = problem && html` aria-invalid="true"`
  const month = String(Number(typed.month) || '')
  const known = (part: string) => (isBirth ? `bday-${part}` : 'off')
  const options = t.months.map((name, index) => {
    const value = String(index + 1)
    return html`<option value="${value}"${value === month && html` selected`}>${name}</option>`
  })
  const number = (name: 'day' | 'year', text: string, most: number) => html`<div><label for="${name}">${text}</label>
<input id="${name}" name="${name}" inputmode="numeric" maxlength="${most}" value="${typed[name] ?? ''}" autocomplete="${known(name)}"${bad}></div>`
  return html`<fieldset class="field${problem && ' is-bad'}"${describedBy('dateOfBirth', hint, problem)}>
<legend>${label}</legend>${hintAndProblem(paper, 'dateOfBirth', hint, problem)}
<div class="date">
${number('day', t('page.day'), 2)}
<div><label for="month">${t('page.month')}</label>
<select id="month" name="month" autocomplete="${known('month')}"${bad}><option value="">–</option>${options}</select></div>
${number('year', t('page.year'), 4)}
</div>
</fieldset>`
}

/** One of a few. */
export function choiceField(
  { paper, typed, problems }: Filled,
  name: string,
  label: string,
  hint: string,
  options: Options,
): Html {
  const problem = problems.get(name)
  const rows = options.map(
    ([value, text], index) => html`<label class="choice" for="${name}${index > 0 && `-${index}`}">
<input type="radio" id="${name}${index > 0 && `-${index}`}" name="${name}" value="${value}"${typed[name] === value && html` checked`}>
<span>${text}</span></label>`,
  )
  return html`<fieldset class="field${problem && ' is-bad'}"${describedBy(name, hint, problem)}>
<legend>${label}</legend>${hintAndProblem(paper, name, hint, problem)}
${rows}
</fieldset>`
}

/** A box to tick. */
export function tickField({ paper, typed, problems }: Filled, name: string, label: string): Html {
  const problem = problems.get(name)
  return html`<div class="field${problem && ' is-bad'}">${hintAndProblem(paper, name, undefined, problem)}
<label class="choice" for="${name}"><input type="checkbox" id="${name}" name="${name}" value="yes"${
    typed[name] === 'yes' && html` checked`
  }${problem && html` aria-invalid="true"`}${describedBy(name, undefined, problem)}><span>${label}</span></label>
</div>`
}
