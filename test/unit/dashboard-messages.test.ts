import { afterEach, expect, it } from 'vitest'
import { speak, t, translateSentence } from '../../web/src/language/t.ts'

// Other tests of this process read English.
afterEach(() => speak('en', { messages: {}, refusals: {}, sentences: {} }))

it('what the service says is shown in another language, with its values, and several sentences one by one', () => {
  const sentences = { 'No unit is printed': 'Sin unidad', '{name} is late ({by}).': '{name} llega tarde ({by}).' }
  speak('es', { messages: {}, refusals: {}, sentences })
  expect(translateSentence('No unit is printed')).toBe('Sin unidad')
  expect(translateSentence('Kit (1) is late (2 days). No unit is printed.')).toBe(
    'Kit (1) llega tarde (2 days). Sin unidad.',
  )
  expect(translateSentence('Nobody knows. No unit is printed.')).toBe('Nobody knows. Sin unidad.')
  const list = { '{list} are high. See somebody.': '{list} son altos.' }
  const limit = { 'It is above {limit} ({source}).': 'Supera {limit} ({source}).' }
  speak('es', { messages: {}, refusals: {}, sentences: { ...list, ...limit } })
  expect(translateSentence('Iron, HIV 1/2 antigen and antibody, and Zinc are high. See somebody.')).toBe(
    'Iron, HIV 1/2 antigen and antibody y Zinc son altos.',
  )
  expect(translateSentence('It is above 6 mmol/L (Houston Methodist. Critical values, 2024).')).toBe(
    'Supera 6 mmol/L (Houston Methodist. Critical values, 2024).',
  )
})

it('fails where a message lacks a value', () => {
  expect(() => t('{name} is late', {})).toThrow('name')
})
