import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { z } from 'zod'

/** One setting: what its text may be, and how it is explained. Its name in the environment follows from where it stands. */
export interface Setting<T = unknown> {
  schema: z.ZodType<T, string>
  /** Ends the sentence "PORT must be …". */
  must: string
  /** Ends "For example: PORT=…". */
  example: string
  /** One line, without a full stop. */
  help: string
  /** What holds where it is not set, in words; undefined: the default says it, or it is off. */
  unset?: string
  default?: T
  /** It must be set where another setting of its group is. */
  required?: boolean
  /** Its value is a secret, so that it belongs into a file: NAME_FILE. */
  secret?: boolean
  /** The option of `kitlane start` that precedes it, such as `--port <number>`. */
  flag?: string
  /** Only the flag sets it. */
  flagOnly?: boolean
}

type Explained<T> = Omit<Setting<T>, 'schema'>
/** What follows from the kind of a setting is not repeated. */
type Options<T, Known extends keyof Explained<T> = never> = Omit<Explained<T>, Known> &
  Partial<Pick<Explained<T>, Known>>
type Found<T, O> = O extends { default: unknown } | { required: true } ? T : T | undefined

const text = z.string()

const value = <T, const O extends Options<T>>(schema: z.ZodType<T, string>, options: O) =>
  ({ ...options, schema }) as unknown as Setting<Found<T, O>>

/** The kinds of settings. */
export const setting = {
  value,
  text: <const O extends Options<string>>(pattern: RegExp, options: O) => value(text.regex(pattern), options),
  list: <T, const O extends Options<T[]>>(one: z.ZodType<T, string>, options: O & { between?: string; max?: number }) =>
    value(
      text
        .transform((all) => all.split(options.between ?? ',').map((each) => each.trim()))
        .pipe(
          z
            .array(one)
            .min(1)
            .max(options.max ?? 1000),
        ) as unknown as z.ZodType<T[], string>,
      options as O,
    ),
  whole: <const O extends Options<number, 'must'>>(min: number, max: number, options: O) =>
    value(
      text
        .regex(/^\d{1,7}$/)
        .transform(Number)
        .pipe(z.number().min(min).max(max)),
      {
        must: `a whole number from ${min} to ${max}`,
        ...options,
      } as O & Options<number>,
    ),
  boolean: <const O extends Options<boolean, 'must' | 'example'>>(options: O) =>
    value(
      // Also true and false, on and off, yes and no.
      z.stringbool(),
      {
        must: '1 or 0',
        example: options.default === true ? '0' : '1',
        ...options,
      } as O & Options<boolean>,
    ),
  choice: <const T extends string, const O extends Options<T, 'must' | 'example'>>(values: readonly T[], options: O) =>
    value(
      z.enum(values) as unknown as z.ZodType<T, string>,
      {
        must: `one of ${values.join(', ')}`,
        example: values.find((one) => one !== options.default) ?? '',
        ...options,
      } as O & Options<T>,
    ),
}

/** Settings of one thing, undefined where none of them is set. A single type, so that nobody holds half of it. */
export interface Together<M> {
  together: M
}
export const together = <M extends Record<string, Setting>>(members: M): Together<M> => ({ together: members })

/** A group's name begins the names of its settings: `metrics.port` is METRICS_PORT. */
type Group = Record<string, Setting>
export type Members = Record<string, Setting | Group | Together<Group>>

type ValuesIn<G> = { [K in keyof G]: G[K] extends Setting<infer T> ? T : never }
export type Values<M> = {
  [K in keyof M]: M[K] extends Setting<infer T>
    ? T
    : M[K] extends Together<infer G>
      ? ValuesIn<G> | undefined
      : ValuesIn<M[K]>
}
/** Values for tests and tools; what is left out is as usual. */
export type Given<M> = {
  [K in keyof M]?: M[K] extends Setting<infer T>
    ? T
    : M[K] extends Together<infer G>
      ? ValuesIn<G> | undefined
      : Partial<ValuesIn<M[K]>>
}

const isSetting = (one: Members[string]): one is Setting => 'schema' in one
const isTogether = (one: Members[string]): one is Together<Group> => 'together' in one
const groupOf = (one: Group | Together<Group>) => (isTogether(one) ? one.together : one)
const nameOf = (...path: string[]) => path.map((part) => part.replace(/[A-Z]/g, '_$&').toUpperCase()).join('_')

/** Every setting with its name in the environment, in the order of their declaration. */
export const named = (members: Members): [name: string, setting: Setting][] =>
  Object.entries(members).flatMap(([key, one]): [string, Setting][] =>
    isSetting(one)
      ? [[nameOf(key), one]]
      : Object.entries(groupOf(one)).map(([inner, each]) => [nameOf(key, inner), each]),
  )

/** What holds where it is not set, in words; undefined: it is off. */
export function unsetWords({ unset, default: usual }: Setting): string | undefined {
  if (unset !== undefined || usual === undefined) return unset
  return typeof usual === 'boolean' ? (usual ? '1' : '0') : String(usual)
}

export interface Sources {
  env: Record<string, string | undefined>
  /** By the word of the option: `port` for `--port <number>`. */
  flags: Record<string, string | boolean | undefined>
  /** The path of the `.env` file. */
  envFile: string
}

export interface Read<M> {
  values: Values<M>
  /** The names that were set. */
  given: ReadonlySet<string>
  /** Sentences that show no value, since one may be a secret. */
  problems: string[]
}

/**
 * Reads settings: flags, then the environment, then the `.env` file, then defaults. NAME_FILE names a file with the value of
 * NAME, for secrets that a container or systemd hands over as files. An empty value counts as unset.
 */
export function readSettings<M extends Members>(members: M, sources: Sources): Read<M> {
  const all = named(members)
  const names = all.filter(([, { flagOnly }]) => !flagOnly).map(([name]) => name)
  const problems: string[] = []
  const inFile = existsSync(sources.envFile) ? parseEnv(readFileSync(sources.envFile, 'utf8')) : {}
  const env = withFiles(sources.env, names, problems)
  const file = withFiles(inFile, names, problems)
  problems.unshift(...unknown(names, { env, file }))
  const given = new Set<string>()

  function read(name: string, one: Setting): unknown {
    const word = /^--(?:no-)?([a-z-]+)/.exec(one.flag ?? '')?.[1]?.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
    const flag = word === undefined ? undefined : sources.flags[word]
    const asFlag = one.flag?.replace(/ <.*/, '') ?? ''
    const places = [
      { where: asFlag, found: flag === undefined ? undefined : String(flag), example: `${asFlag} ${one.example}` },
      ...(one.flagOnly
        ? []
        : [
            { where: name, found: env[name], example: `${name}=${one.example}` },
            { where: `${name} in .env`, found: file[name], example: `${name}=${one.example}` },
          ]),
    ]
    const place = places.find(({ found }) => found !== undefined && found !== '')
    if (!place) return one.default
    given.add(name)
    const parsed = one.schema.safeParse(place.found)
    if (parsed.success) return parsed.data
    problems.push(`${place.where} must be ${one.must}. For example: ${place.example}`)
    return undefined
  }

  function readGroup(key: string, one: Group | Together<Group>): unknown {
    const group = Object.entries(groupOf(one)).map(([inner, each]) => [inner, nameOf(key, inner), each] as const)
    const values = Object.fromEntries(group.map(([inner, name, each]) => [inner, read(name, each)]))
    if (!isTogether(one)) return values
    const set = group.find(([, name]) => given.has(name))
    if (!set) return undefined
    for (const [, name, { required, example }] of group)
      if (required && !given.has(name))
        problems.push(`${name} is missing beside ${set[1]}. For example: ${name}=${example}`)
    return values
  }

  const values = Object.fromEntries(
    Object.entries(members).map(([key, one]) => [key, isSetting(one) ? read(nameOf(key), one) : readGroup(key, one)]),
  )
  return { values: values as Values<M>, given, problems }
}

/** The usual values with others in their place. */
export function settingsOf<M extends Members>(members: M, given: Given<M> = {}): Values<M> {
  const { values } = readSettings(members, { env: {}, flags: {}, envFile: '' })
  const merged = Object.entries(members).map(([key, one]) => {
    const other: unknown = given[key]
    const usual: unknown = values[key]
    if (other === undefined) return [key, usual]
    return [key, isSetting(one) || isTogether(one) ? other : { ...(usual as object), ...(other as object) }]
  })
  return Object.fromEntries(merged) as Values<M>
}

function withFiles(given: Sources['env'], names: readonly string[], problems: string[]): Sources['env'] {
  const values = { ...given }
  for (const name of names) {
    const path = given[`${name}_FILE`]
    delete values[`${name}_FILE`]
    if (!path) continue
    if (given[name]) problems.push(`${name} and ${name}_FILE are both set. Keep one of them.`)
    try {
      values[name] = readFileSync(path, 'utf8').trim()
      // A setting that is empty is not set, and a secret that did not arrive would go unnoticed.
      if (!values[name]) problems.push(`${name}_FILE names a file that is empty: ${path}`)
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read: ${path}`)
    }
  }
  return values
}

/** Read by the commands for developers, which need no settings. */
const ofDevelopers = new Set(['KITLANE_URL', 'KITLANE_TOKEN', 'KITLANE_WEBHOOK_SECRET'])

function* unknown(names: readonly string[], { env, file }: Record<'env' | 'file', Sources['env']>): Generator<string> {
  const list = `Known settings: ${names.join(', ')}`
  for (const name of Object.keys(file)) {
    if (!names.includes(name) && !name.startsWith('AWS_')) yield `${name} in .env is not a setting of Kitlane. ${list}`
  }
  for (const name of Object.keys(env)) {
    if (!name.startsWith('KITLANE_') || ofDevelopers.has(name)) continue
    const meant = name.slice('KITLANE_'.length)
    yield `${name} is not a setting of Kitlane. ${names.includes(meant) ? `Use ${meant}` : list}`
  }
}
