import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Document, follow, JSON_TYPE, type Listed, type Schema } from '../../docs/reference/document.ts'
import { typeOf } from '../../docs/reference/fields.ts'

/** What is wrong with a field, in words and without its value. */
export interface Problem {
  /** `recipient.address.zip`, `?page`; empty: the whole body. */
  field: string
  message: string
}

/** The checks that an OpenAPI document makes of bodies and queries. */
export function schemaChecks(document: Document) {
  const options = { strict: false, allErrors: true, verbose: true, validateSchema: false } as const
  const strict = formats.default(new Ajv2020(options)).addSchema(document, 'api')
  // Parameters are text: `?page=2` is a number.
  const lenient = formats.default(new Ajv2020({ ...options, coerceTypes: 'array' })).addSchema(document, 'api')
  const problemsOf = (errors: readonly ErrorObject[] | null | undefined, nameOf: (path: string) => string) =>
    inWords(document, errors ?? []).map(({ field, message }) => ({ field: nameOf(field), message }))
  return {
    body({ path, method, operation }: Listed, body: unknown): Problem[] {
      if (!operation.requestBody) return []
      const { required, content } = follow(document, operation.requestBody)
      if (body === undefined) return required ? [{ field: '', message: 'a body is missing' }] : []
      if (!content?.[JSON_TYPE]) return []
      if (typeof body === 'string') return [{ field: '', message: 'the body must be JSON' }]
      const at = ['paths', path, method.toLowerCase(), 'requestBody', 'content', JSON_TYPE, 'schema']
      const validate = strict.getSchema(`api#/${at.map(escaped).join('/')}`)
      if (!validate) throw new Error(`The document has no schema for ${method} ${path}`)
      return validate(body) ? [] : problemsOf(validate.errors, (field) => field)
    },
    query({ operation }: Listed, query: Readonly<Record<string, unknown>>): Problem[] {
      const parameters = (operation.parameters ?? []).map((one) => follow(document, one))
      return parameters
        .filter((one) => one.in === 'query')
        .flatMap(({ name, schema = {}, required }) => {
          if (!(name in query)) return required ? [{ field: `?${name}`, message: 'is missing' }] : []
          const wrapped = { properties: { [name]: absolute(schema) } }
          const validate = lenient.compile(wrapped)
          return validate({ [name]: query[name] }) ? [] : problemsOf(validate.errors, (field) => `?${field}`)
        })
    },
  }
}

const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))

const absolute = (schema: Schema): Schema => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'))

const NAMED = new Set([
  'required',
  'enum',
  'const',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'minimum',
  'maximum',
])

/** One sentence for each field: of several allowed forms, what the field may be. */
function inWords(document: Document, errors: readonly ErrorObject[]): Problem[] {
  const choices = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  const isInChoice = ({ instancePath }: ErrorObject) => choices.some((one) => one.instancePath === instancePath)
  const problems = errors.flatMap((error): Problem[] => {
    const { keyword, instancePath, parentSchema, params, message = 'is not right' } = error
    const field = instancePath
      .slice(1)
      .replaceAll(/\/(\d+)/g, '[$1]')
      .replaceAll('/', '.')
    if (keyword === 'required') {
      const { missingProperty } = params as { missingProperty: string }
      return [{ field: field ? `${field}.${missingProperty}` : missingProperty, message: 'is missing' }]
    }
    if (choices.includes(error)) {
      const isCovered = errors.some(
        (one) =>
          one.instancePath.startsWith(`${instancePath}/`) ||
          (one.instancePath === instancePath && NAMED.has(one.keyword) && !isEmptyText(one)),
      )
      return isCovered ? [] : [{ field, message: mustBe(document, parentSchema) }]
    }
    if (isInChoice(error) && (!NAMED.has(keyword) || isEmptyText(error))) return []
    if (keyword === 'enum') {
      const { allowedValues } = params as { allowedValues: unknown[] }
      return [{ field, message: `must be one of ${allowedValues.filter((one) => one !== null).join(', ')}` }]
    }
    if (keyword === 'type') return [{ field, message: mustBe(document, parentSchema) }]
    return [{ field, message: message.replace('<=', 'at most').replace('>=', 'at least') }]
  })
  const known = new Set<string>()
  return problems.filter(({ field, message }) => known.size < known.add(`${field} ${message}`).size)
}

function mustBe(document: Document, schema: unknown): string {
  const type = typeOf(document, schema as Schema)
  return `must be ${/^(text|true|any|"|\d)/.test(type) ? '' : /^[aeo]/.test(type) ? 'an ' : 'a '}${type}`
}

/** The form `""`, which counts as absent. */
const isEmptyText = ({ keyword, params }: ErrorObject) => keyword === 'maxLength' && params.limit === 0
