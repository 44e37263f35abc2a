import { type Html, html } from '../../platform/http/html.ts'
import { codeBlock } from '../highlight.ts'
import { relative } from '../links.ts'
import { type Place, renderInline, renderMarkdown } from '../markdown.ts'
import type { Field, Shape } from './fields.ts'
import type { Described } from './operation.ts'

/** A page of the reference: what its operations have in common, a list of them, then each. */
export function referenceHtml(title: string, about: string, operations: readonly Described[], place: Place): Html {
  return html`<h1>${title}</h1>
${renderMarkdown(about, place)}
<nav class="operations" aria-label="Operations of this page"><ul>${operations.map(
    ({ id, method, path, title: words }) =>
      html`<li><a href="#${id}">${badge(method)} <code>${path}</code> <span>${words}</span></a></li>`,
  )}</ul></nav>
${operations.map((one) => operationHtml(one, place))}`
}

const badge = (method: string): Html => html`<b class="method ${method.toLowerCase()}">${method}</b>`

function operationHtml(one: Described, place: Place): Html {
  const { id, method, path, title, description, scope, isDeprecated, parameters, body, answers, errors } = one
  const isEvent = method === 'EVENT'
  return html`<section class="operation">
<h2 id="${id}">${title}<a class="anchor" href="#${id}" aria-label="Link to this part">#</a></h2>
<p class="route">${badge(method)} <code>${path}</code>${isDeprecated && html` <b class="old">deprecated</b>`}</p>
<div class="columns"><div class="about">
${renderMarkdown(description, place)}
${!isEvent && html`<p class="scope">${scope === undefined ? 'Takes no token.' : scope === 'any token' ? 'Any token may call it.' : html`Scope <code>${scope}</code>`}</p>`}
${parameters.map(({ where, fields }) => html`<h3>${where}</h3>${fieldsHtml(fields, place)}`)}
${body && html`<h3>${isEvent ? 'Payload' : `Body${body.isRequired ? '' : ', optional'}`}</h3>${shapeHtml(body.shape, place)}`}
${!isEvent && answers.map((answer) => answerHtml(answer, place))}
${errors.length > 0 && errorsHtml(errors, place)}
</div><div class="examples">
${isEvent ? examples('Example', body?.example, 'json') : html`${examples('curl', one.curl, 'sh')}${examples('JavaScript', one.call, 'ts')}`}
${!isEvent && answers.map(({ status, example }) => examples(`Answer ${status}`, example, 'json'))}
</div></div></section>
`
}

// Longer ones are cut in the page: the whole stands in the OpenAPI document.
const MAX_LINES = 70

function examples(title: string, code: string | undefined, language: string): Html | false {
  if (code === undefined) return false
  const lines = code.split('\n')
  const shown = lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), '  …'].join('\n') : code
  return html`<figure><figcaption>${title}</figcaption>${codeBlock(shown, language)}</figure>`
}

function answerHtml({ status, description, types, shape }: Described['answers'][number], place: Place): Html {
  const others = types.filter((type) => type !== 'application/json')
  return html`<h3>Answer ${status}</h3><p>${renderInline(description, place)}${others.length > 0 && html` As ${others.map((type, i) => html`${i > 0 && ', '}<code>${type}</code>`)}${types.length > others.length && ' too'}.`}</p>${shapeHtml(shape, place)}`
}

function shapeHtml(shape: Shape, place: Place): Html {
  if (shape.length <= 1) return html`${shape.map(({ fields }) => fieldsHtml(fields, place))}`
  return html`${shape.map(({ fields }, i) => html`<p class="either">${i === 0 ? 'Either' : 'Or'}</p>${fieldsHtml(fields, place)}`)}`
}

// An envelope of a few fields is opened: what matters is inside.
const ENVELOPE = 4

function fieldsHtml(fields: readonly Field[], place: Place): Html {
  const isOpen = fields.length <= ENVELOPE
  return html`<ul class="fields">${fields.map((field) => fieldHtml(field, place, isOpen))}</ul>`
}

function fieldHtml(field: Field, place: Place, isOpen: boolean): Html {
  const { name, type, isRequired, isDeprecated, description, facts, words, shape } = field
  const inside = shape.some(({ fields }) => fields.length > 0)
  return html`<li><p><code class="name">${name}</code> <span class="type">${[type, ...facts].join(', ')}</span>${isRequired && html` <b class="must">required</b>`}${isDeprecated && html` <b class="old">deprecated</b>`}</p>
${description && html`<div class="words">${renderMarkdown(description, place)}</div>`}
${words.length > 0 && html`<p class="enum">${words.map((word) => html`<code>${word}</code> `)}</p>`}
${inside && html`<details${isOpen && html` open`}><summary>Fields of <code>${name}</code></summary>${shapeHtml(shape, place)}</details>`}</li>`
}

function errorsHtml(errors: Described['errors'], place: Place): Html {
  const to = relative(place.page, 'errors', place.suffix)
  return html`<details class="refusals"><summary>${errors.length} error codes</summary><dl>${errors.map(
    ({ status, code, meaning }) =>
      html`<dt><b>${status}</b> <a href="${to}#${code.toLowerCase()}"><code>${code}</code></a></dt><dd>${renderInline(meaning, place)}</dd>`,
  )}</dl></details>`
}

/** A page of the reference as Markdown. */
export function referenceMarkdown(title: string, about: string, operations: readonly Described[]): string {
  return [`# ${title}`, about, ...operations.map(operationMarkdown)].filter(Boolean).join('\n\n').concat('\n')
}

function operationMarkdown(one: Described): string {
  const { method, path, title, description, scope, isDeprecated, parameters, body, answers, errors } = one
  const isEvent = method === 'EVENT'
  return [
    `## ${title}`,
    `\`${isEvent ? path : `${method} ${path}`}\`${isDeprecated ? ', deprecated' : ''}`,
    description,
    scope === undefined ? '' : `Scope: ${scope === 'any token' ? scope : `\`${scope}\``}.`,
    ...parameters.map(({ where, fields }) => `${where}:\n\n${fieldLines(fields, 0)}`),
    body && `${isEvent ? 'Payload' : 'Body'}:\n\n${shapeLines(body.shape, 0)}`,
    isEvent ? block(body?.example, 'json') : block(one.curl, 'sh'),
    ...(isEvent ? [] : answers.map(answerMarkdown)),
    errors.length > 0 &&
      `Errors:\n\n${errors.map(({ status, code, meaning }) => `- ${status} \`${code}\`: ${meaning}`).join('\n')}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

const answerMarkdown = ({ status, description, shape, example }: Described['answers'][number]) =>
  [`Answer ${status}: ${description}`, shapeLines(shape, 0), block(example, 'json')].filter(Boolean).join('\n\n')

const block = (code: string | undefined, language: string) =>
  code === undefined ? '' : `\`\`\`${language}\n${code}\n\`\`\``

const shapeLines = (shape: Shape, depth: number): string =>
  shape.map(({ fields }) => fieldLines(fields, depth)).join(`\n${'  '.repeat(depth)}- or:\n`)

function fieldLines(fields: readonly Field[], depth: number): string {
  return fields
    .map(({ name, type, facts, isRequired, isDeprecated, description, words, shape }) => {
      const kind = [type, ...facts, ...(isRequired ? ['required'] : []), ...(isDeprecated ? ['deprecated'] : [])]
      const sentences = [
        description.replaceAll(/\s+/g, ' '),
        words.length > 0 ? `One of ${words.map((word) => `\`${word}\``).join(', ')}.` : '',
      ]
      const line =
        `${'  '.repeat(depth)}- \`${name}\` (${kind.join(', ')}) ${sentences.filter(Boolean).join(' ')}`.trimEnd()
      const inside = shapeLines(shape, depth + 1)
      return inside ? `${line}\n${inside}` : line
    })
    .join('\n')
}
