import { capital } from '../../docs/reference/client-call.ts'
import { thinKeys } from '../../modules/webhooks/rules.ts'
import { type ApiDocument, follow, type Schema } from '../client-methods.ts'
import { HEAD, HEAD_OF_BASE, moduleOf, namesIn, oneOf } from './text.ts'

/** Words that Python keeps for itself: no class may have a field of such a name. */
export const reserved = new Set(['async', 'class', 'from', 'global', 'import', 'in', 'is', 'not', 'or', 'pass', 'with'])

/**
 * The types of JSON in Python: objects become TypedDicts with a name of their own, made where `typeOf` first meets them. What
 * looks the same has one type.
 */
export class Models {
  readonly #document: ApiDocument
  readonly #names = new Set<string>()
  readonly #nameOfBody = new Map<string, string>()
  readonly #classes: string[] = []
  /** Of the required fields that classes have in common. */
  readonly #nameOfBase = new Map<string, string>()
  readonly #fieldOfWords = new Map<string, string>()
  readonly #aliases: string[] = []

  constructor(document: ApiDocument) {
    this.#document = document
    for (const name of Object.keys(this.#schemas)) this.#names.add(name)
    for (const [name, schema] of Object.entries(this.#schemas)) this.#component(name, schema)
  }

  get #schemas(): Record<string, Schema> {
    return this.#document.components?.schemas ?? {}
  }

  #component(name: string, schema: Schema): void {
    if (isEvent(schema)) {
      const id = { type: 'string', description: 'The same with each attempt to deliver it.' }
      const { properties, required = [] } = schema
      const data = this.#asThin(properties?.data ?? {})
      this.#define(name, { ...schema, properties: { id, ...properties, data }, required: ['id', ...required] })
    } else if (schema.properties) this.#define(name, schema)
    else this.#aliases.push(`${name} = ${this.typeOf(schema, `${name}Item`)}`)
  }

  /** The data of an event as every endpoint gets it: one with `payload: "thin"` is sent the other fields never. */
  #asThin(data: Schema): Schema {
    const known = follow(this.#document, data)
    return { ...known, required: (known.required ?? []).filter((key) => thinKeys.has(key)) }
  }

  has = (name: string): boolean => this.#names.has(name)

  /** The events that webhooks bring, as one type. */
  get #events(): string {
    const names = Object.entries(this.#schemas).flatMap(([name, schema]) => (isEvent(schema) ? `    "${name}",` : []))
    return `WebhookEvent = Union[\n${names.join('\n')}\n]`
  }

  /** The type of a shape as Python writes it. An object in it that has no name yet gets this one. */
  typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return quoted(schema.$ref.split('/').at(-1) ?? '')
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum) return oneOf(schema.enum.map((value) => (value === null ? 'None' : `Literal[${literal(value)}]`)))
    const forms = schema.anyOf ?? schema.oneOf
    if (forms && !schema.properties) return oneOf(forms.map((form) => this.typeOf(form, name)))
    const types = [schema.type ?? (schema.properties ? 'object' : 'any')].flat()
    return oneOf(types.map((type) => this.#typeNamed(type, schema, name)))
  }

  #typeNamed(type: string, schema: Schema, name: string): string {
    if (type === 'array') return `List[${schema.items ? this.typeOf(schema.items, name) : 'Any'}]`
    if (type !== 'object') return plain[type] ?? 'Any'
    if (schema.properties && Object.keys(schema.properties).length > 0) return quoted(this.#define(name, schema))
    const { additionalProperties: values } = schema
    return `Dict[str, ${typeof values === 'object' ? this.typeOf(values, `${name}Value`) : 'Any'}]`
  }

  /** What one of several answers is: with objects, all their fields, of which those of all of them are certain. */
  answer(answers: readonly (Schema | undefined)[], name: string): string {
    const all = answers.flatMap((one) => (one ? this.#flat(one) : [undefined]))
    const [first, ...others] = all
    if (others.length === 0) return first ? this.typeOf(first, name) : 'None'
    const objects = all.filter((one) => one?.properties) as Schema[]
    if (objects.length < all.length) return oneOf(all.map((one) => (one ? this.typeOf(one, name) : 'None')))
    const names = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))]
    const properties = Object.fromEntries(
      names.map((key) => {
        const forms = objects.flatMap(({ properties = {} }) => properties[key] ?? [])
        const same = new Set(forms.map((form) => JSON.stringify({ ...form, description: '' }))).size === 1
        return [key, same ? forms[0] : { description: forms[0]?.description, anyOf: forms }]
      }),
    ) as Record<string, Schema>
    const required = names.filter((key) => objects.every((one) => one.required?.includes(key)))
    return quoted(this.#define(name, { type: 'object', properties, required }))
  }

  #flat(schema: Schema): Schema[] {
    const forms = follow(this.#document, schema)
    const inner = forms.anyOf ?? forms.oneOf
    // A name is kept where there is nothing to be joined.
    return inner ? inner.flatMap((form) => this.#flat(form)) : [forms]
  }

  /** Its entries, where an answer is a list or has one. */
  itemOf(answer: Schema | undefined, name: string): string {
    const page = answer && follow(this.#document, answer)
    const list = page?.type === 'array' ? page : (page?.properties?.data ?? page?.properties?.rows)
    return list?.items ? this.typeOf(list.items, name) : 'Any'
  }

  #define(wanted: string, schema: Schema): string {
    const { properties = {}, required = [], description } = schema
    const isComponent =
      this.#schemas[wanted] !== undefined && !this.#classes.some((text) => text.includes(`class ${wanted}(`))
    const fields = Object.entries(properties).map(([key, inner]) => ({
      key,
      type: this.typeOf(inner, wanted + camel(key)),
      words: moreThan(key, inner.description),
      isRequired: required.includes(key),
    }))
    const body = JSON.stringify(fields.map(({ words: _, ...field }) => field))
    const known = this.#nameOfBody.get(body)
    if (known && !isComponent) return known
    const name = isComponent ? wanted : this.#free(wanted)
    this.#nameOfBody.set(body, name)
    this.#names.add(name)
    for (const field of fields) field.words = this.#once(field.words, `${name}.${field.key}`)
    this.#classes.push(classOf(name, fields, description, this.#nameOfBase))
    return name
  }

  #once(words: string | undefined, field: string): string | undefined {
    const first = this.#fieldOfWords.get(words ?? '')
    if (words && first === undefined) this.#fieldOfWords.set(words, field)
    // Words of `Panel.name` are those of `PanelInput.name`.
    if (first !== undefined && field === first.replace('.', 'Input.')) return undefined
    // Where that is shorter, words are written at the first field that has them.
    const there = `See ${first}.`
    return words === undefined || first === undefined || words.length <= there.length ? words : there
  }

  #free(wanted: string): string {
    let name = wanted
    for (let n = 2; this.#names.has(name); n++) name = `${wanted}${n}`
    return name
  }

  /**
   * The texts of base_models.py and models.py: two, since editors are slow with one file of all. The first half is offered by the
   * second, too, and names of it what only type checkers look up.
   */
  texts(): { base: string; models: string } {
    const half = this.#classes.join().length / 2
    let length = 0
    const isFirst = (text: string) => {
      length += text.length
      return length < half
    }
    const { true: first = [], false: second = [] } = Object.groupBy(this.#classes, (text) => `${isFirst(text)}`)
    const aliases = [...this.#aliases, this.#events]
    const [below, above] = [namesIn(first), namesIn([...second, ...this.#aliases])]
    const lookedUp = above.filter((name) => first.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
    const used = below.filter((name) => !name.startsWith('_') || second.some((text) => text.includes(`(${name}`)))
    return {
      base: moduleOf(HEAD_OF_BASE, `if TYPE_CHECKING:\n    from .models import ${lookedUp.join(', ')}`, first, []),
      models: moduleOf(
        HEAD,
        used.map((name) => `from .base_models import ${name} as ${name}`).join('\n'),
        second,
        aliases,
      ),
    }
  }
}

/** Said once, at the head of the module. */
const USUAL = new Set([
  'RFC 3339, UTC, milliseconds.',
  "The kit's ID, printed on the box.",
  'Which page of how many.',
  'The entries.',
  'The same with each attempt to deliver it.',
  'When it happened, RFC 3339.',
  'What happened.',
  'The ID of the person tested.',
  'The currency, ISO 4217: three letters.',
  'An e-mail address.',
  'UCUM, or as written.',
])

/** What a field's words say beyond its name; undefined where that is nothing, as "The name." of `name`. */
function moreThan(key: string, words: string | undefined): string | undefined {
  const name = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  const said = words
    ?.toLowerCase()
    .replace(/^(?:the|its|an?) |\.$/g, '')
    .replace(/'s id$/, ' id')
  return USUAL.has(words ?? '') || said === name || `${said} id` === name ? undefined : words
}

interface Field {
  key: string
  type: string
  words: string | undefined
  isRequired: boolean
}

const isEvent = ({ properties }: Schema) => properties?.type?.const !== undefined && properties.data !== undefined

const plain: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }

const quoted = (name: string) => `"${name}"`
const camel = (key: string) => key.split('_').map(capital).join('')

function literal(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

/**
 * Python 3.9 knows required fields of an otherwise open dictionary only as a class below it, and fields that are named as a word
 * of the language only as a call.
 */
function classOf(
  name: string,
  fields: readonly Field[],
  description: string | undefined,
  nameOfBase: Map<string, string>,
): string {
  const own = fields.filter(({ key }) => !reserved.has(key))
  const [required, open] = [own.filter(({ isRequired }) => isRequired), own.filter(({ isRequired }) => !isRequired)]
  const called = [true, false].flatMap((isRequired) => {
    const some = fields.filter((field) => reserved.has(field.key) && field.isRequired === isRequired)
    return some.length > 0 ? [callOf(`_${name}${isRequired ? 'Named' : 'Open'}`, some, isRequired)] : []
  })
  const isMixed = required.length > 0 && open.length > 0
  const base = isMixed ? blockOf(`_${name}`, ['TypedDict'], required) : undefined
  const fieldsOfBase = base?.text.slice(base.text.indexOf('\n')) ?? ''
  const known = nameOfBase.get(fieldsOfBase)
  if (base && !known) nameOfBase.set(fieldsOfBase, base.name)
  const below = [...called, ...(base && !known ? [base] : [])]
  const bases = [...below.map((one) => one.name), ...(known ? [known] : [])]
  const words = description ? [`    ${docstring(description)}`] : []
  const last = isMixed ? open : own
  const total = open.length > 0 ? ['total=False'] : []
  const { text } = blockOf(name, [...(bases.length > 0 ? bases : ['TypedDict']), ...total], last, words)
  return [...below.map((one) => one.text), text].join('\n\n')
}

function callOf(name: string, fields: readonly Field[], isRequired: boolean) {
  const entries = fields.map(({ key, type }) => `"${key}": ${JSON.stringify(type.replaceAll('"', "'"))}`)
  return { name, text: `${name} = TypedDict("${name}", {${entries.join(', ')}}${isRequired ? '' : ', total=False'})` }
}

/** Annotations are read later than they stand, so that they name classes below them without quotes. */
const annotation = (type: string): string =>
  type.replaceAll(/Literal\[[^\]]*\]|"(\w+)"/g, (whole, name: string | undefined) => name ?? whole)

function blockOf(name: string, bases: readonly string[], fields: readonly Field[], words: readonly string[] = []) {
  const lines = fields.map(
    ({ key, type, words }) => `    ${key}: ${annotation(type)}${words ? `\n    ${docstring(words)}` : ''}`,
  )
  const inside = [...words, ...lines]
  return { name, text: `class ${name}(${bases.join(', ')}):\n${inside.length > 0 ? inside.join('\n') : '    pass'}` }
}

/** One line between three quotes. */
export const docstring = (text: string): string =>
  `"""${text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')}"""`
