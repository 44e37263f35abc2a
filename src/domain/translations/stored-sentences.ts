import { type Kept, type Messages, Sentence } from '@kitlane/display/sentence'

/**
 * A sentence of a row: the English text of its time, which release 0.1.0 reads, and what it was made of. A row of 0.1.0 has the
 * text alone. Its message is looked up among those that have a translation, and what people typed stays as it is.
 */
export const stored = (text: string, kept?: Kept | null): Sentence => new StoredSentence(text, kept)

class StoredSentence extends Sentence {
  readonly #of: Sentence | undefined

  constructor(text: string, kept: Kept | null | undefined) {
    super(text)
    const made = kept ? revived(kept) : undefined
    // A process of 0.1.0 may have changed the text of a row that a newer one wrote: then the text counts.
    this.#of = String(made) === text ? made : undefined
  }

  override in(language: string, messages: Messages): string {
    if (language === 'en') return this.message
    return this.#of ? this.#of.in(language, messages) : translate(this.message, language, messages)
  }

  override kept(): Kept {
    return this.#of ? this.#of.kept() : super.kept()
  }
}

function revived({ message, values }: Kept): Sentence {
  if (!values) return stored(message)
  const all = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' && 'message' in value ? revived(value) : value,
  ])
  return new Sentence(message, Object.fromEntries(all))
}

function translate(text: string, language: string, messages: Messages): string {
  const whole = translated(text, language, messages)
  if (whole !== undefined) return whole
  const bare = text.endsWith('.') ? translated(text.slice(0, -1), language, messages) : undefined
  if (bare !== undefined) return `${bare}.`
  const parts = text.split(/(?<=[.?!]) (?=\p{Lu})/u)
  return parts.length > 1 ? parts.map((part) => translate(part, language, messages)).join(' ') : text
}

function translated(text: string, language: string, messages: Messages): string | undefined {
  if (messages[text] !== undefined) return messages[text]
  for (const [pattern, message] of patternsOf(messages)) {
    const values = pattern.exec(text)?.groups
    if (values) return new Sentence(message, withList(inWords(values, messages))).in(language, messages)
  }
  return withGrounds(text, messages)
}

/** A reason and what it rests on, after a colon. */
function withGrounds(text: string, messages: Messages): string | undefined {
  for (let at = text.lastIndexOf(': '); at > 0; at = text.lastIndexOf(': ', at - 1)) {
    const reason = messages[text.slice(0, at)]
    if (reason !== undefined) return reason + text.slice(at)
  }
  return undefined
}

/** What stands in a sentence may have words of its own, such as `high`. */
const inWords = (values: Record<string, string>, messages: Messages): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, messages[value] ?? value]))

/** An English list of names, `A, B, and C`, as a list. */
function withList({ list, ...values }: Record<string, string>): Sentence['values'] {
  if (list === undefined) return values
  const at = list.lastIndexOf(' and ')
  const names = at < 0 ? [list] : [list.slice(0, at).replace(/,$/, ''), list.slice(at + ' and '.length)]
  return { ...values, list: names }
}

/** Values as they are, at least one, and words between them: values alone would be any text. */
const SIMPLE = /^(?=.*\p{L}(?![^{]*\}))[^{}]*(\{\w+\}[^{}]*)+$/u

const known = new WeakMap<Messages, (readonly [RegExp, string])[]>()

function patternsOf(messages: Messages) {
  const made =
    known.get(messages) ??
    Object.keys(messages).flatMap((message) => (SIMPLE.test(message) ? [[patternOf(message), message] as const] : []))
  known.set(messages, made)
  return made
}

// A placeholder does not reach into the next sentence, unless it stands in brackets: titles of sources have full stops.
function patternOf(english: string): RegExp {
  const fixed = english.replace(/[\\^$.*+?()[\]|]/g, '\\$&')
  const inBrackets = fixed.replace(/\\\(\{(\w+)\}\\\)/g, '\\((?<$1>.+?)\\)')
  return new RegExp(`^${inBrackets.replace(/\{(\w+)\}/g, '(?<$1>(?:(?![.?!] \\p{Lu}).)+?)')}$`, 'u')
}
