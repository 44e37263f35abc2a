import type { Field, Shape } from './fields.ts'
import type { Described } from './operation.ts'

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
