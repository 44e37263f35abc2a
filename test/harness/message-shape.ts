import { IntlMessageFormat } from 'intl-messageformat'

interface Element {
  type: number
  value?: string
  options?: Record<string, { value: Element[] }>
  children?: Element[]
}

const LITERAL = 0
const POUND = 7
const TAG = 8

const namesIn = (elements: readonly Element[]): string[] =>
  elements.flatMap(({ type, value = '', options = {}, children = [] }) => [
    ...(type === LITERAL || type === POUND ? [] : [type === TAG ? `<${value}>` : `{${value}}`]),
    ...Object.values(options).flatMap((option) => namesIn(option.value)),
    ...namesIn(children),
  ])

/** The placeholders and tags of a message, each once. @throws SyntaxError where it is no ICU message */
export const shapeOf = (message: string, language: string): string[] =>
  [...new Set(namesIn(new IntlMessageFormat(message, language).getAst() as Element[]))].sort()

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const patternOf = (elements: readonly Element[]): string =>
  elements
    .map(({ type, value = '', children = [] }) =>
      type === LITERAL ? escaped(value.trim()) : type === TAG ? patternOf(children) : '.+',
    )
    .join('.*')

/** A pattern of what a message may say, with any values. */
export const anyOf = (message: string): string => patternOf(new IntlMessageFormat(message, 'en').getAst() as Element[])

type Messages = Readonly<Record<string, string>>

/** What is wrong with a language's messages, compared with the English ones. */
export function differences(english: Messages, other: Messages, language: string): string[] {
  const missing = Object.keys(english).filter((key) => !other[key]?.trim())
  const extra = Object.keys(other).filter((key) => english[key] === undefined)
  const shared = Object.keys(english).filter((key) => other[key]?.trim())
  return [
    ...missing.map((key) => `${key} is missing`),
    ...extra.map((key) => `${key} is in no English message`),
    ...shared.flatMap((key) => {
      const [wanted, given] = [shapeOf(english[key] ?? '', 'en'), shapeOf(other[key] ?? '', language)]
      return wanted.join() === given.join()
        ? []
        : [`${key} has ${given.join(' ')}, the English one ${wanted.join(' ')}`]
    }),
  ]
}
