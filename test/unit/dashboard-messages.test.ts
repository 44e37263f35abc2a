import { sentence } from '@kitlane/display/sentence'
import { afterEach, expect, it } from 'vitest'
import { jsonIn } from '../../src/domain/translations/sentences.ts'
import { stored } from '../../src/domain/translations/stored-sentences.ts'
import { say, speak, t } from '../../web/src/language/t.ts'

// Other tests of this process read English.
afterEach(() => speak('en', { messages: {}, refusals: {} }))

it('a sentence is English as text and in JSON, and is shown in another language with its values', () => {
  const late = sentence('{name} is late by {days, plural, one {# day} other {# days}}.', { name: 'A (1)', days: 1200 })
  expect(`${late}`).toBe('A (1) is late by 1,200 days.')
  expect(JSON.stringify({ late })).toBe('{"late":"A (1) is late by 1,200 days."}')
  const days = '{days, plural, one {# día} other {# días}}'
  speak('es', { messages: { [late.message]: `{name} llega ${days} tarde.` }, refusals: {} })
  expect(say(late)).toBe('A (1) llega 1200 días tarde.')
  const on = sentence('On {date} {late}', { date: '2028-01-31', late })
  expect([say(on), `${on}`]).toEqual([
    'On 31 de enero de 2028 A (1) llega 1200 días tarde.',
    'On 2028-01-31 A (1) is late by 1,200 days.',
  ])
  const both = sentence('{late} {list}', { late, list: ['Iron', 'Lead', 'Zinc'] })
  expect(say(both)).toBe('A (1) llega 1200 días tarde. Iron, Lead y Zinc')
  expect(String(both)).toBe('A (1) is late by 1,200 days. Iron, Lead, and Zinc')
})

it('a sentence that was stored as English is found again, with its values and what it rests on, several one by one', () => {
  const inSpanish = (text: string) => JSON.parse(jsonIn('es', [stored(text)]))[0]
  expect(inSpanish('No unit is printed: ask the laboratory for it')).toMatch(/^No hay ninguna unidad impresa: pedirla/)
  expect(inSpanish('The name is not known: say which test it is: Iron: total')).toBe(
    'El nombre no se conoce: indicar de qué análisis es: Iron: total',
  )
  expect(inSpanish('Nobody knows. It is hard to read. Another line gives a different value for it.')).toBe(
    'Nobody knows. Es difícil de leer. Otra línea le da un valor distinto.',
  )
  expect(
    inSpanish(
      'Iron, HIV 1/2 antigen and antibody, and Zinc are not as expected. Discuss these results with a clinician.',
    ),
  ).toMatch(/^Iron, HIV 1\/2 antigen and antibody y Zinc no son como se esperaba\./)
  expect(inSpanish('It reaches the critical limit of 6 mmol/L (Houston Methodist. Critical values, 2024).')).toBe(
    'Alcanza el límite crítico de 6 mmol/L (Houston Methodist. Critical values, 2024).',
  )
  expect(jsonIn('en', [stored('It is hard to read')])).toBe('["It is hard to read"]')
})

it('fails where a message lacks a value', () => {
  expect(() => t('{name} is late', {})).toThrow('name')
})
