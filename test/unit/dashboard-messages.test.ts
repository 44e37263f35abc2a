import { readFileSync } from 'node:fs'
import { IntlMessageFormat } from 'intl-messageformat'
import { afterEach, describe, expect, it } from 'vitest'
import { format, parse } from '../../web/src/language/icu.ts'
import { said, speak } from '../../web/src/language/t.ts'
import { saidTexts } from '../harness/dashboard-words.ts'
import { shapeOf } from '../harness/message-shape.ts'
import { read, trackedFiles } from '../harness/sources.ts'

const COUNTS = [0, 1, 2, 5, 12_345]
const b = (inner: unknown[]) => `[${inner.join('')}]`

/** Values for all placeholders: numbers where a message counts, else words; a tag is written in brackets. */
const valuesOf = (message: string, count: number) =>
  Object.fromEntries(
    shapeOf(message, 'en').map((name) => {
      const bare = name.slice(1, -1)
      const counts = new RegExp(`\\{\\s*${bare}\\s*,\\s*(plural|number)`).test(message)
      return [bare, name.startsWith('<') ? b : counts ? count : `«${bare}»`]
    }),
  )

const ours = (message: string, language: string, values: Record<string, unknown>) =>
  format(parse(message), values, language).join('')
const theirs = (message: IntlMessageFormat, values: Record<string, unknown>) => {
  const said = message.format(values as never)
  return Array.isArray(said) ? said.join('') : String(said)
}

const english = read(
  trackedFiles().filter((path) => /^web\/src\/.*\.tsx?$/.test(path) && !path.startsWith('web/src/language/')),
).flatMap((source) => saidTexts(source).texts)
const spanish = trackedFiles()
  .filter((path) => /^web\/src\/language\/es\/[\w-]+\.json$/.test(path))
  .flatMap((path) => Object.values<string>(JSON.parse(readFileSync(path, 'utf8'))))

describe('the messages of the dashboard', () => {
  it.each([
    ['en', english],
    ['es', spanish],
  ])('say in %s what the whole of ICU MessageFormat makes of them', (language, messages) => {
    expect(messages.length).toBeGreaterThan(500)
    const wrong: string[][] = []
    for (const message of messages) {
      const whole = new IntlMessageFormat(message, language)
      for (const count of /,\s*(plural|number)/.test(message) ? COUNTS : [1]) {
        const values = valuesOf(message, count)
        const [own, other] = [ours(message, language, values), theirs(whole, values)]
        if (own !== other) wrong.push([own, other])
      }
    }
    expect(wrong).toEqual([])
  })

  it.each([
    "It's {name}'s, '{'quoted'}' and ''{name}''",
    "{n, plural, =0 {none} one {'#' # of {name}} other {# <b>of {name}</b> and {n}}}",
    '{name, select, Ada {it is {n, number}} other {else}} {name}',
    '3 < 5, <b>bold {name}</b>',
    '{ name }: {n , number}',
  ])('may be written so: %s', (message) => {
    for (const n of COUNTS) {
      const values = { name: 'Ada', n, b }
      expect(ours(message, 'es', values)).toBe(theirs(new IntlMessageFormat(message, 'es'), values))
    }
  })

  it.each(['{name', '{n, plural, one {#}}', '<b>bold', 'to } much', '{at, date}', '</b>'])(
    'fail where they are none: %s',
    (message) => {
      expect(() => parse(message)).toThrow(SyntaxError)
    },
  )

  it('fail where a value is missing', () => {
    expect(() => format(parse('{name}'), {}, 'en')).toThrow('name')
  })
})

// Other tests of this process read English.
afterEach(() => speak('en', { messages: {}, refusals: {}, sentences: {} }))

it('what the service says is told in another language, with its values, and several sentences one by one', () => {
  const sentences = { 'No unit is printed': 'Sin unidad', '{name} is late ({by}).': '{name} llega tarde ({by}).' }
  speak('es', { messages: {}, refusals: {}, sentences })
  expect(said('No unit is printed')).toBe('Sin unidad')
  expect(said('Kit (1) is late (2 days). No unit is printed.')).toBe('Kit (1) llega tarde (2 days). Sin unidad.')
  expect(said('Nobody knows. No unit is printed.')).toBe('Nobody knows. Sin unidad.')
  const list = { '{list} are high. See somebody.': '{list} son altos.' }
  const limit = { 'It is above {limit} ({source}).': 'Supera {limit} ({source}).' }
  speak('es', { messages: {}, refusals: {}, sentences: { ...list, ...limit } })
  expect(said('Iron, HIV 1/2 antigen and antibody, and Zinc are high. See somebody.')).toBe(
    'Iron, HIV 1/2 antigen and antibody y Zinc son altos.',
  )
  expect(said('It is above 6 mmol/L (Houston Methodist. Critical values, 2024).')).toBe(
    'Supera 6 mmol/L (Houston Methodist. Critical values, 2024).',
  )
})
