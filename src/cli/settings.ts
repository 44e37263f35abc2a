import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import { type OperatorSettingsChange, OperatorSettingsChange as Schema } from '../modules/businesses/schema.ts'

const known = Object.keys(Schema.shape)

/** Parses `setting=value` texts; numbers, true, false and none are recognised by their form. */
export function parseSettings(texts: readonly string[]): OperatorSettingsChange {
  if (texts.length === 0) throw new StartError(`Say what to change as setting=value. Settings: ${known.join(', ')}.`)
  const given = texts.map((text) => {
    const at = text.indexOf('=')
    const name = text.slice(0, at)
    if (at < 1) throw new StartError(`"${text}" is no setting=value. For example: publishing=auto`)
    if (!known.includes(name)) throw new StartError(`There is no setting ${name}. Settings: ${known.join(', ')}.`)
    const value = text.slice(at + 1)
    return [name, name === 'retestPanels' ? listed(value) : typed(value)]
  })
  const parsed = Schema.safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data
  throw new StartError(parsed.error.issues.map(sentenceOf).join('\n'))
}

/** What an issue of a setting asks for, in the words that are typed. */
function sentenceOf({ path, message, ...issue }: z.core.$ZodIssue): string {
  const name = path.join('.')
  const schema: unknown = Schema.shape[name as keyof typeof Schema.shape]
  const takesNone = schema instanceof z.ZodType && z.safeParse(schema, null).success
  const orNone = takesNone ? ', or none' : ''
  const wanted = issue.code === 'invalid_type' ? words[issue.expected] : undefined
  if (wanted) return `${name} must be ${wanted}${orNone}.`
  if (issue.code === 'invalid_value')
    return `${name} must be ${issue.values.join(', ').replace(/, (?=[^,]*$)/, ' or ')}${orNone}.`
  return `${name}: ${message.replace(/\.?$/, '.')}${takesNone ? ' Or send none.' : ''}`
}

const words: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  int: 'a whole number',
  number: 'a whole number',
  string: 'a text',
}

const listed = (text: string): string[] => (text === 'none' ? [] : text.split(','))

function typed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'none') return null
  return /^\d+$/.test(text) ? Number(text) : text
}
