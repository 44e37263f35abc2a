import { groupOf, isInClient, nameOf } from './client-call.ts'
import { type Answer, type Document, follow, JSON_TYPE, type Listed, type Parameter } from './document.ts'
import { type Field, fieldOf, type Shape, shapeOf } from './fields.ts'

/** One operation as both forms of the reference show it. */
export interface Described {
  id: string
  method: string
  path: string
  title: string
  description: string
  isDeprecated: boolean
  /** What a token needs: a scope, `any token`, or undefined where no token is taken. */
  scope: string | undefined
  parameters: { where: string; fields: Field[] }[]
  body: { shape: Shape; example: string | undefined; isRequired: boolean } | undefined
  answers: { status: string; description: string; types: string[]; shape: Shape; example: string | undefined }[]
  errors: { status: string; code: string; meaning: string }[]
  curl: string
  /** How `@kitlane/client` calls it; undefined: it does not. */
  call: string | undefined
}

const places: [where: string, title: string][] = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
]

/** What an operation takes and answers, in words and examples. */
export function describe(document: Document, { method, path, operation }: Listed): Described {
  const { operationId: id, summary = id, description = '', security = [], requestBody, responses } = operation
  const parameters = (operation.parameters ?? []).map((one) => follow(document, one))
  const body = requestBody && follow(document, requestBody)
  const example = body && exampleOf(document, body)
  const token = security.find((one) => 'token' in one)?.token
  const answers = Object.entries(responses).map(([status, answer]) => [status, follow(document, answer)] as const)
  return {
    id,
    method,
    path,
    title: summary,
    description: withoutRepetition(description, summary),
    isDeprecated: operation.deprecated ?? false,
    scope: token && (token[0] ?? 'any token'),
    parameters: places.flatMap(([where, title]) => {
      const here = parameters.filter((one) => one.in === where)
      return here.length > 0 ? [{ where: title, fields: here.map((one) => parameterField(document, one)) }] : []
    }),
    body: body && {
      shape: shapeOf(document, body.content?.[JSON_TYPE]?.schema),
      example: example === undefined ? undefined : pretty(example),
      isRequired: body.required ?? false,
    },
    answers: answers
      .filter(([status]) => !/^[45]/.test(status))
      .map(([status, answer]) => {
        const [media] = Object.values(answer.content ?? {})
        const shown = exampleOf(document, answer)
        return {
          status,
          description: answer.description ?? '',
          types: Object.keys(answer.content ?? {}),
          shape: shapeOf(document, media?.schema),
          example: shown === undefined ? undefined : pretty(shown),
        }
      }),
    errors: answers
      .filter(([status]) => /^[45]/.test(status))
      .flatMap(([status, answer]) => errorsOf(document, status, answer))
      .filter(({ status, code }, at, all) => all.findIndex((one) => one.status === status && one.code === code) === at)
      .sort((a, b) => Number(a.status) - Number(b.status)),
    curl: curlOf({ method, path, parameters, example, hasToken: token !== undefined }),
    call: callOf({ method, path, operation }, parameters, example),
  }
}

/** A description repeats the summary, which stands beside it. */
const withoutRepetition = (description: string, summary: string) => description.replace(`${summary}.`, '').trim()

function parameterField(
  document: Document,
  { name, schema = {}, required, description, deprecated }: Parameter,
): Field {
  const field = fieldOf(document, name, schema, required ?? false)
  return { ...field, description: description ?? field.description, isDeprecated: deprecated ?? field.isDeprecated }
}

const pretty = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

function exampleOf(document: Document, { content = {} }: Answer): unknown {
  for (const { example, examples } of Object.values(content)) {
    if (example !== undefined) return example
    const [first] = Object.values(examples ?? {})
    if (first) return follow(document, first).value
  }
  return undefined
}

/** The codes that a description lists, of a range of statuses with a line for each; the example of each says what it means. */
function errorsOf({ components }: Document, range: string, { description = '' }: Answer): Described['errors'] {
  const examples = (components.examples ?? {}) as Record<string, { summary?: string }>
  return description.split('\n').flatMap((line) => {
    const [, status = range] = /^(\d{3}): /.exec(line) ?? []
    const codes = [...line.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code)
    return codes.map((code) => ({ status, code, meaning: examples[code]?.summary ?? '' }))
  })
}

interface Called {
  method: string
  path: string
  parameters: readonly Parameter[]
  example: unknown
  hasToken: boolean
}

const sampleOf = ({ name, example, schema }: Parameter) => String(example ?? schema?.example ?? `{${name}}`)

const filled = (path: string, parameters: readonly Parameter[]) =>
  parameters.filter((one) => one.in === 'path').reduce((at, one) => at.replace(`{${one.name}}`, sampleOf(one)), path)

function curlOf({ method, path, parameters, example, hasToken }: Called): string {
  const query = parameters.filter((one) => one.in === 'query' && one.required)
  const queryText = query.map((one) => `${one.name}=${encodeURIComponent(sampleOf(one))}`).join('&')
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$KITLANE_URL${filled(path, parameters)}${queryText && `?${queryText}`}"`,
    ...(hasToken ? ['-H "Authorization: Token $KITLANE_TOKEN"'] : []),
    ...(example === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${pretty(example).replaceAll("'", "'\\''")}'`]),
  ]
  return lines.join(' \\\n  ')
}

function callOf({ path, operation }: Listed, parameters: readonly Parameter[], example: unknown): string | undefined {
  if (!isInClient(path, operation)) return undefined
  const group = groupOf(path)
  const inPath = parameters.filter((one) => one.in === 'path').map((one) => `'${sampleOf(one)}'`)
  const query = parameters.filter((one) => one.in === 'query' && one.required)
  const queryArgument =
    query.length > 0 ? [literal(Object.fromEntries(query.map((one) => [one.name, sampleOf(one)])))] : []
  const given = example === undefined ? queryArgument : [literal(example)]
  return `await kitlane.${[...group, nameOf(operation.operationId, group)].join('.')}(${[...inPath, ...given].join(', ')})`
}

/** JSON as people write it in TypeScript. */
const literal = (value: unknown) =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"u])*)"/g, "'$1'")
